#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Print SQLite's plan for every statement the peer's inbox runs in a turn (EXPLAIN QUERY PLAN on its own connection)."""
import asyncio
import shutil
import sys

sys.dont_write_bytecode = True  # this folder may be read-only
from common import fresh_dir, run_with_peer  # noqa: E402
from inbox_bench import backlog_spec, channel_of, from_template, opened, receipt_fields, session_key  # noqa: E402


async def main() -> None:
    path = fresh_dir("explain")
    spec, lanes, _ = backlog_spec(10_000, "lanes1000")
    from_template(path / "inbox.sqlite3", spec)
    inbox = await opened(path)
    from borgee_hermes.inbox import ReceiptInput

    statements: list[str] = []
    trace = lambda fn: inbox._submit(lambda: inbox._conn().set_trace_callback(fn))  # noqa: E731
    active = {session_key(channel_of(i)) for i in lanes}
    sections = {
        "ordinary candidates (inbox.py:560, adapter.py:479)": lambda: inbox.list_candidates(excluded_session_keys=active),
        "control candidates, 1 active session (adapter.py:482)": lambda: inbox.list_candidates(
            limit=1, included_session_keys={session_key(channel_of(0))}, dispatch_classes={"control"}, allow_blocked_pending=True),
        "control candidates, 4 active sessions": lambda: inbox.list_candidates(
            limit=4, included_session_keys=active, dispatch_classes={"control"}, allow_blocked_pending=True),
        "insert (inbox.py:485)": lambda: inbox.insert_receipt(ReceiptInput(**receipt_fields(7_000_000, 5, 200))),
        "claim (inbox.py:650)": lambda: inbox.claim(20, "token-x"),
        "mark_terminal + watermark (inbox.py:681, 858)": lambda: inbox.mark_terminal(20, "token-x", "completed", "x", None),
        "count_pending (inbox.py:841)": lambda: inbox.count_pending(),
        "get_chat_info (inbox.py:915)": lambda: inbox.get_chat_info("nope"),
    }
    for title, call in sections.items():
        statements.clear()
        await trace(statements.append)
        await call()
        await trace(None)
        print(f"== {title}")
        for sql in list(statements):
            if sql.split()[0] not in ("SELECT", "UPDATE", "INSERT"):
                continue
            rows = await inbox._submit(lambda: [tuple(r) for r in inbox._conn().execute("EXPLAIN QUERY PLAN " + sql)])
            if rows:
                print("   ", " ".join(sql.split())[:110])
                for row in rows:
                    print("        ", row[3])
    await inbox.close()
    shutil.rmtree(path, ignore_errors=True)


if __name__ == "__main__":
    run_with_peer()
    asyncio.run(main())
