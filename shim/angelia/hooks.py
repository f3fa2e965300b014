# SPDX-License-Identifier: Apache-2.0
"""Plugin hooks of Hermes: the start barrier and the facts from which a turn's end is judged (running-hermes 6).

Callbacks run inline on the caller's thread, the agent's worker thread mostly. They only set flags; the first
`pre_llm_call` of a turn is the one that waits.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from typing import Any, Final

from .admissions import CURRENT, Admission, Foreign, RequestError, Usage
from .event_queue import MAX_ID_CHARACTERS
from .process import ShimProcess

Hook = Callable[..., Any]

_REASON: Final = re.compile(r"[a-z0-9_]{1,64}")
_USAGE_KEYS: Final = (
    ("input", "input_tokens"),
    ("output", "output_tokens"),
    ("cache_read", "cache_read_tokens"),
    ("cache_write", "cache_write_tokens"),
    ("requests", "request_count"),
)


class Hooks:
    """The callbacks, bound to the process.

    Args:
        process: whose turns they watch.
    """

    def __init__(self, process: ShimProcess) -> None:
        self._process = process

    def callbacks(self) -> dict[str, Hook]:
        """Return the hooks to register, by Hermes's names."""
        return {
            "pre_gateway_dispatch": self.pre_gateway_dispatch,
            "pre_llm_call": self.pre_llm_call,
            "pre_api_request": self.pre_api_request,
            "post_api_request": self.post_api_request,
            "api_request_error": self.api_request_error,
            "on_session_end": self.on_session_end,
            "subagent_start": self.subagent_start,
        }

    def pre_gateway_dispatch(self, *, event: Any = None, **_: Any) -> dict[str, str] | None:
        """Hermes really takes the turn up.

        In a direct message Hermes rewrites phrases such as "restart gateway" into slash commands; a text that was no
        command when the bridge admitted it stays the person's text.
        """
        admission = self._process.admissions.of_event(event)
        if admission is None:
            return None
        admission.dispatched = True
        if not admission.command and event.text != admission.text:
            return {"action": "rewrite", "text": admission.text}
        return None

    def pre_llm_call(self, **_: Any) -> None:
        """Hold the first model call of a turn at the barrier.

        Raises:
            asyncio.CancelledError: the turn is not the bridge's, or its start is not committed: no model request is
                made.
        """
        turn = CURRENT.get()
        if turn is None:
            return
        if isinstance(turn, Foreign):
            self._process.drop("internal_event")
            raise asyncio.CancelledError
        first = turn.enter()
        if turn.command or (not first and turn.started):
            return
        if not first or turn.ended or turn.withdrawn:
            raise asyncio.CancelledError
        self._process.hold(turn)

    def pre_api_request(self, *, session_id: str = "", **_: Any) -> None:
        """A newer request begins: an earlier error was not the last word."""
        admission = _own_turn(session_id)
        if admission is not None:
            admission.failing = False

    def post_api_request(self, *, usage: Any = None, provider: Any = "", model: Any = "", **_: Any) -> None:
        """Sum the usage of the turn, that of its subagents included."""
        turn = CURRENT.get()
        if not isinstance(turn, Admission) or not isinstance(usage, dict):
            return
        with turn.lock:
            total = turn.usage.setdefault((_short(provider), _short(model)), Usage())
            for name, key in _USAGE_KEYS:
                amount = usage.get(key)
                if isinstance(amount, int) and amount > 0:
                    setattr(total, name, getattr(total, name) + amount)

    def api_request_error(self, *, session_id: str = "", status_code: Any = None, reason: Any = None, **_: Any) -> None:
        """A model request failed; its text stays here."""
        admission = _own_turn(session_id)
        if admission is None:
            return
        word = str(getattr(reason, "value", reason))
        admission.failing = admission.failed_last = True
        admission.last_error = RequestError(
            status_code if isinstance(status_code, int) else None, word if _REASON.fullmatch(word) else "unknown"
        )

    def on_session_end(
        self, *, session_id: str = "", completed: Any = False, interrupted: Any = False, **_: Any
    ) -> None:
        """An agent's turn has ended (once per turn, despite its name)."""
        admission = _own_turn(session_id)
        if admission is None:
            return
        admission.completed = bool(completed)
        admission.interrupted = admission.interrupted or bool(interrupted)
        admission.failed_last = False

    def subagent_start(self, *, child_session_id: Any = None, **_: Any) -> None:
        """An agent of the turn starts another one, whose ends are not the turn's."""
        turn = CURRENT.get()
        if isinstance(turn, Admission) and isinstance(child_session_id, str):
            turn.subagents.add(child_session_id)


def _short(name: object) -> str:
    return str(name)[:MAX_ID_CHARACTERS]


def _own_turn(session_id: str) -> Admission | None:
    turn = CURRENT.get()
    if isinstance(turn, Admission) and session_id not in turn.subagents:
        return turn
    return None
