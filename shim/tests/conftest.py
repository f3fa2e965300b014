# SPDX-License-Identifier: Apache-2.0
"""Common parts of the shim's tests. They run in a Python that has hermes-agent and pytest."""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

import pytest

sys.path[:0] = [str(Path(__file__).resolve().parent), str(Path(__file__).resolve().parents[1])]
sys.dont_write_bytecode = True
# Hermes reads its home while it is imported, so a throwaway one is set before any test module is.
_HOME = tempfile.TemporaryDirectory(prefix="angelia-shim-")
os.environ["HERMES_HOME"] = os.environ["HOME"] = _HOME.name
os.environ["HERMES_GATEWAY_LOCK_DIR"] = str(Path(_HOME.name) / "locks")


@pytest.fixture
def link_file(tmp_path: Path) -> Path:
    """Place of the bridge's link file."""
    return tmp_path / "angelia" / "link.json"


def pytest_unconfigure() -> None:
    """Remove the throwaway home."""
    _HOME.cleanup()
