# SPDX-License-Identifier: Apache-2.0
"""[HST-10] The small HTTP client against what a server may answer."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from angelia import http_client
from angelia.errors import LinkError
from angelia.http_client import ChunkDecoder, Connection


async def with_server(answer: bytes, use: Callable[[Connection], Awaitable[None]], *, close: bool = True) -> None:
    """Answer every request on one connection with fixed bytes."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while await reader.readuntil(b"\r\n\r\n"):
                writer.write(answer)
                await writer.drain()
                if close:
                    break
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    connection = await Connection.open("127.0.0.1", server.sockets[0].getsockname()[1], timeout_seconds=5)
    try:
        await use(connection)
    finally:
        connection.close()
        server.close()


async def ask(connection: Connection) -> tuple[int, bytes]:
    return await connection.request("POST", "/x", b"", timeout_seconds=5)


@pytest.mark.parametrize(
    ("answer", "status", "body"),
    [
        (b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi", 200, b"hi"),
        (b"HTTP/1.1 503 Busy\r\ncontent-length:0\r\n\r\n", 503, b""),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n3;x=y\r\n yo\r\n0\r\n\r\n", 200, b"hi yo"),
    ],
)
def test_answers_are_read(answer: bytes, status: int, body: bytes) -> None:
    """[HST-10] answers with a length and chunked answers are read"""

    async def use(connection: Connection) -> None:
        assert await ask(connection) == (status, body)

    asyncio.run(with_server(answer, use))


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        (b"", "link_closed"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhi", "link_closed"),
        (b"HTTP/1.1 200 OK\r\n\r\n", "link_answer_invalid"),
        (b"SSH-2.0-x\r\n\r\n", "link_answer_invalid"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n", "link_answer_invalid"),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", "link_answer_invalid"),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhi", "link_closed"),
    ],
)
def test_faults_have_codes(answer: bytes, code: str) -> None:
    """[HST-10] a broken answer is an error with a code, never a wrong body"""

    async def use(connection: Connection) -> None:
        with pytest.raises(LinkError) as caught:
            await ask(connection)
        assert caught.value.code == code
        assert not connection.usable

    asyncio.run(with_server(answer, use))


def test_a_connection_is_kept_until_the_server_closes_it() -> None:
    """[HST-10] a kept connection serves several requests; one that the server closed is not used again"""

    async def use(connection: Connection) -> None:
        for _ in range(3):
            assert await ask(connection) == (200, b"hi")
            assert connection.usable

    async def use_once(connection: Connection) -> None:
        await ask(connection)
        if connection.usable:
            async with asyncio.timeout(5):
                assert await connection._reader.read() == b""
        assert not connection.usable

    answer = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"
    asyncio.run(with_server(answer, use, close=False))
    asyncio.run(with_server(answer, use_once))
    asyncio.run(with_server(answer.replace(b"OK\r\n", b"OK\r\nConnection: close\r\n"), use_once, close=False))


def test_nobody_listens() -> None:
    """[HST-10] a port where nobody listens is an error with a code"""

    async def main() -> None:
        server = await asyncio.start_server(lambda _r, _w: None, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        server.close()
        await server.wait_closed()
        with pytest.raises(LinkError) as caught:
            await Connection.open("127.0.0.1", port, timeout_seconds=5)
        assert caught.value.code == "link_unreachable"

    asyncio.run(main())


def test_chunks_are_joined_however_they_are_cut() -> None:
    """[HST-10] the frames of a chunked body come off wherever the network cuts them"""
    body = b"4\r\nab\r\n\r\n10\r\n0123456789abcdef\r\n0\r\n\r\n"
    for size in range(1, len(body) + 1):
        decoder = ChunkDecoder()
        pieces = [decoder.feed(body[start : start + size]) for start in range(0, len(body), size)]
        assert b"".join(pieces) == b"ab\r\n0123456789abcdef"
        assert decoder.finished


def test_a_line_has_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    """[HST-10] a line beyond its bound ends the stream"""
    monkeypatch.setattr(http_client, "MAX_LINE_BYTES", 100)

    async def use(connection: Connection) -> None:
        status, stream = await connection.stream("/x", headers={}, timeout_seconds=5)
        assert status == 200
        assert await stream.read_lines() == [b"short"]
        with pytest.raises(LinkError) as caught:
            await stream.read_lines()
        assert caught.value.code == "link_line_too_long"

    answer = b"HTTP/1.1 200 OK\r\n\r\nshort\n" + b"x" * 200
    asyncio.run(with_server(answer, use, close=False))
