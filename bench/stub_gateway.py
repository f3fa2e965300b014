#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Hermes's side of bench/sut: the real shim with a stub message handler.

Base adapter and session store are Hermes's own; only the runner is replaced by a handler without a model. Every turn passes the
shim's `pre_llm_call` barrier on a worker thread, as a real one does.

It reads the link file below $HERMES_HOME, reports `H <message id> <ns>` for each turn and ends when its standard input ends.
"""

from __future__ import annotations

import argparse
import asyncio
import contextvars
import importlib.util
import os
import socket
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

#: Worker threads of the stub; the bridge leaves one free (D-18).
WORKER_THREADS = 33
#: Name under which the plugin folder is imported.
PACKAGE = "angelia_shim"


class Registration:
    """Takes what a plugin registers, as Hermes's plugin context does."""

    def __init__(self) -> None:
        self.platform: dict[str, Any] = {}
        self.hooks: dict[str, list[Callable[..., Any]]] = {}

    def register_platform(self, **entry: Any) -> None:
        """Make the platform known to Hermes's registry, as a plugin's context does."""
        from gateway.platform_registry import PlatformEntry, platform_registry

        platform_registry.register(PlatformEntry(**entry))
        self.platform = entry

    def register_hook(self, name: str, callback: Callable[..., Any]) -> None:
        """Keep a hook."""
        self.hooks.setdefault(name, []).append(callback)

    def fire(self, name: str, **arguments: Any) -> None:
        """Call the hooks of a name."""
        for callback in self.hooks.get(name, []):
            callback(telemetry_schema_version=1, **arguments)


def load_shim(folder: Path) -> Registration:
    """Imports the plugin folder as Hermes does and lets it register."""
    spec = importlib.util.spec_from_file_location(PACKAGE, folder / "__init__.py", submodule_search_locations=[str(folder)])
    if spec is None or spec.loader is None:
        raise SystemExit(f"no plugin in {folder}")
    module = importlib.util.module_from_spec(spec)
    sys.modules[PACKAGE] = module
    spec.loader.exec_module(module)
    registration = Registration()
    module.register(registration)
    return registration


def parse() -> argparse.Namespace:
    """Read the command line."""
    p = argparse.ArgumentParser()
    p.add_argument("--shim", type=Path, required=True)
    p.add_argument("--base-url", required=True)
    p.add_argument("--report-port", type=int, required=True)
    p.add_argument("--dispatches", type=int, required=True)
    p.add_argument("--answer", required=True)
    p.add_argument("--handler-ms", type=float, default=0.0)
    return p.parse_args()


class StubRunner:
    """Stands for Hermes's gateway runner: a turn is the hooks of a turn and a fixed answer."""

    def __init__(self, args: argparse.Namespace, registration: Registration) -> None:
        self.args = args
        self.registration = registration
        self.pool = ThreadPoolExecutor(WORKER_THREADS, thread_name_prefix="hermes-gateway")
        self._executor = self.pool
        self._busy_input_mode = "queue"
        self.lines: list[str] = []
        self.store: Any = None

    async def handle(self, event: Any) -> str | None:
        """Run one turn on a worker thread and return its answer."""
        self.lines.append(f"H {event.message_id} {time.monotonic_ns()}\n")
        self.registration.fire("pre_gateway_dispatch", event=event, gateway=self, session_store=self.store)
        context = contextvars.copy_context()
        await asyncio.get_running_loop().run_in_executor(self.pool, context.run, self.turn, event.text)
        return self.args.answer or None

    def turn(self, text: str) -> None:
        """Fire the hooks of one turn, as an agent would."""
        ids = {"session_id": "stub", "task_id": "stub", "turn_id": "stub", "platform": "borgee", "model": "stub"}
        fire = self.registration.fire
        fire("pre_llm_call", user_message=text, conversation_history=[], is_first_turn=False, sender_id="", **ids)
        if self.args.handler_ms:
            time.sleep(self.args.handler_ms / 1e3)
        fire("pre_api_request", request_messages=[], request={}, provider="stub", **ids)
        fire("post_api_request", provider="stub", usage={"input_tokens": 1, "output_tokens": 1, "request_count": 1}, **ids)
        fire("on_session_end", completed=True, interrupted=False, **ids)


async def main() -> None:
    """Attach to the bridge and serve turns until standard input ends."""
    args = parse()
    home = Path(os.environ["HERMES_HOME"])
    os.environ.setdefault("BORGEE_HOME_CHANNEL", "none")

    from gateway.config import GatewayConfig, PlatformConfig
    from gateway.session import SessionStore

    registration = load_shim(args.shim)
    runner = StubRunner(args, registration)
    extra = {
        "base_url": args.base_url,
        "allow_insecure_loopback": True,
        "max_concurrent_dispatches": args.dispatches,
        "group_sessions_per_user": False,
    }
    adapter = registration.platform["adapter_factory"](PlatformConfig(enabled=True, extra=extra))
    adapter.gateway_runner = runner
    gateway_config = GatewayConfig()
    gateway_config.group_sessions_per_user = False
    runner.config = gateway_config
    runner.store = SessionStore(home / "sessions", gateway_config)
    adapter.set_session_store(runner.store)
    adapter.set_message_handler(runner.handle)

    # the running gateway has discovered its plugins long before the first message
    from hermes_cli.plugins import get_plugin_command_handler

    get_plugin_command_handler("")
    if not await adapter.connect():
        raise SystemExit("the shim did not connect")
    await asyncio.to_thread(sys.stdin.buffer.read)
    await adapter.disconnect()
    with socket.create_connection(("127.0.0.1", args.report_port)) as report:
        report.sendall("".join(runner.lines).encode())
    sys.stderr.flush()
    os._exit(0)


asyncio.run(main())
