#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Print the result files of run_all.sh as Markdown tables: median [min .. max] over the repeats."""
from __future__ import annotations

import json
import sys
from pathlib import Path


def fmt(v: float) -> str:
    if v == 0:
        return "0"
    if abs(v) >= 1000:
        return f"{v:,.0f}"
    if abs(v) >= 100:
        return f"{v:.0f}"
    if abs(v) >= 10:
        return f"{v:.1f}"
    return f"{v:.2f}" if abs(v) >= 0.1 else f"{v:.3f}"


def main() -> None:
    for name in sys.argv[1:]:
        doc = json.loads(Path(name).read_text())
        for d in doc.get("suite", [doc]):
            print(f"\n### {d['bench']}  ({d['repeats']} repeats; {json.dumps(d['params'])})\n")
            print("| metric | median | min | max | spread |\n| --- | --- | --- | --- | --- |")
            for key, m in d["metrics"].items():
                spread = f"{(m['max'] - m['min']) / m['median'] * 100:.0f} %" if m["median"] else ""
                print(f"| {key} | {fmt(m['median'])} {m['unit']} | {fmt(m['min'])} | {fmt(m['max'])} | {spread} |")


main()
