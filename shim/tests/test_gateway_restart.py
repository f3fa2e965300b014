# SPDX-License-Identifier: Apache-2.0
"""[HST-11] Ends and restarts of the real Hermes gateway; each test owns one."""

from __future__ import annotations

import asyncio
import json
import signal
from collections.abc import Awaitable, Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from support.fake_model import Step
from support.world import RUN_SECONDS, World, running_world

KEY = "agent:main:borgee:channel:ch_1"


def play(root: Path, steps: Callable[[World], Awaitable[None]], **config: Any) -> None:
    async def main() -> None:
        async with asyncio.timeout(RUN_SECONDS), running_world(root, **config) as world:
            try:
                await steps(world)
            except BaseException:
                print(world.home.log()[-6000:])  # noqa: T201 - what Hermes said belongs to the failure
                raise

    asyncio.run(main())


def test_a_killed_gateway_starts_nothing_by_itself(tmp_path: Path) -> None:
    """[INB-3] kill -9 in a turn, start again: the resume flag is cleared and reported, no model request by itself"""

    async def steps(world: World) -> None:
        bridge, model = world.bridge, world.model
        bridge.start("c0", "giraffe [[c0]]")
        await bridge.ended("c0")
        model.scripts["c1"] = [Step(text="never", hold=True)]
        bridge.start("c1", "zebra [[c1]]")
        await model.chat(2)
        await world.gateway.stop(signal.SIGKILL)
        bridge.stream = None
        await world.gateway.start()
        report = await bridge.attached(2)
        assert report["instance"] != bridge.reports[0]["instance"]
        assert report["sessions"]["cleared"] == [KEY]
        assert report["admissions"] == []
        await model.release("c1")
        bridge.start("c2", "third [[c2]]", clean=True)
        assert (await bridge.ended("c2"))["outcome"] == "completed"
        assert len(model.chats) == 3
        assert "zebra" not in str(model.of("c2"))
        assert "giraffe" in str(model.of("c2"))
        assert bridge.texts("c1") == []

    play(tmp_path, steps)


def test_a_gateway_killed_at_the_barrier_made_no_request(tmp_path: Path) -> None:
    """[INB-12] kill -9 between `started` and its answer: no model request; the released turn runs once, clean"""

    async def steps(world: World) -> None:
        bridge, model = world.bridge, world.model
        bridge.hold_started = True
        bridge.start("c1", "doomed [[doomed]]")
        await bridge.event("started", admission="c1")
        await world.gateway.stop(signal.SIGKILL)
        await bridge.release_started()
        assert model.chats == []
        bridge.stream = None
        await world.gateway.start()
        await bridge.attached(2)
        bridge.start("c2", "doomed [[doomed]]", clean=True)
        assert (await bridge.ended("c2"))["outcome"] == "completed"
        users = [m for m in model.of("doomed")[0]["messages"] if m["role"] == "user"]
        assert len(model.chats) == len(users) == 1

    play(tmp_path, steps)


def test_sigterm_in_a_turn_keeps_what_is_unsent(tmp_path: Path) -> None:
    """[HST-11] SIGTERM while the bridge is away: the spool holds the end, and the next process hands it over"""

    async def steps(world: World) -> None:
        bridge, model = world.bridge, world.model
        model.scripts["c1"] = [Step(text="never", hold=True)]
        bridge.start("c1", "long [[c1]]")
        await model.chat(1)
        await bridge.close()
        assert await world.gateway.stop(signal.SIGTERM) == 1  # Hermes's exit code after SIGTERM
        head, *events = [json.loads(line) for line in world.home.spool.read_bytes().split(b"\n") if line]
        assert head["instance"] == bridge.reports[0]["instance"]
        (ended,) = [event for event in events if event["type"] == "ended"]
        assert (ended["admission"], ended["outcome"]) == ("c1", "cancelled")
        assert world.home.spool.stat().st_mode & 0o777 == 0o600
        await model.release("c1")
        await world.gateway.start()
        after = await world.new_bridge()
        report = await after.attached()
        assert report["spool"]["instance"] == head["instance"]
        assert [event["seq"] for event in report["spool"]["events"]] == [event["seq"] for event in events]
        assert not world.home.spool.exists()
        assert report["sessions"]["cleared"] == [KEY]

    play(tmp_path, steps)


def test_sigterm_with_a_bridge_reports_the_stop(tmp_path: Path) -> None:
    """[HST-11] SIGTERM in a turn: stopping, then the end of the turn, and nothing is left for a spool"""

    async def steps(world: World) -> None:
        bridge, model = world.bridge, world.model
        model.scripts["c1"] = [Step(text="never", hold=True)]
        bridge.start("c1", "long [[c1]]")
        await model.chat(1)
        await world.gateway.stop(signal.SIGTERM)
        assert (await bridge.ended("c1"))["outcome"] == "cancelled"
        assert bridge.find("stopping") is not None
        assert bridge.texts("c1") == []
        assert not world.home.spool.exists()
        await model.release("c1")

    play(tmp_path, steps)


def test_a_drain_lets_a_turn_end_and_takes_no_new_one(tmp_path: Path) -> None:
    """[HST-11] a stop with a drain: the running turn is answered, a new one is refused"""

    async def steps(world: World) -> None:
        bridge, model = world.bridge, world.model
        model.scripts["c1"] = [Step(text="in time", hold=True)]
        bridge.start("c1", "long [[c1]]")
        await model.chat(1)
        assert world.gateway.process is not None
        world.gateway.process.send_signal(signal.SIGTERM)
        await bridge.event("stopping")
        bridge.start("c2", "more", chat={"id": "ch_2", "type": "dm", "name": "ch_2", "thread_id": None})
        assert (await bridge.result("start:c2"))["code"] == "draining"
        await model.release("c1")
        await world.gateway.process.wait()
        assert bridge.texts("c1") == ["in time"]
        assert (await bridge.ended("c1"))["outcome"] == "completed"

    config = {"environment_probe": False, "api_max_retries": 1, "restart_drain_timeout": 30}
    play(tmp_path, steps, top={"agent": config})


def test_a_stop_withdraws_a_turn_at_the_barrier(tmp_path: Path) -> None:
    """[INB-4] Hermes stops while the bridge does not answer `started`: withdrawn into the spool, no model request"""

    async def steps(world: World) -> None:
        bridge, model = world.bridge, world.model
        bridge.hold_started = True
        bridge.start("c1", "zebra [[c1]]")
        await bridge.event("started", admission="c1")
        await world.gateway.stop(signal.SIGTERM)
        await bridge.release_started()
        _head, *events = [json.loads(line) for line in world.home.spool.read_bytes().split(b"\n") if line]
        told = [(event["type"], event.get("outcome")) for event in events if event["type"] in {"withdrawn", "ended"}]
        assert told == [("withdrawn", None), ("ended", "withdrawn")]
        assert model.chats == []
        assert model.others == []

    play(tmp_path, steps)


def test_the_official_locks_are_held_while_attached(tmp_path: Path) -> None:
    """[HST-6] the two lock files of the official plugin exist while the shim serves, and are gone after its stop"""
    locks = {"profile": "hermes-home:aa", "credential": "https://chat.example.com|credential:bb"}

    async def steps(world: World) -> None:
        await world.new_bridge(locks=locks)
        await world.bridge.attached()
        world.bridge.command("interrupt", "interrupt:none", admission="none")
        assert (await world.bridge.result("interrupt:none"))["known"] is False
        folder = world.home.root / "state" / "hermes" / "gateway-locks"
        scopes = {"profile": "borgee-profile", "credential": "borgee"}
        names = {
            f"{scopes[name]}-{sha256(identity.encode()).hexdigest()[:16]}.lock" for name, identity in locks.items()
        }
        assert names <= {path.name for path in folder.iterdir()}
        await world.gateway.stop()
        assert not names & {path.name for path in folder.iterdir()}

    play(tmp_path, steps)


def test_edits_stream_an_answer(tmp_path: Path) -> None:
    """[BPP-4] edit streaming: a preview, edits and a final edit that holds the whole text"""
    text = "one two three four five six seven eight nine ten eleven twelve. " * 4

    async def steps(world: World) -> None:
        bridge, model = world.bridge, world.model
        model.scripts["c1"] = [Step(text=text, chunks=8)]
        bridge.start("c1", "stream [[c1]]")
        assert (await bridge.ended("c1"))["outcome"] == "completed"
        (preview,) = bridge.all("send", admission="c1")
        edits = bridge.all("edit", admission="c1")
        assert text.startswith(preview["text"])
        assert {edit["handle"] for edit in edits} == {preview["handle"]}
        assert edits[-1]["final"] is True
        assert edits[-1]["text"].strip() == text.strip()
        assert bridge.reports[0]["hermes"]["streaming"] == {"enabled": True, "transport": "edit"}

    play(tmp_path, steps, streaming=True)


@pytest.mark.parametrize("name", ["token", "api_key"])
def test_a_key_in_the_file_keeps_the_platform_off(tmp_path: Path, name: str) -> None:
    """[HST-9] a key in the platform block: Hermes gets no adapter, the log names the key and not its value"""

    async def main() -> None:
        from support.fake_bridge import FakeBridge
        from support.fake_model import FakeModel
        from support.hermes_gateway import Gateway, GatewayHome, make_config

        model = FakeModel()
        await model.server.listen()
        home = GatewayHome(tmp_path, model.server.port)
        config = make_config(model.server.port)
        config["platforms"]["borgee"][name] = "canary-key"
        home.write_config(config)
        bridge = FakeBridge(home.link_file)
        await bridge.listen()
        gateway = Gateway(home)
        await gateway.start()
        try:
            async with asyncio.timeout(RUN_SECONDS):
                while "only from BORGEE_API_KEY" not in home.log():  # noqa: ASYNC110 - a log file gives no signal
                    await asyncio.sleep(0.1)
            assert bridge.requests == []
            assert "canary-key" not in home.log()
        finally:
            await gateway.stop()
            await bridge.close()
            await model.server.close()

    asyncio.run(main())
