# SPDX-License-Identifier: Apache-2.0
"""The shim's adapter on Hermes's real base class, with a handler in the place of Hermes's agent.

The handler passes the same hooks in the same threads as Hermes does, so the start barrier, the attribution and the end
of a turn are the real ones. What it spares is the agent itself.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
from collections import defaultdict
from collections.abc import Awaitable, Callable
from contextvars import copy_context
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from angelia.hooks import Hooks
from angelia.process import ShimProcess
from angelia.registration import register

THREADS = 33
"""Worker threads: one more than the largest number of turns at once (D-18)."""


class Turn:
    """What a handler does in the place of the agent."""

    def __init__(self, gateway: StubGateway, event: Any) -> None:
        self.gateway = gateway
        self.event = event

    async def in_thread(self, work: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        """Run something on a worker thread in this turn's context, as Hermes does."""
        context = copy_context()
        return await asyncio.get_running_loop().run_in_executor(
            self.gateway.executor, lambda: context.run(work, *args, **kwargs)
        )

    def dispatch(self) -> None:
        """Hermes takes the event up."""
        self.gateway.hook("pre_gateway_dispatch", event=self.event, gateway=None, session_store=None)

    async def ask_model(self) -> None:
        """Pass the barrier, ask a model that answers at once, end the agent's turn."""

        def agent() -> None:
            self.gateway.hook("pre_llm_call", session_id="s")
            self.gateway.hook("pre_api_request", session_id="s")
            self.gateway.model_requests += 1
            self.gateway.hook("post_api_request", session_id="s", provider="p", model="m", usage={"input_tokens": 3})
            self.gateway.hook("on_session_end", session_id="s", completed=True, interrupted=False)

        await self.in_thread(agent)


Handler = Callable[[Turn], Awaitable[str | None]]


async def answer_ok(turn: Turn) -> str | None:
    """A turn that asks the model once and answers."""
    turn.dispatch()
    await turn.ask_model()
    return "ok"


class RegistryContext:
    """Hermes's PluginContext, as far as `register` uses it; hooks are kept instead of fired."""

    def __init__(self) -> None:
        self.platform: dict[str, Any] = {}
        self.hooks: dict[str, Any] = {}

    def register_platform(self, **entry: Any) -> None:
        """Put the platform into Hermes's real registry."""
        from gateway.platform_registry import PlatformEntry, platform_registry

        self.platform = entry
        platform_registry.register(PlatformEntry(source="plugin", plugin_name="angelia", **entry))

    def register_hook(self, name: str, callback: Any) -> None:
        """Keep the hook."""
        self.hooks[name] = callback


class StubStore:
    """A session store with nothing in it but what a test puts there."""

    def __init__(self) -> None:
        self.config = SimpleNamespace(group_sessions_per_user=False, thread_sessions_per_user=False)
        self.entries: list[SimpleNamespace] = []
        self.rows: list[dict[str, Any]] = []
        self.calls: list[tuple[str, str]] = []

    def list_sessions(self, active_minutes: int | None = None) -> list[SimpleNamespace]:
        """Return the entries."""
        return self.entries

    def clear_resume_pending(self, session_key: str) -> bool:
        """Clear the flag of an entry."""
        self.calls.append(("clear", session_key))
        flagged = [entry for entry in self.entries if entry.session_key == session_key and entry.resume_pending]
        for entry in flagged:
            entry.resume_pending = False
        return bool(flagged)

    def peek_session_id(self, session_key: str) -> str | None:
        """Return one id for every key."""
        return "s"

    def load_transcript(self, session_id: str) -> list[dict[str, Any]]:
        """Return the rows."""
        return self.rows

    def rewind_session(self, session_id: str, n: int = 1) -> dict[str, Any] | None:
        """Note the call."""
        self.calls.append(("rewind", session_id))
        return {}

    def suspend_session(self, session_key: str) -> bool:
        """Note the call."""
        self.calls.append(("suspend", session_key))
        return any(entry.session_key == session_key for entry in self.entries)

    def reset_session(self, session_key: str, display_name: str | None = None) -> SimpleNamespace | None:
        """Note the call."""
        self.calls.append(("reset", session_key))
        return next((entry for entry in self.entries if entry.session_key == session_key), None)


class StubGateway:
    """Hermes's gateway, as far as an adapter needs it.

    Args:
        link_file: where the bridge's link file lies.
        handler: stands for the agent.
        process: the shim's state; each test has its own.
        extra: more keys of the platform block.
    """

    def __init__(
        self, link_file: Path, handler: Handler = answer_ok, process: ShimProcess | None = None, **extra: Any
    ) -> None:
        from gateway.config import PlatformConfig

        register(RegistryContext())  # makes the platform's name valid in Hermes
        from angelia.adapter import BorgeeAdapter

        self.process = process or ShimProcess()
        self.store = StubStore()
        self.executor = concurrent.futures.ThreadPoolExecutor(THREADS)
        self.runner = SimpleNamespace(
            _draining=False,
            _busy_input_mode="queue",
            _executor=self.executor,
            _profile_name_for_source=lambda _source: None,
            config=SimpleNamespace(multiplex_profiles=False),
        )
        self.model_requests = 0
        self.interrupted = False
        """The agent was interrupted."""
        self.ended: defaultdict[str, asyncio.Event] = defaultdict(asyncio.Event)
        """Signals by claim: the turn has ended."""
        self.later: asyncio.Future[None] | None = None
        """Work that a handler leaves behind."""
        self.handler = handler
        config = PlatformConfig(
            enabled=True, extra={"link_file": str(link_file), "group_sessions_per_user": False, **extra}
        )
        config.typing_indicator = False
        self.adapter = BorgeeAdapter(config, self.process)
        self.adapter.gateway_runner = self.runner
        self.adapter.set_session_store(self.store)
        self.adapter.set_message_handler(self._handle)
        self._hooks = Hooks(self.process).callbacks()
        self._signal_ends()

    def hook(self, name: str, **kwargs: Any) -> Any:
        """Fire a hook like Hermes: an ordinary exception of a callback is swallowed."""
        try:
            return self._hooks[name](telemetry_schema_version=1, **kwargs)
        except Exception:  # that is what Hermes does
            return None

    async def close(self) -> None:
        """Stop like Hermes does."""
        self.runner._draining = True
        await self.adapter.cancel_background_tasks()
        await self.adapter.disconnect()
        self.executor.shutdown(wait=False, cancel_futures=True)

    def _signal_ends(self) -> None:
        end = self.process.admissions.end

        def signal(admission: Any) -> None:
            end(admission)
            self.ended[admission.id].set()

        self.process.admissions.end = signal  # type: ignore[method-assign]  # the signal is the test's

    async def _handle(self, event: Any) -> str | None:
        return await self.handler(Turn(self, event))
