#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Run two benchmark commands in turn (A B A B ...) in one run and print the ratio of every metric both report.

  side_by_side.py [--rounds 3] [--json PATH] --a "CMD" --b "CMD"

Each command prints one JSON document in the form of common.py (the benches here do with --json and no path).
A is the peer, B the challenger. 'gain' is > 1 where B is better (rate: B/A, time or size: A/B), pair by pair,
so that a drift of the machine's speed cancels out.

Example:
  B=path/of/this/folder
  python3 $B/side_by_side.py --a "python3 $B/e2e_bench.py turns_w256 --repeats 1 --json" \\
                             --b "python3 $B/e2e_bench.py turns_w256 --repeats 1 --json --sut '$PWD/bench/sut'"
"""
from __future__ import annotations

import argparse
import json
import shlex
import statistics
import subprocess
import sys


def run(command: str) -> dict[str, dict]:
    proc = subprocess.run(shlex.split(command), capture_output=True, text=True, timeout=600)
    if proc.returncode != 0:
        raise SystemExit(f"failed: {command}\n{proc.stderr[-3000:]}")
    doc = json.loads(proc.stdout)
    suite = doc.get("suite", [doc])
    return {d["bench"].split("/", 1)[-1] + ":" + name: m for d in suite for name, m in d["metrics"].items()}


def main() -> None:
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--a", required=True)
    p.add_argument("--b", required=True)
    p.add_argument("--rounds", type=int, default=3)
    p.add_argument("--json")
    args = p.parse_args()
    pairs: list[tuple[dict, dict]] = []
    for index in range(args.rounds):
        # who goes first changes every round
        first, second = (args.a, args.b) if index % 2 == 0 else (args.b, args.a)
        x, y = run(first), run(second)
        pairs.append((x, y) if index % 2 == 0 else (y, x))
        print(f"round {index + 1}/{args.rounds} done", file=sys.stderr)
    out = {}
    names = [n for n in pairs[0][0] if n in pairs[0][1]]
    print(f"{'metric':52s} {'A median':>12s} {'B median':>12s} {'gain':>8s}  [min .. max]")
    for name in names:
        a = [x[name]["median"] for x, _ in pairs]
        b = [y[name]["median"] for _, y in pairs]
        higher = pairs[0][0][name]["better"] == "higher"
        gains = [(vb / va if higher else va / vb) for va, vb in zip(a, b) if va and vb]
        out[name] = {"a": a, "b": b, "gain": gains}
        if gains:
            print(f"{name:52s} {statistics.median(a):12.3f} {statistics.median(b):12.3f} {statistics.median(gains):8.2f}  [{min(gains):.2f} .. {max(gains):.2f}]")
        else:
            print(f"{name:52s} {statistics.median(a):12.3f} {statistics.median(b):12.3f}")
    if args.json:
        with open(args.json, "w") as handle:
            json.dump(out, handle, indent=1)


if __name__ == "__main__":
    main()
