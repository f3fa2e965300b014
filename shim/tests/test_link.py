# SPDX-License-Identifier: Apache-2.0
"""[HST-10] The attached link on real sockets: commands, events and their faults."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from support.fake_bridge import WAIT_SECONDS, FakeBridge
from support.link_shim import Shim, play

from angelia import link as link_module


def test_a_repeated_command_is_answered_from_memory(link_file: Path) -> None:
    """[HST-10] a repeated command is not carried out again, also after a new attach"""

    async def scenario(bridge: FakeBridge, shim: Shim) -> None:
        await bridge.attached()
        bridge.start("c1")
        assert await bridge.result("start:c1") == {"seq": 1, "type": "result", "command": "start:c1", "ok": True}
        bridge.start("c1")
        await bridge.event("result", command="start:c1", repeated=True)
        bridge.epoch = 2
        bridge.drop_stream()
        await bridge.attached(2)
        bridge.start("c1")
        await bridge.until(lambda: len(bridge.all("result", command="start:c1", repeated=True, ok=True)) == 2)
        assert len(shim.host.started) == 1

    play(link_file, scenario)


def test_commands_are_checked_and_answered(link_file: Path) -> None:
    """[HST-10] each command gets one answer: bad fields, unknown names and stale epochs with their code"""

    async def scenario(bridge: FakeBridge, shim: Shim) -> None:
        await bridge.attached()
        bridge.command("suspend", "suspend:c1", session_key="known")
        bridge.command("suspend", "suspend:c2", session_key="unknown")
        bridge.command("interrupt", "interrupt:c1", admission="c1")
        bridge.start("c2", message_id=5)
        bridge.start("c3", chat={"id": "x", "type": "group", "name": "x", "thread_id": None})
        bridge.command("dance", "dance:c1")
        bridge.write_line(json.dumps({"op": "start", "id": "start:c4", "epoch": 0}).encode())
        assert (await bridge.result("suspend:c1"))["existed"] is True
        assert (await bridge.result("suspend:c2"))["existed"] is False
        assert (await bridge.result("interrupt:c1"))["known"] is False
        assert (await bridge.result("start:c2"))["code"] == "bad_request"
        assert (await bridge.result("start:c3"))["code"] == "bad_request"
        assert (await bridge.result("dance:c1"))["code"] == "bad_request"
        assert (await bridge.result("start:c4"))["code"] == "stale_epoch"
        assert shim.host.started == []

    play(link_file, scenario)


def test_lines_end_at_the_newline_byte_only(link_file: Path) -> None:
    """[HST-10] U+2028, U+0085 and a line of 2 MiB arrive whole"""

    async def scenario(bridge: FakeBridge, shim: Shim) -> None:
        await bridge.attached()
        separators, large = "a\u2028b\x85c\u2029d", "ä" * 1024 * 1024
        bridge.start("c1", separators)
        bridge.start("c2", large)
        bridge.start("c3", "after")
        for claim in ("c1", "c2", "c3"):
            assert (await bridge.result(f"start:{claim}"))["ok"] is True
        assert [start.text for start in shim.host.started] == [separators, large, "after"]

    play(link_file, scenario)


def test_a_lost_answer_is_repeated_with_the_same_numbers(link_file: Path) -> None:
    """[HST-10] a connection that is cut in the middle of a request: the same numbers again, one effect"""

    async def scenario(bridge: FakeBridge, shim: Shim) -> None:
        await bridge.attached()
        bridge.lose_answers = 1
        shim.process.queue.put("send", text="a")
        await bridge.event("send", text="a")
        shim.process.queue.put("send", text="b")
        await shim.process.queue.wait_until_idle()
        assert bridge.posts[0] == [1]
        assert bridge.posts[1][0] == 1
        assert [event["text"] for event in bridge.events] == ["a", "b"]

    play(link_file, scenario)


def test_a_store_that_cannot_write_is_tried_again(link_file: Path) -> None:
    """[HST-10] 503: the events wait and leave when the store writes again"""

    async def scenario(bridge: FakeBridge, shim: Shim) -> None:
        await bridge.attached()
        bridge.busy_answers = 2
        shim.process.queue.put("send", text="a")
        await shim.process.queue.wait_until_idle()
        assert bridge.busy_answers == 0
        assert [event["text"] for event in bridge.events] == ["a"]
        assert len(bridge.reports) == 1

    play(link_file, scenario)


def test_an_unknown_session_attaches_again(link_file: Path) -> None:
    """[HST-10] 401 to events: the shim attaches again and loses nothing"""

    async def scenario(bridge: FakeBridge, shim: Shim) -> None:
        await bridge.attached()
        bridge.session = "forgotten"
        shim.process.queue.put("send", text="a")
        await bridge.attached(2)
        await shim.process.queue.wait_until_idle()
        assert [event["text"] for event in bridge.events] == ["a"]

    play(link_file, scenario)


@pytest.mark.parametrize("line", [b"not json", b"[]", b'{"op":"start"}', b'{"op":"start","id":"x","epoch":"1"}'])
def test_a_line_that_is_no_command_ends_the_link(link_file: Path, line: bytes) -> None:
    """[HST-10] a line that is no command ends the link, and the shim attaches again"""

    async def scenario(bridge: FakeBridge, shim: Shim) -> None:
        await bridge.attached()
        bridge.write_line(line)
        await bridge.until(lambda: len(bridge.reports) == 2)
        assert shim.host.started == []

    play(link_file, scenario)


@pytest.mark.parametrize("answer", [{}, {"ack": "1"}, {"ack": 1, "replies": []}])
def test_an_answer_to_events_that_is_none_loses_nothing(link_file: Path, answer: dict[str, Any]) -> None:
    """[HST-10] an answer that does not follow the protocol ends the link; the events are repeated"""

    async def scenario(bridge: FakeBridge, shim: Shim) -> None:
        await bridge.attached()
        bridge.odd_answers.append(answer)
        shim.process.queue.put("send", text="a")
        await shim.process.queue.wait_until_idle()
        assert [event["text"] for event in bridge.events] == ["a"]
        assert len(bridge.reports) == 2

    play(link_file, scenario)


def test_silence_ends_the_link(link_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """[HST-10] a half-open link: silence on the command stream ends it, a sign of life keeps it"""
    monkeypatch.setattr(link_module, "SILENCE_SECONDS", 0.3)

    async def scenario(bridge: FakeBridge, shim: Shim) -> None:
        await bridge.attached()
        first = bridge.stream
        await bridge.until(lambda: bridge.stream is not first)
        assert len(bridge.reports) == 2

    play(link_file, scenario)


def test_a_stop_flushes_what_waits(link_file: Path) -> None:
    """[HST-11] a stop gives waiting events time to leave"""

    async def scenario(bridge: FakeBridge, shim: Shim) -> None:
        await shim.link.wait_attached(WAIT_SECONDS)
        for number in range(50):
            shim.process.queue.put("send", text=str(number))
        await shim.link.stop(WAIT_SECONDS)
        assert len(bridge.events) == 50
        assert shim.process.queue.unsent() == []

    play(link_file, scenario)


def test_a_large_event_travels_alone_and_the_order_stays(link_file: Path) -> None:
    """[HST-10] texts beyond one request's size travel in order"""

    async def scenario(bridge: FakeBridge, shim: Shim) -> None:
        await bridge.attached()
        for number in range(3):
            shim.process.queue.put("send", text=str(number) * 9_000_000)
        await shim.process.queue.wait_until_idle()
        assert [event["text"][0] for event in bridge.events] == ["0", "1", "2"]
        assert len(bridge.posts) == 3

    play(link_file, scenario)
