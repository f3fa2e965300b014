# SPDX-License-Identifier: Apache-2.0
"""[BPP-4] Texts, edits, media and errors of Hermes on their way to the chat."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from support.fake_bridge import FakeBridge
from support.stub_gateway import StubGateway, Turn
from support.stub_world import KEY, play


def test_texts_outside_of_a_running_turn_are_dropped(link_file: Path) -> None:
    """[BPP-4] texts without a turn, before its start and after its end are dropped, and Hermes hears success"""
    release = asyncio.Event()

    async def talk(turn: Turn) -> str | None:
        turn.dispatch()
        send = turn.gateway.adapter.send
        early = await send("ch_1", "No home channel is set")
        assert early.success
        edited = await turn.gateway.adapter.edit_message("ch_1", early.message_id, "more")
        assert edited.success
        await turn.ask_model()

        async def later() -> None:
            await release.wait()
            assert (await send("ch_1", "late")).success

        turn.gateway.later = asyncio.ensure_future(later())
        return "ok"

    async def scenario(bridge: FakeBridge, gateway: StubGateway) -> None:
        assert (await gateway.adapter.send("ch_1", "a notice")).success
        await bridge.event("dropped", what="send_without_turn")
        bridge.start("c1")
        await bridge.ended("c1")
        release.set()
        assert gateway.later is not None
        await gateway.later
        await bridge.event("dropped", what="late_output", admission="c1")
        assert bridge.find("dropped", what="send_before_start", admission="c1") is not None
        assert bridge.texts("c1") == ["ok"]
        assert bridge.all("edit") == []

    play(link_file, scenario, talk)


def test_edits_and_deletions_belong_to_their_message(link_file: Path) -> None:
    """[BPP-4] preview, edits, final edit and deletion carry the handle of their message"""

    async def stream(turn: Turn) -> str | None:
        turn.dispatch()
        await turn.ask_model()
        adapter = turn.gateway.adapter
        preview = (await adapter.send("ch_1", "a")).message_id
        await adapter.edit_message("ch_1", preview, "ab")
        await adapter.edit_message("ch_1", preview, "abc", finalize=True)
        gone = (await adapter.send("ch_1", "x")).message_id
        assert await adapter.delete_message("ch_1", gone)
        assert await adapter.delete_message("ch_1", "never sent")
        return None

    async def scenario(bridge: FakeBridge, gateway: StubGateway) -> None:
        bridge.start("c1")
        await bridge.ended("c1")
        preview, gone = (event["handle"] for event in bridge.all("send"))
        assert bridge.all("edit")[-1]["text"] == "abc"
        assert bridge.all("edit")[-1]["final"] is True
        assert {event["handle"] for event in bridge.all("edit")} == {preview}
        assert [event["handle"] for event in bridge.all("delete")] == [gone]

    play(link_file, scenario, stream)


def test_texts_wait_above_the_byte_bound(link_file: Path) -> None:
    """[HST-10] above queue_max_bytes a text waits until the bridge takes events again, and none is lost"""

    async def talk(turn: Turn) -> str | None:
        turn.dispatch()
        await turn.ask_model()
        for number in range(5):
            await turn.gateway.adapter.send("ch_1", str(number) * 1000)
        return None

    async def scenario(bridge: FakeBridge, gateway: StubGateway) -> None:
        bridge.start("c1")
        await bridge.until(lambda: bool(bridge.texts("c1")))
        bridge.busy_answers = 3
        assert (await bridge.ended("c1"))["outcome"] == "completed"
        assert [text[0] for text in bridge.texts("c1")] == list("01234")

    play(link_file, scenario, talk, queue_max_bytes=1500)


def test_the_error_text_of_a_failed_turn_is_dropped(link_file: Path) -> None:
    """[RUN-6] the provider fails for good: both error texts are dropped, the end names status and reason"""

    async def fail(turn: Turn) -> str | None:
        turn.dispatch()

        def agent() -> None:
            hook = turn.gateway.hook
            hook("pre_llm_call", session_id="s")
            hook("pre_api_request", session_id="s")
            hook("api_request_error", session_id="s", status_code=401, reason="auth", error={"message": "canary"})

        await turn.in_thread(agent)
        await turn.gateway.adapter.send_or_update_status("ch_1", "lifecycle", "canary")
        return "canary"

    async def scenario(bridge: FakeBridge, gateway: StubGateway) -> None:
        bridge.start("c1")
        ended = await bridge.ended("c1")
        assert (ended["outcome"], ended["error"]) == ("failed", {"status": 401, "reason": "auth"})
        assert len(bridge.all("dropped", what="error_text", admission="c1")) == 2
        assert "canary" not in str(bridge.events)

    play(link_file, scenario, fail)


def test_an_error_before_a_newer_request_is_not_the_last_word(link_file: Path) -> None:
    """[RUN-6] a request that fails and succeeds at its second try: the answer is sent, the turn completed"""

    async def retry(turn: Turn) -> str | None:
        turn.dispatch()

        def agent() -> None:
            hook = turn.gateway.hook
            hook("pre_llm_call", session_id="s")
            hook("pre_api_request", session_id="s")
            hook("api_request_error", session_id="s", status_code=500, reason="With Text 1!")
            hook("pre_api_request", session_id="s")
            hook("on_session_end", session_id="s", completed=True, interrupted=False)

        await turn.in_thread(agent)
        return "ok"

    async def scenario(bridge: FakeBridge, gateway: StubGateway) -> None:
        bridge.start("c1")
        ended = await bridge.ended("c1")
        assert ended["outcome"] == "completed"
        assert "error" not in ended
        assert bridge.texts("c1") == ["ok"]

    play(link_file, scenario, retry)


def test_an_exception_of_the_handler_fails_the_turn_and_says_nothing(link_file: Path) -> None:
    """[SEC-1] Hermes's own apology with the text of an exception never reaches the chat"""

    async def boom(turn: Turn) -> str | None:
        turn.dispatch()
        await turn.ask_model()
        raise RuntimeError("canary")

    async def scenario(bridge: FakeBridge, gateway: StubGateway) -> None:
        bridge.start("c1")
        ended = await bridge.ended("c1")
        assert "canary" not in str(bridge.events)
        assert bridge.find("dropped", what="late_output", admission="c1") is not None
        assert (ended["outcome"], ended["error"]) == ("failed", {"status": None, "reason": "not_delivered"})

    play(link_file, scenario, boom)


def test_media_fail_and_send_nothing(link_file: Path) -> None:
    """[RUN-11] images, documents, voice and video fail with the seed's text and send nothing"""
    results: list[Any] = []

    async def media(turn: Turn) -> str | None:
        turn.dispatch()
        await turn.ask_model()
        adapter = turn.gateway.adapter
        for name in ("send_image", "send_animation", "send_image_file", "send_voice", "send_video", "send_document"):
            results.append(await getattr(adapter, name)("ch_1", "/tmp/x", caption="c", metadata={}))
        results.append(await adapter.play_tts("ch_1", "/tmp/x"))
        await adapter.send_multiple_images("ch_1", [("https://example.com/x.png", "")])
        return None

    async def scenario(bridge: FakeBridge, gateway: StubGateway) -> None:
        bridge.start("c1")
        await bridge.ended("c1")
        assert len(results) == 7
        assert {(result.success, result.error) for result in results} == {
            (False, "not supported by this server adapter yet")
        }
        assert bridge.all("send") == []

    play(link_file, scenario, media)


def test_pickers_and_confirmations_are_answered_at_once(link_file: Path) -> None:
    """[OPS-6] a picker leaves the choice as it is; a confirmation is cancelled unless /new or /reset was typed"""
    chosen: list[str] = []

    async def confirm(turn: Turn) -> str | None:
        from tools import slash_confirm

        async def execute(choice: str) -> str | None:
            chosen.append(choice)
            return f"answered {choice}"

        turn.dispatch()
        adapter = turn.gateway.adapter
        slash_confirm.register(KEY, "1", "x", execute)
        assert (await adapter.send_slash_confirm("ch_1", "title", "message", KEY, "1")).success
        assert (await adapter.send_model_picker("ch_1", [], "m", "p", KEY, None)).success
        assert (await adapter.send_choice_picker("ch_1", "t", [], KEY, None)).success
        return None

    async def scenario(bridge: FakeBridge, gateway: StubGateway) -> None:
        for claim, text in (("c1", "/undo"), ("c2", "/reset")):
            bridge.start(claim, text)
            assert (await bridge.ended(claim))["outcome"] == "completed"
        assert chosen == ["cancel", "once"]
        assert bridge.texts("c1") == ["answered cancel"]
        assert bridge.texts("c2") == ["answered once"]
        assert len(bridge.all("question", admission="c1", kind="choice")) == 3
        assert len(bridge.all("question", admission="c2", kind="choice")) == 2

    play(link_file, scenario, confirm)


def test_surfaces_that_borgee_does_not_have_are_quiet(link_file: Path) -> None:
    """[BPP-4] typing, notices and tool bubbles reach nobody; too long a text is refused"""

    async def scenario(bridge: FakeBridge, gateway: StubGateway) -> None:
        adapter = gateway.adapter
        await adapter.send_typing("ch_1")
        await adapter.stop_typing("ch_1", metadata={})
        assert (await adapter.send_private_notice("ch_1", "us_1", "notice")).success
        assert adapter.format_tool_event(object(), mode="all") is None
        adapter.render_message_event(object(), object())
        assert await adapter.get_chat_info("ch_1") == {"name": "ch_1", "type": "channel"}
        assert adapter.authorization_is_upstream
        assert not adapter.supports_draft_streaming()
        assert (await adapter.send("", "x")).error_kind == "not_found"
        assert (await adapter.send("c" * 513, "x")).error_kind == "not_found"
        refused = await adapter.send("ch_1", "x" * (4 * 1024 * 1024 + 1))
        assert (refused.success, refused.error_kind) == (False, "too_long")
        assert not (await adapter.edit_message("ch_1", "h", "x" * (4 * 1024 * 1024 + 1))).success
        assert bridge.events == []

    play(link_file, scenario)


def test_a_send_from_another_loop_is_brought_to_the_gateway(link_file: Path) -> None:
    """[HST-10] a tool that sends from its own thread and loop is attributed and queued like any other"""

    async def tool(turn: Turn) -> str | None:
        turn.dispatch()
        await turn.ask_model()
        await turn.in_thread(lambda: asyncio.run(turn.gateway.adapter.send("ch_2", "from a tool")))
        return None

    async def scenario(bridge: FakeBridge, gateway: StubGateway) -> None:
        bridge.start("c1")
        await bridge.ended("c1")
        assert bridge.find("send", admission="c1", chat_id="ch_2", text="from a tool") is not None

    play(link_file, scenario, tool)
