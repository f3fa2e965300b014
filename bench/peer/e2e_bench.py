#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""End to end: fake BPP server (own process) -> implementation under test (own process), 127.0.0.1 only.

  e2e_bench.py [--json [PATH]] [--repeats 3] [--sut "CMD"] [CASE ...]

--sut: command of the implementation under test; it gets --port --report-port --home --mode --count --limit appended
(default: the peer, peer_e2e_sut.py). Its protocol is in README.md, the smallest one in example-sut.mjs.
"""
from __future__ import annotations

import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

sys.dont_write_bytecode = True  # this folder may be read-only
from common import HERE, PEER_PYTHON, WORK, base_parser, document, emit, fresh_dir, require_peer  # noqa: E402

CASES = {
    # admission alone: nothing is dispatched. window = messages in flight (sent, not acknowledged)
    "admit_w1": {"mode": "admit", "count": 1000, "channels": 50, "window": 1},
    "admit_w64": {"mode": "admit", "count": 2000, "channels": 50, "window": 64},
    "admit_w256": {"mode": "admit", "count": 2000, "channels": 50, "window": 256},
    # whole turns with an answer: receipt -> claim -> handler -> send_message -> terminal
    # one message, its whole turn, then the next (closed loop): latencies without any queue
    "turns_idle": {"mode": "idle", "count": 300, "channels": 50, "window": 1, "credit": "done"},
    "turns_idle_20ms": {"mode": "idle", "count": 200, "channels": 50, "window": 1, "credit": "done", "handler_ms": 20},
    # the same with 200 ms of silence between two messages
    "turns_idle_gap200": {"mode": "idle", "count": 60, "channels": 50, "window": 1, "credit": "done", "gap-ms": 200},
    # "/status" on a busy lane with that many ordinary receipts pending on it: server send -> control handler
    "control_behind_0": {"mode": "control", "count": 60, "channels": 1, "window": 1, "credit": "start", "gap-ms": 60, "control-only": True, "preload": 1},
    "control_behind_1k": {"mode": "control", "count": 60, "channels": 1, "window": 1, "credit": "start", "gap-ms": 60, "control-only": True, "preload": 1001},
    "control_behind_10k": {"mode": "control", "count": 60, "channels": 1, "window": 1, "credit": "start", "gap-ms": 60, "control-only": True, "preload": 10001},
    "control_behind_100k": {"mode": "control", "count": 30, "channels": 1, "window": 1, "credit": "start", "gap-ms": 60, "control-only": True, "preload": 100001},
    "turns_w1": {"mode": "turns", "count": 300, "channels": 50, "window": 1},
    "turns_w16": {"mode": "turns", "count": 1000, "channels": 50, "window": 16},
    "turns_w256": {"mode": "turns", "count": 2000, "channels": 50, "window": 256},
    "turns_w256_noanswer": {"mode": "turns", "count": 2000, "channels": 50, "window": 256, "answer": ""},
    "turns_w256_d32": {"mode": "turns", "count": 2000, "channels": 50, "window": 256, "dispatches": 32},
    "send": {"mode": "send", "count": 500, "channels": 1, "window": 1},
}
FAULTS = {
    # no flow control: the server sends all at once
    "burst_400": {"mode": "fault", "count": 400, "channels": 50, "window": 0, "limit": 6},
    "burst_2000": {"mode": "fault", "count": 2000, "channels": 50, "window": 0, "limit": 8},
    # the connection is cut once while messages are in flight, the server accepts the reconnect
    "drop_mid_intake": {"mode": "fault", "count": 600, "channels": 50, "window": 256, "drop-after": 200, "drop-delay": 20, "limit": 8},
    # the same cut while nothing is in flight, for fairness: the peer reconnects
    "drop_idle": {"mode": "fault", "count": 6, "channels": 6, "window": 1, "gap-ms": 600, "drop-after": 3, "drop-delay": 300, "limit": 8},
    "drop_mid_intake_resend": {"mode": "fault", "count": 600, "channels": 50, "window": 256, "drop-after": 200, "drop-delay": 20, "limit": 8, "resend": True},
}


def run_once(params: dict, sut: list[str]) -> dict:
    home = fresh_dir("e2e")
    env = {**os.environ, "BORGEE_API_KEY": "bgr_bench", "HERMES_HOME": str(home), "HERMES_GATEWAY_LOCK_DIR": str(home / "locks")}
    server_cmd = ["node", str(HERE / "fake_bpp_server.cjs")]
    for key in ("count", "channels", "window", "body", "credit", "gap-ms", "drop-after", "drop-delay", "control-every"):
        if key in params:
            server_cmd += [f"--{key}", str(params[key])]
    for flag in ("resend", "control-only"):
        if params.get(flag):
            server_cmd.append(f"--{flag}")
    server = subprocess.Popen(server_cmd, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=env)
    client = None
    try:
        line = server.stdout.readline()
        if not line:
            raise SystemExit("the fake server did not start: see its message above")
        hello = json.loads(line)
        cmd = sut + ["--port", str(hello["port"]), "--report-port", str(hello["report_port"]), "--home", str(home),
                     "--mode", params["mode"], "--count", str(params["count"]), "--limit", str(params.get("limit", 45))]
        if "answer" in params:
            cmd += ["--answer", params["answer"]]
        if "preload" in params:
            cmd += ["--preload", str(params["preload"])]
        if "handler_ms" in params:
            cmd += ["--handler-ms", str(params["handler_ms"])]
        if "dispatches" in params:
            cmd += ["--dispatches", str(params["dispatches"])]
        with open(home / "sut.log", "w") as log:
            client = subprocess.Popen(cmd, stdout=subprocess.PIPE, stderr=log, text=True, env=env)
        limit = params.get("limit", 45) + 20
        try:
            out, _ = client.communicate(timeout=limit)
        except subprocess.TimeoutExpired:
            raise SystemExit(f"not ended after {limit} s: {shlex.join(cmd)}\n{(home / 'sut.log').read_text()[-3000:]}") from None
        lines = [line for line in out.splitlines() if line.startswith("{")]
        if not lines:
            raise SystemExit(f"no result from {shlex.join(cmd)}\n{(home / 'sut.log').read_text()[-3000:]}")
        mine = json.loads(lines[-1])
        if "error" in mine:
            raise SystemExit(mine["error"])
        theirs = json.loads(server.stdout.readline() or '{"error": "the fake server ended without a summary"}')
        if "error" in theirs:
            raise SystemExit(theirs["error"])
        return {"sut": mine, "server": theirs, "log_tail": (home / "sut.log").read_text()[-1500:]}
    finally:
        for proc in (client, server):
            if proc is not None and proc.poll() is None:
                proc.send_signal(signal.SIGTERM)
                try:
                    proc.wait(3)
                except subprocess.TimeoutExpired:
                    proc.kill()
                    proc.wait()
        shutil.rmtree(home, ignore_errors=True)


def metrics(params: dict, result: dict) -> dict[str, float]:
    sut, srv = result["sut"], result["server"]
    out: dict[str, float] = {}
    if params["mode"] in ("admit", "turns", "idle"):
        out["acked_per_s"] = srv["acked_per_s"]
        out["deliver_to_ack_p50_ms"], out["deliver_to_ack_p99_ms"] = srv["ack_ms"]["p50"], srv["ack_ms"]["p99"]
        out["acked"] = srv["acked"]
    if params["mode"] in ("turns", "idle"):
        out["turns_per_s"] = srv["done_per_s"]
        out["send_to_handler_p50_ms"], out["send_to_handler_p99_ms"] = srv["start_ms"]["p50"], srv["start_ms"]["p99"]
        out["send_to_handler_max_ms"] = srv["start_ms"]["max"]
        if srv["answered"]:
            out["send_to_answer_p50_ms"], out["send_to_answer_p99_ms"] = srv["answer_ms"]["p50"], srv["answer_ms"]["p99"]
            out["answer_send_p50_ms"], out["answer_send_p99_ms"] = sut["answer_send_p50_ms"], sut["answer_send_p99_ms"]
        out["turn_p50_ms"], out["turn_p99_ms"] = srv["turn_ms"]["p50"], srv["turn_ms"]["p99"]
        out["completed"] = srv["done"]
        out["frames_per_turn"] = sum(v for k, v in srv["frames"].items() if k not in ("connect",)) / max(1, srv["done"])
    if params["mode"] == "control":
        out["control_send_to_ack_p50_ms"] = srv["ack_ms"]["p50"]
        for q in ("p50", "p99", "max"):
            out[f"control_send_to_handler_{q}_ms"] = srv["start_ms"][q]
        out["controls"] = srv["started"]
    if params["mode"] == "send":
        for key in ("send_serial_per_s", "send_serial_p50_ms", "send_serial_p99_ms", "send_64_per_s", "send_64_p50_ms", "send_64_p99_ms", "send_64_failures"):
            out[key] = sut[key]
    n = {"admit": srv["acked"], "turns": srv["done"], "idle": srv["done"], "send": 1032}.get(params["mode"], 0)
    if n:
        out["cpu_ms_per_message_ms"] = sut["cpu_s"] / n * 1e3
    out["connect_ms"] = sut["connect_ms"]
    out["timed_out"] = sut.get("timed_out", 0)
    out["peak_rss_mib"] = sut["peak_rss_mib"]
    return out


def main() -> None:
    parser = base_parser(__doc__)
    parser.add_argument("cases", nargs="*")
    parser.add_argument("--sut", default=shlex.join([PEER_PYTHON, str(HERE / "peer_e2e_sut.py")]), help="default: the peer")
    parser.add_argument("--faults", action="store_true", help="run the fault cases and print what happened")
    args = parser.parse_args()
    for case in args.cases:
        if case not in (FAULTS if args.faults else CASES):
            raise SystemExit(f"unknown case {case}; have: {', '.join(FAULTS if args.faults else CASES)}")
    sut = shlex.split(args.sut)
    if sut[0] == PEER_PYTHON:
        require_peer()
    WORK.mkdir(parents=True, exist_ok=True)
    if args.faults:
        report = {}
        for case in args.cases or FAULTS:
            result = run_once(FAULTS[case], sut)
            keys = ("acked", "terminal", "client_state", "client_code", "adapter_connected", "adapter_fatal", "fatal_code", "fatal_message", "intake_task_done", "rows")
            report[case] = {**{k: result["sut"].get(k) for k in keys}, **{k: result["server"][k] for k in ("sent", "lost", "connections", "closes")}}
            if os.environ.get("BENCH_LOG"):
                print(result["log_tail"], file=sys.stderr)
        print(json.dumps(report, indent=1))
        if args.json and args.json != "-":
            Path(args.json).parent.mkdir(parents=True, exist_ok=True)
            Path(args.json).write_text(json.dumps(report, indent=1) + "\n")
        return
    docs = []
    for case in args.cases or CASES:
        params = CASES[case]
        started = time.monotonic()
        runs = []
        for index in range(args.repeats):
            elapsed = time.monotonic() - started
            if index and elapsed + elapsed / index > args.budget:
                break
            runs.append(metrics(params, run_once(params, sut)))
        docs.append(document(f"e2e/{case}", params, runs))
        print(f"done {case}", file=sys.stderr)
    emit(docs, args.json)


if __name__ == "__main__":
    main()
