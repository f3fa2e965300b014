# SPDX-License-Identifier: Apache-2.0
"""What Hermes really uses: effective settings, commands and versions for the attach report (docs/link.md, section 3).

Beside the adapter this is the only module that imports Hermes. Names with an underscore have no public twin; the
contract test of the signatures pins them on every supported version.
"""

from __future__ import annotations

import os
import platform
from pathlib import Path
from typing import Any, Final

from gateway.display_config import resolve_display_setting
from hermes_cli import __version__ as hermes_version
from hermes_cli.commands import COMMAND_REGISTRY
from hermes_cli.config import load_config
from hermes_cli.plugins import get_plugin_commands, get_plugin_manager
from hermes_constants import get_hermes_home

from . import platform_config
from .version import LINK_PROTOCOL, SHIM_VERSION

DEFAULT_WORKER_THREADS: Final = 10
"""Threads that serve turns in every supported version; Hermes makes the pool at the first turn."""

OFFICIAL_PLUGIN: Final = "borgee"
"""Name of the official plugin's entry point (D-17)."""


def state_folder() -> Path:
    """Return `<HERMES_HOME>/angelia`: link file and spool."""
    return Path(get_hermes_home()) / "angelia"


def is_stopping(runner: Any) -> bool:
    """Tell whether the gateway has begun its shutdown."""
    return bool(getattr(runner, "_draining", False))


def refuses_turns(runner: Any) -> bool:
    """Tell whether the gateway answers new turns with a refusal.

    While it stops, and during a drain that an operator asked for.
    """
    return is_stopping(runner) or bool(getattr(runner, "_external_drain_active", False))


def make_report(store: Any, runner: Any, extra: dict[str, Any]) -> dict[str, Any]:
    """Collect the parts of the attach report that Hermes knows. Reads configuration: call it in a thread.

    Args:
        store: the gateway's session store.
        runner: the GatewayRunner, None outside a gateway.
        extra: `PlatformConfig.extra`.
    """
    return {
        "pid": os.getpid(),
        "versions": {
            "shim": SHIM_VERSION,
            "hermes": hermes_version,
            "python": platform.python_version(),
            "protocol": LINK_PROTOCOL,
        },
        "platform": platform_config.reported_block(extra),
        "hermes": effective_settings(store, runner, extra),
        "commands": command_table(),
    }


def effective_settings(store: Any, runner: Any, extra: dict[str, Any]) -> dict[str, Any]:
    """Return the settings that act (HST-7).

    The session store and the adapter each hold the isolation flags; when they differ, their session keys differ too, so
    the wrong one of both is reported.
    """
    flags = store.config
    return {
        "group_sessions_per_user": bool(flags.group_sessions_per_user or extra.get("group_sessions_per_user", True)),
        "thread_sessions_per_user": bool(
            flags.thread_sessions_per_user or extra.get("thread_sessions_per_user", False)
        ),
        "busy_input_mode": str(
            getattr(runner, "_busy_input_mode", None) or platform_config.configured_busy_input_mode(extra)
        ),
        "multiplex_profiles": _multiplexed(runner, extra),
        "streaming": _streaming(runner),
        "worker_threads": _worker_threads(runner),
        "official_plugin_enabled": _official_plugin_enabled(),
    }


def command_table() -> dict[str, Any]:
    """Return Hermes's command table, by which the bridge classifies texts (D-12)."""
    return {
        "version": hermes_version,
        "builtin": [{"name": command.name, "aliases": list(command.aliases)} for command in COMMAND_REGISTRY],
        "plugin": sorted(get_plugin_commands()),
    }


def _multiplexed(runner: Any, extra: dict[str, Any]) -> bool:
    config = getattr(runner, "config", None)
    if config is None:
        return platform_config.configured_multiplex(extra)
    return bool(config.multiplex_profiles or getattr(config, "profile_routes", None))


def _streaming(runner: Any) -> dict[str, Any]:
    streaming = getattr(getattr(runner, "config", None), "streaming", None)
    enabled, transport = bool(getattr(streaming, "enabled", False)), str(getattr(streaming, "transport", "auto"))
    override = resolve_display_setting(load_config(), platform_config.PLATFORM, "streaming")
    acts = enabled and transport != "off" if override is None else bool(override)
    return {"enabled": acts, "transport": transport}


def _worker_threads(runner: Any) -> int:
    threads = getattr(getattr(runner, "_executor", None), "_max_workers", None)
    return threads if isinstance(threads, int) else DEFAULT_WORKER_THREADS


def _official_plugin_enabled() -> bool:
    return any(
        plugin["enabled"] and OFFICIAL_PLUGIN in {plugin["name"], plugin["key"]}
        for plugin in get_plugin_manager().list_plugins()
    )
