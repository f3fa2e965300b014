# SPDX-License-Identifier: Apache-2.0
"""Tells when Hermes has passed an interrupt on to the agent of a turn."""

from __future__ import annotations

import asyncio
from typing import Final

CONFIRM_SECONDS: Final = 5.0
"""Hermes asks five times a second; a longer silence means that nobody watches the turn any more."""


class InterruptWatch:
    """Waits for Hermes's monitor of a turn.

    The monitor asks the adapter for a pending interrupt and interrupts the agent in the same step of the loop. So
    whoever waits is released by a callback that the loop runs after that step. All of it on the gateway's loop.
    """

    def __init__(self) -> None:
        self._waiters: dict[str, asyncio.Future[None]] = {}

    def expect(self, session_key: str) -> asyncio.Future[None]:
        """Begin to wait for the monitor of a session; to be called before the interrupt is raised."""
        waiter: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiters[session_key] = waiter
        return waiter

    async def confirmed(self, session_key: str, waiter: asyncio.Future[None]) -> bool:
        """Tell whether the agent was interrupted in time."""
        try:
            async with asyncio.timeout(CONFIRM_SECONDS):
                await waiter
        except TimeoutError:
            return False
        finally:
            self._waiters.pop(session_key, None)
        return True

    def seen(self, session_key: str) -> None:
        """The monitor is told of a pending interrupt right now."""
        waiter = self._waiters.pop(session_key, None)
        if waiter is not None:
            asyncio.get_running_loop().call_soon(_resolve, waiter)


def _resolve(waiter: asyncio.Future[None]) -> None:
    if not waiter.done():
        waiter.set_result(None)
