# SPDX-License-Identifier: Apache-2.0
"""An OpenAI-compatible model that answers by script (running-hermes 5)."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from .fake_bridge import WAIT_SECONDS
from .http_server import Exchange, HttpServer

_TAG = re.compile(r"\[\[([\w-]+)\]\]")


@dataclass
class Step:
    """What the model does at one step of a turn."""

    text: str = ""
    chunks: int = 1
    tool: str = ""
    arguments: dict[str, Any] | None = None
    status: int = 200
    hold: bool = False
    """Wait for `release` before the first byte."""


class FakeModel:
    """Scripts by tag in the user's text; the last tag counts, since Hermes joins texts after an interrupted turn."""

    def __init__(self) -> None:
        self.server = HttpServer(self._handle)
        self.scripts: dict[str, list[Step]] = {}
        self.chats: list[dict[str, Any]] = []
        """Requests of turns, in the order of arrival."""
        self.others: list[dict[str, Any]] = []
        """Titles and the like: requests without tools."""
        self._released: set[str] = set()
        self._changed = asyncio.Condition()

    async def chat(self, count: int = 1) -> None:
        """Wait until `count` requests of turns have arrived."""
        await self._until(lambda: len(self.chats) >= count)

    async def release(self, tag: str) -> None:
        """Let the held steps of a script go on."""
        self._released.add(tag)
        async with self._changed:
            self._changed.notify_all()

    def of(self, tag: str) -> list[dict[str, Any]]:
        """Return the requests of turns whose last tag this is."""
        return [chat for chat in self.chats if _tag_of(chat["messages"])[0] == tag]

    async def _until(self, condition: Callable[[], bool]) -> None:
        async with asyncio.timeout(WAIT_SECONDS), self._changed:
            await self._changed.wait_for(condition)

    async def _handle(self, exchange: Exchange) -> None:
        if exchange.method == "GET" and exchange.path.startswith("/v1/models"):
            await exchange.answer(200, {"object": "list", "data": [{"id": "fake-model", "object": "model"}]})
        elif exchange.path.startswith("/v1/chat/completions"):
            await self._complete(exchange)
        else:
            await exchange.answer(404, {})

    async def _complete(self, exchange: Exchange) -> None:
        body = exchange.json()
        if not body.get("tools"):
            self.others.append(body)
            await exchange.answer(200, _whole("A title"))
            return
        tag, step_number = _tag_of(body["messages"])
        self.chats.append(body)
        async with self._changed:
            self._changed.notify_all()
        steps = self.scripts.get(tag, [Step(text="plain answer")])
        step = steps[step_number] if step_number < len(steps) else Step(text="done")
        if step.hold:
            await self._until(lambda: tag in self._released)
        if step.status != 200:
            await exchange.answer(step.status, {"error": {"message": "canary-of-the-provider", "type": "scripted"}})
        elif body.get("stream"):
            await _stream(exchange, step)
        else:
            await exchange.answer(200, _whole(step.text))


def _tag_of(messages: list[dict[str, Any]]) -> tuple[str, int]:
    for index in range(len(messages) - 1, -1, -1):
        tags = _TAG.findall(str(messages[index].get("content"))) if messages[index]["role"] == "user" else []
        if tags:
            answers = sum(1 for message in messages[index + 1 :] if message["role"] == "assistant")
            return tags[-1], answers
    return "", 0


def _whole(text: str) -> dict[str, Any]:
    return {
        "id": "c1",
        "object": "chat.completion",
        "created": 1,
        "model": "fake-model",
        "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}],
        "usage": {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110},
    }


async def _stream(exchange: Exchange, step: Step) -> None:
    await exchange.begin_stream("text/event-stream")

    def put(choices: list[dict[str, Any]], **more: object) -> None:
        chunk = {"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": "fake-model"}
        exchange.write_chunk(f"data: {json.dumps({**chunk, 'choices': choices, **more})}\n\n".encode())

    put([{"index": 0, "delta": {"role": "assistant", "content": ""}, "finish_reason": None}])
    size = -(-len(step.text) // step.chunks) or 1
    for start in range(0, len(step.text), size):
        put([{"index": 0, "delta": {"content": step.text[start : start + size]}, "finish_reason": None}])
        if step.chunks > 1:
            await asyncio.sleep(0.15)  # slower than Hermes's own pace of updates
    if step.tool:
        function = {"name": step.tool, "arguments": json.dumps(step.arguments or {})}
        call = {"index": 0, "id": "call_1", "type": "function", "function": function}
        put([{"index": 0, "delta": {"tool_calls": [call]}, "finish_reason": None}])
    put([{"index": 0, "delta": {}, "finish_reason": "tool_calls" if step.tool else "stop"}])
    put([], usage={"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110})
    exchange.write_chunk(b"data: [DONE]\n\n")
    exchange.end_stream()
