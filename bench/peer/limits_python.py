#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Physical limits of this machine, Python side: fsync'd append, durable SQLite commits. Numbers per repeat, medians over repeats.

  limits_python.py [--json [PATH]] [--repeats 3] [CASE ...]
"""
from __future__ import annotations

import json
import os
import shutil
import sqlite3
import sys
import time
from pathlib import Path

sys.dont_write_bytecode = True  # this folder may be read-only
from common import HERE, PEER_PYTHON, WORK, base_parser, document, emit, fresh_dir, io_write_bytes, peak_rss_mib, repeat_worker, require_peer, summary_ms  # noqa: E402

CASES = {
    "append_fsync": {"n": 3000, "group": 1, "sync": "fsync"},
    "append_fdatasync": {"n": 3000, "group": 1, "sync": "fdatasync"},
    "append_fdatasync_prealloc": {"n": 3000, "group": 1, "sync": "fdatasync", "prealloc": True},
    "append_fsync_group64": {"n": 64 * 500, "group": 64, "sync": "fsync"},
    "sqlite_single": {"n": 3000, "group": 1},
    "sqlite_group64": {"n": 64 * 400, "group": 64},
    "sqlite_receipt_single": {"n": 3000, "group": 1, "schema": "receipt"},
    "sqlite_receipt_group64": {"n": 64 * 300, "group": 64, "schema": "receipt"},
    "http_client_to_node": {"n": 4000},
}


def append(p: dict, path: Path) -> dict:
    block = os.urandom(1024)
    fd = os.open(path / "log", os.O_CREAT | os.O_WRONLY | (0 if p.get("prealloc") else os.O_APPEND))
    if p.get("prealloc"):
        for _ in range(p["n"] // 1024 + 2):
            os.write(fd, bytes(1 << 20))
        os.fsync(fd)
        os.lseek(fd, 0, os.SEEK_SET)
    sync = getattr(os, p["sync"])
    lat = []
    t_start = time.perf_counter()
    for _ in range(p["n"] // p["group"]):
        t0 = time.perf_counter_ns()
        for _ in range(p["group"]):
            os.write(fd, block)
        sync(fd)
        lat.append(time.perf_counter_ns() - t0)
    wall = time.perf_counter() - t_start
    os.close(fd)
    return {"records_per_s": p["n"] / wall, **summary_ms(lat, "sync")}


RECEIPT = """
CREATE TABLE receipts(ingest_seq INTEGER PRIMARY KEY AUTOINCREMENT, channel_id TEXT NOT NULL, message_id TEXT NOT NULL,
  session_key TEXT NOT NULL, body TEXT NOT NULL, payload_hash TEXT NOT NULL, dedupe_key TEXT NOT NULL UNIQUE,
  status TEXT NOT NULL, claim_token TEXT UNIQUE, created_at REAL NOT NULL);
CREATE INDEX i1 ON receipts(status, ingest_seq);
CREATE INDEX i2 ON receipts(session_key, status, ingest_seq);
"""


def sqlite_case(p: dict, path: Path) -> dict:
    con = sqlite3.connect(path / "db.sqlite3", isolation_level=None)
    con.execute("PRAGMA journal_mode=WAL")
    con.execute("PRAGMA synchronous=FULL")
    receipt = p.get("schema") == "receipt"
    if receipt:
        con.executescript(RECEIPT)
        sql = "INSERT INTO receipts(channel_id, message_id, session_key, body, payload_hash, dedupe_key, status, created_at) VALUES (?,?,?,?,?,?,'pending',?)"
    else:
        con.execute("CREATE TABLE t(id INTEGER PRIMARY KEY, body BLOB NOT NULL)")
        sql = "INSERT INTO t(body) VALUES (?)"
    block = os.urandom(1024)
    body = "x" * 200

    def values(i: int):
        if not receipt:
            return (block,)
        h = os.urandom(32).hex()
        channel = f"c{i % 50:035d}"
        return (channel, h[:36], f"agent:main:borgee:channel:{channel}", body, h, f"message:{channel}:{h[:36]}:{h}", time.time())

    lat = []
    io0, t_start = io_write_bytes(), time.perf_counter()
    i = 0
    for _ in range(p["n"] // p["group"]):
        t0 = time.perf_counter_ns()
        con.execute("BEGIN IMMEDIATE")
        for _ in range(p["group"]):
            con.execute(sql, values(i))
            i += 1
        con.execute("COMMIT")
        lat.append(time.perf_counter_ns() - t0)
    wall = time.perf_counter() - t_start
    written = io_write_bytes() - io0
    con.close()
    return {"rows_per_s": p["n"] / wall, **summary_ms(lat, "commit"), "disk_written_per_row_bytes": written / p["n"]}


def http_case(p: dict, path: Path) -> dict:
    """Python's http.client, one keep-alive connection, POST of 1 KB to a plain Node server: the hop shim -> service."""
    import http.client
    import subprocess

    server = subprocess.Popen(["node", str(HERE / "limits_node.cjs"), "--serve", "http"], stdout=subprocess.PIPE, text=True)
    try:
        con = http.client.HTTPConnection("127.0.0.1", int(server.stdout.readline()))
        con.connect()
        con.sock.setsockopt(6, 1, 1)  # TCP_NODELAY
        body = json.dumps({"x": "y" * 1000})
        lat = []
        t_start = time.perf_counter()
        for _ in range(p["n"]):
            t0 = time.perf_counter_ns()
            con.request("POST", "/", body, {"Content-Type": "application/json"})
            con.getresponse().read()
            lat.append(time.perf_counter_ns() - t0)
        wall = time.perf_counter() - t_start
    finally:
        server.kill()
        server.wait()
    return {"requests_per_s": p["n"] / wall, **summary_ms(lat, "request")}


def main() -> None:
    if len(sys.argv) > 1 and sys.argv[1] == "--worker":
        case, p = sys.argv[2], json.loads(sys.argv[3])
        path = fresh_dir(case)
        try:
            result = (append if case.startswith("append") else http_case if case.startswith("http") else sqlite_case)(p, path)
            result["peak_rss_mib"] = peak_rss_mib()
            print(json.dumps(result))
        finally:
            shutil.rmtree(path, ignore_errors=True)
        return
    parser = base_parser(__doc__)
    parser.add_argument("cases", nargs="*")
    args = parser.parse_args()
    require_peer()  # its interpreter, for the same SQLite
    WORK.mkdir(parents=True, exist_ok=True)
    docs = []
    for case in args.cases or CASES:
        runs = repeat_worker([PEER_PYTHON, str(Path(__file__).resolve()), "--worker", case, json.dumps(CASES[case])], args.repeats, args.budget)
        docs.append(document(f"limits_python/{case}", CASES[case], runs, [f"sqlite {sqlite3.sqlite_version}"]))
    emit(docs, args.json)


if __name__ == "__main__":
    main()
