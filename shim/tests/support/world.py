# SPDX-License-Identifier: Apache-2.0
"""Real gateway, fake bridge and fake model together."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import AsyncIterator, Coroutine
from pathlib import Path
from typing import Any, TypeVar

from .fake_bridge import FakeBridge
from .fake_model import FakeModel
from .hermes_gateway import Gateway, GatewayHome

_T = TypeVar("_T")
RUN_SECONDS = 120.0


class World:
    """One throwaway profile with its processes."""

    def __init__(self, model: FakeModel, home: GatewayHome, bridge: FakeBridge, gateway: Gateway) -> None:
        self.model = model
        self.home = home
        self.bridge = bridge
        self.gateway = gateway

    async def new_bridge(self, **state: Any) -> FakeBridge:
        """Let another bridge process take over, with the ledger of the one before."""
        after = FakeBridge(self.home.link_file, epoch=self.bridge.epoch + 1)
        after.watermarks = dict(self.bridge.watermarks)
        for name, value in state.items():
            setattr(after, name, value)
        await self.bridge.close()
        self.bridge = after
        await after.listen()
        return after


@contextlib.asynccontextmanager
async def running_world(root: Path, **config: Any) -> AsyncIterator[World]:
    """Start everything, and leave nothing behind."""
    model = FakeModel()
    await model.server.listen()
    home = GatewayHome(root, model.server.port, **config)
    world = World(model, home, FakeBridge(home.link_file), Gateway(home))
    await world.bridge.listen()
    await world.gateway.start()
    try:
        await world.bridge.attached()
        yield world
    finally:
        await world.gateway.stop()
        await world.bridge.close()
        await model.server.close()


class LoopThread:
    """A loop that lives as long as a module's tests, so that they can share one gateway."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="tests-loop")
        self._thread.start()

    def run(self, work: Coroutine[Any, Any, _T]) -> _T:
        """Run something on the loop and wait for it."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(RUN_SECONDS)

    def close(self) -> None:
        """End loop and thread."""
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()
