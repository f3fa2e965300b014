# SPDX-License-Identifier: Apache-2.0
"""[HST-10] Attaching: proofs, epochs, refusals and what survives a restart of the bridge."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from support.fake_bridge import FakeBridge
from support.link_shim import Shim, play


def test_attach_proves_both_sides_and_reports(link_file: Path) -> None:
    """[HST-10] attach: both sides prove the secret, which never travels; the report holds what the link knows"""

    async def scenario(bridge: FakeBridge, shim: Shim) -> None:
        shim.process.cleared_sessions.append("agent:main:borgee:dm:d1")
        report = await bridge.attached()
        assert report["instance"] == shim.process.instance
        assert report["first_unacknowledged"] == 1
        assert report["admissions"] == []
        assert "spool" not in report
        assert all(bridge.secret not in json.dumps(request) for request in bridge.requests)
        assert shim.locks_asked == [bridge.locks]
        shim.process.queue.put("dropped", what="internal_event")
        assert await bridge.event("dropped") == {"seq": 1, "type": "dropped", "what": "internal_event"}
        await shim.process.queue.wait_until_idle()

    play(link_file, scenario)


def test_a_stale_secret_is_not_told_anything(link_file: Path) -> None:
    """[HST-10] a file with a stale secret on a reused port: the shim tells nothing and reads the file again"""

    async def scenario(bridge: FakeBridge, shim: Shim) -> None:
        await bridge.server.listen()
        bridge.write_link_file(secret="0" * 64)
        await bridge.until(lambda: len(bridge.requests) >= 2)
        assert {path for path, _ in bridge.requests} == {"/link/v1/challenge"}
        assert all(set(body) == {"protocol", "shim_nonce"} for _, body in bridge.requests)
        bridge.write_link_file()
        await bridge.attached()

    play(link_file, scenario, listen=False)


def test_a_lower_epoch_is_refused(link_file: Path) -> None:
    """[HST-10] a bridge with a lower epoch than one seen before is refused, a higher one is recorded"""

    async def scenario(bridge: FakeBridge, shim: Shim) -> None:
        await bridge.attached()
        bridge.epoch = 5
        bridge.drop_stream()
        await bridge.attached(2)
        assert shim.process.epoch == 5
        bridge.epoch = 4
        bridge.requests.clear()
        bridge.drop_stream()
        await bridge.until(lambda: len(bridge.requests) >= 1)
        bridge.epoch = 6
        await bridge.attached(3)
        assert "/link/v1/attach" in [path for path, _ in bridge.requests]
        assert len(bridge.reports) == 3
        assert shim.process.epoch == 6

    play(link_file, scenario)


def test_a_second_shim_waits_until_the_first_is_gone(link_file: Path) -> None:
    """[HST-5] a second shim gets 409, keeps trying, and is taken when the first has gone"""

    async def scenario(bridge: FakeBridge, shim: Shim) -> None:
        await bridge.attached()
        second = Shim(link_file)
        second.link.start()
        try:
            attaches = [path for path, _ in bridge.requests].count("/link/v1/attach")
            await bridge.until(lambda: [path for path, _ in bridge.requests].count("/link/v1/attach") > attaches)
            assert len(bridge.reports) == 1
            await shim.link.stop(0.0)
            bridge.stream = None
            await bridge.attached(2)
            assert bridge.reports[-1]["instance"] == second.process.instance
        finally:
            await second.link.stop(0.0)

    play(link_file, scenario)


def test_a_wrong_setting_is_named_and_tried_again(link_file: Path, caplog: pytest.LogCaptureFixture) -> None:
    """[HST-7] 422: the log names the key without a value, and the shim attaches when the setting is right"""

    async def scenario(bridge: FakeBridge, shim: Shim) -> None:
        bridge.attach_answer = (422, {"code": "settings_invalid", "key": "base_url", "expected": "an http(s) origin"})
        await bridge.server.listen()
        bridge.write_link_file()
        await bridge.until(lambda: [path for path, _ in bridge.requests].count("/link/v1/attach") >= 2)
        assert caplog.text.count("settings_invalid (base_url: an http(s) origin)") == 1
        bridge.attach_answer = None
        await bridge.attached()

    play(link_file, scenario, listen=False)


def test_without_the_official_locks_nothing_is_served(link_file: Path) -> None:
    """[HST-6] while another gateway holds an official lock, no command stream is opened"""

    async def scenario(bridge: FakeBridge, shim: Shim) -> None:
        shim.locks_free = False
        bridge.locks = {"profile": "hermes-home:1", "credential": "https://chat.example.com|credential:2"}
        await bridge.server.listen()
        bridge.write_link_file()
        await bridge.until(lambda: len(bridge.reports) >= 2)
        assert bridge.stream is None
        assert shim.locks_asked[0] == bridge.locks
        shim.locks_free = True
        await bridge.until(lambda: bridge.stream is not None)

    play(link_file, scenario, listen=False)


def test_a_restarted_bridge_gets_everything_once(link_file: Path) -> None:
    """[HST-11] the bridge restarts on another port: events of the time between arrive once, in order"""

    async def scenario(bridge: FakeBridge, shim: Shim) -> None:
        await bridge.attached()
        shim.process.queue.put("send", text="a")
        await shim.process.queue.wait_until_idle()
        await bridge.close()
        shim.process.queue.put("send", text="b")
        after = FakeBridge(link_file, epoch=2)
        after.watermarks = dict(bridge.watermarks)
        await after.listen()
        try:
            report = await after.attached()
            assert report["first_unacknowledged"] == 2
            shim.process.queue.put("send", text="c")
            await shim.process.queue.wait_until_idle()
            assert [event["text"] for event in after.events] == ["b", "c"]
        finally:
            await after.close()

    play(link_file, scenario)


def test_the_reply_to_a_started_survives_a_restart(link_file: Path) -> None:
    """[HST-11] `started` is committed, the bridge dies before its answer: the next one is asked again"""

    async def scenario(bridge: FakeBridge, shim: Shim) -> None:
        await bridge.attached()
        replies: list[Any] = []
        bridge.hold_started = True
        shim.process.queue.put("started", on_ack=replies.append, needs_reply=True, admission="c1")
        await bridge.event("started")
        await bridge.close()
        after = FakeBridge(link_file, epoch=2)
        after.watermarks = dict(bridge.watermarks)
        await after.listen()
        try:
            await after.attached()
            await shim.process.queue.wait_until_idle()
            assert replies == [{"go": True}]
            assert after.posts == [[1]]
        finally:
            await after.close()

    play(link_file, scenario)


def test_a_spool_is_handed_over_once(link_file: Path) -> None:
    """[HST-11] the spool of an earlier process travels in the attach report and is gone after its 200"""

    async def scenario(bridge: FakeBridge, shim: Shim) -> None:
        shim.spool.save("e" * 32, 3, [b'{"seq":3,"type":"send","text":"left"}'])
        bridge.attach_answer = (503, {"code": "store_unavailable", "sentence": "later"})
        await bridge.server.listen()
        bridge.write_link_file()
        await bridge.until(lambda: [path for path, _ in bridge.requests].count("/link/v1/attach") >= 2)
        assert shim.spool.exists
        bridge.attach_answer = None
        report = await bridge.attached()
        assert report["spool"] == {
            "instance": "e" * 32,
            "events": [{"seq": 3, "type": "send", "text": "left"}],
        }
        assert not shim.spool.exists
        bridge.drop_stream()
        assert "spool" not in await bridge.attached(2)

    play(link_file, scenario, listen=False)
