# SPDX-License-Identifier: Apache-2.0
"""Measures turns per second of the shim alone: `python throughput.py [--turns 20000] [--dispatches 32] [--json]`.

A lean bridge in a process of its own starts turns, 50 sessions, and counts a turn when its end has come; the shim runs
in this process on Hermes's real base class with a handler that answers at once. Every turn passes the start barrier on
a worker thread.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import hmac
import json
import multiprocessing
import resource
import secrets
import sys
import tempfile
import time
from collections import deque
from pathlib import Path
from typing import Any

sys.path[:0] = [str(Path(__file__).resolve().parents[1]), str(Path(__file__).resolve().parents[2])]

SESSIONS = 50


class LeanBridge:
    """Speaks the link and commits nothing."""

    def __init__(self, secret: str, turns: int, dispatches: int) -> None:
        self.secret = secret
        self.turns = turns
        self.dispatches = dispatches
        self.started = 0
        self.ended = 0
        self.lanes = deque(range(SESSIONS))
        self.stream: asyncio.StreamWriter | None = None
        self.done = asyncio.Event()
        self.began = 0.0
        self.posts = 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer the requests of one connection."""
        while head := await reader.readuntil(b"\r\n\r\n"):
            size = next(
                (int(line[15:]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-length:")), 0
            )
            body = json.loads(await reader.readexactly(size)) if size else None
            path = head.split(b" ", 2)[1].decode()
            if path == "/link/v1/commands":
                self.stream = writer
                writer.write(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
                self.write({"op": "hello", "epoch": 1})
                self.began = time.monotonic()
                for _ in range(self.dispatches):
                    self.start()
                await self.done.wait()
                return
            data = json.dumps(self.answer(path, body)).encode()
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(data) + data)

    def answer(self, path: str, body: Any) -> dict[str, Any]:
        """Return the answer to a request."""
        if path.endswith("challenge"):
            nonce = secrets.token_hex(32)
            text = "\n".join(("bridge", body["shim_nonce"], nonce, "1"))
            proof = hmac.new(self.secret.encode(), text.encode(), hashlib.sha256).hexdigest()
            return {"protocol": 1, "bridge_nonce": nonce, "epoch": 1, "proof": proof}
        if path.endswith("attach"):
            return {"ack": 0, "locks": {"profile": None, "credential": None}}
        self.posts += 1
        replies = {}
        for event in body["events"]:
            if event["type"] == "started":
                replies[str(event["seq"])] = {"go": True}
            elif event["type"] == "ended":
                assert event["outcome"] == "completed", event
                self.ended += 1
                self.lanes.append(int(event["admission"].split("-")[0]))
                self.start()
        if self.ended == self.turns:
            self.done.set()
        return {"ack": body["events"][-1]["seq"], "replies": replies}

    def start(self) -> None:
        """Begin the next turn on a free lane."""
        if self.started == self.turns:
            return
        self.started += 1
        lane = self.lanes.popleft()
        admission = f"{lane}-{self.started}"
        self.write(
            {
                "op": "start",
                "id": f"start:{admission}",
                "epoch": 1,
                "admission": admission,
                "chat": {"id": f"ch_{lane}", "type": "channel", "name": f"ch_{lane}", "thread_id": None},
                "author": {"id": "us_1", "name": "Mira"},
                "message_id": f"m{self.started}",
                "text": "hello there",
                "prompt": f"turn {admission}",
                "sent_at": 1_780_000_000_000,
                "command": False,
                "bypass": False,
                "clean": False,
            }
        )

    def write(self, line: dict[str, Any]) -> None:
        """Write a line to the command stream."""
        assert self.stream is not None
        data = json.dumps(line).encode() + b"\n"
        self.stream.write(b"%x\r\n" % len(data) + data + b"\r\n")


def run_bridge(secret: str, turns: int, dispatches: int, port: Any, result: Any) -> None:
    """Run the bridge until all turns have ended."""

    async def main() -> None:
        bridge = LeanBridge(secret, turns, dispatches)
        server = await asyncio.start_server(bridge.serve, "127.0.0.1", 0, limit=1 << 24)
        port.send(server.sockets[0].getsockname()[1])
        await bridge.done.wait()
        result.send({"seconds": time.monotonic() - bridge.began, "posts": bridge.posts})
        server.close()

    asyncio.run(main())


async def measure(turns: int, dispatches: int) -> dict[str, float]:
    """Return the figures of one run."""
    from support.stub_gateway import StubGateway

    secret = secrets.token_hex(32)
    port_here, port_there = multiprocessing.Pipe(duplex=False)
    result_here, result_there = multiprocessing.Pipe(duplex=False)
    bridge = multiprocessing.get_context("spawn").Process(
        target=run_bridge, args=(secret, turns, dispatches, port_there, result_there)
    )
    bridge.start()
    with tempfile.TemporaryDirectory() as folder:
        link_file = Path(folder) / "link.json"
        content = {"protocol": 1, "host": "127.0.0.1", "port": port_here.recv(), "secret": secret, "pid": 1}
        link_file.write_text(json.dumps(content))
        link_file.chmod(0o600)
        gateway = StubGateway(link_file)
        before = resource.getrusage(resource.RUSAGE_SELF)
        await gateway.adapter.connect()
        result = await asyncio.to_thread(result_here.recv)
        after = resource.getrusage(resource.RUSAGE_SELF)
        await gateway.close()
    bridge.join()
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return {
        "turns_per_s": round(turns / result["seconds"], 1),
        "cpu_us_per_turn": round(cpu / turns * 1e6, 1),
        "turns_per_request": round(turns / result["posts"], 2),
    }


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--turns", type=int, default=20_000)
    parser.add_argument("--dispatches", type=int, default=32)
    options = parser.parse_args()
    sys.stdout.write(json.dumps(asyncio.run(measure(options.turns, options.dispatches))) + "\n")
