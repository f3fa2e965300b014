# SPDX-License-Identifier: Apache-2.0
"""What a connected adapter keeps running: the link, the official locks, the spool and the watch for Hermes's stop."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, Final

from .commands import CommandExecutor, CommandHost
from .event_queue import MAX_BYTES
from .link import Link, LinkPlace, Report
from .locks import OfficialLocks
from .platform_config import positive_number
from .process import START_HOLD_SECONDS, ShimProcess
from .spool import Spool

log = logging.getLogger(__name__)

ATTACH_WAIT_SECONDS: Final = 4.5
"""How long `connect()` waits for the bridge; Hermes counts on an answer soon, and the link goes on trying anyway."""

FLUSH_SECONDS: Final = 3.0
"""How long unsent events may take to leave at a stop; Hermes allows 5 s for all of `disconnect()`."""

STOP_POLL_SECONDS: Final = 0.25


class Service:
    """Link, locks, spool and stop watch of one adapter instance.

    Args:
        process: what outlives the instance.
        host: carries out the commands of the bridge.
        folder: `<HERMES_HOME>/angelia`.
        extra: the platform's `extra`; `link_file`, `start_hold_seconds` and `queue_max_bytes` are read from it.
        locks: the two official locks.
        report: makes the attach report.
        is_stopping: tells whether the gateway has begun its shutdown; Hermes has no hook for it.
    """

    def __init__(
        self,
        process: ShimProcess,
        host: CommandHost,
        folder: Path,
        extra: dict[str, Any],
        locks: OfficialLocks,
        report: Report,
        is_stopping: Callable[[], bool],
    ) -> None:
        configured = extra.get("link_file")
        place = LinkPlace(Path(str(configured)) if configured else folder / "link.json", bool(configured))
        process.hold_seconds = positive_number(extra, "start_hold_seconds", START_HOLD_SECONDS)
        process.queue.max_bytes = int(positive_number(extra, "queue_max_bytes", MAX_BYTES))
        self._process = process
        self._locks = locks
        self._is_stopping = is_stopping
        self._spool = Spool(folder / "spool.ndjson")
        self._link = Link(process, place, CommandExecutor(process, host), self._spool, report, self._take_locks)
        self._stop_watch: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Begin to dial and wait a moment for the bridge."""
        self._spool.forget_instance(self._process.instance)
        self._link.start()
        self._stop_watch = asyncio.get_running_loop().create_task(self._watch(), name="angelia-stop-watch")
        await self._link.wait_attached(ATTACH_WAIT_SECONDS)

    async def stop(self) -> None:
        """Flush, end the link, keep what is left, release the locks.

        Each step runs whatever became of the others. Idempotent.
        """
        if self._stop_watch is not None:
            self._stop_watch.cancel()
        await _guarded(self._link.stop(FLUSH_SECONDS), "link")
        await _guarded(self._keep_unsent(), "spool")
        await _guarded(self._release_locks(), "locks")

    async def retire(self) -> None:
        """End link and locks only: the events stay in memory for a newer instance of the same process."""
        if self._stop_watch is not None:
            self._stop_watch.cancel()
        await _guarded(self._link.stop(0.0), "link")
        await _guarded(self._release_locks(), "locks")

    async def _take_locks(self, identities: dict[str, Any]) -> bool:
        return await asyncio.to_thread(self._locks.take, identities)

    async def _release_locks(self) -> None:
        self._locks.release()

    async def _keep_unsent(self) -> None:
        queue = self._process.queue
        events = queue.unsent()
        if not events:
            return
        if self._spool.exists:  # no bridge has attached since an earlier process left it, so this one has taken no turn
            log.warning(
                "Unsent events of an earlier process still wait; %d notices of this one are dropped.", len(events)
            )
            return
        self._spool.save(self._process.instance, queue.first_unacknowledged, events)

    async def _watch(self) -> None:
        while not self._is_stopping():  # noqa: ASYNC110 - Hermes sets a flag and tells nobody
            await asyncio.sleep(STOP_POLL_SECONDS)
        self._process.begin_stop()


async def _guarded(step: Coroutine[Any, Any, None], name: str) -> None:
    try:
        await step
    except Exception as error:
        log.error("Closing the %s failed: %s.", name, type(error).__name__)
