#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Installs the peer in a virtual environment under $BENCH_ROOT (peer-venv); the npm packages are those of the repository (npm ci).
# Run it once; a second run only checks. PEER_VENV: use this existing virtual environment of the peer instead (it is not changed).
# PYTHON: interpreter that makes the environment (CPython 3.11 to 3.13, with venv).
set -euo pipefail
PYTHON=${PYTHON:-python3}
BENCH_ROOT="${BENCH_ROOT:-$("$PYTHON" -c 'import tempfile;print(tempfile.gettempdir())')/angelia-bench}"
mkdir -p "$BENCH_ROOT"
BENCH_ROOT="$(cd "$BENCH_ROOT" && pwd)"
VENV="${PEER_VENV:-$BENCH_ROOT/peer-venv}"
PEER=(hermes-agent==0.18.2 borgee-hermes-plugin==0.3.5)
# the cache of pip stays under $BENCH_ROOT, unless the environment names another
export PIP_CACHE_DIR="${PIP_CACHE_DIR:-$BENCH_ROOT/cache/pip}"

installed() { # prints "name==version" of each package of the peer that is there; fails when the plugin cannot be imported
  HERMES_HOME="$BENCH_ROOT/hermes-home" "$VENV/bin/python" - <<'PY'
import importlib.metadata as metadata
import borgee_hermes.inbox
print(*(f"{name}=={metadata.version(name)}" for name in ("hermes-agent", "borgee-hermes-plugin")))
PY
}
if ! have="$(installed 2>/dev/null)"; then
  if [ -n "${PEER_VENV:-}" ]; then
    echo "PEER_VENV=$PEER_VENV is no virtual environment with ${PEER[*]}" >&2
    exit 1
  fi
  "$PYTHON" -m venv "$VENV"
  "$VENV/bin/python" -m pip install --quiet "${PEER[@]}"
  have="$(installed)"
fi
[ "$have" = "${PEER[*]}" ] || echo "warning: $VENV has $have, the reference figures are of ${PEER[*]}" >&2
echo "peer ok: $have"
