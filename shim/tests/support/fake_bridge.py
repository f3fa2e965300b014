# SPDX-License-Identifier: Apache-2.0
"""The bridge's side of the link (docs/link.md), strict, without a ledger."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import json
import secrets
from collections.abc import Callable
from pathlib import Path
from typing import Any

from .http_server import Exchange, HttpServer

WAIT_SECONDS = 30.0
"""Bound of every wait for a signal."""

Event = dict[str, Any]


def digest(secret: str, *parts: object) -> str:
    """Return the proof of the protocol, written apart from the shim's own code."""
    return hmac.new(secret.encode(), "\n".join(map(str, parts)).encode(), hashlib.sha256).hexdigest()


class FakeBridge:
    """One bridge process: it listens, writes the link file, accepts one shim and commits events into a list."""

    def __init__(self, link_file: Path, *, epoch: int = 1, mode: int = 0o600) -> None:
        self.link_file = link_file
        self.mode = mode
        self.epoch = epoch
        self.secret = secrets.token_hex(32)
        self.server = HttpServer(self._handle)
        self.reports: list[dict[str, Any]] = []
        self.events: list[Event] = []
        self.posts: list[list[int]] = []
        self.watermarks: dict[str, int] = {}
        self.requests: list[tuple[str, Any]] = []
        self.locks: dict[str, Any] = {"profile": None, "credential": None}
        self.attach_answer: tuple[int, dict[str, Any]] | None = None
        self.lose_answers = 0
        """Answers to event requests that are lost after the commit."""
        self.busy_answers = 0
        """Event requests that are answered 503 without a commit."""
        self.odd_answers: list[dict[str, Any]] = []
        """Answers to event requests in the place of a right one, without a commit."""
        self.hold_started = False
        """`started` events are committed, but the answer waits until it is False again."""
        self.go: Callable[[str], bool] = lambda _admission: True
        self.session = ""
        self.stream: Exchange | None = None
        self._nonces: dict[str, tuple[str, str]] = {}
        self._changed = asyncio.Condition()

    async def listen(self, port: int = 0) -> None:
        """Listen and write the link file."""
        await self.server.listen(port)
        self.write_link_file()

    def write_link_file(self, **changes: object) -> None:
        """Write the link file, with fields replaced."""
        content = {
            "protocol": 1,
            "host": "127.0.0.1",
            "port": self.server.port,
            "secret": self.secret,
            "pid": 1,
            **changes,
        }
        self.link_file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        temporary = self.link_file.with_suffix(".tmp")
        temporary.write_text(json.dumps(content))
        temporary.chmod(self.mode)
        temporary.replace(self.link_file)

    async def close(self) -> None:
        """End like a killed process: connections drop, the link file stays."""
        await self.server.close()
        self.stream = None

    def drop_stream(self) -> None:
        """Cut the command stream; its shim is gone."""
        assert self.stream is not None
        self.stream.cut()
        self.stream = None

    async def attached(self, count: int = 1) -> dict[str, Any]:
        """Wait until a shim has attached `count` times and its command stream is open; returns the newest report."""
        await self.until(lambda: len(self.reports) >= count and self.stream is not None)
        return self.reports[-1]

    async def until(self, condition: Callable[[], bool]) -> None:
        """Wait until the condition holds after something has happened here."""
        async with asyncio.timeout(WAIT_SECONDS), self._changed:
            await self._changed.wait_for(condition)

    async def event(self, event_type: str, **fields: object) -> Event:
        """Wait for the first event with these fields."""
        await self.until(lambda: self.find(event_type, **fields) is not None)
        found = self.find(event_type, **fields)
        assert found is not None
        return found

    def find(self, event_type: str, **fields: object) -> Event | None:
        """Return the first event with these fields."""
        return next(iter(self.all(event_type, **fields)), None)

    def all(self, event_type: str, **fields: object) -> list[Event]:
        """Return every event with these fields."""
        return [
            event
            for event in self.events
            if event["type"] == event_type and all(event.get(name) == value for name, value in fields.items())
        ]

    def command(self, op: str, command_id: str, **fields: object) -> None:
        """Write a command to the stream."""
        line = {"op": op, "id": command_id, "epoch": self.epoch, **fields}
        self.write_line(json.dumps(line, ensure_ascii=False).encode())

    def write_line(self, line: bytes) -> None:
        """Write a raw line to the stream."""
        assert self.stream is not None
        self.stream.write_chunk(line + b"\n")

    def start(self, admission: str, text: str = "hello", **changes: Any) -> None:
        """Start a turn; changes replace fields of the command."""
        fields: dict[str, Any] = {
            "admission": admission,
            "chat": {"id": "ch_1", "type": "channel", "name": "ch_1", "thread_id": None},
            "author": {"id": "us_1", "name": "Mira"},
            "message_id": f"m-{admission}",
            "text": text,
            "prompt": f"turn {admission}",
            "sent_at": 1_780_000_000_000,
            "command": text.startswith("/"),
            "bypass": False,
            "clean": False,
            **changes,
        }
        self.command("start", f"start:{admission}", **fields)

    async def result(self, command_id: str) -> Event:
        """Wait for the answer to a command."""
        return await self.event("result", command=command_id)

    async def ended(self, admission: str) -> Event:
        """Wait for the end of a turn."""
        return await self.event("ended", admission=admission)

    def texts(self, admission: str) -> list[str]:
        """Return the texts that a turn sent."""
        return [event["text"] for event in self.all("send", admission=admission)]

    async def release_started(self) -> None:
        """Answer the `started` events that are held."""
        self.hold_started = False
        await self._notify()

    async def _notify(self) -> None:
        async with self._changed:
            self._changed.notify_all()

    async def _handle(self, exchange: Exchange) -> None:
        self.requests.append((exchange.path, exchange.json()))
        match (exchange.method, exchange.path):
            case ("POST", "/link/v1/challenge"):
                await self._challenge(exchange)
            case ("POST", "/link/v1/attach"):
                await self._attach(exchange)
            case ("GET", "/link/v1/commands"):
                await self._open_stream(exchange)
            case ("POST", "/link/v1/events"):
                await self._take_events(exchange)
            case _:
                await exchange.answer(404, {})
        await self._notify()

    async def _challenge(self, exchange: Exchange) -> None:
        shim_nonce = exchange.json()["shim_nonce"]
        bridge_nonce = secrets.token_hex(32)
        self._nonces[bridge_nonce] = (shim_nonce, digest(self.secret, "shim", bridge_nonce, shim_nonce, self.epoch))
        proof = digest(self.secret, "bridge", shim_nonce, bridge_nonce, self.epoch)
        await exchange.answer(200, {"protocol": 1, "bridge_nonce": bridge_nonce, "epoch": self.epoch, "proof": proof})

    async def _attach(self, exchange: Exchange) -> None:
        body = exchange.json()
        shim_nonce, expected = self._nonces.pop(body["bridge_nonce"], ("", ""))
        if body["proof"] != expected:
            await exchange.answer(401, {"code": "link_proof_invalid"})
        elif self.attach_answer is not None:
            await exchange.answer(*self.attach_answer)
        elif self.stream is not None and self.reports[-1]["instance"] != body["report"]["instance"]:
            await exchange.answer(409, {"code": "link_shim_already_attached"})
        else:
            report = body["report"]
            self.session = digest(self.secret, "session", shim_nonce, body["bridge_nonce"])
            self.reports.append(report)
            await exchange.answer(200, {"ack": self.watermarks.get(report["instance"], 0), "locks": self.locks})

    async def _open_stream(self, exchange: Exchange) -> None:
        if exchange.headers.get("authorization") != f"Angelia {self.session}":
            await exchange.answer(401, {"code": "link_session_unknown"})
            return
        await exchange.begin_stream("application/x-ndjson")
        self.stream = exchange
        exchange.write_chunk(json.dumps({"op": "hello", "epoch": self.epoch}).encode() + b"\n")

    async def _take_events(self, exchange: Exchange) -> None:
        if exchange.headers.get("authorization") != f"Angelia {self.session}":
            await exchange.answer(401, {"code": "link_session_unknown"})
            return
        if self.busy_answers > 0:
            self.busy_answers -= 1
            await exchange.answer(503, {"code": "store_unavailable"})
            return
        if self.odd_answers:
            await exchange.answer(200, self.odd_answers.pop(0))
            return
        body = exchange.json()
        instance, events = body["instance"], body["events"]
        self.posts.append([event["seq"] for event in events])
        known = self.watermarks.get(instance, 0)
        self.events += [event for event in events if event["seq"] > known]
        self.watermarks[instance] = max(known, events[-1]["seq"])
        await self._notify()
        started = [event for event in events if event["type"] == "started"]
        if self.hold_started and started:
            await self.until(lambda: not self.hold_started)
        if self.lose_answers > 0:
            self.lose_answers -= 1
            exchange.cut()
            return
        replies = {str(event["seq"]): {"go": self.go(event["admission"])} for event in started}
        await exchange.answer(200, {"ack": self.watermarks[instance], "replies": replies})
