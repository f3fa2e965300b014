# SPDX-License-Identifier: Apache-2.0
"""A shim process with its link and without Hermes."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from angelia.commands import CommandExecutor, StartCommand
from angelia.link import Link, LinkPlace
from angelia.process import ShimProcess
from angelia.spool import Spool

from .fake_bridge import WAIT_SECONDS, FakeBridge


class StubHost:
    """Notes the commands that are carried out."""

    draining = False

    def __init__(self) -> None:
        self.started: list[StartCommand] = []

    async def start_turn(self, start: StartCommand) -> None:
        self.started.append(start)

    async def suspend_session(self, session_key: str, *, busy: bool) -> bool:
        return session_key == "known"

    async def reset_session(self, session_key: str) -> bool:
        return session_key == "known"

    async def interrupt_turn(self, admission_id: str) -> bool:
        return False

    async def retire(self) -> None:
        """Nothing runs beside the link."""

    async def interrupt_agent(self, admission: Any) -> bool:
        return True


class Shim:
    """One shim process with its link."""

    def __init__(self, link_file: Path, *, shared: bool = False) -> None:
        self.process = ShimProcess()
        self.host = StubHost()
        self.process.enter(self.host)
        self.spool = Spool(link_file.parent / "spool.ndjson")
        self.locks_free = True
        self.locks_asked: list[dict[str, Any]] = []
        self.link = Link(
            self.process,
            LinkPlace(link_file, shared),
            CommandExecutor(self.process, self.host),
            self.spool,
            self._report,
            self._take_locks,
        )

    async def _report(self) -> dict[str, Any]:
        return {"pid": 1, "versions": {}, "platform": {}, "hermes": {}, "commands": {}}

    async def _take_locks(self, identities: dict[str, Any]) -> bool:
        self.locks_asked.append(identities)
        return self.locks_free


Scenario = Callable[[FakeBridge, Shim], Awaitable[None]]


def play(link_file: Path, scenario: Scenario, *, listen: bool = True) -> None:
    """Run a scenario with one bridge and one shim, and leave nothing open."""

    async def main() -> None:
        bridge = FakeBridge(link_file)
        if listen:
            await bridge.listen()
        shim = Shim(link_file)
        shim.link.start()
        try:
            async with asyncio.timeout(2 * WAIT_SECONDS):
                await scenario(bridge, shim)
        finally:
            await shim.link.stop(0.0)
            await bridge.close()

    asyncio.run(main())
