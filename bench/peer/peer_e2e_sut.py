#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The peer as implementation under test of e2e_bench.py: the real BorgeePlatformAdapter and its vendored SDK,
connected over a real WebSocket; only Hermes' GatewayRunner is replaced by a handler without a model.

  peer_e2e_sut.py --port P --report-port R --home DIR --mode turns|idle|control|admit|send|fault [--count K] [--limit S]

Protocol on the report port: see README.md. Last line on stdout: JSON with what only this side knows.
"""
from __future__ import annotations

import argparse
import asyncio
import json
import os
import resource
import socket
import sys
import time
from pathlib import Path

sys.dont_write_bytecode = True  # this folder may be read-only
from common import peak_rss_mib, pct  # noqa: E402


def parse() -> argparse.Namespace:
    p = argparse.ArgumentParser()
    p.add_argument("--port", type=int, required=True)
    p.add_argument("--report-port", type=int, required=True)
    p.add_argument("--home", required=True)
    p.add_argument("--mode", choices=["turns", "idle", "control", "admit", "send", "fault"], default="turns")
    p.add_argument("--count", type=int, default=2000)
    p.add_argument("--limit", type=float, default=45.0)
    p.add_argument("--dispatches", type=int, default=4)
    p.add_argument("--answer", default="ok, done")
    p.add_argument("--preload", type=int, default=0, help="mode control: ordinary receipts pending on the channel before the start")
    p.add_argument("--handler-ms", type=float, default=0.0, help="time a turn takes (stands for the model)")
    return p.parse_args()


async def main() -> None:
    args = parse()
    home = Path(args.home)
    home.mkdir(parents=True, exist_ok=True)
    os.environ["HERMES_HOME"] = str(home)
    os.environ.setdefault("BORGEE_API_KEY", "bgr_bench")

    from gateway.config import GatewayConfig, PlatformConfig
    from gateway.session import SessionStore

    from borgee_hermes._vendor.borgee_plugin_sdk import _connection
    from borgee_hermes.adapter import BorgeePlatformAdapter

    if args.preload:
        from inbox_bench import from_template

        from_template(home / "plugins" / "borgee" / "inbox.sqlite3", {"blocks": [dict(count=args.preload, first=1_000_000, status="pending")]})

    report = socket.create_connection(("127.0.0.1", args.report_port))
    report.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    late: list[str] = []
    counts = {"ack": 0, "done": 0}
    finished = asyncio.Event()

    checkpoint = _connection.ConnectionDelivery.checkpoint

    async def reported_checkpoint(self) -> None:
        await checkpoint(self)
        message = self.event.message
        report.send(b"A %s %d\n" % (message.id.encode(), time.monotonic_ns()))
        counts["ack"] += 1
        if args.mode == "admit" and counts["ack"] >= args.count:
            finished.set()

    _connection.ConnectionDelivery.checkpoint = reported_checkpoint

    config = PlatformConfig(
        enabled=True,
        extra={
            "base_url": f"http://127.0.0.1:{args.port}",
            "allow_insecure_loopback": True,
            "max_concurrent_dispatches": args.dispatches,
            "group_sessions_per_user": False,
            "_busy_input_mode": "queue",
        },
    )
    adapter = BorgeePlatformAdapter(config)

    if os.environ.get("PEER_KEEP_WAKEUP"):  # diagnosis only: shows what the lost wake-up costs
        from peer_findings import KeptWakeup

        adapter._scheduler_wakeup = KeptWakeup()

    mark_terminal = adapter._inbox.mark_terminal

    async def reported_mark_terminal(ingest_seq, token, status, outcome, error):
        result = await mark_terminal(ingest_seq, token, status, outcome, error)
        line = "D %s %d\n" % (by_seq.pop(ingest_seq, "?"), time.monotonic_ns())
        if args.mode == "idle":
            report.send(line.encode())
        else:
            late.append(line)
        counts["done"] += 1
        if args.mode in ("turns", "idle") and counts["done"] >= args.count:
            finished.set()
        return result

    adapter._inbox.mark_terminal = reported_mark_terminal
    by_seq: dict[int, str] = {}

    lane_busy = asyncio.Event()
    counts["control"] = 0

    async def handler(event):
        line = "H %s %d\n" % (event.message_id, time.monotonic_ns())
        if args.mode == "control":
            if event.text != "/status":
                lane_busy.set()
                await asyncio.Event().wait()  # the turn that keeps the lane busy
            report.send(line.encode())
            counts["control"] += 1
            if counts["control"] >= args.count:
                finished.set()
            return args.answer
        late.append(line)
        by_seq[event.raw_message["borgee_ingest_seq"]] = event.message_id
        if args.handler_ms:
            await asyncio.sleep(args.handler_ms / 1e3)
        return args.answer or None

    send_latency: list[float] = []
    real_send = adapter.send

    async def timed_send(*a, **k):
        t0 = time.perf_counter_ns()
        result = await real_send(*a, **k)
        send_latency.append((time.perf_counter_ns() - t0) / 1e6)
        return result

    adapter.send = timed_send
    gateway_config = GatewayConfig()
    gateway_config.group_sessions_per_user = False
    adapter.set_session_store(SessionStore(home / "sessions", gateway_config))
    adapter.set_message_handler(handler)
    if args.mode == "admit":
        async def never(self=None):
            await asyncio.Event().wait()
        adapter._schedule_loop = never  # admission alone, nothing dispatched

    # the running gateway has discovered its plugins long before the first message; here it would stall the loop ~190 ms
    from hermes_cli.plugins import get_plugin_command_handler

    get_plugin_command_handler("")
    t0 = time.perf_counter()
    connected = await adapter.connect()
    connect_s = time.perf_counter() - t0
    if not connected:
        print(json.dumps({"error": f"connect failed: {adapter._fatal_error_message}"}))
        return
    usage0 = resource.getrusage(resource.RUSAGE_SELF)
    started = time.perf_counter()
    out: dict = {"connect_ms": connect_s * 1e3}
    if args.mode == "send":
        for _ in range(20):
            await adapter.send("channel-1", args.answer)
        send_latency.clear()
        n = min(args.count, 500)
        t0 = time.perf_counter()
        for _ in range(n):
            assert (await adapter.send("channel-1", args.answer)).success
        out["send_serial_per_s"] = n / (time.perf_counter() - t0)
        out["send_serial_p50_ms"], out["send_serial_p99_ms"] = pct(send_latency, 0.5), pct(send_latency, 0.99)
        send_latency.clear()

        failures = []

        async def one():
            result = await adapter.send("channel-1", args.answer)
            if not result.success:
                failures.append(result.error)

        t0 = time.perf_counter()
        for _ in range(8):
            await asyncio.gather(*(one() for _ in range(64)))
        out["send_64_per_s"] = 8 * 64 / (time.perf_counter() - t0)
        out["send_64_p50_ms"], out["send_64_p99_ms"] = pct(send_latency, 0.5), pct(send_latency, 0.99)
        out["send_64_failures"] = len(failures)
        out["send_64_failure"] = failures[0] if failures else ""
    else:
        if args.mode == "control":
            await asyncio.wait_for(lane_busy.wait(), 10)
        report.sendall(b"G\n")
        try:
            await asyncio.wait_for(finished.wait(), args.limit)
        except asyncio.TimeoutError:
            out["timed_out"] = 1
    wall = time.perf_counter() - started
    usage = resource.getrusage(resource.RUSAGE_SELF)
    out["cpu_s"] = usage.ru_utime + usage.ru_stime - usage0.ru_utime - usage0.ru_stime
    out["wall_s"] = wall
    if send_latency and args.mode in ("turns", "idle"):
        out["answer_send_p50_ms"], out["answer_send_p99_ms"] = pct(send_latency, 0.5), pct(send_latency, 0.99)
    out["client_state"] = str(adapter._client.state.status)
    out["client_code"] = str(getattr(adapter._client.state, "code", ""))
    out["adapter_connected"] = bool(adapter.is_connected)
    out["adapter_fatal"] = bool(adapter._fatal)
    out["fatal_code"] = str(adapter._fatal_error_code)
    out["fatal_message"] = str(adapter._fatal_error_message)
    out["intake_task_done"] = bool(adapter._intake_task and adapter._intake_task.done())
    out["acked"], out["terminal"] = counts["ack"], counts["done"]
    out["peak_rss_mib"] = peak_rss_mib()
    try:
        rows = await adapter._inbox._submit(lambda: adapter._inbox._conn().execute("SELECT status, COUNT(*) FROM receipts GROUP BY status").fetchall())
        out["rows"] = {row[0]: row[1] for row in rows}
    except Exception as exc:  # the adapter may have shut itself down
        out["rows"] = {"unavailable": str(exc)[:80]}
    report.sendall("".join(late).encode() + b"E\n")
    print(json.dumps(out), flush=True)
    sys.stderr.flush()
    os._exit(0)


asyncio.run(main())
