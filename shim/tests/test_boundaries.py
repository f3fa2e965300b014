# SPDX-License-Identifier: Apache-2.0
"""[HST-2] What the shim's modules may reach."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

PLUGIN = Path(__file__).resolve().parents[1] / "angelia"
MODULES = sorted(PLUGIN.glob("*.py"))
HERMES = {
    "gateway",
    "hermes_cli",
    "hermes_constants",
    "hermes_state",
    "tools",
    "agent",
    "run_agent",
    "model_tools",
    "cron",
}
MAY_IMPORT_HERMES = {"adapter.py", "hermes_config.py"}
MAY_TOUCH_ENVIRONMENT = {"platform_config.py"}


def imported(source: str) -> Iterator[str]:
    """Return the top-level names of all absolute imports, at whatever depth they stand."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module is not None:
            yield node.module.partition(".")[0]


def touches_environment(source: str) -> bool:
    return any(
        isinstance(node, ast.Attribute) and node.attr in {"environ", "getenv", "putenv"}
        for node in ast.walk(ast.parse(source))
    )


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.name)
def test_hermes_is_imported_in_two_modules_only(module: Path) -> None:
    """[HST-2] only adapter and hermes_config import Hermes"""
    if module.name not in MAY_IMPORT_HERMES:
        assert not set(imported(module.read_text())) & HERMES


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.name)
def test_nothing_but_the_standard_library_is_used(module: Path) -> None:
    """[HST-2] beside Hermes's own names the shim needs the standard library only"""
    assert set(imported(module.read_text())) - HERMES <= set(sys.stdlib_module_names)


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.name)
def test_no_environment_access(module: Path) -> None:
    """[HST-9] the environment is touched in one place, for one variable of Hermes"""
    if module.name not in MAY_TOUCH_ENVIRONMENT:
        assert not touches_environment(module.read_text())


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.name)
def test_every_module_names_its_licence_and_stays_short(module: Path) -> None:
    """[QLT-2] the licence stands in the first line, and a module has at most 400 lines"""
    lines = module.read_text().splitlines()
    assert lines[0] == "# SPDX-License-Identifier: Apache-2.0"
    assert len(lines) <= 400


def test_the_rules_catch_what_breaks_them() -> None:
    """[HST-2] each rule catches a module that breaks it"""
    assert set(imported("def f():\n    from gateway.run import x\n    import tools.approval\n")) == {"gateway", "tools"}
    assert touches_environment("import os\nos.environ.get('X')")
    assert touches_environment("import os\nos.getenv('X')")
    assert not touches_environment("import os\nos.getpid()")


def test_the_manifest_fits_the_code() -> None:
    """[HST-1] plugin.yaml names the plugin, its kind, its version and its hooks"""
    import yaml

    from angelia.hooks import Hooks
    from angelia.process import ShimProcess
    from angelia.version import SHIM_VERSION

    manifest = yaml.safe_load((PLUGIN / "plugin.yaml").read_text())
    assert (manifest["name"], manifest["kind"], manifest["version"]) == ("angelia", "platform", SHIM_VERSION)
    assert [entry["name"] for entry in manifest["requires_env"]] == ["BORGEE_API_KEY"]
    assert sorted(manifest["provides_hooks"]) == sorted(Hooks(ShimProcess()).callbacks())
