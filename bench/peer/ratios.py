#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The peer's admission against the machine's limits, interleaved in one run: every round runs each once, in turn.

  ratios.py [--json [PATH]] [--repeats 5]     metrics are rates, and each rate over the peer's admit_serial of the same round
"""
from __future__ import annotations

import json
import sys

sys.dont_write_bytecode = True  # this folder may be read-only
import inbox_bench  # noqa: E402
import limits_node  # noqa: E402
import limits_python  # noqa: E402
from common import HERE, PEER_PYTHON, WORK, base_parser, document, emit, repeat_worker, require_peer  # noqa: E402

ITEMS = [
    ("peer_admit_serial", [PEER_PYTHON, str(HERE / "inbox_bench.py")], "admit_serial", inbox_bench.CASES, "receipts_per_s"),
    ("peer_admit_64", [PEER_PYTHON, str(HERE / "inbox_bench.py")], "admit_64", inbox_bench.CASES, "receipts_per_s"),
    ("append_fsync_1k", [PEER_PYTHON, str(HERE / "limits_python.py")], "append_fsync", limits_python.CASES, "records_per_s"),
    ("append_fsync_1k_group64", [PEER_PYTHON, str(HERE / "limits_python.py")], "append_fsync_group64", limits_python.CASES, "records_per_s"),
    ("python_sqlite_receipt_single", [PEER_PYTHON, str(HERE / "limits_python.py")], "sqlite_receipt_single", limits_python.CASES, "rows_per_s"),
    ("node_sqlite_receipt_single", ["node", str(HERE / "limits_node.cjs")], "sqlite_receipt_single", limits_node.CASES, "rows_per_s"),
    ("node_sqlite_receipt_group64", ["node", str(HERE / "limits_node.cjs")], "sqlite_receipt_group64", limits_node.CASES, "rows_per_s"),
    ("node_sqlite_1k_group64", ["node", str(HERE / "limits_node.cjs")], "sqlite_group64", limits_node.CASES, "rows_per_s"),
]


def main() -> None:
    args = base_parser(__doc__).parse_args()
    require_peer()
    WORK.mkdir(parents=True, exist_ok=True)
    runs = []
    for _ in range(args.repeats):
        row: dict[str, float] = {}
        for name, command, case, cases, metric in ITEMS:
            (result,) = repeat_worker(command + ["--worker", case, json.dumps(cases[case])], 1, args.budget)
            row[name + "_per_s"] = result[metric]
        for name, *_ in ITEMS[1:]:
            row[name + "_over_peer"] = row[name + "_per_s"] / row["peer_admit_serial_per_s"]
        runs.append(row)
        print("round done", file=sys.stderr)
    emit([document("ratios", {}, runs)], args.json)


if __name__ == "__main__":
    main()
