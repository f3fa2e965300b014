# SPDX-License-Identifier: Apache-2.0
"""A fake bridge and an adapter under a stub gateway, connected."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

from .fake_bridge import WAIT_SECONDS, FakeBridge
from .stub_gateway import Handler, StubGateway, answer_ok

Scenario = Callable[[FakeBridge, StubGateway], Awaitable[None]]

KEY = "agent:main:borgee:channel:ch_1"
"""Session key of the channel that the fake bridge uses when a test names no other."""


@contextlib.asynccontextmanager
async def connected(link_file: Path, handler: Handler, **extra: Any) -> AsyncIterator[tuple[FakeBridge, StubGateway]]:
    """Connect an adapter to a bridge, and leave nothing open."""
    bridge = FakeBridge(link_file, mode=0o640)
    await bridge.listen()
    gateway = StubGateway(link_file, handler, **extra)
    try:
        assert await gateway.adapter.connect()
        await bridge.attached()
        yield bridge, gateway
    finally:
        await gateway.close()
        await bridge.close()


def play(link_file: Path, scenario: Scenario, handler: Handler = answer_ok, **extra: Any) -> None:
    """Run a scenario on a connected pair."""

    async def main() -> None:
        async with asyncio.timeout(2 * WAIT_SECONDS), connected(link_file, handler, **extra) as (bridge, gateway):
            await scenario(bridge, gateway)

    asyncio.run(main())
