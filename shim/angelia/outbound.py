# SPDX-License-Identifier: Apache-2.0
"""Texts of Hermes on their way to the bridge: attributed to a turn, or dropped and reported.

Hermes is answered at once with a local handle. Its reactions to a failed send are worse than any delay: it repeats the
text with a prefix, or retries and posts a notice (running-hermes 12).
"""

from __future__ import annotations

from .admissions import CURRENT, Admission
from .event_queue import MAX_ID_CHARACTERS
from .process import ShimProcess


class Outbound:
    """Decides about every text of Hermes.

    Args:
        process: whose queue takes the texts.
    """

    def __init__(self, process: ShimProcess) -> None:
        self._process = process

    def current(self) -> Admission | None:
        """Return the turn of the running code, None for what belongs to no turn of the bridge."""
        turn = CURRENT.get()
        return turn if isinstance(turn, Admission) else None

    def reason_to_drop(self, admission: Admission | None) -> str | None:
        """Tell why a text must not reach the chat (`what` of the `dropped` event), or None."""
        if admission is None:
            return "send_without_turn"
        if admission.ended or admission.delivery is not None:
            return "late_output"
        if admission.withdrawn or not admission.started:
            return "send_before_start"
        if admission.failing:
            return "error_text"
        return None

    async def send(self, admission: Admission | None, chat_id: str, text: str, reply_to: str | None) -> str:
        """Queue a text.

        Returns:
            The handle that Hermes takes for a message id; also for a dropped text.
        """
        handle = self._process.new_handle()
        reason = self.reason_to_drop(admission)
        if admission is None or reason is not None:
            self._process.drop(reason or "send_without_turn", admission)
            return handle
        admission.handles.add(handle)
        queue = self._process.queue
        if queue.full:
            await queue.wait_for_space()
        reply = {"reply_to": reply_to} if reply_to and len(reply_to) <= MAX_ID_CHARACTERS else {}
        queue.put(
            "send",
            on_ack=None,
            needs_reply=False,
            admission=admission.id,
            handle=handle,
            chat_id=chat_id,
            text=text,
            **reply,
        )
        return handle

    async def edit(self, admission: Admission | None, handle: str, text: str, *, final: bool) -> None:
        """Queue the newest text of a message. Edits of a dropped message, or after the end of its turn, go nowhere."""
        if admission is None or handle not in admission.handles:
            return
        if admission.ended or admission.withdrawn:
            self._process.drop("late_output", admission)
            return
        queue = self._process.queue
        if queue.full:
            await queue.wait_for_space()
        queue.edit(handle, admission=admission.id, text=text, final=final)

    def delete(self, admission: Admission | None, handle: str) -> None:
        """Queue the deletion of a message of a running turn."""
        if admission is not None and handle in admission.handles and not admission.ended:
            self._process.queue.put("delete", admission=admission.id, handle=handle)
