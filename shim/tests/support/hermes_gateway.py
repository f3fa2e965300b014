# SPDX-License-Identifier: Apache-2.0
"""The real Hermes gateway in a throwaway home (running-hermes 1 to 4)."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from pathlib import Path
from typing import Any

PLUGIN = Path(__file__).resolve().parents[2] / "angelia"
EXIT_SECONDS = 30.0


class GatewayHome:
    """A Hermes profile that holds nothing but this test's."""

    def __init__(self, root: Path, model_port: int, **config: Any) -> None:
        self.root = root
        self.hermes = root / "home" / ".hermes"
        (self.hermes / "plugins").mkdir(parents=True)
        (self.hermes / "plugins" / "angelia").symlink_to(PLUGIN)  # a link, so that coverage finds the real files
        self.link_file = self.hermes / "angelia" / "link.json"
        self.spool = self.hermes / "angelia" / "spool.ndjson"
        self.write_config(make_config(model_port, **config))

    def write_config(self, config: dict[str, Any]) -> None:
        """Write config.yaml; JSON is YAML."""
        (self.hermes / "config.yaml").write_text(json.dumps(config))

    def log(self) -> str:
        """Return Hermes's own log and output."""
        paths = (self.hermes / "logs" / "agent.log", self.root / "gateway.out")
        return "\n".join(path.read_text(errors="replace") for path in paths if path.exists())


class Gateway:
    """One gateway process, started by the python that runs the tests."""

    def __init__(self, home: GatewayHome) -> None:
        self.home = home
        self.process: asyncio.subprocess.Process | None = None

    async def start(self) -> None:
        """Start it; ready is what the bridge sees."""
        with (self.home.root / "gateway.out").open("ab") as output:
            self.process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                "hermes_cli.main",
                "gateway",
                "run",
                cwd=self.home.root,
                env=hermes_environment(self.home),
                stdin=asyncio.subprocess.DEVNULL,
                stdout=output,
                stderr=output,
            )

    async def stop(self, by: signal.Signals = signal.SIGINT) -> int:
        """Send a signal and wait for the end; returns the exit code."""
        if self.process is None:
            return 0
        if self.process.returncode is None:
            self.process.send_signal(by)
        try:
            async with asyncio.timeout(EXIT_SECONDS):
                return await self.process.wait()
        except TimeoutError:
            self.process.kill()
            await self.process.wait()
            raise


def hermes_environment(home: GatewayHome) -> dict[str, str]:
    """Return the whole environment of a Hermes process: nothing of the tests' own reaches it (running-hermes 2)."""
    return {
        "PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin",
        "HOME": str(home.root / "home"),
        "HERMES_HOME": str(home.hermes),
        "TMPDIR": str(home.root),
        "XDG_STATE_HOME": str(home.root / "state"),
        "LANG": "C.UTF-8",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONUNBUFFERED": "1",
        "HERMES_DISABLE_LAZY_INSTALLS": "1",
        "HERMES_GATEWAY_MAX_STARTS": "0",
        **{name: value for name, value in os.environ.items() if name.startswith("COVERAGE_")},
    }


def make_config(model_port: int, *, streaming: bool = False, top: dict[str, Any] | None = None) -> dict[str, Any]:
    """Return a complete, quiet config.yaml (running-hermes 3)."""
    return {
        "model": {
            "default": "fake-model",
            "provider": "custom",
            "base_url": f"http://127.0.0.1:{model_port}/v1",
            "api_key": "sk-test",
            "context_length": 131072,
        },
        "plugins": {"enabled": ["angelia"]},
        "group_sessions_per_user": False,
        "display": {
            "busy_input_mode": "queue",
            "busy_ack_enabled": False,
            "platforms": {
                "borgee": {
                    "tool_progress": "off",
                    "interim_assistant_messages": False,
                    "long_running_notifications": False,
                }
            },
        },
        "streaming": {"enabled": streaming, "transport": "edit", "cursor": ""},
        "platforms": {
            "borgee": {
                "enabled": True,
                "typing_indicator": False,
                "gateway_restart_notification": False,
                "base_url": "http://127.0.0.1:9",
                "allow_insecure_loopback": True,
            }
        },
        "platform_toolsets": {"borgee": ["terminal", "clarify", "file"]},
        "agent": {"environment_probe": False, "api_max_retries": 1, "restart_drain_timeout": 0},
        "approvals": {"mode": "manual"},
        "memory": {"memory_enabled": False, "user_profile_enabled": False},
        "skills": {"creation_nudge_interval": 0},
        "security": {"tirith_enabled": False, "allow_lazy_installs": False},
        "tools": {"tool_search": {"enabled": "off"}},
        "model_catalog": {"enabled": False},
        "onboarding": {"profile_build": "off"},
        "kanban": {"dispatch_in_gateway": False},
        "curator": {"enabled": False},
        **(top or {}),
    }
