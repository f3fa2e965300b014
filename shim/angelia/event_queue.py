# SPDX-License-Identifier: Apache-2.0
"""The ordered, numbered queue of events of one Hermes process (docs/link.md, section 5)."""

from __future__ import annotations

import asyncio
import json
import threading
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any, Final

Reply = Mapping[str, Any]
OnAck = Callable[[Reply | None], None]

MAX_BYTES: Final = 32 * 1024 * 1024
"""Bytes of unacknowledged events beyond which senders wait (`queue_max_bytes`)."""

BATCH_BYTES: Final = 8 * 1024 * 1024
"""Bytes that one request carries; a single larger event travels alone."""

MAX_ID_CHARACTERS: Final = 512
"""Longest id or name in an event; only texts may be longer."""

_encode: Final = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), default=str).encode


class _Entry:
    __slots__ = ("data", "handle", "needs_reply", "on_ack", "sent", "seq")

    def __init__(self, seq: int, data: bytes, on_ack: OnAck | None, needs_reply: bool, handle: str | None) -> None:
        self.seq = seq
        self.data = data
        self.on_ack = on_ack
        self.needs_reply = needs_reply
        self.handle = handle
        self.sent = False


class EventQueue:
    """Keeps every event until the bridge has committed it.

    `put` and `edit` may be called from any thread, all else belongs to the gateway's loop. One reader takes batches
    from the front and takes the same ones again until they are acknowledged, so a repeat always carries the same
    numbers.
    """

    def __init__(self, max_bytes: int = MAX_BYTES) -> None:
        self.max_bytes = max_bytes
        self._lock = threading.Lock()
        self._entries: deque[_Entry] = deque()
        self._edits: dict[str, _Entry] = {}
        self._next_seq = 1
        self._bytes = 0
        self._loop: asyncio.AbstractEventLoop | None = None
        self._loop_thread = 0
        self._ready = asyncio.Event()
        self._space: list[asyncio.Future[None]] = []
        self._idle: list[asyncio.Future[None]] = []

    def bind(self, loop: asyncio.AbstractEventLoop) -> None:
        """Name the loop whose thread reads the queue; called at each connect."""
        if loop is not self._loop:
            self._ready = asyncio.Event()
        self._loop = loop
        self._loop_thread = threading.get_ident()

    def put(self, kind: str, /, *, on_ack: OnAck | None = None, needs_reply: bool = False, **fields: object) -> int:
        """Append an event.

        Args:
            kind: `type` of the event.
            on_ack: called on the loop with the bridge's reply (or None) when the event is committed.
            needs_reply: the event is repeated after a new attach until its reply has come.
            fields: the other fields of the event.

        Returns:
            Its number.
        """
        with self._lock:
            entry = self._append(kind, fields, on_ack, needs_reply, None)
        self._wake()
        return entry.seq

    def edit(self, handle: str, **fields: object) -> None:
        """Append an edit; it replaces one of the same handle that has never been sent."""
        with self._lock:
            waiting = self._edits.get(handle)
            if waiting is not None and not waiting.sent:
                data = _line(waiting.seq, "edit", {"handle": handle, **fields})
                self._bytes += len(data) - len(waiting.data)
                waiting.data = data
                return
            self._edits[handle] = self._append("edit", {"handle": handle, **fields}, None, False, handle)
        self._wake()

    @property
    def full(self) -> bool:
        """Whether senders have to wait."""
        return self._bytes >= self.max_bytes

    @property
    def byte_count(self) -> int:
        """Bytes of all events that are not acknowledged."""
        return self._bytes

    @property
    def first_unacknowledged(self) -> int:
        """Number of the oldest event that is not acknowledged, else of the next one."""
        with self._lock:
            return self._entries[0].seq if self._entries else self._next_seq

    async def wait_for_space(self) -> None:
        """Wait without limit until the queue is below its bound."""
        while self.full:
            await self._wait_in(self._space)

    async def wait_until_idle(self) -> None:
        """Wait until every event is acknowledged."""
        while self._entries:
            await self._wait_in(self._idle)

    async def wait_for_events(self) -> None:
        """Wait until there is something to send."""
        while not self._entries:
            self._ready.clear()
            if self._entries:  # put by another thread just before the flag was cleared
                return
            await self._ready.wait()

    def take_batch(self, max_bytes: int = BATCH_BYTES) -> list[bytes]:
        """Return the encoded events from the front that fit into one request, at least one."""
        batch: list[bytes] = []
        size = 0
        with self._lock:
            for entry in self._entries:
                size += len(entry.data) + 1
                if batch and size > max_bytes:
                    break
                entry.sent = True
                batch.append(entry.data)
        return batch

    def acknowledge(self, ack: int, replies: Mapping[str, Reply]) -> None:
        """Forget events up to `ack` and hand their replies out."""
        self._forget(ack, replies, keep_unanswered=False)

    def acknowledge_at_attach(self, ack: int) -> None:
        """Forget what an attach answer calls committed; events whose reply was lost stay and are repeated."""
        self._forget(ack, {}, keep_unanswered=True)

    def unsent(self) -> list[bytes]:
        """Return every encoded event that is not acknowledged, for the spool."""
        with self._lock:
            return [entry.data for entry in self._entries]

    def _append(
        self, kind: str, fields: Mapping[str, object], on_ack: OnAck | None, needs_reply: bool, handle: str | None
    ) -> _Entry:
        entry = _Entry(self._next_seq, _line(self._next_seq, kind, fields), on_ack, needs_reply, handle)
        self._next_seq += 1
        self._entries.append(entry)
        self._bytes += len(entry.data)
        return entry

    def _forget(self, ack: int, replies: Mapping[str, Reply], *, keep_unanswered: bool) -> None:
        done: list[_Entry] = []
        kept: list[_Entry] = []
        with self._lock:
            while self._entries and self._entries[0].seq <= ack:
                entry = self._entries.popleft()
                if keep_unanswered and entry.needs_reply:
                    kept.append(entry)
                    continue
                done.append(entry)
                self._bytes -= len(entry.data)
                if entry.handle is not None and self._edits.get(entry.handle) is entry:
                    del self._edits[entry.handle]
            self._entries.extendleft(reversed(kept))
        for entry in done:
            if entry.on_ack is not None:
                entry.on_ack(replies.get(str(entry.seq)))
        if not self.full:
            _release(self._space)
        if not self._entries:
            _release(self._idle)

    def _wake(self) -> None:
        loop = self._loop
        if loop is None or self._ready.is_set():
            return
        if threading.get_ident() == self._loop_thread:
            self._ready.set()
            return
        try:
            loop.call_soon_threadsafe(self._ready.set)
        except RuntimeError:  # the loop is closed: the process ends, the spool has been written
            return

    @staticmethod
    async def _wait_in(waiters: list[asyncio.Future[None]]) -> None:
        waiter: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        waiters.append(waiter)
        try:
            await waiter
        finally:
            if waiter in waiters:
                waiters.remove(waiter)


def _line(seq: int, kind: str, fields: Mapping[str, object]) -> bytes:
    text = _encode({"seq": seq, "type": kind, **fields})
    try:
        return text.encode()
    except UnicodeEncodeError:  # a lone surrogate out of a model; UTF-8 has no form for it
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace").encode()


def _release(waiters: list[asyncio.Future[None]]) -> None:
    for waiter in waiters:
        if not waiter.done():
            waiter.set_result(None)
    waiters.clear()
