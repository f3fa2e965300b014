# SPDX-License-Identifier: Apache-2.0
"""The turns that this Hermes process took from the bridge.

The table lives as long as the process: Hermes makes a new adapter instance at each reconnect, and a restarted bridge
asks what became of its turns (HST-11).
"""

from __future__ import annotations

import enum
import threading
from collections.abc import Iterator
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, Final

from .barrier import StartBarrier

MARK: Final = "angelia_admission"
"""Key in `MessageEvent.metadata` that names the admission of an event made by this shim."""


class Foreign(enum.Enum):
    """Stands in the context of a turn that Hermes began by itself."""

    TURN = "turn"


class Delivery(enum.Enum):
    """What Hermes says at the end of a turn: about delivery, not about the agent's result (hermes-surface 4.6)."""

    SUCCESS = "success"
    FAILURE = "failure"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True)
class RequestError:
    """The last failed model request of a turn, without its text."""

    status: int | None
    reason: str


@dataclass(slots=True)
class Usage:
    """Tokens of one provider and model within a turn."""

    input: int = 0
    output: int = 0
    cache_read: int = 0
    cache_write: int = 0
    requests: int = 0


@dataclass(eq=False, slots=True)
class Admission:
    """One turn, from the bridge's start to the acknowledged end."""

    id: str
    """Claim token."""
    chat_id: str
    session_key: str
    text: str
    command: bool
    """The text begins with `/`: its start is already committed, there is no barrier."""

    metadata: dict[str, Any] = field(init=False)
    """Object in the event's metadata; events are recognised by this very object, a copied name is not enough."""

    dispatched: bool = False
    entered: bool = False
    """The first `pre_llm_call` has come."""
    started: bool = False
    """The barrier let it pass, or it is a command."""
    completed: bool = False
    interrupted: bool = False
    failing: bool = False
    """A model request failed and no newer one has begun: what Hermes says now is its error text."""
    failed_last: bool = False
    """A model request failed after the last end of an agent's turn."""
    withdrawn: bool = False
    stop_requested: bool = False
    ended: bool = False
    delivery: Delivery | None = None
    last_error: RequestError | None = None
    barrier: StartBarrier | None = None
    usage: dict[tuple[str, str], Usage] = field(default_factory=dict)
    subagents: set[str] = field(default_factory=set)
    """Hermes session ids of agents that this turn started: their ends are not its end."""
    handles: set[str] = field(default_factory=set)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        self.metadata = {MARK: self.id}
        self.started = self.command

    def enter(self) -> bool:
        """Tell, from any thread, whether this is the first model call of the turn."""
        with self.lock:
            first = not self.entered
            self.entered = True
            return first

    @property
    def state(self) -> str:
        """State for the attach report: taken, started or ended."""
        if self.ended:
            return "ended"
        return "started" if self.started else "taken"


CURRENT: ContextVar[Admission | Foreign | None] = ContextVar("angelia_turn", default=None)
"""The turn to which the running code belongs; Hermes copies contexts into its worker threads."""


class AdmissionTable:
    """All admissions whose end is not acknowledged yet. Changed on the gateway's loop only."""

    def __init__(self) -> None:
        self._by_id: dict[str, Admission] = {}
        self._by_session: dict[str, Admission] = {}

    def add(self, admission: Admission) -> None:
        """Take an admission; its session is occupied until its end."""
        self._by_id[admission.id] = admission
        self._by_session[admission.session_key] = admission

    def add_beside(self, admission: Admission) -> None:
        """Take control work that runs beside the turn of its session."""
        self._by_id[admission.id] = admission

    def get(self, admission_id: str) -> Admission | None:
        """Return an admission, ended ones included."""
        return self._by_id.get(admission_id)

    def occupant(self, session_key: str) -> Admission | None:
        """Return the admission that runs in a session."""
        return self._by_session.get(session_key)

    def end(self, admission: Admission) -> None:
        """Mark as ended and free its session; it stays known until `forget`."""
        admission.ended = True
        if self._by_session.get(admission.session_key) is admission:
            del self._by_session[admission.session_key]

    def forget(self, admission: Admission) -> None:
        """Drop an admission that was never taken, or whose end is acknowledged."""
        self.end(admission)
        self._by_id.pop(admission.id, None)

    def live(self) -> Iterator[Admission]:
        """Iterate over a copy of those that have not ended."""
        return iter(list(self._by_session.values()))

    def of_event(self, event: object) -> Admission | None:
        """Return the admission of an event that this shim made and that still runs, else None (the fence)."""
        metadata = getattr(event, "metadata", None)
        if not isinstance(metadata, dict):
            return None
        admission = self._by_id.get(metadata.get(MARK, ""))
        if admission is None or admission.ended or admission.metadata is not metadata:
            return None
        return admission

    def snapshot(self) -> list[dict[str, str]]:
        """Return ids and states for the attach report."""
        return [{"id": admission.id, "state": admission.state} for admission in self._by_id.values()]
