# SPDX-License-Identifier: Apache-2.0
"""Pytest plugin that writes each test with its title and result as JSON, for `bin/test`.

The title of a test is the first line of its docstring, which carries the requirement ids (`[HST-3] …`); its parameters follow. Without a
docstring it is the name of the test. A skipped or expected failure counts as failed: nothing is skipped here.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest


class Report:
    """Collects what the phases of each test say."""

    def __init__(self, target: Path) -> None:
        self.target = target
        self.rows: dict[str, dict[str, Any]] = {}

    @pytest.hookimpl
    def pytest_itemcollected(self, item: pytest.Item) -> None:
        """Notes a test as failed until its call says otherwise."""
        documentation = getattr(getattr(item, "obj", None), "__doc__", None) or ""
        first_line = next(iter(documentation.strip().splitlines()), "")
        parameters = f" [{item.callspec.id}]" if hasattr(item, "callspec") else ""
        self.rows[item.nodeid] = {
            "title": f"{first_line}{parameters}" if first_line else item.name,
            "file": item.nodeid.split("::")[0],
            "passed": False,
            "ms": 0,
            "detail": "it was not run",
        }

    @pytest.hookimpl
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Adds one phase; a test has passed when its call has passed and no phase failed."""
        row = self.rows[report.nodeid]
        row["ms"] += round(report.duration * 1000)
        if report.when == "call":
            row["passed"] = report.passed and not hasattr(report, "wasxfail")
        if not report.passed:
            row["passed"] = False
        if not row["passed"] and report.longrepr is not None:
            row["detail"] = report.longreprtext

    @pytest.hookimpl
    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """A file that cannot be read is a failed test."""
        if report.passed:
            return
        self.rows[report.nodeid] = {
            "title": f"{report.nodeid} can be run",
            "file": report.nodeid.split("::")[0],
            "passed": False,
            "ms": 0,
            "detail": report.longreprtext,
        }

    @pytest.hookimpl
    def pytest_sessionfinish(self) -> None:
        """Writes the list."""
        self.target.write_text(json.dumps(list(self.rows.values())), encoding="utf-8")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds the option that names the file."""
    parser.addoption("--angelia-report", metavar="FILE", type=Path, default=None, help="write each test as JSON")


def pytest_configure(config: pytest.Config) -> None:
    """Starts the report when a file is named."""
    target: Path | None = config.getoption("--angelia-report")
    if target is not None:
        config.pluginmanager.register(Report(target), "angelia-report-rows")
