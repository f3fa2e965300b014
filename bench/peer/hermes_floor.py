#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The host's own cost: Hermes's BasePlatformAdapter.handle_message with a stub handler and a no-op send, no plugin, no inbox,
no socket. Every bridge pays it in Hermes's process. CPU and wall time per turn, 50 sessions, 4 at once.

  hermes_floor.py [--json [PATH]] [--repeats 5]
"""
from __future__ import annotations

import asyncio
import json
import os
import resource
import shutil
import sys
import time
from pathlib import Path

sys.dont_write_bytecode = True  # this folder may be read-only
from common import PEER_PYTHON, WORK, base_parser, document, emit, fresh_dir, peak_rss_mib, repeat_worker, require_peer  # noqa: E402


async def worker(n: int) -> dict:
    home = fresh_dir("floor")
    os.environ["HERMES_HOME"] = str(home)
    from gateway.config import Platform, PlatformConfig
    from gateway.platforms.base import BasePlatformAdapter, MessageEvent, MessageType, SendResult

    class Bare(BasePlatformAdapter):
        async def connect(self, *, is_reconnect=False):
            return True

        async def disconnect(self):
            pass

        async def send(self, chat_id, content, reply_to=None, metadata=None):
            return SendResult(success=True, message_id="x")

        async def send_typing(self, chat_id, metadata=None):
            pass

        async def get_chat_info(self, chat_id):
            return {"name": chat_id, "type": "channel"}

        async def on_processing_complete(self, event, outcome):
            self.finished[event.message_id].set()

    adapter = Bare(PlatformConfig(enabled=True, extra={"group_sessions_per_user": False}), Platform("webhook"))
    adapter._busy_text_mode = "queue"
    adapter.finished = {}

    async def handler(event):
        return "ok, done"

    adapter.set_message_handler(handler)
    gate = asyncio.Semaphore(4)

    async def turn(i: int) -> None:
        async with gate:
            source = adapter.build_source(chat_id=f"c{i % 50}", chat_name="c", chat_type="channel", user_id="u", user_name="U", message_id=str(i))
            done = adapter.finished[str(i)] = asyncio.Event()
            await adapter.handle_message(MessageEvent(text="hello there", message_type=MessageType.TEXT, source=source, message_id=str(i)))
            await done.wait()
            del adapter.finished[str(i)]

    async def run(a: int, b: int) -> None:
        for start in range(a, b, 50):
            await asyncio.gather(*(turn(i) for i in range(start, min(start + 50, b))))
            while adapter._active_sessions:
                await asyncio.sleep(0)

    await run(0, 100)
    u0, t0 = resource.getrusage(resource.RUSAGE_SELF), time.perf_counter()
    await run(100, 100 + n)
    wall = time.perf_counter() - t0
    u = resource.getrusage(resource.RUSAGE_SELF)
    shutil.rmtree(home, ignore_errors=True)
    cpu = u.ru_utime + u.ru_stime - u0.ru_utime - u0.ru_stime
    return {"turns_per_s": n / wall, "cpu_ms_per_turn_ms": cpu / n * 1e3, "peak_rss_mib": peak_rss_mib()}


def main() -> None:
    if len(sys.argv) > 1 and sys.argv[1] == "--worker":
        print(json.dumps(asyncio.run(worker(int(sys.argv[2])))), flush=True)
        os._exit(0)
    args = base_parser(__doc__).parse_args()
    require_peer()
    WORK.mkdir(parents=True, exist_ok=True)
    runs = repeat_worker([PEER_PYTHON, str(Path(__file__).resolve()), "--worker", "2000"], args.repeats, args.budget)
    emit([document("hermes_floor", {"n": 2000, "sessions": 50, "concurrent": 4}, runs)], args.json)


if __name__ == "__main__":
    main()
