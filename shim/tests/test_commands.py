# SPDX-License-Identifier: Apache-2.0
"""[HST-10] What the shim remembers of commands."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from support.link_shim import StubHost

from angelia import commands
from angelia.admissions import Admission, AdmissionTable
from angelia.commands import CommandExecutor, CommandMemory, typed_command
from angelia.errors import CommandRefusedError
from angelia.process import ShimProcess


def admission(claim: str) -> Admission:
    return Admission(claim, "ch_1", f"agent:main:borgee:channel:{claim}", "hello", False)


def test_results_of_unacknowledged_turns_are_never_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    """[HST-10] the memory is bounded, but a turn whose end is not acknowledged keeps its result"""
    monkeypatch.setattr(commands, "MEMORY_ENTRIES", 3)
    table = AdmissionTable()
    living = admission("living")
    table.add(living)
    memory = CommandMemory(table)
    for claim in ("living", "a", "b", "c", "d"):
        assert memory.begin(f"start:{claim}")
        memory.finish(f"start:{claim}", {"ok": True})
    assert not memory.begin("start:living")
    assert not memory.begin("start:d")
    assert memory.begin("start:a")
    table.forget(living)
    for claim in ("e", "f", "g"):
        memory.begin(f"start:{claim}")
        memory.finish(f"start:{claim}", {"ok": True})
    assert memory.begin("start:living")


def test_a_command_that_runs_is_not_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    """[HST-10] a command that is still carried out stays known whatever else comes"""
    monkeypatch.setattr(commands, "MEMORY_ENTRIES", 1)
    memory = CommandMemory(AdmissionTable())
    memory.begin("suspend:slow")
    for number in range(5):
        memory.begin(f"suspend:{number}")
        memory.finish(f"suspend:{number}", {"ok": True})
    assert memory.result("suspend:slow") is None
    assert not memory.begin("suspend:slow")


class Fragile(StubHost):
    """Fails, slowly."""

    def __init__(self) -> None:
        super().__init__()
        self.gate = asyncio.Event()

    async def suspend_session(self, session_key: str, *, busy: bool) -> bool:
        await self.gate.wait()
        raise RuntimeError("canary")


def test_a_fault_of_hermes_is_answered_with_a_code(caplog: pytest.LogCaptureFixture) -> None:
    """[SEC-1] whatever Hermes raises, the bridge gets a code; a repeat meanwhile waits for the one answer"""

    async def main() -> None:
        process, host = ShimProcess(), Fragile()
        process.enter(host)
        executor = CommandExecutor(process, host)
        line: dict[str, Any] = {"op": "suspend", "id": "suspend:c1", "epoch": 1, "session_key": "k"}
        executor.receive(line)
        executor.receive(line)
        host.gate.set()
        await process.queue.wait_for_events()
        (data,) = process.queue.take_batch()
        assert b'"code":"internal"' in data
        assert b"canary" not in data
        with pytest.raises(CommandRefusedError):
            executor.receive({"op": "suspend"})

    asyncio.run(main())
    assert "RuntimeError" in caplog.text
    assert "canary" not in caplog.text


@pytest.mark.parametrize(
    ("text", "name"),
    [("/new", "new"), ("/Reset@bot now", "reset"), ("hello /new", ""), ("", ""), ("/", ""), ("new", "")],
)
def test_the_name_of_a_typed_command(text: str, name: str) -> None:
    """[OPS-6] the name of a slash command is read without mention and case"""
    assert typed_command(text) == name


def test_occupied_sessions_follow_their_newest_turn() -> None:
    """[SCH-1] an ended turn frees its session, but not when another one has taken it"""
    table = AdmissionTable()
    first, second = admission("x"), admission("x")
    second.id = "y"
    table.add(first)
    table.add(second)
    table.end(first)
    assert table.occupant(first.session_key) is second
    table.end(second)
    assert table.occupant(first.session_key) is None
    assert table.snapshot() == [{"id": "x", "state": "ended"}, {"id": "y", "state": "ended"}]
