# SPDX-License-Identifier: Apache-2.0
"""What all benchmarks share: folders, statistics, process accounting, JSON output.

Every script prints one JSON document with --json (or writes it with --json PATH):
  {"bench", "params", "machine", "repeats", "metrics": {name: {unit, better, median, min, max, runs}}, "notes"}
Metric names are the contract: an implementation under test that prints the same names can be
put beside the peer with side_by_side.py.

Everything that is written goes under $BENCH_ROOT (default: angelia-bench in the system's temporary directory); $PEER_VENV
names a virtual environment of the peer elsewhere. This folder itself is only read.
"""
from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
BENCH_ROOT = Path(os.environ.get("BENCH_ROOT") or Path(tempfile.gettempdir()) / "angelia-bench").absolute()
WORK = BENCH_ROOT / "work"
PEER_VENV = Path(os.environ.get("PEER_VENV") or BENCH_ROOT / "peer-venv").absolute()
PEER_PYTHON = str(PEER_VENV / "bin" / "python")
# for the child processes: the same folders, no byte code beside these scripts, never the Hermes home and locks of the user
os.environ.update(BENCH_ROOT=str(BENCH_ROOT), PEER_VENV=str(PEER_VENV), PYTHONDONTWRITEBYTECODE="1")
os.environ.update(HERMES_HOME=str(BENCH_ROOT / "hermes-home"), HERMES_GATEWAY_LOCK_DIR=str(BENCH_ROOT / "hermes-locks"))


def require_peer() -> None:
    """End with a clear message where setup.sh has not been run."""
    if not os.access(PEER_PYTHON, os.X_OK):
        raise SystemExit(f"no virtual environment of the peer at {PEER_VENV}: run setup.sh, or name one in PEER_VENV")


def run_with_peer() -> None:
    """Go on in the peer's interpreter: for the scripts that import the peer in their own process."""
    require_peer()
    if Path(sys.prefix).resolve() != PEER_VENV.resolve():
        os.execv(PEER_PYTHON, [PEER_PYTHON, *sys.argv])


def pct(values: list[float], q: float) -> float:
    """Nearest-rank percentile."""
    if not values:
        return float("nan")
    ordered = sorted(values)
    index = max(0, min(len(ordered) - 1, int(-(-q * len(ordered) // 1)) - 1))
    return ordered[index]


def summary_ms(latencies_ns: list[int], prefix: str) -> dict[str, float]:
    ms = [v / 1e6 for v in latencies_ns]
    return {
        f"{prefix}_p50_ms": pct(ms, 0.50),
        f"{prefix}_p99_ms": pct(ms, 0.99),
        f"{prefix}_max_ms": max(ms) if ms else float("nan"),
    }


def peak_rss_mib() -> float:
    # VmHWM, not ru_maxrss: the latter is inherited across exec from the parent image.
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) / 1024
    return float("nan")


def io_write_bytes() -> int:
    for line in Path("/proc/self/io").read_text().splitlines():
        if line.startswith("write_bytes:"):
            return int(line.split()[1])
    return 0


def fresh_dir(name: str) -> Path:
    path = WORK / f"{name}-{os.getpid()}-{time.monotonic_ns()}"
    shutil.rmtree(path, ignore_errors=True)
    path.mkdir(parents=True)
    return path


def tree_bytes(path: Path) -> int:
    return sum(p.stat().st_size for p in path.rglob("*") if p.is_file())


def machine() -> dict[str, Any]:
    cpu = ""
    with open("/proc/cpuinfo") as handle:
        for line in handle:
            if line.startswith("model name"):
                cpu = line.split(":", 1)[1].strip()
                break
    import sqlite3

    return {
        "cores": os.cpu_count(),
        "cpu": cpu,
        "kernel": platform.release(),
        "python": platform.python_version(),
        "python_sqlite": sqlite3.sqlite_version,
        "loadavg": os.getloadavg(),
        "utc": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
    }


def unit_of(name: str) -> tuple[str, str]:
    if name.endswith("_per_s"):
        return "1/s", "higher"
    if name.endswith("_ms"):
        return "ms", "lower"
    if name.endswith("_us"):
        return "us", "lower"
    if name.endswith("_s"):
        return "s", "lower"
    if name.endswith("_mib"):
        return "MiB", "lower"
    if name.endswith("_bytes"):
        return "B", "lower"
    if name.endswith("_pct"):
        return "%", "lower"
    return "", "lower"


def fold(runs: list[dict[str, float]]) -> dict[str, Any]:
    names: list[str] = []
    for run in runs:
        for name in run:
            if name not in names:
                names.append(name)
    metrics = {}
    for name in names:
        values = [float(run[name]) for run in runs if name in run]
        unit, better = unit_of(name)
        metrics[name] = {
            "unit": unit,
            "better": better,
            "median": statistics.median(values),
            "min": min(values),
            "max": max(values),
            "runs": values,
        }
    return metrics


def document(bench: str, params: dict[str, Any], runs: list[dict[str, float]], notes: list[str] | None = None) -> dict[str, Any]:
    return {
        "bench": bench,
        "params": params,
        "machine": machine(),
        "repeats": len(runs),
        "metrics": fold(runs),
        "notes": notes or [],
    }


def show(doc: dict[str, Any]) -> None:
    print(f"# {doc['bench']}  {json.dumps(doc['params'])}  repeats={doc['repeats']}", file=sys.stderr)
    for name, m in doc["metrics"].items():
        print(
            f"  {name:42s} {m['median']:>14.3f} {m['unit']:4s} [{m['min']:.3f} .. {m['max']:.3f}]",
            file=sys.stderr,
        )


def emit(docs: list[dict[str, Any]], target: str | None) -> None:
    payload = docs[0] if len(docs) == 1 else {"suite": docs}
    if target == "-":
        json.dump(payload, sys.stdout, indent=1)
        print()
    elif target:
        Path(target).parent.mkdir(parents=True, exist_ok=True)
        Path(target).write_text(json.dumps(payload, indent=1) + "\n")
    for doc in docs:
        show(doc)


def base_parser(description: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--json", nargs="?", const="-", default=None, help="JSON to stdout, or to a file")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--budget", type=float, default=55.0, help="seconds for one bench; no repeat starts past it")
    return parser


def repeat_worker(argv: list[str], repeats: int, budget: float, env: dict[str, str] | None = None) -> list[dict[str, Any]]:
    """Run one worker process per repeat (fresh process, so peak RSS is its own)."""
    started = time.monotonic()
    runs: list[dict[str, Any]] = []
    for index in range(repeats):
        elapsed = time.monotonic() - started
        if index and elapsed + elapsed / index > budget:
            break
        left = max(5.0, budget + 5 - elapsed)
        proc = subprocess.run(argv, capture_output=True, text=True, timeout=left, env={**os.environ, **(env or {})})
        if proc.returncode != 0:
            raise SystemExit(f"worker failed ({proc.returncode}): {argv}\n{proc.stderr[-4000:]}")
        runs.append(json.loads(proc.stdout.strip().splitlines()[-1]))
    return runs
