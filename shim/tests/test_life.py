# SPDX-License-Identifier: Apache-2.0
"""[HST-10] Connecting, stopping and coming back of the adapter."""

from __future__ import annotations

import asyncio
import logging
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from support.fake_bridge import FakeBridge
from support.stub_gateway import StubGateway, Turn, answer_ok
from support.stub_world import KEY, connected, play

from angelia.process import ShimProcess


def test_resume_flags_are_cleared_at_connect(link_file: Path) -> None:
    """[INB-3] flags of our sessions are cleared before Hermes looks at them, those of others stay; reported once"""

    async def main() -> None:
        bridge = FakeBridge(link_file, mode=0o640)
        await bridge.listen()
        gateway = StubGateway(link_file)
        foreign = SimpleNamespace(session_key="agent:main:telegram:dm:1", resume_pending=True)
        gateway.store.entries = [
            SimpleNamespace(session_key=KEY, resume_pending=True),
            SimpleNamespace(session_key="agent:main:borgee:dm:d", resume_pending=False),
            foreign,
        ]
        try:
            await gateway.adapter.connect()
            report = await bridge.attached()
            assert report["sessions"] == {"cleared": [KEY]}
            assert foreign.resume_pending
            bridge.drop_stream()
            assert (await bridge.attached(2))["sessions"] == {"cleared": []}
        finally:
            await gateway.close()
            await bridge.close()

    asyncio.run(main())


def test_the_bridge_is_away_at_connect(link_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """[HST-10] connect() says yes although the bridge is away; the link goes on trying"""
    monkeypatch.setattr("angelia.service.ATTACH_WAIT_SECONDS", 0.1)

    async def main() -> None:
        gateway = StubGateway(link_file)
        bridge = FakeBridge(link_file, mode=0o640)
        try:
            assert await gateway.adapter.connect()
            await bridge.listen()
            await bridge.attached()
        finally:
            await gateway.close()
            await bridge.close()

    asyncio.run(main())


def test_a_new_adapter_instance_goes_on_with_the_same_process(link_file: Path) -> None:
    """[HST-10] Hermes makes a new adapter instance: instance id, numbers and memory stay"""

    async def main() -> None:
        bridge = FakeBridge(link_file, mode=0o640)
        await bridge.listen()
        process = ShimProcess()
        first = StubGateway(link_file, process=process)
        await first.adapter.connect()
        await bridge.attached()
        bridge.start("c1")
        await bridge.ended("c1")
        await first.close()
        bridge.stream = None
        second = StubGateway(link_file, process=process)
        try:
            await second.adapter.connect(is_reconnect=True)
            report = await bridge.attached(2)
            assert report["instance"] == bridge.reports[0]["instance"]
            bridge.start("c1")
            await bridge.event("result", command="start:c1", repeated=True)
            bridge.start("c2")
            assert (await bridge.ended("c2"))["outcome"] == "completed"
            await first.adapter.disconnect()
            bridge.start("c3")
            assert (await bridge.ended("c3"))["outcome"] == "completed"
        finally:
            await second.close()
            await bridge.close()

    asyncio.run(main())


def test_an_instance_that_was_never_disconnected_gives_way(link_file: Path, tmp_path: Path, monkeypatch: Any) -> None:
    """[HST-5] one adapter of a process serves: a newer instance takes over from one that Hermes just dropped"""
    home = tmp_path / "home"
    monkeypatch.setattr("angelia.hermes_config.get_hermes_home", lambda: home)

    async def main() -> None:
        bridge = FakeBridge(link_file, mode=0o640)
        await bridge.listen()
        process = ShimProcess()
        first = StubGateway(link_file, process=process)
        await first.adapter.connect()
        await bridge.attached()
        bridge.stream = None
        second = StubGateway(link_file, process=process)
        try:
            await second.adapter.connect(is_reconnect=True)
            await bridge.attached(2)
            bridge.start("c1")
            assert (await bridge.ended("c1"))["outcome"] == "completed"
            bridge.busy_answers = 2
            process.drop("internal_event")
            await first.adapter.disconnect()
            assert not (home / "angelia" / "spool.ndjson").exists()
            bridge.start("c2")
            assert (await bridge.ended("c2"))["outcome"] == "completed"
            assert len(bridge.reports) == 2
            assert first.model_requests == 0
        finally:
            await second.close()
            first.executor.shutdown(wait=False)
            await bridge.close()

    asyncio.run(main())


def test_a_stop_without_a_bridge_keeps_what_is_unsent(link_file: Path, tmp_path: Path, monkeypatch: Any) -> None:
    """[HST-11] an orderly stop while the bridge is away: the next process hands the rest over"""
    monkeypatch.setattr("angelia.hermes_config.get_hermes_home", lambda: tmp_path / "home")

    async def main() -> None:
        async with connected(link_file, answer_ok) as (bridge, gateway):
            turn_over = asyncio.Event()

            async def slow(turn: Turn) -> str | None:
                turn.dispatch()
                await turn.ask_model()
                await bridge.close()
                turn_over.set()
                return "unsent"

            gateway.handler = slow
            bridge.start("c1")
            await turn_over.wait()
            await gateway.ended["c1"].wait()
            await gateway.close()
        after = FakeBridge(link_file, epoch=2, mode=0o640)
        await after.listen()
        second = StubGateway(link_file)
        try:
            await second.adapter.connect()
            spool = (await after.attached())["spool"]
            assert spool["instance"] == gateway.process.instance
            kinds = [event["type"] for event in spool["events"]]
            assert kinds[-3:] == ["send", "ended", "stopping"]
            assert spool["events"][-3]["text"] == "unsent"
        finally:
            await second.close()
            await after.close()

    asyncio.run(main())


def test_logs_hold_no_content(
    link_file: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """[SEC-1] our log lines name ids and codes; texts, names and secrets never"""
    caplog.set_level(logging.DEBUG, logger="angelia")
    monkeypatch.setattr("angelia.interrupts.CONFIRM_SECONDS", 0.05)
    secrets: list[str] = []

    async def scenario(bridge: FakeBridge, gateway: StubGateway) -> None:
        secrets.append(bridge.secret)
        bridge.go = lambda admission: admission != "c2"
        bridge.start("c1", "canary-text", author={"id": "us_1", "name": "canary-name"})
        await bridge.ended("c1")
        bridge.start("c2", "canary-text")
        await bridge.ended("c2")
        bridge.start("c3", "canary-text", sent_at=1e300)
        await bridge.result("start:c3")

    play(link_file, scenario)
    own = [record.getMessage() for record in caplog.records if record.name.startswith("angelia")]
    assert own
    assert not [line for line in own if "canary" in line or secrets[0] in line]
