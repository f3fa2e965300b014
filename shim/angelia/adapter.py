# SPDX-License-Identifier: Apache-2.0
"""The platform adapter inside the Hermes gateway. It fences, attributes and queues; decisions are the bridge's."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from datetime import datetime
from functools import partial
from typing import Any, Final, TypeVar

from gateway.config import Platform, PlatformConfig
from gateway.platforms.base import BasePlatformAdapter, MessageEvent, MessageType, ProcessingOutcome, SendResult
from gateway.session import build_session_key
from gateway.status import acquire_scoped_lock, release_scoped_lock
from hermes_cli.commands import should_bypass_active_session
from tools import clarify_gateway, slash_confirm
from tools.approval import resolve_gateway_approval

from . import hermes_config, sessions
from .admissions import CURRENT, Admission, Delivery, Foreign
from .beside import start_beside
from .commands import StartCommand, typed_command
from .errors import CommandRefusedError
from .event_queue import MAX_ID_CHARACTERS
from .interrupts import InterruptWatch
from .locks import OfficialLocks
from .outbound import Outbound
from .platform_config import PLATFORM
from .process import PROCESS, ShimProcess
from .quiet import Quiet
from .service import Service
from .wording import NO_APPROVALS, NO_MEDIA, NO_QUESTIONS

_T = TypeVar("_T")

DELIVERY_SECONDS: Final = 2.0
MAX_TEXT_CHARACTERS: Final = 4 * 1024 * 1024

_CONFIRMED: Final = ("new", "reset")


class BorgeeAdapter(Quiet, BasePlatformAdapter):
    """Borgee as Hermes sees it; the chat server itself is the bridge's.

    Args:
        config: Hermes's section of the platform.
        process: what outlives this instance.
    """

    MAX_MESSAGE_LENGTH = 4096
    REQUIRES_EDIT_FINALIZE = True
    supports_async_delivery = True
    splits_long_messages = True  # the bridge splits, so Hermes hands texts over whole
    gateway_runner: Any = None

    def __init__(self, config: PlatformConfig, process: ShimProcess = PROCESS) -> None:
        super().__init__(config, Platform(PLATFORM))
        self._process = process
        self._outbound = Outbound(process)
        self._interrupts = InterruptWatch()
        self._service: Service | None = None

    @property
    def authorization_is_upstream(self) -> bool:
        """Borgee's server applies membership and mention rules before it delivers (BPP-1)."""
        return True

    # -- life ----------------------------------------------------------------------------------------------------------

    async def connect(self, *, is_reconnect: bool = False) -> bool:
        """Keep Hermes from resuming turns by itself, start the link, and wait a moment for the bridge.

        Returns:
            True also when the bridge is away: the link goes on trying, far oftener than Hermes would.
        """
        if self._process.host is not None:  # an instance that Hermes dropped without a disconnect
            await self._process.host.retire()
        self._process.enter(self)
        self._process.cleared_sessions += await asyncio.to_thread(sessions.clear_resume_flags, self._session_store)
        self._service = Service(
            self._process,
            self,
            hermes_config.state_folder(),
            self.config.extra or {},
            OfficialLocks(acquire_scoped_lock, release_scoped_lock),
            self._report,
            lambda: hermes_config.is_stopping(self.gateway_runner),
        )
        await self._service.start()
        self._mark_connected()
        return True

    async def disconnect(self) -> None:
        """Let waiting turns go without a model request, hand over or keep unsent events, release the locks."""
        if self._process.host is self:
            self._process.begin_stop()
            for admission in self._process.admissions.live():
                clarify_gateway.clear_session(admission.session_key)  # a waiting one would keep the process from ending
            self._process.end_never_run()
            if self._service is not None:
                await self._service.stop()
            self._process.leave(self)
        else:
            await self.retire()
        self._mark_disconnected()

    async def retire(self) -> None:
        """Give way to a newer instance of the same process: turns, events and memory are the process's."""
        if self._service is not None:
            await self._service.retire()

    async def cancel_background_tasks(self) -> None:
        """Hermes's first step of ending this platform: no turn may wait at the barrier any more.

        After a drain Hermes cancels a turn as soon as its agent has finished, also in the moment before its answer is
        sent; such an answer gets the time to leave.
        """
        if self._process.host is self:
            self._process.begin_stop()
            await self._process.wait_delivered(DELIVERY_SECONDS)
        await super().cancel_background_tasks()

    @property
    def draining(self) -> bool:
        """Whether Hermes refuses turns now."""
        return hermes_config.refuses_turns(self.gateway_runner)

    # -- bridge to Hermes ----------------------------------------------------------------------------------------------

    async def start_turn(self, start: StartCommand) -> None:
        """Hand a turn to Hermes; returns when Hermes has made its task.

        Raises:
            CommandRefusedError: `draining`, `session_busy`, `bad_request`.
        """
        if self._process.draining:
            raise CommandRefusedError("draining")
        event = self._make_event(start)
        key = self._session_key(event.source)
        admission = Admission(start.admission, start.chat_id, key, start.text, start.command)
        event.metadata = admission.metadata
        if start.bypass:
            await self._start_beside(admission, event)
            return
        if self._is_occupied(key):
            raise CommandRefusedError("session_busy")
        self._process.admissions.add(admission)
        try:
            if start.clean:
                await asyncio.to_thread(sessions.clean_for_second_run, self._session_store, key)
            await self.handle_message(event)
            if key not in self._active_sessions:
                raise CommandRefusedError("internal")
        except BaseException:
            self._process.admissions.forget(admission)
            raise

    async def _start_beside(self, admission: Admission, event: MessageEvent) -> None:
        handle, tasks = partial(self.handle_message, event), self._session_tasks
        await start_beside(self._process, admission, handle, tasks, should_bypass_active_session)
        if typed_command(admission.text) == "stop":  # Hermes leaves an open question waiting (running-hermes 11)
            clarify_gateway.clear_session(admission.session_key)

    async def suspend_session(self, session_key: str, *, busy: bool) -> bool:
        """Let the next turn of a session begin afresh.

        Raises CommandRefusedError: `refused` for a foreign session, and a busy one unless `busy`.
        """
        self._require_session(session_key, busy=busy)
        return bool(await asyncio.to_thread(self._session_store.suspend_session, session_key))

    async def reset_session(self, session_key: str) -> bool:
        """Let a session begin afresh without a notice; `refused` for a foreign or busy one."""
        self._require_session(session_key, busy=False)
        return await asyncio.to_thread(self._session_store.reset_session, session_key) is not None

    def _require_session(self, session_key: str, *, busy: bool) -> None:
        if not sessions.is_ours(session_key) or (self._is_occupied(session_key) and not busy):
            raise CommandRefusedError("refused")

    async def interrupt_turn(self, admission_id: str) -> bool:
        """Interrupt a turn and free a waiting question; tells whether it runs here."""
        admission = self._process.admissions.get(admission_id)
        if admission is None or admission.ended:
            return False
        admission.stop_requested = True
        await self.interrupt_session_activity(admission.session_key, admission.chat_id)
        clarify_gateway.clear_session(admission.session_key)
        return True

    async def interrupt_agent(self, admission: Admission) -> bool:
        """Interrupt a turn at the barrier and wait until Hermes's monitor has passed it to the agent."""
        waiter = self._interrupts.expect(admission.session_key)
        await self.interrupt_session_activity(admission.session_key, admission.chat_id)
        return await self._interrupts.confirmed(admission.session_key, waiter)

    def has_pending_interrupt(self, session_key: str) -> bool:
        """Hermes's monitor of a turn asks here, and interrupts the agent right after a yes."""
        pending = bool(super().has_pending_interrupt(session_key))
        if pending:
            self._interrupts.seen(session_key)
        return pending

    async def handle_message(self, event: MessageEvent) -> None:
        """The fence.

        Only events that the bridge started reach Hermes (auto-resume, process notices and the like do not).
        """
        if self._process.admissions.of_event(event) is None:
            self._process.drop("internal_event")
            return
        await super().handle_message(event)

    async def on_processing_start(self, event: MessageEvent) -> None:
        """A task of Hermes takes up an event: what runs in it and in its threads belongs to this turn."""
        admission = self._process.admissions.of_event(event)
        CURRENT.set(Foreign.TURN if admission is None else admission)
        task = asyncio.current_task()
        if admission is None or task is None:
            return
        admission.delivery = None
        task.add_done_callback(partial(self._process.turn_done, admission))
        if admission.stop_requested:  # the stop came while the turn was parked
            await self.interrupt_session_activity(admission.session_key, admission.chat_id)

    async def on_processing_complete(self, event: MessageEvent, outcome: ProcessingOutcome) -> None:
        """Hermes has delivered; the first such call of a task counts."""
        admission = self._process.admissions.of_event(event)
        if admission is not None and admission.delivery is None:
            admission.delivery = Delivery(outcome.value)

    # -- Hermes to bridge ----------------------------------------------------------------------------------------------

    async def send(
        self, chat_id: str, content: str, reply_to: str | None = None, metadata: dict[str, Any] | None = None
    ) -> SendResult:
        """Queue a text of the running turn; Hermes is answered at once."""
        if not 0 < len(chat_id) <= MAX_ID_CHARACTERS:
            return SendResult(success=False, error="no such chat", error_kind="not_found")
        if len(content) > MAX_TEXT_CHARACTERS:
            return SendResult(success=False, error="message too long", error_kind="too_long")
        send = self._outbound.send(self._outbound.current(), chat_id, content, reply_to)
        return SendResult(success=True, message_id=await self._on_gateway_loop(send))

    async def edit_message(self, chat_id: str, message_id: str, content: str, *, finalize: bool = False) -> SendResult:
        """Queue the newest text of a message."""
        if len(content) > MAX_TEXT_CHARACTERS:
            return SendResult(success=False, error="message too long", error_kind="too_long")
        edit = self._outbound.edit(self._outbound.current(), message_id, content, final=finalize)
        await self._on_gateway_loop(edit)
        return SendResult(success=True, message_id=message_id)

    async def delete_message(self, chat_id: str, message_id: str) -> bool:
        """Queue the deletion of a message."""
        self._outbound.delete(self._outbound.current(), message_id)
        return True

    async def send_or_update_status(
        self, chat_id: str, status_key: str, content: str, metadata: dict[str, Any] | None = None
    ) -> SendResult:
        """Drop Hermes's life-cycle and retry notices.

        Borgee has no status line, and a provider's error text stays here.
        """
        admission = self._outbound.current()
        self._process.drop(self._outbound.reason_to_drop(admission) or "error_text", admission)
        return self._swallowed()

    async def send_private_notice(
        self,
        chat_id: str,
        user_id: str | None,
        content: str,
        reply_to: str | None = None,
        metadata: dict[str, Any] | None = None,
    ) -> SendResult:
        """Swallow operator notices."""
        return self._swallowed()

    def render_message_event(self, event: Any, sink: Any) -> None:
        """As Hermes does it; the override keeps the name under the contract test (D-16)."""
        super().render_message_event(event, sink)

    async def _refuse_media(self, *_args: Any, **_kwargs: Any) -> SendResult:
        return SendResult(success=False, error=NO_MEDIA)

    # Files cannot be sent (RUN-11): Hermes is told so and nothing reaches the chat.
    send_image = send_image_file = send_animation = send_voice = send_video = send_document = play_tts = _refuse_media

    # -- questions of Hermes, answered at once; the bridge says so in the chat ----------------------------------------

    async def send_clarify(
        self,
        chat_id: str,
        question: str,
        choices: list[Any] | None,
        clarify_id: str,
        session_key: str,
        metadata: dict[str, Any] | None = None,
    ) -> SendResult:
        """Answer a question of the model: there is nobody to ask."""
        clarify_gateway.resolve_gateway_clarify(clarify_id, NO_QUESTIONS)
        return self._asked("clarify")

    async def send_exec_approval(self, *, session_key: str, **_: Any) -> SendResult:
        """Deny a dangerous command, with the reason that reaches the model.

        The request is pending already when this is called.
        """
        resolve_gateway_approval(session_key, "deny", reason=NO_APPROVALS)
        return self._asked("approval")

    async def send_slash_confirm(
        self,
        chat_id: str,
        title: str,
        message: str,
        session_key: str,
        confirm_id: str,
        metadata: dict[str, Any] | None = None,
    ) -> SendResult:
        """Confirm /new and /reset, which the person has typed; cancel all else. The returned text is the answer."""
        admission = self._outbound.current()
        typed = admission is not None and admission.command and typed_command(admission.text) in _CONFIRMED
        text = await slash_confirm.resolve(session_key, confirm_id, "once" if typed else "cancel")
        if not typed:
            self._asked("choice")
        if text:
            await self.send(chat_id, str(text), metadata=metadata)
        return self._swallowed()

    async def send_model_picker(self, *_args: Any, **_kwargs: Any) -> SendResult:
        """No picker: the choice stays as it is."""
        return self._asked("choice")

    send_choice_picker = send_model_picker

    def _asked(self, kind: str) -> SendResult:
        admission = self._outbound.current()
        if admission is not None and not admission.ended:
            question = self._process.new_handle()
            self._process.queue.put("question", admission=admission.id, kind=kind, question=question, answered=True)
        return self._swallowed()

    def _swallowed(self) -> SendResult:
        return SendResult(success=True, message_id=self._process.new_handle())

    # -- parts ---------------------------------------------------------------------------------------------------------

    def _make_event(self, start: StartCommand) -> MessageEvent:
        try:
            timestamp = datetime.fromtimestamp(start.sent_at / 1000)  # naive and local, as Hermes's own default is
        except (OverflowError, ValueError, OSError):
            raise CommandRefusedError("bad_request") from None
        source = self.build_source(
            chat_id=start.chat_id,
            chat_name=start.chat_name,
            chat_type=start.chat_type,
            user_id=start.author_id,
            user_name=start.author_name,
            thread_id=start.thread_id,
            message_id=start.message_id,
        )
        return MessageEvent(
            text=start.text,
            message_type=MessageType.TEXT,
            source=source,
            message_id=start.message_id,
            channel_prompt=start.prompt,
            timestamp=timestamp,
        )

    def _session_key(self, source: Any) -> str:
        extra = self.config.extra or {}
        return str(
            build_session_key(
                source,
                group_sessions_per_user=extra.get("group_sessions_per_user", True),
                thread_sessions_per_user=extra.get("thread_sessions_per_user", False),
            )
        )

    def _is_occupied(self, session_key: str) -> bool:
        if self._process.admissions.occupant(session_key) is not None:
            return True
        task = self._session_tasks.get(session_key)
        return session_key in self._active_sessions and not (task is not None and task.done())

    async def _report(self) -> dict[str, Any]:
        return await asyncio.to_thread(
            hermes_config.make_report, self._session_store, self.gateway_runner, dict(self.config.extra or {})
        )

    async def _on_gateway_loop(self, call: Coroutine[Any, Any, _T]) -> _T:
        loop = self._process.loop
        if loop is None or loop is asyncio.get_running_loop():
            return await call
        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(call, loop))
