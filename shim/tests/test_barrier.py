# SPDX-License-Identifier: Apache-2.0
"""[INB-4] The start barrier on Hermes's real base class, with a handler in the place of the agent."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from support.fake_bridge import FakeBridge
from support.stub_gateway import StubGateway, Turn, answer_ok
from support.stub_world import KEY, connected, play

from angelia.admissions import CURRENT


def test_a_refused_start_reaches_no_model(link_file: Path) -> None:
    """[INB-4] go=false: withdrawn, interrupted, no model request, nothing in the chat"""

    async def scenario(bridge: FakeBridge, gateway: StubGateway) -> None:
        bridge.go = lambda _admission: False
        bridge.start("c1")
        await bridge.result("start:c1")
        monitor = asyncio.ensure_future(_hermes_monitor(gateway))
        ended = await bridge.ended("c1")
        await monitor
        assert ended["outcome"] == "withdrawn"
        assert ended["flags"]["started"] is False
        assert gateway.model_requests == 0
        assert bridge.find("withdrawn", admission="c1") is not None
        assert bridge.all("send") == []
        assert bridge.find("dropped", what="send_before_start", admission="c1") is not None

    play(link_file, scenario, _interruptible)


def test_a_start_that_cannot_be_interrupted_is_ended(link_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """[INB-4] go=false and nobody confirms the interrupt: the hook itself ends the turn"""
    monkeypatch.setattr("angelia.interrupts.CONFIRM_SECONDS", 0.05)

    async def scenario(bridge: FakeBridge, gateway: StubGateway) -> None:
        bridge.go = lambda _admission: False
        bridge.start("c1")
        assert (await bridge.ended("c1"))["outcome"] == "withdrawn"
        assert gateway.model_requests == 0

    play(link_file, scenario)


def test_the_barrier_gives_up_after_its_time(link_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """[INB-4] start_hold_seconds: the start is withdrawn, and a late yes does not count"""
    monkeypatch.setattr("angelia.interrupts.CONFIRM_SECONDS", 0.05)

    async def scenario(bridge: FakeBridge, gateway: StubGateway) -> None:
        bridge.hold_started = True
        bridge.start("c1")
        await bridge.event("started", admission="c1")
        await gateway.ended["c1"].wait()
        await bridge.release_started()
        assert (await bridge.ended("c1"))["outcome"] == "withdrawn"
        assert gateway.model_requests == 0

    play(link_file, scenario, start_hold_seconds=0.2)


def test_a_finished_agent_delivers_its_answer_at_a_stop(link_file: Path) -> None:
    """[HST-11] Hermes stops in the moment between the agent's end and the send: the answer still leaves"""
    finished = asyncio.Event()

    async def slow_delivery(turn: Turn) -> str | None:
        turn.dispatch()
        await turn.ask_model()
        finished.set()
        await asyncio.sleep(0)
        await turn.in_thread(lambda: None)
        return "in time"

    async def scenario(bridge: FakeBridge, gateway: StubGateway) -> None:
        bridge.start("c1")
        await finished.wait()
        await gateway.close()
        assert bridge.texts("c1") == ["in time"]
        assert (await bridge.ended("c1"))["outcome"] == "completed"

    play(link_file, scenario, slow_delivery)


def test_a_cancelled_turn_leaves_the_barrier(link_file: Path) -> None:
    """[INB-4] the task of a turn is cancelled while its thread waits: withdrawn, and the thread is free at once"""
    left = asyncio.Event()

    async def waits(turn: Turn) -> str | None:
        turn.dispatch()
        loop = asyncio.get_running_loop()

        def agent() -> None:
            try:
                turn.gateway.hook("pre_llm_call", session_id="s")
                turn.gateway.model_requests += 1
            finally:
                loop.call_soon_threadsafe(left.set)

        await turn.in_thread(agent)
        return None

    async def scenario(bridge: FakeBridge, gateway: StubGateway) -> None:
        bridge.hold_started = True
        bridge.start("c1")
        await bridge.event("started", admission="c1")
        await gateway.adapter.cancel_session_processing(KEY)
        await left.wait()
        await bridge.release_started()
        assert (await bridge.ended("c1"))["outcome"] == "withdrawn"
        assert [event["type"] for event in bridge.events if event.get("admission") == "c1"] == [
            "started",
            "withdrawn",
            "ended",
        ]
        assert gateway.model_requests == 0

    play(link_file, scenario, waits)


def test_a_lost_link_is_no_reason_to_give_up(link_file: Path) -> None:
    """[HST-11] the bridge restarts while a turn waits at the barrier: the turn goes on with the new one"""

    async def main() -> None:
        async with connected(link_file, answer_ok) as (bridge, gateway):
            bridge.hold_started = True
            bridge.start("c1")
            await bridge.event("started", admission="c1")
            await bridge.close()
            after = FakeBridge(link_file, epoch=2, mode=0o640)
            after.watermarks = dict(bridge.watermarks)
            await after.listen()
            try:
                report = await after.attached()
                assert report["admissions"] == [{"id": "c1", "state": "taken"}]
                assert (await after.ended("c1"))["outcome"] == "completed"
                assert gateway.model_requests == 1
            finally:
                await after.close()

    asyncio.run(main())


def test_a_stop_lets_a_waiting_turn_go_without_the_model(link_file: Path) -> None:
    """[INB-4] Hermes stops while a turn waits at the barrier: withdrawn, no model request"""

    async def scenario(bridge: FakeBridge, gateway: StubGateway) -> None:
        bridge.hold_started = True
        bridge.start("c1")
        await bridge.event("started", admission="c1")
        gateway.runner._draining = True
        await gateway.ended["c1"].wait()
        await bridge.release_started()
        assert (await bridge.ended("c1"))["outcome"] == "withdrawn"
        assert bridge.find("stopping") is not None
        assert gateway.model_requests == 0
        bridge.start("c2")
        assert (await bridge.result("start:c2"))["code"] == "draining"

    play(link_file, scenario)


async def _hermes_monitor(gateway: StubGateway) -> None:
    """What Hermes's runner does beside a turn: ask for an interrupt, pass it to the agent."""
    await gateway.adapter._active_sessions[KEY].wait()
    gateway.interrupted = bool(gateway.adapter.has_pending_interrupt(KEY))


async def _interruptible(turn: Turn) -> str | None:
    """An agent that leaves before its first request when it was interrupted."""
    turn.dispatch()

    def agent() -> None:
        turn.gateway.hook("pre_llm_call", session_id="s")
        if not turn.gateway.interrupted:
            turn.gateway.model_requests += 1
        turn.gateway.hook("on_session_end", session_id="s", completed=False, interrupted=turn.gateway.interrupted)

    await turn.in_thread(agent)
    assert CURRENT.get() is not None
    return "Your message was interrupted before processing started"
