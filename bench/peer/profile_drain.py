#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Where the time of the case lifecycle_drain goes inside the peer's actor thread, and how many rows it reads.

  profile_drain.py
"""
from __future__ import annotations

import asyncio
import shutil
import sys
import time

sys.dont_write_bytecode = True  # this folder may be read-only
import inbox_bench  # noqa: E402
from common import fresh_dir, run_with_peer  # noqa: E402

STEPS = ("_list_candidates_sync", "_claim_sync", "_mark_terminal_sync", "_count_pending_sync", "_insert_receipt_sync")


def main() -> None:
    from borgee_hermes.inbox import InboxActor

    totals = {name: [0, 0.0, 0.0] for name in STEPS}  # calls, wall seconds, CPU seconds of the thread
    rows = 0

    def timed(name: str):
        step = getattr(InboxActor, name)

        def wrapper(self, *args):
            wall, cpu = time.perf_counter(), time.thread_time()
            try:
                return step(self, *args)
            finally:
                total = totals[name]
                total[0] += 1
                total[1] += time.perf_counter() - wall
                total[2] += time.thread_time() - cpu

        return wrapper

    for name in STEPS:
        setattr(InboxActor, name, timed(name))
    row_to_receipt = InboxActor._row_to_receipt

    def counted(row):
        nonlocal rows
        rows += 1
        return row_to_receipt(row)

    InboxActor._row_to_receipt = staticmethod(counted)
    params = dict(inbox_bench.CASES["lifecycle_drain"])
    path = fresh_dir("profile")
    try:
        print(asyncio.run(inbox_bench.case_lifecycle_drain(params, path)))
    finally:
        shutil.rmtree(path, ignore_errors=True)
    print(f"rows read: {rows}, {rows / params['n']:.1f} a receipt")
    for name, (calls, wall, cpu) in totals.items():
        print(f"{name:24s} {calls:6d} calls  {wall:6.2f} s wall  {cpu:6.2f} s CPU")


if __name__ == "__main__":
    run_with_peer()
    main()
