# SPDX-License-Identifier: Apache-2.0
"""[HST-12] The shim inside the real Hermes gateway, one gateway for all tests of this file."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from support.fake_bridge import FakeBridge
from support.fake_model import FakeModel, Step
from support.world import LoopThread, World, running_world

Play = Callable[[Callable[[FakeBridge, FakeModel], Awaitable[None]]], None]
LONG = "A long answer. " * 1000


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[LoopThread, World]]:
    loop = LoopThread()
    context = running_world(Path(tmp_path_factory.mktemp("gateway")))
    world = loop.run(context.__aenter__())
    try:
        yield loop, world
    finally:
        loop.run(context.__aexit__(None, None, None))
        loop.close()


@pytest.fixture
def play(world: tuple[LoopThread, World]) -> Play:
    loop, running = world

    async def scenario(steps: Callable[[FakeBridge, FakeModel], Awaitable[None]]) -> None:
        await steps(running.bridge, running.model)

    return lambda steps: loop.run(scenario(steps))


def channel(name: str) -> dict[str, Any]:
    return {"chat": {"id": name, "type": "channel", "name": name, "thread_id": None}}


def test_an_early_turn_is_parked_and_answered(play: Play) -> None:
    """[HST-12] a turn in Hermes's start-up window is parked, taken up by Hermes and answered once"""

    async def steps(bridge: FakeBridge, model: FakeModel) -> None:
        bridge.start("early", "[[early]]", **channel("early"))
        ended = await bridge.ended("early")
        assert bridge.find("parked", admission="early") is not None
        assert ended["outcome"] == "completed"
        assert bridge.texts("early") == ["plain answer"]
        assert len(model.of("early")) == 1

    play(steps)


def test_the_report_tells_what_hermes_uses(play: Play) -> None:
    """[HST-7] the attach report holds versions, effective settings, the block and the command table"""

    async def steps(bridge: FakeBridge, model: FakeModel) -> None:
        report = bridge.reports[0]
        assert report["versions"]["protocol"] == 1
        assert report["platform"]["base_url"] == "http://127.0.0.1:9"
        assert not [key for key in report["platform"] if key.startswith("_")]
        assert report["hermes"] == {
            "group_sessions_per_user": False,
            "thread_sessions_per_user": False,
            "busy_input_mode": "queue",
            "multiplex_profiles": False,
            "streaming": {"enabled": False, "transport": "edit"},
            "worker_threads": 10,
            "official_plugin_enabled": False,
        }
        names = {command["name"]: command["aliases"] for command in report["commands"]["builtin"]}
        assert "q" in names["queue"]
        assert report["commands"]["version"] == report["versions"]["hermes"]

    play(steps)


def test_a_plain_turn_is_answered(play: Play) -> None:
    """[HST-12] started before the model, one text, the end with the usage; nothing else reaches the chat"""

    async def steps(bridge: FakeBridge, model: FakeModel) -> None:
        bridge.start("plain", "hello [[plain]]", **channel("plain"))
        ended = await bridge.ended("plain")
        own = [event["type"] for event in bridge.events if event.get("admission") == "plain"]
        assert own == ["started", "send", "ended"]
        (send,) = bridge.all("send", admission="plain")
        assert (send["chat_id"], send["reply_to"], send["text"]) == ("plain", "m-plain", "plain answer")
        assert ended["flags"] == {"dispatched": True, "started": True, "completed": True, "interrupted": False}
        (usage,) = ended["usage"]
        assert (usage["input"], usage["output"], usage["requests"]) == (100, 10, 1)
        (request,) = model.of("plain")
        assert request["messages"][-1]["content"].startswith("[Mira] hello")
        assert "turn plain" in request["messages"][0]["content"]

    play(steps)


def test_two_authors_share_a_channel(play: Play) -> None:
    """[BPP-2] two authors of a channel share its session and keep their names"""

    async def steps(bridge: FakeBridge, model: FakeModel) -> None:
        bridge.start("two1", "first [[two]]", **channel("two"))
        await bridge.ended("two1")
        bridge.start("two2", "second [[two]]", author={"id": "us_2", "name": "Ola"}, **channel("two"))
        await bridge.ended("two2")
        users = [m["content"] for m in model.of("two")[-1]["messages"] if m["role"] == "user"]
        assert [text.split("]")[0] for text in users] == ["[Mira", "[Ola"]

    play(steps)


def test_a_refused_start_makes_no_model_request(play: Play) -> None:
    """[INB-4] go=false.

    The turn is interrupted before it is let go; the real agent makes no request, not even a title
    """

    async def steps(bridge: FakeBridge, model: FakeModel) -> None:
        chats, others = len(model.chats), len(model.others)
        bridge.go = lambda admission: admission != "refused"
        bridge.start("refused", "zebra [[refused]]", **channel("refused"))
        ended = await bridge.ended("refused")
        assert ended["outcome"] == "withdrawn"
        assert ended["flags"]["started"] is False
        assert bridge.find("withdrawn", admission="refused") is not None
        assert bridge.texts("refused") == []
        bridge.start("again", "now [[again]]", clean=True, **channel("refused"))
        assert (await bridge.ended("again"))["outcome"] == "completed"
        assert [len(model.chats), len(model.of("refused")), len(model.of("again"))] == [chats + 1, 0, 1]
        assert "zebra" not in str(model.of("again"))
        assert len(model.others) <= others + 1  # the title of the second turn

    play(steps)


def test_an_interrupted_and_then_refused_start_makes_no_model_request(play: Play) -> None:
    """[INB-4] the agent has taken an interrupt already, so a second one is never confirmed: the hook ends the turn"""

    async def steps(bridge: FakeBridge, model: FakeModel) -> None:
        bridge.hold_started = True
        bridge.go = lambda admission: admission != "stopped"
        bridge.start("stopped", "zebra [[stopped]]", **channel("stopped"))
        await bridge.event("started", admission="stopped")
        bridge.command("interrupt", "interrupt:stopped", admission="stopped")
        await bridge.release_started()
        assert (await bridge.ended("stopped"))["outcome"] == "withdrawn"
        bridge.start("after", "go on [[after]]", clean=True, **channel("stopped"))
        assert (await bridge.ended("after"))["outcome"] == "completed"
        assert model.of("stopped") == []
        assert "zebra" not in str(model.of("after"))

    play(steps)


def test_a_turn_with_a_tool_is_complete(play: Play) -> None:
    """[HST-12] an answer after a tool call is complete, and both requests are counted"""

    async def steps(bridge: FakeBridge, model: FakeModel) -> None:
        model.scripts["tool"] = [Step(tool="terminal", arguments={"command": "echo hi"}), Step(text="it said hi")]
        bridge.start("tool", "run [[tool]]", **channel("tool"))
        ended = await bridge.ended("tool")
        assert ended["outcome"] == "completed"
        assert bridge.texts("tool") == ["it said hi"]
        assert ended["usage"][0]["requests"] == 2

    play(steps)


def test_a_long_text_arrives_whole(play: Play) -> None:
    """[HST-12] without streaming a text of any length is one send; the bridge splits"""

    async def steps(bridge: FakeBridge, model: FakeModel) -> None:
        model.scripts["long"] = [Step(text=LONG)]
        bridge.start("long", "talk [[long]]", **channel("long"))
        await bridge.ended("long")
        assert bridge.texts("long") == [LONG.strip()]

    play(steps)


def test_a_question_is_answered_at_once(play: Play) -> None:
    """[HST-12] clarify: reported, answered with a sentence that reaches the model, the turn goes on"""

    async def steps(bridge: FakeBridge, model: FakeModel) -> None:
        model.scripts["ask"] = [
            Step(tool="clarify", arguments={"question": "Which one?", "choices": ["a", "b"]}),
            Step(text="decided"),
        ]
        bridge.start("ask", "choose [[ask]]", **channel("ask"))
        assert (await bridge.ended("ask"))["outcome"] == "completed"
        assert bridge.find("question", admission="ask", kind="clarify") is not None
        assert bridge.texts("ask") == ["decided"]
        assert "not available in this chat" in str(model.of("ask")[-1]["messages"][-1])

    play(steps)


def test_a_dangerous_command_is_denied_at_once(play: Play, tmp_path: Path) -> None:
    """[HST-12] approval: reported, denied with its reason, nothing is done"""
    target = tmp_path / "precious"
    target.mkdir()

    async def steps(bridge: FakeBridge, model: FakeModel) -> None:
        model.scripts["danger"] = [
            Step(tool="terminal", arguments={"command": f"rm -rf {target}"}),
            Step(text="left it"),
        ]
        bridge.start("danger", "clean [[danger]]", **channel("danger"))
        assert (await bridge.ended("danger"))["outcome"] == "completed"
        assert bridge.find("question", admission="danger", kind="approval") is not None
        assert bridge.texts("danger") == ["left it"]
        assert "Approvals are not available" in str(model.of("danger")[-1]["messages"][-1])

    play(steps)
    assert target.exists()


def test_slash_commands_are_answered(play: Play) -> None:
    """[HST-12] /status and /help answer; /new is confirmed because it was typed and begins a fresh session"""

    async def steps(bridge: FakeBridge, model: FakeModel) -> None:
        bridge.start("slash0", "zebra [[slash0]]", **channel("slash"))
        await bridge.ended("slash0")
        for claim, text in (("slash1", "/status"), ("slash2", "/help"), ("slash3", "/new")):
            bridge.start(claim, text, **channel("slash"))
            assert (await bridge.ended(claim))["outcome"] == "completed", text
            assert bridge.texts(claim), text
        assert bridge.all("question", admission="slash3") == []
        bridge.start("slash4", "after [[slash4]]", **channel("slash"))
        await bridge.ended("slash4")
        assert "zebra" not in str(model.of("slash4")[0]["messages"])

    play(steps)


def test_a_model_that_refuses_the_key_fails_the_turn(play: Play) -> None:
    """[RUN-6] 401 of the provider: failed with status and reason, and no text of the provider or of Hermes"""

    async def steps(bridge: FakeBridge, model: FakeModel) -> None:
        model.scripts["denied"] = [Step(status=401)]
        bridge.start("denied", "try [[denied]]", **channel("denied"))
        ended = await bridge.ended("denied")
        assert (ended["outcome"], ended["error"]["status"]) == ("failed", 401)
        assert bridge.texts("denied") == []
        assert bridge.find("dropped", what="error_text", admission="denied") is not None
        assert "canary-of-the-provider" not in str(bridge.events)

    play(steps)


def test_an_interrupt_ends_a_turn(play: Play) -> None:
    """[FUP-3] an interrupt ends a turn whose model is silent, and its session is free again"""

    async def steps(bridge: FakeBridge, model: FakeModel) -> None:
        model.scripts["silent"] = [Step(text="too late", hold=True)]
        chats = len(model.chats)
        bridge.start("silent", "wait [[silent]]", **channel("silent"))
        await model.chat(chats + 1)
        bridge.command("interrupt", "interrupt:silent", admission="silent")
        assert (await bridge.result("interrupt:silent"))["known"] is True
        assert (await bridge.ended("silent"))["outcome"] == "cancelled"
        await model.release("silent")
        bridge.start("free", "next [[free]]", **channel("silent"))
        assert (await bridge.ended("free"))["outcome"] == "completed"
        assert bridge.texts("silent") == []

    play(steps)


def test_control_work_runs_beside_a_turn(play: Play) -> None:
    """[SCH-2] [SCH-3] a status is answered beside the running turn, a stop ends that turn; both end by themselves"""

    async def steps(bridge: FakeBridge, model: FakeModel) -> None:
        model.scripts["busy"] = [Step(text="never", hold=True)]
        chats = len(model.chats)
        bridge.start("busy", "work [[busy]]", **channel("control"))
        await model.chat(chats + 1)
        bridge.start("status", "/status", bypass=True, **channel("control"))
        assert (await bridge.ended("status"))["outcome"] == "completed"
        assert bridge.texts("status") != []
        bridge.start("stop", "/stop", bypass=True, **channel("control"))
        assert (await bridge.ended("stop"))["outcome"] == "completed"
        assert (await bridge.ended("busy"))["outcome"] == "cancelled"
        assert bridge.texts("busy") == []
        await model.release("busy")
        bridge.start("late", "/status", bypass=True, **channel("control"))
        assert (await bridge.result("start:late"))["code"] == "not_active"
        bridge.start("next", "and now [[next]]", **channel("control"))
        assert (await bridge.ended("next"))["outcome"] == "completed"

    play(steps)


def test_media_of_an_answer_reach_nobody(play: Play, tmp_path: Path) -> None:
    """[RUN-11] a MEDIA tag in an answer sends nothing beside the text"""
    picture = tmp_path / "x.png"
    picture.write_bytes(b"\x89PNG\r\n")

    async def steps(bridge: FakeBridge, model: FakeModel) -> None:
        model.scripts["media"] = [Step(text=f"here it is\nMEDIA:{picture}")]
        bridge.start("media", "draw [[media]]", **channel("media"))
        await bridge.ended("media")
        assert bridge.texts("media") == ["here it is"]

    play(steps)


def test_a_suspended_session_begins_afresh(play: Play) -> None:
    """[INB-3] suspend: the next turn has a fresh session, and Hermes's notice about it is dropped"""

    async def steps(bridge: FakeBridge, model: FakeModel) -> None:
        bridge.start("susp1", "zebra [[susp1]]", **channel("susp"))
        await bridge.ended("susp1")
        bridge.command("suspend", "suspend:susp1", session_key="agent:main:borgee:channel:susp")
        bridge.command("suspend", "suspend:none", session_key="agent:main:borgee:channel:never")
        assert (await bridge.result("suspend:susp1"))["existed"] is True
        assert (await bridge.result("suspend:none"))["existed"] is False
        bridge.start("susp2", "anew [[susp2]]", **channel("susp"))
        await bridge.ended("susp2")
        assert bridge.texts("susp2") == ["plain answer"]
        assert "zebra" not in str(model.of("susp2")[0]["messages"])

    play(steps)


def test_a_restarted_bridge_finds_its_turn(world: tuple[LoopThread, World]) -> None:
    """[HST-11] the bridge dies in the middle of a turn: the next one is told of it and gets its answer once"""
    loop, running = world

    async def steps() -> None:
        model = running.model
        model.scripts["over"] = [Step(text="survived", hold=True)]
        chats = len(model.chats)
        running.bridge.start("over", "go on [[over]]", **channel("over"))
        await model.chat(chats + 1)
        after = await running.new_bridge()
        report = await after.attached()
        assert {"id": "over", "state": "started"} in report["admissions"]
        await model.release("over")
        assert (await after.ended("over"))["outcome"] == "completed"
        assert after.texts("over") == ["survived"]
        after.start("over", "go on [[over]]", **channel("over"))
        await after.event("result", command="start:over", repeated=True)
        assert len(model.of("over")) == 1

    loop.run(steps())
