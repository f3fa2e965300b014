#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reproductions of weaknesses of the peer, each with the line it comes from.

  peer_findings.py [--json [PATH]]
"""
from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import os
import shutil
import sys
import time

sys.dont_write_bytecode = True  # this folder may be read-only
from common import HERE, fresh_dir, run_with_peer  # noqa: E402
from inbox_bench import channel_of, from_template, make_adapter, session_key  # noqa: E402


async def counts(inbox) -> dict:
    rows = await inbox._submit(lambda: inbox._conn().execute("SELECT status, COALESCE(outcome, ''), COUNT(*) FROM receipts GROUP BY 1, 2").fetchall())
    return {f"{r[0]}:{r[1]}": r[2] for r in rows}


async def quarantine_auto_discarded() -> dict:
    """adapter.py:571-592: with nothing launchable for ~1 s the scheduler 'heals' by discarding every quarantined
    receipt whose session is not *active at this moment* - not, as its docstring says, whose session is gone."""
    path = fresh_dir("finding1")
    from_template(
        path / "home" / "plugins" / "borgee" / "inbox.sqlite3",
        {"blocks": [dict(count=1, first=1, status="quarantined"), dict(count=3, first=10, status="pending")]},
    )
    adapter = make_adapter(path, 4)
    from gateway.config import GatewayConfig
    from gateway.session import SessionStore

    config = GatewayConfig()
    config.group_sessions_per_user = False
    store = SessionStore(path / "home" / "sessions", config)
    store.get_or_create_session(adapter._build_borgee_source(channel_id=channel_of(0), channel_type="channel", author_id="u", author_name="U", message_id="m"))
    adapter.set_session_store(store)
    await adapter._inbox.open()
    await adapter._prepare_crash_recovery()
    before = await counts(adapter._inbox)
    adapter._admitting = True
    adapter._ready.set()
    logging.getLogger("borgee_hermes.adapter").setLevel(logging.CRITICAL)
    task = asyncio.create_task(adapter._schedule_loop())
    t0 = time.monotonic()
    seconds = None
    while time.monotonic() - t0 < 6:
        await asyncio.sleep(0.05)
        if any("auto_discarded" in k for k in await counts(adapter._inbox)):
            seconds = round(time.monotonic() - t0, 2)
            break
    await asyncio.sleep(0.3)
    after = await counts(adapter._inbox)
    adapter._admitting = False
    task.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await task
    await adapter._inbox.close()
    shutil.rmtree(path, ignore_errors=True)
    return {
        "session_alive": store.peek_session_id(session_key(channel_of(0))) is not None,
        "before": before,
        "after": after,
        "auto_discarded_after_s": seconds,
        "later_receipts_of_the_lane_ran": any("noop" in k for k in after),
    }


class KeptWakeup(asyncio.Event):
    """A wake-up that arrived during a scheduler pass is kept (what adapter.py:603 loses)."""

    kept = False

    def set(self) -> None:
        self.kept = True
        super().set()

    def clear(self) -> None:
        if self.kept:
            self.kept = False
            return
        super().clear()


def lost_wakeup() -> dict:
    """adapter.py:479-503 and 573 run up to four actor hops, then adapter.py:603 clears the event: a receipt whose
    insert was queued between two of these hops set it before, and now waits for the 50 ms poll.
    End to end, closed loop (each message sent when the previous turn is over), as shipped and with the wake-up kept."""
    from e2e_bench import CASES, run_once

    out = {}
    for name, env in (("as_shipped", None), ("wakeup_kept", "1")):
        if env:
            os.environ["PEER_KEEP_WAKEUP"] = env
        else:
            os.environ.pop("PEER_KEEP_WAKEUP", None)
        result = run_once({**CASES["turns_idle"], "count": 150}, [sys.executable, str(HERE / "peer_e2e_sut.py")])
        out[name] = {"send_to_handler_ms": result["server"]["start_ms"], "turns_per_s": result["server"]["done_per_s"]}
    os.environ.pop("PEER_KEEP_WAKEUP", None)
    return out


async def main() -> None:
    out = {
        "quarantine_auto_discarded": await quarantine_auto_discarded(),
        "lost_wakeup": await asyncio.to_thread(lost_wakeup),
    }
    print(json.dumps(out, indent=1))
    if "--json" in sys.argv and len(sys.argv) > sys.argv.index("--json") + 1:
        with open(sys.argv[sys.argv.index("--json") + 1], "w") as handle:
            json.dump(out, handle, indent=1)
    os._exit(0)


if __name__ == "__main__":
    run_with_peer()
    asyncio.run(main())
