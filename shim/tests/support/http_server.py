# SPDX-License-Identifier: Apache-2.0
"""A minimal HTTP/1.1 server on asyncio streams, for the fakes of these tests."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any


@dataclass
class Exchange:
    """One request and the connection on which it is answered."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes
    writer: asyncio.StreamWriter
    connection: int
    answered: bool = field(default=False)

    def json(self) -> Any:
        """Return the decoded body."""
        return json.loads(self.body) if self.body else None

    async def answer(self, status: int, value: object) -> None:
        """Answer with a JSON body."""
        data = json.dumps(value).encode()
        head = f"HTTP/1.1 {status} X\r\nContent-Type: application/json\r\nContent-Length: {len(data)}\r\n\r\n"
        self.writer.write(head.encode() + data)
        await self.writer.drain()
        self.answered = True

    async def begin_stream(self, content_type: str) -> None:
        """Begin a chunked answer."""
        head = f"HTTP/1.1 200 OK\r\nContent-Type: {content_type}\r\nTransfer-Encoding: chunked\r\n\r\n"
        self.writer.write(head.encode())
        await self.writer.drain()

    def write_chunk(self, data: bytes) -> None:
        """Write one chunk."""
        self.writer.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")

    def end_stream(self) -> None:
        """Write the closing chunk."""
        self.writer.write(b"0\r\n\r\n")
        self.answered = True

    def cut(self) -> None:
        """Drop the connection without an answer."""
        self.writer.transport.abort()
        self.answered = True


Handler = Callable[[Exchange], Awaitable[None]]


class HttpServer:
    """Listens on 127.0.0.1, hands every request to the handler and forgets nothing open."""

    def __init__(self, handler: Handler) -> None:
        self._handler = handler
        self._server: asyncio.Server | None = None
        self._writers: set[asyncio.StreamWriter] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._connections = 0
        self.port = 0

    async def listen(self, port: int = 0) -> None:
        """Open the port, 0: the system chooses."""
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", port, limit=64 * 1024 * 1024)
        self.port = self._server.sockets[0].getsockname()[1]

    async def close(self) -> None:
        """Drop every connection and close the port."""
        if self._server is None:
            return
        self._server.close()
        for writer in list(self._writers):
            writer.transport.abort()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._server = None

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        self._writers.add(writer)
        self._connections += 1
        number = self._connections
        with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            while True:
                exchange = await _read(reader, writer, number)
                await self._handler(exchange)
                if not exchange.answered:  # a stream that lasts as long as its connection
                    await reader.read()
                    break
        self._writers.discard(writer)
        writer.transport.abort()


async def _read(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, number: int) -> Exchange:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    first, *lines = head[:-4].split("\r\n")
    method, path, _version = first.split(" ")
    headers = {name.lower(): value.strip() for name, value in (line.split(":", 1) for line in lines)}
    body = await reader.readexactly(int(headers.get("content-length", "0")))
    return Exchange(method, path, headers, body, writer, number)
