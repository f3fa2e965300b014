# SPDX-License-Identifier: Apache-2.0
"""[HST-10] Turns through the adapter on Hermes's real base class, with a handler in the place of the agent."""

from __future__ import annotations

import asyncio
import contextlib
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from support.fake_bridge import FakeBridge
from support.stub_gateway import StubGateway, Turn, answer_ok
from support.stub_world import KEY, play


def test_a_turn_passes_the_barrier_and_ends_after_its_text(link_file: Path) -> None:
    """[HST-10] a turn: result, started, text and end in this order, with the usage"""

    async def scenario(bridge: FakeBridge, gateway: StubGateway) -> None:
        bridge.start("c1")
        ended = await bridge.ended("c1")
        assert [event["type"] for event in bridge.events] == ["result", "started", "send", "ended"]
        assert bridge.texts("c1") == ["ok"]
        assert bridge.find("send", admission="c1", chat_id="ch_1", reply_to="m-c1") is not None
        assert ended["outcome"] == "completed"
        assert ended["flags"] == {"dispatched": True, "started": True, "completed": True, "interrupted": False}
        assert ended["usage"] == [
            {"provider": "p", "model": "m", "input": 3, "output": 0, "cache_read": 0, "cache_write": 0, "requests": 0}
        ]
        await gateway.process.queue.wait_until_idle()
        assert gateway.process.admissions.snapshot() == []

    play(link_file, scenario)


def test_the_event_is_made_as_hermes_expects_it(link_file: Path) -> None:
    """[BPP-2] the event holds text, names, prompt and time; the session key is that of the channel or the person"""
    events: list[Any] = []

    async def keep(turn: Turn) -> str | None:
        events.append(turn.event)
        return await answer_ok(turn)

    async def scenario(bridge: FakeBridge, gateway: StubGateway) -> None:
        bridge.start("c1")
        bridge.start("c2", chat={"id": "dm_1", "type": "dm", "name": "dm_1", "thread_id": None})
        await bridge.ended("c1")
        await bridge.ended("c2")
        channel, direct = sorted(events, key=lambda event: str(event.message_id))
        assert (channel.text, channel.message_id, channel.channel_prompt) == ("hello", "m-c1", "turn c1")
        assert channel.timestamp.timestamp() == 1_780_000_000.0
        source = channel.source
        assert (source.chat_type, source.user_id, source.user_name) == ("channel", "us_1", "Mira")
        assert gateway.adapter._session_key(source) == KEY
        assert gateway.adapter._session_key(direct.source) == "agent:main:borgee:dm:dm_1"

    play(link_file, scenario, keep)


def test_events_of_others_are_dropped(link_file: Path) -> None:
    """[INB-6] the fence: events that the bridge did not start are dropped and reported, a copied mark does not help"""

    async def scenario(bridge: FakeBridge, gateway: StubGateway) -> None:
        from gateway.platforms.base import MessageEvent

        bridge.start("c1")
        await bridge.ended("c1")
        source = gateway.adapter.build_source(chat_id="ch_1", chat_type="channel", user_id="u")
        await gateway.adapter.handle_message(MessageEvent(text="", source=source, internal=True))
        gateway.store.entries.append(SimpleNamespace(session_key=KEY, resume_pending=False))
        forged = MessageEvent(text="x", source=source, metadata={"angelia_admission": "c1"})
        await gateway.adapter.handle_message(forged)
        await bridge.until(lambda: len(bridge.all("dropped", what="internal_event")) == 2)
        assert gateway.model_requests == 1

    play(link_file, scenario)


def test_a_turn_that_hermes_began_itself_reaches_no_model(link_file: Path) -> None:
    """[INB-6] a task that Hermes made past the fence: its texts are dropped and its model call is ended"""
    requests: list[str] = []

    async def main_handler(turn: Turn) -> str | None:
        if turn.event.metadata:
            return await answer_ok(turn)

        def agent() -> None:
            turn.gateway.hook("pre_llm_call", session_id="s")
            requests.append("asked")

        with contextlib.suppress(asyncio.CancelledError):
            await turn.in_thread(agent)
        return "not for the chat"

    async def scenario(bridge: FakeBridge, gateway: StubGateway) -> None:
        from gateway.platforms.base import MessageEvent

        source = gateway.adapter.build_source(chat_id="ch_1", chat_type="channel", user_id="u")
        await gateway.adapter._process_message_background(MessageEvent(text="goal", source=source), KEY)
        await bridge.event("dropped", what="internal_event")
        await bridge.event("dropped", what="send_without_turn")
        assert requests == []
        assert bridge.all("send") == []

    play(link_file, scenario, main_handler)


def test_a_busy_session_is_refused(link_file: Path) -> None:
    """[SCH-1] a second turn of a session is refused until the task of the first has ended"""
    gate = asyncio.Event()

    async def wait(turn: Turn) -> str | None:
        await gate.wait()
        return await answer_ok(turn)

    async def scenario(bridge: FakeBridge, gateway: StubGateway) -> None:
        bridge.start("c1")
        await bridge.result("start:c1")
        bridge.start("c2")
        assert (await bridge.result("start:c2"))["code"] == "session_busy"
        bridge.command("suspend", "suspend:c1", session_key=KEY)
        assert (await bridge.result("suspend:c1"))["code"] == "refused"
        gate.set()
        await bridge.ended("c1")
        bridge.start("c3")
        assert (await bridge.ended("c3"))["outcome"] == "completed"
        assert gateway.process.admissions.get("c2") is None

    play(link_file, scenario, wait)


def test_many_turns_in_a_row_never_meet_a_busy_session(link_file: Path) -> None:
    """[SCH-1] a next turn sent at the end of the one before is always taken"""

    async def scenario(bridge: FakeBridge, gateway: StubGateway) -> None:
        for number in range(50):
            bridge.start(f"c{number}")
            assert (await bridge.ended(f"c{number}"))["outcome"] == "completed"
        assert [event for event in bridge.all("result") if not event["ok"]] == []

    play(link_file, scenario)


def test_a_parked_turn_is_not_ended(link_file: Path) -> None:
    """[HST-10] a turn that Hermes parks in its start-up window is reported, stays taken and ends once"""
    parked: list[Any] = []

    async def park(turn: Turn) -> str | None:
        if not parked:
            parked.append(turn.event)
            return None
        return await answer_ok(turn)

    async def scenario(bridge: FakeBridge, gateway: StubGateway) -> None:
        bridge.start("c1")
        await bridge.event("parked", admission="c1")
        assert gateway.process.admissions.snapshot() == [{"id": "c1", "state": "taken"}]
        bridge.start("c2")
        assert (await bridge.result("start:c2"))["code"] == "session_busy"
        await gateway.adapter.handle_message(parked[0])
        assert (await bridge.ended("c1"))["outcome"] == "completed"
        assert len(bridge.all("ended")) == 1
        assert bridge.texts("c1") == ["ok"]

    play(link_file, scenario, park)


def test_a_parked_turn_ends_not_started_when_hermes_stops(link_file: Path) -> None:
    """[INB-12] a parked turn that Hermes never took up again ends as not started"""

    async def park(_turn: Turn) -> str | None:
        return None

    async def scenario(bridge: FakeBridge, gateway: StubGateway) -> None:
        bridge.start("c1")
        await bridge.event("parked", admission="c1")
        await gateway.close()
        assert (await bridge.ended("c1"))["outcome"] == "not_started"

    play(link_file, scenario, park)


def test_the_end_of_a_subagent_is_not_the_end_of_the_turn(link_file: Path) -> None:
    """[RUN-6] errors and interrupts of an agent that the turn started do not judge the turn"""

    async def delegate(turn: Turn) -> str | None:
        turn.dispatch()

        def agent() -> None:
            hook = turn.gateway.hook
            hook("pre_llm_call", session_id="s")
            hook("subagent_start", parent_session_id="s", child_session_id="child")
            hook("pre_llm_call", session_id="child")
            hook("api_request_error", session_id="child", status_code=500, reason="server_error")
            hook("on_session_end", session_id="child", completed=False, interrupted=True)
            hook("on_session_end", session_id="s", completed=True, interrupted=False)

        await turn.in_thread(agent)
        return "ok"

    async def scenario(bridge: FakeBridge, gateway: StubGateway) -> None:
        bridge.start("c1")
        assert (await bridge.ended("c1"))["outcome"] == "completed"
        assert bridge.texts("c1") == ["ok"]

    play(link_file, scenario, delegate)


def test_a_turn_without_a_model_call_fails_once(link_file: Path) -> None:
    """[INB-12] Hermes takes a turn up but cannot ask a model: failed with its reason, not started again and again"""

    async def unconfigured(turn: Turn) -> str | None:
        turn.dispatch()
        return "no provider is configured"

    async def scenario(bridge: FakeBridge, gateway: StubGateway) -> None:
        bridge.start("c1")
        ended = await bridge.ended("c1")
        assert (ended["outcome"], ended["error"]) == ("failed", {"status": None, "reason": "no_model_request"})
        assert bridge.all("send") == []

    play(link_file, scenario, unconfigured)


def test_a_turn_without_text_is_completed(link_file: Path) -> None:
    """[RUN-12] a turn without text ends completed and sends nothing"""

    async def silent(turn: Turn) -> str | None:
        turn.dispatch()
        await turn.ask_model()
        return None

    async def scenario(bridge: FakeBridge, gateway: StubGateway) -> None:
        bridge.start("c1")
        assert (await bridge.ended("c1"))["outcome"] == "completed"
        assert bridge.all("send") == []

    play(link_file, scenario, silent)


def test_a_command_needs_no_barrier(link_file: Path) -> None:
    """[HST-10] a slash command answers without a `started`, and its outcome is completed"""

    async def status(turn: Turn) -> str | None:
        turn.dispatch()
        return "fine"

    async def scenario(bridge: FakeBridge, gateway: StubGateway) -> None:
        bridge.start("c1", "/status")
        assert (await bridge.ended("c1"))["outcome"] == "completed"
        assert bridge.texts("c1") == ["fine"]
        assert bridge.all("started") == []

    play(link_file, scenario, status)


def test_a_phrase_never_becomes_a_command(link_file: Path) -> None:
    """[OPS-6] "restart gateway" in a direct message stays the person's text"""
    texts: list[Any] = []

    async def keep(turn: Turn) -> str | None:
        texts.append(turn.gateway.hook("pre_gateway_dispatch", event=turn.event))
        await turn.ask_model()
        return "ok"

    async def scenario(bridge: FakeBridge, gateway: StubGateway) -> None:
        dm = {"id": "dm_1", "type": "dm", "name": "dm_1", "thread_id": None}
        bridge.start("c1", "restart gateway", chat=dm)
        await bridge.ended("c1")
        bridge.start("c2", "hello", chat=dm)
        await bridge.ended("c2")
        assert texts == [{"action": "rewrite", "text": "restart gateway"}, None]

    play(link_file, scenario, keep)


def test_an_interrupt_reaches_a_running_turn(link_file: Path) -> None:
    """[FUP-3] an interrupt sets Hermes's event of the session; an unknown turn is told as such"""

    async def scenario(bridge: FakeBridge, gateway: StubGateway) -> None:
        bridge.start("c1")
        await bridge.event("started", admission="c1")
        bridge.command("interrupt", "interrupt:c1", admission="c1")
        assert (await bridge.result("interrupt:c1"))["known"] is True
        ended = await bridge.ended("c1")
        assert ended["outcome"] == "cancelled"
        bridge.command("interrupt", "interrupt:c2", admission="c1")
        assert (await bridge.result("interrupt:c2"))["known"] is False

    async def long_turn(turn: Turn) -> str | None:
        turn.dispatch()

        def agent() -> None:
            turn.gateway.hook("pre_llm_call", session_id="s")

        await turn.in_thread(agent)
        await turn.gateway.adapter._active_sessions[KEY].wait()
        assert turn.gateway.adapter.has_pending_interrupt(KEY)
        await turn.in_thread(turn.gateway.hook, "on_session_end", session_id="s", completed=True, interrupted=True)
        return None

    play(link_file, scenario, long_turn)


@pytest.mark.parametrize(
    ("rows", "rewound"),
    [
        ([], False),
        ([{"role": "user"}], True),
        ([{"role": "user"}, {"role": "assistant", "content": "a"}], False),
        ([{"role": "user"}, {"role": "assistant", "tool_calls": [{}]}], True),
        ([{"role": "user"}, {"role": "assistant", "tool_calls": [{}]}, {"role": "tool"}], True),
        ([{"role": "user"}, {"role": "assistant", "content": "a"}, {"role": "session_meta"}], False),
    ],
)
def test_a_released_turn_runs_on_a_clean_history(link_file: Path, rows: list[dict[str, Any]], rewound: bool) -> None:
    """[INB-3] clean: the flag is cleared, and an unfinished exchange is rewound, a finished one is not"""

    async def scenario(bridge: FakeBridge, gateway: StubGateway) -> None:
        gateway.store.rows = rows
        bridge.start("c1", clean=True)
        await bridge.ended("c1")
        assert ("clear", KEY) in gateway.store.calls
        assert (("rewind", "s") in gateway.store.calls) is rewound

    play(link_file, scenario)
