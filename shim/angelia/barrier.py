# SPDX-License-Identifier: Apache-2.0
"""The start barrier of one turn (docs/link.md, section 5; architecture, "Start barrier")."""

from __future__ import annotations

import enum
import threading


class Verdict(enum.Enum):
    """How a turn leaves the barrier."""

    GO = "go"
    """The bridge has committed the start: the model may be asked."""

    INTERRUPTED = "interrupted"
    """The start was refused or withdrawn and Hermes's agent has taken the interrupt.

    It leaves before its first request.
    """

    ABORT = "abort"
    """The start was withdrawn and no interrupt can be confirmed: the hook itself has to end the turn."""


class StartBarrier:
    """Holds the worker thread of a turn until the gateway's loop has decided.

    A plain lock serves as the gate: acquiring it with a timeout costs far less than a condition, and each turn passes
    here.
    """

    __slots__ = ("_gate", "verdict")

    def __init__(self) -> None:
        self.verdict: Verdict | None = None
        self._gate = threading.Lock()
        self._gate.acquire()

    def decide(self, verdict: Verdict) -> None:
        """Let the thread pass; the first verdict stays. Only the gateway's loop calls this."""
        if self.verdict is None:
            self.verdict = verdict
            self._gate.release()

    def wait(self, seconds: float) -> Verdict | None:
        """Wait on the worker thread. Returns None when the time is over."""
        if self._gate.acquire(timeout=seconds):
            return self.verdict
        return None
