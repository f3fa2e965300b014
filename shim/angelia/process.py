# SPDX-License-Identifier: Apache-2.0
"""What this Hermes process knows, for its whole life.

Hermes makes a new adapter instance at each reconnect and may run `register` again; this module is imported once, so its
state outlives both. Adapters come and go as its host.
"""

from __future__ import annotations

import asyncio
import logging
import uuid
from collections.abc import Callable
from functools import partial
from typing import Any, Final, Protocol

from .admissions import Admission, AdmissionTable, Delivery
from .barrier import StartBarrier, Verdict
from .commands import CommandMemory
from .event_queue import EventQueue, Reply
from .outcome import ended_fields, is_parked

log = logging.getLogger(__name__)

START_HOLD_SECONDS: Final = 300.0
"""How long a turn waits at the barrier for the bridge to commit its start (`start_hold_seconds`)."""

_DECISION_SECONDS: Final = 30.0


class Host(Protocol):
    """The adapter instance that serves now."""

    @property
    def draining(self) -> bool:
        """Hermes has begun to stop and refuses turns."""

    async def retire(self) -> None:
        """Give way to a newer instance."""

    async def interrupt_agent(self, admission: Admission) -> bool:
        """Interrupt a turn that stands at the barrier; True when its agent has taken the interrupt."""


class ShimProcess:
    """Identity, turns and unsent events of one Hermes process."""

    def __init__(self) -> None:
        self.instance: Final = uuid.uuid4().hex
        self.epoch = 0
        self.queue = EventQueue()
        self.admissions = AdmissionTable()
        self.memory = CommandMemory(self.admissions)
        self.cleared_sessions: list[str] = []
        self.hold_seconds = START_HOLD_SECONDS
        self.stopping = False
        self.host: Host | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._handles = 0
        self._turn_ended = asyncio.Event()

    # -- hosts ---------------------------------------------------------------------------------------------------------

    def enter(self, host: Host) -> None:
        """Make an adapter instance the serving one; called on the gateway's loop at connect."""
        self._loop = asyncio.get_running_loop()
        self.queue.bind(self._loop)
        self.host = host
        self.stopping = False

    def leave(self, host: Host) -> None:
        """Forget an adapter instance that was disconnected."""
        if self.host is host:
            self.host = None

    @property
    def loop(self) -> asyncio.AbstractEventLoop | None:
        """The gateway's loop."""
        return self._loop

    @property
    def draining(self) -> bool:
        """Whether Hermes refuses turns."""
        return self.stopping or self.host is None or self.host.draining

    def begin_stop(self) -> None:
        """Hermes stops: take no turn any more and let every turn at the barrier go without a model request.

        Idempotent.
        """
        if self.stopping:
            return
        self.stopping = True
        self.queue.put("stopping")
        for admission in self.admissions.live():
            if admission.barrier is not None:
                self._give_up(admission)

    async def wait_delivered(self, seconds: float) -> None:
        """Wait until no turn is left whose agent has finished and whose answer is still on its way through Hermes."""
        try:
            async with asyncio.timeout(seconds):
                while any(turn.completed and not turn.interrupted for turn in self.admissions.live()):
                    self._turn_ended.clear()
                    await self._turn_ended.wait()
        except TimeoutError:
            log.warning("An answer was not delivered within %.1f s of the stop.", seconds)

    def end_never_run(self) -> None:
        """End the turns that Hermes parked and never took up again.

        Only right after the adapter's tasks were cancelled.
        """
        for admission in self.admissions.live():
            if not admission.dispatched and not admission.entered:
                self._end(admission)

    # -- turns ---------------------------------------------------------------------------------------------------------

    def new_handle(self) -> str:
        """Return a local message id for Hermes."""
        self._handles += 1
        return f"{self.instance[:12]}-{self._handles}"

    def turn_done(self, admission: Admission, task: asyncio.Task[Any]) -> None:
        """A task of the turn has ended: only now does its session accept a next turn (running-hermes 6)."""
        if admission.ended:
            return
        if admission.delivery is None:
            admission.delivery = Delivery.CANCELLED if task.cancelled() else Delivery.FAILURE
        if is_parked(admission) and not self.stopping:
            admission.delivery = None
            self.queue.put("parked", admission=admission.id)
            return
        self._end(admission)

    def end_inline(self, admission: Admission) -> None:
        """End control work that Hermes has handled inline: no task of its own tells its end."""
        if not admission.ended:
            admission.delivery = Delivery.SUCCESS
            self._end(admission)

    def drop(self, what: str, admission: Admission | None = None) -> None:
        """Report something of Hermes that does not reach the chat. Callable from any thread."""
        if admission is None:
            self.queue.put("dropped", what=what)
        else:
            self.queue.put("dropped", what=what, admission=admission.id)

    def _end(self, admission: Admission) -> None:
        self.admissions.end(admission)  # first: a thread that comes to the barrier from now on sees it
        self._give_up(admission)  # a thread that waits there has lost its task
        fields = ended_fields(admission, draining=self.draining)
        self._turn_ended.set()
        self.queue.put("ended", on_ack=lambda _reply: self.admissions.forget(admission), **fields)

    # -- start barrier -------------------------------------------------------------------------------------------------

    def hold(self, admission: Admission) -> None:
        """Hold the worker thread of a turn until the bridge has committed its start.

        Returns normally when the model may be asked, and also when the agent has taken an interrupt and leaves before
        its first request.

        Raises:
            asyncio.CancelledError: no model request may be made and no interrupt is confirmed. Hermes swallows ordinary
                exceptions of a hook and would go on; this one ends the turn.
        """
        barrier = StartBarrier()
        admission.barrier = barrier
        if self.stopping or admission.ended:
            self._on_loop(self._give_up, admission)
        else:
            self.queue.put(
                "started", on_ack=partial(self._answered, admission), needs_reply=True, admission=admission.id
            )
        verdict = barrier.wait(self.hold_seconds)
        if verdict is None:
            self._on_loop(self._give_up, admission)
            verdict = barrier.wait(_DECISION_SECONDS)
        if verdict is None or verdict is Verdict.ABORT:
            raise asyncio.CancelledError

    def _answered(self, admission: Admission, reply: Reply | None) -> None:
        if admission.withdrawn or admission.barrier is None:
            return
        if reply is not None and reply.get("go") is True and not admission.ended:
            admission.started = True
            admission.barrier.decide(Verdict.GO)
        else:
            self._give_up(admission)

    def _give_up(self, admission: Admission) -> None:
        barrier = admission.barrier
        if barrier is None or barrier.verdict is not None:
            return
        first = self._withdraw(admission)
        if self.stopping or admission.ended or self.host is None or self._loop is None:  # nobody watches the turn
            barrier.decide(Verdict.ABORT)
        elif first:
            self._keep(self._loop.create_task(self._interrupt(admission, barrier, self.host)))

    def _withdraw(self, admission: Admission) -> bool:
        if admission.withdrawn:
            return False
        admission.withdrawn = True
        log.info("The start of turn %s is withdrawn.", admission.id)
        self.queue.put("withdrawn", admission=admission.id)
        return True

    async def _interrupt(self, admission: Admission, barrier: StartBarrier, host: Host) -> None:
        confirmed = False
        try:
            confirmed = await host.interrupt_agent(admission)
        finally:
            barrier.decide(Verdict.INTERRUPTED if confirmed else Verdict.ABORT)

    def _on_loop(self, call: Callable[[Admission], None], admission: Admission) -> None:
        if self._loop is None:
            raise asyncio.CancelledError
        try:
            self._loop.call_soon_threadsafe(call, admission)
        except RuntimeError:  # the loop is closed: nobody can commit a start any more
            raise asyncio.CancelledError from None

    def _keep(self, task: asyncio.Task[None]) -> None:
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


PROCESS: Final = ShimProcess()
"""The one of this process."""
