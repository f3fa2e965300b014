#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the cases of limits_node.cjs. limits_node.py [--json [PATH]] [--repeats 3] [CASE ...]"""
from __future__ import annotations

import json
import subprocess
import sys

sys.dont_write_bytecode = True  # this folder may be read-only
from common import HERE, WORK, base_parser, document, emit, repeat_worker  # noqa: E402

CASES = {
    "append_fsync": {"kind": "append", "n": 3000, "group": 1, "sync": "fsync"},
    "append_fdatasync": {"kind": "append", "n": 3000, "group": 1, "sync": "fdatasync"},
    "append_fsync_group64": {"kind": "append", "n": 64 * 500, "group": 64, "sync": "fsync"},
    "sqlite_single": {"kind": "sqlite", "n": 3000, "group": 1},
    "sqlite_group64": {"kind": "sqlite", "n": 64 * 400, "group": 64},
    "sqlite_receipt_single": {"kind": "sqlite", "n": 3000, "group": 1, "schema": "receipt"},
    "sqlite_receipt_group64": {"kind": "sqlite", "n": 64 * 300, "group": 64, "schema": "receipt"},
    "sqlite_receipt_small_single": {"kind": "sqlite", "n": 3000, "group": 1, "schema": "receipt_small"},
    "sqlite_receipt_small_group64": {"kind": "sqlite", "n": 64 * 300, "group": 64, "schema": "receipt_small"},
    "ws_echo_w1": {"kind": "ws", "n": 20000, "window": 1},
    "ws_echo_w64": {"kind": "ws", "n": 60000, "window": 64},
    "http_agent_c1": {"kind": "http", "n": 6000, "client": "agent", "connections": 1},
    "http_agent_c16": {"kind": "http", "n": 12000, "client": "agent", "connections": 16},
    "http_raw_c1": {"kind": "http", "n": 10000, "client": "raw", "connections": 1},
    "http_raw_c16": {"kind": "http", "n": 30000, "client": "raw", "connections": 16},
}


def main() -> None:
    parser = base_parser(__doc__)
    parser.add_argument("cases", nargs="*")
    args = parser.parse_args()
    WORK.mkdir(parents=True, exist_ok=True)
    versions = subprocess.run(["node", str(HERE / "limits_node.cjs"), "--versions"], check=True, stdout=subprocess.PIPE, text=True).stdout.strip()
    docs = []
    for case in args.cases or CASES:
        runs = repeat_worker(["node", str(HERE / "limits_node.cjs"), "--worker", case, json.dumps(CASES[case])], args.repeats, args.budget)
        docs.append(document(f"limits_node/{case}", CASES[case], runs, [versions]))
    emit(docs, args.json)


if __name__ == "__main__":
    main()
