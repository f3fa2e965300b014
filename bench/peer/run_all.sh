#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Every benchmark of the peer and of the machine: about 20 minutes with 5 repeats on a quiet 2-core machine. REPEATS=3 for a
# quicker run. OUT: folder of the JSON files (default: results under $BENCH_ROOT).
set -euo pipefail
HERE="$(cd "$(dirname "$0")" && pwd)"
export BENCH_ROOT="${BENCH_ROOT:-$(python3 -c 'import tempfile;print(tempfile.gettempdir())')/angelia-bench}"
R=${REPEATS:-5}
OUT=${OUT:-$BENCH_ROOT/results}
mkdir -p "$OUT"
bench() { # SCRIPT RESULT [ARGUMENT ...]
  local script=$1 result=$2
  shift 2
  python3 "$HERE/$script" "$@" --json "$OUT/$result.json"
}
bench limits_python.py limits_python --repeats "$R"
bench limits_node.py limits_node --repeats "$R"
bench inbox_bench.py inbox --repeats "$R"
bench e2e_bench.py e2e --repeats "$R"
bench e2e_bench.py faults --faults
bench hermes_floor.py hermes_floor --repeats "$R"
bench limits_node.py limits_node_receipt_keys sqlite_receipt_single sqlite_receipt_small_single sqlite_receipt_group64 sqlite_receipt_small_group64 --repeats "$R"
bench ratios.py ratios --repeats "$R"
bench peer_findings.py findings
python3 "$HERE/explain_peer.py" > "$OUT/explain.txt"
rm -rf "$BENCH_ROOT/work/templates"
