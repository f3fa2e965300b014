#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Benchmarks of the peer's durable inbox: borgee_hermes.inbox.InboxActor, its real class on a real SQLite file.

  inbox_bench.py [--json [PATH]] [--repeats 3] [CASE ...]     run cases (default: all)
  inbox_bench.py --worker CASE JSON-PARAMS                    one repeat in this process (internal)

The workers run in the interpreter of the peer's virtual environment (setup.sh, or PEER_VENV).
"""
from __future__ import annotations

import asyncio
import contextlib
import hashlib
import json
import os
import resource
import shutil
import subprocess
import sys
import time
import uuid
from pathlib import Path

sys.dont_write_bytecode = True  # this folder may be read-only
from common import (  # noqa: E402
    PEER_PYTHON,
    base_parser,
    document,
    emit,
    fresh_dir,
    io_write_bytes,
    peak_rss_mib,
    repeat_worker,
    require_peer,
    summary_ms,
    pct,
    WORK,
)

CASES: dict[str, dict] = {
    "import_only": {},
    "insert_serial": {"n": 5000, "body": 200},
    "admit_serial": {"n": 5000, "body": 200},
    "admit_64": {"n": 5000, "producers": 64, "body": 200},
    "lifecycle_steady": {"n": 2000, "lanes": 100, "dispatches": 4, "body": 200},
    "lifecycle_drain": {"n": 2000, "lanes": 100, "dispatches": 4, "body": 200},
    "lifecycle_drain_backlog20k": {"n": 500, "lanes": 100, "dispatches": 4, "body": 200, "preloaded": 20000},
    "lifecycle_drain_blocked10k": {"n": 2000, "lanes": 100, "dispatches": 4, "body": 200, "extra_backlog": 10000},
    "claim_one_lane_0": {"backlog": 0, "shape": "one_lane"},
    "claim_one_lane_1k": {"backlog": 1000, "shape": "one_lane"},
    "claim_one_lane_10k": {"backlog": 10000, "shape": "one_lane"},
    "claim_one_lane_100k": {"backlog": 100000, "shape": "one_lane"},
    "claim_quarantined_1k": {"backlog": 1000, "shape": "quarantined"},
    "claim_quarantined_10k": {"backlog": 10000, "shape": "quarantined"},
    "claim_quarantined_100k": {"backlog": 100000, "shape": "quarantined"},
    "claim_lanes1000_0": {"backlog": 0, "shape": "lanes1000"},
    "claim_lanes1000_1k": {"backlog": 1000, "shape": "lanes1000"},
    "claim_lanes1000_10k": {"backlog": 10000, "shape": "lanes1000"},
    "claim_lanes1000_100k": {"backlog": 100000, "shape": "lanes1000"},
    "idle_cpu_empty": {"backlog": 0, "shape": "empty", "seconds": 4},
    "idle_cpu_0": {"backlog": 0, "shape": "one_lane", "seconds": 4},
    "idle_cpu_10k": {"backlog": 10000, "shape": "one_lane", "seconds": 4},
    "idle_cpu_100k": {"backlog": 100000, "shape": "one_lane", "seconds": 4},
    "startup_live_sessions": {"pending": 100000, "processing": 100, "sessions": 100},
    "startup_no_sessions": {"pending": 100000, "processing": 100, "sessions": 0},
    "startup_real_store": {"pending": 100000, "processing": 100},
    "history_1k": {"history": 1000, "n": 200},
    "history_100k": {"history": 100000, "n": 200},
    "size": {"n": 5000, "body": 200},
}


# ---------------------------------------------------------------- fixtures

def session_key(channel: str) -> str:
    return f"agent:main:borgee:channel:{channel}"


def stable_uuid(kind: str, index: int) -> str:
    """A random-looking but reproducible UUID, so index pages are touched as real ids touch them."""
    return str(uuid.UUID(bytes=hashlib.md5(f"{kind}{index}".encode()).digest()))


def channel_of(lane: int) -> str:
    return stable_uuid("channel", lane)


def receipt_fields(index: int, lane: int, body: int, dispatch_class: str = "ordinary") -> dict:
    channel = channel_of(lane)
    message = stable_uuid("message", index)
    digest = hashlib.sha256(f"payload{index}".encode()).hexdigest()
    text = ("m%07d " % index + "lorem ipsum dolor sit amet " * (body // 27 + 1))[:body]
    if dispatch_class == "control":
        text = "/status"
    return dict(
        kind="message",
        channel_id=channel,
        channel_type="channel",
        author_id=stable_uuid("author", index % 7),
        author_name="Some Author",
        message_id=message,
        session_key=session_key(channel),
        source_body=text,
        effective_body=text,
        reply_to_id=None,
        source_created_at=1_764_500_000_000 + index,
        payload_hash=digest,
        dedupe_key=f"message:{channel}:{message}:{digest}",
        dispatch_class=dispatch_class,
    )


COLUMNS = (
    "kind channel_id channel_type author_id author_name message_id session_key source_body effective_body "
    "reply_to_id source_created_at payload_hash dedupe_key dispatch_class status claim_token attempt created_at updated_at"
).split()


def bulk_rows(rows: list[tuple[dict, str, str | None]]) -> list[tuple]:
    now = time.time()
    out = []
    for fields, status, token in rows:
        out.append(
            (
                fields["kind"], fields["channel_id"], fields["channel_type"], fields["author_id"], fields["author_name"],
                fields["message_id"], fields["session_key"], fields["source_body"], fields["effective_body"],
                fields["reply_to_id"], fields["source_created_at"], fields["payload_hash"], fields["dedupe_key"],
                fields["dispatch_class"], status, token, 0 if token is None else 1, now, now,
            )
        )
    return out


def spec_rows(spec: dict) -> list[tuple[dict, str, str | None]]:
    """The rows of a prepared database: blocks of (count, first index, lanes, first lane, status, class)."""
    rows: list[tuple[dict, str, str | None]] = []
    for block in spec["blocks"]:
        for i in range(block["count"]):
            status = block["status"]
            fields = receipt_fields(block["first"] + i, block.get("lane0", 0) + i % block.get("lanes", 1), spec.get("body", 200))
            rows.append((fields, status, uuid.uuid4().hex if status != "pending" else None))
    return rows


def from_template(path: Path, spec: dict) -> None:
    """Put a prepared database at `path`. It is built once, in a child process, so neither its time nor its
    memory is the peer's; the copy is fsynced so that its writeback does not disturb the measurement."""
    blocks = json.dumps(spec, sort_keys=True)
    cache = WORK / "templates" / (hashlib.sha256(blocks.encode()).hexdigest()[:16] + ".sqlite3")
    if not cache.exists():
        subprocess.run([sys.executable, __file__, "--prepare", blocks, str(cache)], check=True, stdout=sys.stderr)
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    shutil.copyfile(cache, path)
    path.chmod(0o600)
    fd = os.open(path, os.O_RDWR)
    os.fsync(fd)
    os.close(fd)


async def prepare_template(spec: dict, target: Path) -> None:
    work = fresh_dir("template")
    inbox = await opened(work)
    await bulk_insert(inbox, spec_rows(spec))
    await inbox.close()
    target.parent.mkdir(parents=True, exist_ok=True)
    os.replace(work / "inbox.sqlite3", target)
    shutil.rmtree(work, ignore_errors=True)


async def bulk_insert(inbox, rows: list[tuple[dict, str, str | None]]) -> None:
    """Rows in one transaction on the actor's own connection (not measured)."""
    data = bulk_rows(rows)
    sql = f"INSERT INTO receipts({', '.join(COLUMNS)}) VALUES ({', '.join('?' * len(COLUMNS))})"

    def work() -> None:
        con = inbox._conn()
        con.execute("BEGIN IMMEDIATE")
        con.executemany(sql, data)
        con.execute("COMMIT")
        con.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    await inbox._submit(work)


async def opened(path: Path):
    from borgee_hermes.inbox import InboxActor

    inbox = InboxActor(path / "inbox.sqlite3")
    await inbox.open()
    settings = await inbox.database_settings()
    assert settings["journal_mode"] == "wal" and settings["synchronous"] == 2, settings
    return inbox


def cpu_s() -> float:
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


# ---------------------------------------------------------------- cases

async def case_import_only(p: dict, path: Path) -> dict:
    import borgee_hermes.inbox  # noqa: F401

    return {}


async def admit(p: dict, path: Path, with_echo_check: bool, producers: int) -> dict:
    from borgee_hermes.inbox import ReceiptInput

    inbox = await opened(path)
    values = [ReceiptInput(**receipt_fields(i, i % 50, p["body"])) for i in range(p["n"])]
    latencies: list[int] = []
    queue = iter(values)

    async def producer() -> None:
        for value in queue:
            t0 = time.perf_counter_ns()
            if with_echo_check:
                await inbox.is_outbound(value.message_id)  # adapter.py:377 does this before every insert
            result = await inbox.insert_receipt(value)
            latencies.append(time.perf_counter_ns() - t0)
            assert result.inserted

    io0, cpu0, t0 = io_write_bytes(), cpu_s(), time.perf_counter()
    await asyncio.gather(*(producer() for _ in range(producers)))
    wall = time.perf_counter() - t0
    cpu = cpu_s() - cpu0
    written = io_write_bytes() - io0
    await inbox.close()
    out = {"receipts_per_s": p["n"] / wall, **summary_ms(latencies, "commit")}
    out["cpu_us_per_receipt_us"] = cpu / p["n"] * 1e6
    out["disk_written_per_receipt_bytes"] = written / p["n"]
    return out


async def case_insert_serial(p, path):
    return await admit(p, path, False, 1)


async def case_admit_serial(p, path):
    return await admit(p, path, True, 1)


async def case_admit_64(p, path):
    return await admit(p, path, True, p["producers"])


def make_adapter(path: Path, dispatches: int):
    """The real BorgeePlatformAdapter on the SDK's own fake transport; only the socket is missing."""
    os.environ["HERMES_HOME"] = str(path / "home")
    os.environ["BORGEE_API_KEY"] = "bgr_bench"
    (path / "home").mkdir(exist_ok=True)
    from gateway.config import PlatformConfig

    from borgee_hermes._vendor.borgee_plugin_sdk.testing import FakeTransport, create_test_client
    from borgee_hermes.adapter import BorgeePlatformAdapter

    class NoopDispatch(BorgeePlatformAdapter):
        """The real scheduler; the handler is a no-op, so a turn is claim + mark_terminal."""

        async def _dispatch_receipt(self, ingest_seq: int) -> None:
            token = uuid.uuid4().hex
            receipt = await self._inbox.claim(ingest_seq, token)
            assert receipt is not None
            assert await self._inbox.mark_terminal(ingest_seq, token, "completed", "noop", None)
            self.done_count += 1
            if self.done_count >= self.target:
                self.all_done.set()

    adapter = NoopDispatch(
        PlatformConfig(
            enabled=True,
            extra={
                "base_url": "http://127.0.0.1:9",
                "allow_insecure_loopback": True,
                "max_concurrent_dispatches": dispatches,
                "group_sessions_per_user": False,
                "_busy_input_mode": "queue",
            },
        )
    )
    adapter._client = create_test_client(adapter._client._options, FakeTransport())
    adapter.done_count = 0
    adapter.target = 0
    adapter.all_done = asyncio.Event()
    return adapter


async def lifecycle(p: dict, path: Path, steady: bool) -> dict:
    from borgee_hermes.inbox import ReceiptInput

    blocks = []
    if p.get("extra_backlog"):
        # another lane, blocked by its quarantined head, with that many receipts waiting behind it
        blocks.append(dict(count=1, first=10_000_000, lane0=9999, status="quarantined"))
        blocks.append(dict(count=p["extra_backlog"], first=10_000_001, lane0=9999, status="pending"))
    if not steady:
        blocks.append(dict(count=p.get("preloaded", p["n"]), first=0, lanes=p["lanes"], status="pending"))
    if blocks:
        from_template(path / "home" / "plugins" / "borgee" / "inbox.sqlite3", {"blocks": blocks, "body": p["body"]})
    adapter = make_adapter(path, p["dispatches"])
    inbox = adapter._inbox
    await inbox.open()
    values = [ReceiptInput(**receipt_fields(i, i % p["lanes"], p["body"])) for i in range(p["n"])] if steady else []
    adapter.target = p["n"]
    adapter._admitting = True
    adapter._ready.set()

    async def producer() -> None:
        for value in values:
            await inbox.is_outbound(value.message_id)
            result = await inbox.insert_receipt(value)
            if result.receipt.status == "pending":
                adapter._scheduler_wakeup.set()  # adapter.py:317

    io0, cpu0, t0 = io_write_bytes(), cpu_s(), time.perf_counter()
    scheduler = asyncio.create_task(adapter._schedule_loop())
    feeding = asyncio.create_task(producer()) if steady else None
    timed_out = 0
    try:
        await asyncio.wait_for(adapter.all_done.wait(), p.get("limit_s", 12))
    except asyncio.TimeoutError:
        timed_out = 1
    wall = time.perf_counter() - t0
    done = adapter.done_count
    cpu = cpu_s() - cpu0
    written = io_write_bytes() - io0
    adapter._admitting = False
    scheduler.cancel()
    if feeding is not None:
        feeding.cancel()
    for task in (scheduler, feeding):
        if task is not None:
            with contextlib.suppress(asyncio.CancelledError):
                await task
    if adapter._dispatch_tasks:
        await asyncio.gather(*adapter._dispatch_tasks, return_exceptions=True)
    await inbox.close()
    return {
        "receipts_per_s": done / wall,
        "completed": done,
        "timed_out": timed_out,
        "cpu_us_per_receipt_us": cpu / max(1, done) * 1e6,
        "disk_written_per_receipt_bytes": written / max(1, done),
    }


async def case_lifecycle_steady(p, path):
    return await lifecycle(p, path, True)


async def case_lifecycle_drain(p, path):
    return await lifecycle(p, path, False)


def backlog_spec(backlog: int, shape: str) -> tuple[dict, list[int], int]:
    """(template, active lanes, lane of the control receipt)"""
    if shape == "one_lane":
        # one lane: its head runs (processing) and `backlog` ordinary receipts wait behind it
        blocks = [dict(count=1, first=5_000_000, status="processing"), dict(count=backlog, first=1, status="pending")]
        return {"blocks": blocks}, [0], 0
    if shape == "quarantined":
        # lane 0 is blocked by its quarantined head with `backlog` waiting; lane 1 runs
        blocks = [
            dict(count=1, first=5_000_000, status="quarantined"),
            dict(count=backlog, first=1, status="pending"),
            dict(count=1, first=5_000_001, lane0=1, status="processing"),
        ]
        return {"blocks": blocks}, [1], 1
    # 1,000 lanes, `backlog` spread round robin; lanes 0-3 run
    blocks = [
        dict(count=4, first=5_000_000, lanes=4, status="processing"),
        dict(count=backlog, first=1, lanes=1000, status="pending"),
    ]
    return {"blocks": blocks}, [0, 1, 2, 3], 0


async def case_claim(p: dict, path: Path) -> dict:
    from borgee_hermes.inbox import ReceiptInput

    spec, lanes, control_lane = backlog_spec(p["backlog"], p["shape"])
    from_template(path / "inbox.sqlite3", spec)
    inbox = await opened(path)
    active = {session_key(channel_of(lane)) for lane in lanes}
    # one /status arrives last, behind everything else
    first = await inbox.insert_receipt(ReceiptInput(**receipt_fields(9_000_000, control_lane, 200, "control")))
    seq = first.receipt.ingest_seq
    lat: dict[str, list[int]] = {k: [] for k in ("ordinary_query", "control_query", "urgent_query", "claim", "complete", "control_wakeup_to_claim", "insert")}
    deadline = time.monotonic() + 9.0
    rounds = 0
    while rounds < 15 and (rounds < 3 or time.monotonic() < deadline):
        # exactly one pass of _schedule_loop (adapter.py:475-503) and the claim of the control it finds
        t0 = time.perf_counter_ns()
        await inbox.list_candidates(excluded_session_keys=active)
        t1 = time.perf_counter_ns()
        controls = await inbox.list_candidates(
            limit=len(active), excluded_session_keys=set(), included_session_keys=active,
            dispatch_classes={"control"}, allow_blocked_pending=True,
        )
        t2 = time.perf_counter_ns()
        await inbox.list_candidates(
            limit=len(active), excluded_session_keys=set(), included_session_keys=active,
            dispatch_classes={"urgent_stop"}, allow_blocked_pending=True,
        )
        t3 = time.perf_counter_ns()
        assert [c.ingest_seq for c in controls] == [seq], (controls, seq)
        token = uuid.uuid4().hex
        claimed = await inbox.claim(seq, token)
        t4 = time.perf_counter_ns()
        assert claimed is not None
        t5 = time.perf_counter_ns()
        assert await inbox.mark_terminal(seq, token, "completed", "bench", None)
        t6 = time.perf_counter_ns()
        lat["ordinary_query"].append(t1 - t0)
        lat["control_query"].append(t2 - t1)
        lat["urgent_query"].append(t3 - t2)
        lat["claim"].append(t4 - t3)
        lat["control_wakeup_to_claim"].append(t4 - t0)
        lat["complete"].append(t6 - t5)
        rounds += 1
        t7 = time.perf_counter_ns()
        result = await inbox.insert_receipt(ReceiptInput(**receipt_fields(9_000_000 + rounds, control_lane, 200, "control")))
        lat["insert"].append(time.perf_counter_ns() - t7)
        seq = result.receipt.ingest_seq
    await inbox.close()
    out = {}
    for name, values in lat.items():
        out[f"{name}_p50_ms"] = pct([v / 1e6 for v in values], 0.5)
    out["control_wakeup_to_claim_max_ms"] = max(lat["control_wakeup_to_claim"]) / 1e6
    out["rounds"] = rounds
    return out


async def case_idle_cpu(p: dict, path: Path) -> dict:
    """CPU burnt by the real scheduler while one lane is busy and nothing can be launched."""
    if p["shape"] != "empty":
        spec, lanes, _ = backlog_spec(p["backlog"], p["shape"])
        from_template(path / "home" / "plugins" / "borgee" / "inbox.sqlite3", spec)
    else:
        lanes = []
    adapter = make_adapter(path, 4)
    inbox = adapter._inbox
    await inbox.open()
    for lane in lanes:
        key = session_key(channel_of(lane))
        adapter._active_sessions[key] = asyncio.Event()
        adapter._ordinary_sessions.add(key)
    adapter._admitting = True
    adapter._ready.set()
    scheduler = asyncio.create_task(adapter._schedule_loop())
    await asyncio.sleep(0.5)
    cpu0, t0 = cpu_s(), time.perf_counter()
    await asyncio.sleep(p["seconds"])
    out = {"idle_cpu_pct": (cpu_s() - cpu0) / (time.perf_counter() - t0) * 100}
    adapter._admitting = False
    scheduler.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await scheduler
    await inbox.close()
    return out


async def case_startup(p: dict, path: Path) -> dict:
    blocks = [
        dict(count=p["processing"], first=5_000_000, lanes=max(1, p["processing"]), status="processing"),
        dict(count=p["pending"], first=1, lanes=1000, status="pending"),
    ]
    from_template(path / "inbox.sqlite3", {"blocks": blocks})
    existing = {session_key(channel_of(i)) for i in range(p["sessions"])}
    import borgee_hermes.inbox  # noqa: F401  (the import is not start-up work of the inbox)

    # the sequence of connect() + _prepare_crash_recovery (adapter.py:196, 250-276), Hermes' session store left out
    t0 = time.perf_counter_ns()
    inbox = await opened(path)
    t1 = time.perf_counter_ns()
    recovered = await inbox.recover_processing()
    t2 = time.perf_counter_ns()
    in_doubt = await inbox.list_in_doubt_sessions()
    t3 = time.perf_counter_ns()
    quarantined = await inbox.quarantine_in_doubt(existing)
    t4 = time.perf_counter_ns()
    discarded = await inbox.auto_discard_stale_quarantined(existing)
    t5 = time.perf_counter_ns()
    await inbox.list_candidates(excluded_session_keys=set())
    t6 = time.perf_counter_ns()
    await inbox.close()
    assert recovered == quarantined == p["processing"], (recovered, quarantined)
    return {
        "startup_total_ms": (t5 - t0) / 1e6,
        "startup_to_first_candidates_ms": (t6 - t0) / 1e6,
        "open_ms": (t1 - t0) / 1e6,
        "recover_processing_ms": (t2 - t1) / 1e6,
        "list_in_doubt_ms": (t3 - t2) / 1e6,
        "quarantine_ms": (t4 - t3) / 1e6,
        "auto_discard_ms": (t5 - t4) / 1e6,
        "in_doubt_sessions": len(in_doubt),
        "auto_discarded": discarded,
    }


async def case_startup_real_store(p: dict, path: Path) -> dict:
    """adapter._prepare_crash_recovery() with Hermes' real SessionStore holding one live session per interrupted lane."""
    blocks = [
        dict(count=p["processing"], first=5_000_000, lanes=max(1, p["processing"]), status="processing"),
        dict(count=p["pending"], first=1, lanes=1000, status="pending"),
    ]
    from_template(path / "home" / "plugins" / "borgee" / "inbox.sqlite3", {"blocks": blocks})
    adapter = make_adapter(path, 4)
    from gateway.config import GatewayConfig
    from gateway.session import SessionStore

    config = GatewayConfig()
    config.group_sessions_per_user = False
    store = SessionStore(path / "home" / "sessions", config)
    for lane in range(p["processing"]):
        entry = store.get_or_create_session(
            adapter._build_borgee_source(
                channel_id=channel_of(lane), channel_type="channel", author_id="u", author_name="U", message_id="m"
            )
        )
        assert entry.session_key == session_key(channel_of(lane)), entry.session_key
    adapter.set_session_store(store)
    t0 = time.perf_counter_ns()
    await adapter._inbox.open()
    await adapter._prepare_crash_recovery()
    t1 = time.perf_counter_ns()
    rows = await adapter._inbox._submit(lambda: adapter._inbox._conn().execute("SELECT status, COUNT(*) FROM receipts GROUP BY status").fetchall())
    await adapter._inbox.close()
    counts = {row[0]: row[1] for row in rows}
    assert counts.get("quarantined") == p["processing"], counts
    return {"startup_with_session_store_ms": (t1 - t0) / 1e6}


async def case_history(p: dict, path: Path) -> dict:
    """Cost of one turn when `history` completed receipts are already in the file (nothing prunes them)."""
    from borgee_hermes.inbox import ReceiptInput

    from_template(path / "inbox.sqlite3", {"blocks": [dict(count=p["history"], first=1_000_000, lanes=100, status="completed")]})
    inbox = await opened(path)
    lat = []
    t0 = time.perf_counter()
    for i in range(p["n"]):
        s = time.perf_counter_ns()
        result = await inbox.insert_receipt(ReceiptInput(**receipt_fields(i, i % 100, 200)))
        await inbox.list_candidates()
        token = uuid.uuid4().hex
        await inbox.claim(result.receipt.ingest_seq, token)
        await inbox.mark_terminal(result.receipt.ingest_seq, token, "completed", "x", None)
        lat.append(time.perf_counter_ns() - s)
    wall = time.perf_counter() - t0
    t1 = time.perf_counter_ns()
    await inbox.get_chat_info("unknown-channel")
    t2 = time.perf_counter_ns()
    await inbox.close()
    return {"turns_per_s": p["n"] / wall, **summary_ms(lat, "turn"), "get_chat_info_unknown_ms": (t2 - t1) / 1e6}


async def case_size(p: dict, path: Path) -> dict:
    from borgee_hermes.inbox import ReceiptInput

    inbox = await opened(path)
    con = lambda sql: inbox._submit(lambda: inbox._conn().execute(sql).fetchall())  # noqa: E731
    await bulk_insert(inbox, [(receipt_fields(i, i % 100, p["body"]), "pending", None) for i in range(p["n"])])
    await con("PRAGMA wal_checkpoint(TRUNCATE)")
    pending = (path / "inbox.sqlite3").stat().st_size
    # complete them the way a turn does, but in one transaction (size only)
    def finish():
        c = inbox._conn()
        c.execute("BEGIN IMMEDIATE")
        for seq in range(1, p["n"] + 1):
            c.execute(
                "UPDATE receipts SET status='completed', claim_token=?, attempt=1, outcome='hermes_completed', updated_at=? WHERE ingest_seq=?",
                (uuid.uuid4().hex, time.time(), seq),
            )
        c.execute("COMMIT")

    await inbox._submit(finish)
    await con("PRAGMA wal_checkpoint(TRUNCATE)")
    completed = (path / "inbox.sqlite3").stat().st_size
    await inbox.close()
    return {"pending_per_receipt_bytes": pending / p["n"], "completed_per_receipt_bytes": completed / p["n"], "body_bytes_param": p["body"]}


def worker(case: str, params: dict) -> None:
    name = case
    if f"case_{case}" not in globals():
        for prefix in ("claim", "idle_cpu", "startup", "history", "lifecycle_drain"):
            if case.startswith(prefix + "_"):
                name = prefix
    function = globals()[f"case_{name}"]
    path = fresh_dir(case)
    try:
        result = asyncio.run(function(params, path))
        result["peak_rss_mib"] = peak_rss_mib()
        print(json.dumps(result))
    finally:
        shutil.rmtree(path, ignore_errors=True)


def main() -> None:
    if len(sys.argv) > 1 and sys.argv[1] == "--prepare":
        asyncio.run(prepare_template(json.loads(sys.argv[2]), Path(sys.argv[3])))
        return
    if len(sys.argv) > 1 and sys.argv[1] == "--worker":
        worker(sys.argv[2], json.loads(sys.argv[3]))
        return
    parser = base_parser(__doc__)
    parser.add_argument("cases", nargs="*")
    parser.add_argument("--n", type=int, help="override n of the cases that have one")
    args = parser.parse_args()
    require_peer()
    WORK.mkdir(parents=True, exist_ok=True)
    docs = []
    for case in args.cases or CASES:
        if case not in CASES:
            raise SystemExit(f"unknown case {case}; have: {', '.join(CASES)}")
        params = dict(CASES[case])
        if args.n and "n" in params:
            params["n"] = args.n
        runs = repeat_worker([PEER_PYTHON, str(Path(__file__).resolve()), "--worker", case, json.dumps(params)], args.repeats, args.budget)
        docs.append(document(f"inbox/{case}", params, runs))
        print(f"done {case}", file=sys.stderr)
    emit(docs, args.json)


if __name__ == "__main__":
    main()
