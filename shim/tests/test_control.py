# SPDX-License-Identifier: Apache-2.0
"""Control work beside a busy turn, and what the operator does to sessions."""

from __future__ import annotations

import asyncio
from pathlib import Path
from types import SimpleNamespace

from support.fake_bridge import FakeBridge
from support.stub_gateway import StubGateway, Turn, answer_ok
from support.stub_world import KEY, play


def test_control_of_an_idle_session_is_refused(link_file: Path) -> None:
    """[SCH-3] control work whose session is idle is refused as `not_active`: it waits for its place in the line"""

    async def scenario(bridge: FakeBridge, gateway: StubGateway) -> None:
        bridge.start("c1", "/status", bypass=True)
        assert (await bridge.result("start:c1"))["code"] == "not_active"
        assert gateway.process.admissions.get("c1") is None

    play(link_file, scenario, answer_ok)


def test_only_commands_bypass(link_file: Path) -> None:
    """[SCH-3] a text that Hermes would queue behind the turn does not bypass it"""
    gate = asyncio.Event()

    async def wait(turn: Turn) -> str | None:
        await gate.wait()
        return await answer_ok(turn)

    async def scenario(bridge: FakeBridge, gateway: StubGateway) -> None:
        bridge.start("c1")
        await bridge.result("start:c1")
        for number, text in enumerate(("plain", "/nosuch", "/usr/bin")):
            bridge.start(f"p{number}", text, bypass=True)
            assert (await bridge.result(f"start:p{number}"))["code"] == "not_active"
        gate.set()
        assert (await bridge.ended("c1"))["outcome"] == "completed"

    play(link_file, scenario, wait)


def test_the_operator_resets_and_suspends_sessions(link_file: Path) -> None:
    """[INB-5] [SCH-4] a session is reset while it is idle, suspended also while it is busy; foreign ones are refused"""
    gate = asyncio.Event()

    async def wait(turn: Turn) -> str | None:
        await gate.wait()
        return await answer_ok(turn)

    async def scenario(bridge: FakeBridge, gateway: StubGateway) -> None:
        gateway.store.entries.append(SimpleNamespace(session_key=KEY, resume_pending=False))
        bridge.command("reset", "reset:1", session_key=KEY)
        assert (await bridge.result("reset:1"))["existed"] is True
        bridge.command("reset", "reset:2", session_key="agent:main:borgee:channel:none")
        assert (await bridge.result("reset:2"))["existed"] is False
        bridge.command("reset", "reset:3", session_key="agent:main:telegram:dm:1")
        assert (await bridge.result("reset:3"))["code"] == "refused"
        bridge.start("c1")
        await bridge.result("start:c1")
        bridge.command("reset", "reset:4", session_key=KEY)
        assert (await bridge.result("reset:4"))["code"] == "refused"
        bridge.command("suspend", "suspend:c2", session_key=KEY, busy=True)
        assert (await bridge.result("suspend:c2"))["existed"] is True
        gate.set()
        await bridge.ended("c1")

    play(link_file, scenario, wait)


def test_the_watchdog_is_told_what_the_process_knows(link_file: Path) -> None:
    """[HST-10] the admissions of the process are told on request"""
    gate = asyncio.Event()

    async def wait(turn: Turn) -> str | None:
        await gate.wait()
        return await answer_ok(turn)

    async def scenario(bridge: FakeBridge, gateway: StubGateway) -> None:
        bridge.start("c1")
        await bridge.result("start:c1")
        bridge.command("admissions", "admissions:1")
        assert (await bridge.result("admissions:1"))["admissions"] == [{"id": "c1", "state": "taken"}]
        gate.set()
        await bridge.ended("c1")

    play(link_file, scenario, wait)
