# SPDX-License-Identifier: Apache-2.0
"""[HST-1] Hermes's own discovery finds the plugin."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from support.hermes_gateway import GatewayHome, hermes_environment


def test_the_plugin_is_listed_and_touches_nothing(tmp_path: Path) -> None:
    """[HST-1] `hermes plugins list --json`: enabled, source user; discovery leaves no file and dials nobody"""
    home = GatewayHome(tmp_path, 9)
    output = subprocess.run(
        [sys.executable, "-m", "hermes_cli.main", "plugins", "list", "--json"],
        env=hermes_environment(home),
        cwd=tmp_path,
        capture_output=True,
        check=True,
        timeout=120,
    ).stdout
    plugins = {plugin["name"]: plugin for plugin in json.loads(output[output.index(b"[") :])}
    assert plugins["angelia"]["source"] == "user"
    assert plugins["angelia"]["status"] == "enabled"
    assert plugins["angelia"]["version"] == "0.1.0"
    assert not (home.hermes / "angelia").exists()
