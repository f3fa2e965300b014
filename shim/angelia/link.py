# SPDX-License-Identifier: Apache-2.0
"""The link to the bridge: attach, command stream, event requests, reconnect (docs/link.md)."""

from __future__ import annotations

import asyncio
import json
import logging
import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from . import proof
from .commands import CommandExecutor
from .errors import CommandRefusedError, LinkError
from .http_client import Connection, LineStream
from .link_file import LinkFile, read_link_file
from .process import ShimProcess
from .spool import Spool
from .version import LINK_PROTOCOL

log = logging.getLogger(__name__)

Report = Callable[[], Awaitable[dict[str, Any]]]
TakeLocks = Callable[[dict[str, Any]], Awaitable[bool]]

FIRST_DELAY_SECONDS: Final = 0.05
LAST_DELAY_SECONDS: Final = 0.5
SILENCE_SECONDS: Final = 15.0
_DIAL_SECONDS: Final = 5.0
_REQUEST_SECONDS: Final = 60.0
_BUSY_STORE_SECONDS: Final = 0.2
_REFUSED_SECONDS: Final = 1.0
_EVENT_ATTEMPTS: Final = 3
_GATHER_STEPS: Final = 5
"""Steps of the loop that a request waits for company: the end of a turn mostly travels with its last text, which spares
the bridge a commit and costs some microseconds."""


@dataclass(frozen=True, slots=True)
class LinkPlace:
    """Where the link file lies."""

    path: Path
    shared: bool
    """The path was configured: the bridge runs as its own user."""


class Link:
    """Keeps the shim attached to its bridge, for one adapter instance.

    Args:
        process: queue, admissions and epoch.
        place: the link file, read again before each dial.
        commands: takes the lines of the command stream.
        spool: events of an earlier process, handed over inside the attach report.
        report: makes the report, without the parts that the link itself knows.
        take_locks: takes the two official locks; False: nothing is served yet.
    """

    def __init__(
        self,
        process: ShimProcess,
        place: LinkPlace,
        commands: CommandExecutor,
        spool: Spool,
        report: Report,
        take_locks: TakeLocks,
    ) -> None:
        self._process = process
        self._place = place
        self._commands = commands
        self._spool = spool
        self._report = report
        self._take_locks = take_locks
        self._attached = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._noted: set[tuple[str, str]] = set()
        self._file: LinkFile | None = None
        self._authorization: dict[str, str] = {}

    @property
    def attached(self) -> bool:
        """Whether the command stream is open."""
        return self._attached.is_set()

    def start(self) -> None:
        """Begin to dial, until `stop`."""
        self._task = asyncio.get_running_loop().create_task(self._run(), name="angelia-link")

    async def wait_attached(self, seconds: float) -> bool:
        """Wait for the first attach."""
        try:
            async with asyncio.timeout(seconds):
                await self._attached.wait()
        except TimeoutError:
            return False
        return True

    async def stop(self, flush_seconds: float) -> None:
        """Give waiting events a bounded time to leave, then end the link. Idempotent.

        Args:
            flush_seconds: bound; while no bridge is attached nothing is waited for.
        """
        if self._task is None:
            return
        if self.attached and flush_seconds > 0:
            try:
                async with asyncio.timeout(flush_seconds):
                    await self._process.queue.wait_until_idle()
            except TimeoutError:
                log.warning("Events are left over after %.1f s of flushing.", flush_seconds)
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)
        self._task = None

    async def _run(self) -> None:
        delay = FIRST_DELAY_SECONDS
        while True:
            wait = delay
            try:
                await self._session()
            except LinkError as error:
                self._note(error)
                wait = delay if error.retry_after is None else error.retry_after
            except (
                Exception
            ) as error:  # a fault of ours must not end the link for good; the type is all that may be logged
                log.error("The link failed: %s.", type(error).__name__)
            if self.attached:
                self._attached.clear()
                delay = wait = FIRST_DELAY_SECONDS
            await asyncio.sleep(wait * (1 + random.random() / 4))
            delay = min(delay * 2, LAST_DELAY_SECONDS)

    async def _session(self) -> None:
        self._file = read_link_file(self._place.path, shared=self._place.shared)
        connection = await self._dial()
        commands: Connection | None = None
        try:
            await self._attach(connection, self._file)
            commands = await self._dial()
            status, stream = await commands.stream(
                "/link/v1/commands", headers=self._authorization, timeout_seconds=_REQUEST_SECONDS
            )
            if status != 200:
                raise LinkError(f"link_commands_{status}")
            await self._greet(stream)
            await self._serve(stream, connection)
        finally:
            connection.close()
            if commands is not None:
                commands.close()

    async def _attach(self, connection: Connection, file: LinkFile) -> None:
        shim_nonce = proof.new_nonce()
        challenge = await self._ask(connection, "challenge", {"protocol": LINK_PROTOCOL, "shim_nonce": shim_nonce})
        bridge_nonce, epoch = challenge.get("bridge_nonce"), challenge.get("epoch")
        if not isinstance(bridge_nonce, str) or not isinstance(epoch, int) or not bridge_nonce.isascii():
            raise LinkError("link_answer_invalid")
        if not proof.is_proof(
            challenge.get("proof"), proof.make_proof(file.secret, "bridge", shim_nonce, bridge_nonce, epoch)
        ):
            raise LinkError("link_bridge_unproven")  # another process on a reused port: nothing is told to it
        if epoch < self._process.epoch:
            raise LinkError("link_epoch_stale", retry_after=_REFUSED_SECONDS)
        self._process.epoch = epoch  # first: from here on no command of an older epoch is carried out

        spool = self._spool.load()
        report = await self._report()
        report.update(
            instance=self._process.instance,
            sessions={"cleared": list(self._process.cleared_sessions)},
            admissions=self._process.admissions.snapshot(),
            first_unacknowledged=self._process.queue.first_unacknowledged,
            **({} if spool is None else {"spool": spool}),
        )
        accepted = await self._ask(
            connection,
            "attach",
            {
                "bridge_nonce": bridge_nonce,
                "proof": proof.make_proof(file.secret, "shim", bridge_nonce, shim_nonce, epoch),
                "report": report,
            },
        )
        ack, locks = accepted.get("ack"), accepted.get("locks")
        if not isinstance(ack, int) or not isinstance(locks, dict):
            raise LinkError("link_answer_invalid")
        if spool is not None:
            self._spool.remove()
        self._process.cleared_sessions.clear()
        self._process.queue.acknowledge_at_attach(ack)
        if not await self._take_locks(locks):
            raise LinkError("link_official_lock_held", retry_after=_REFUSED_SECONDS)
        session = proof.make_proof(file.secret, "session", shim_nonce, bridge_nonce)
        self._authorization = {"Authorization": f"Angelia {session}"}

    async def _ask(self, connection: Connection, name: str, body: dict[str, Any]) -> dict[str, Any]:
        data = json.dumps(body, ensure_ascii=True, separators=(",", ":"), default=str).encode()
        status, content = await connection.request("POST", f"/link/v1/{name}", data, timeout_seconds=_REQUEST_SECONDS)
        answer = _object(content)
        if status == 200:
            return answer
        code = answer.get("code")
        sentence = answer.get("sentence") or answer.get("expected") or ""
        key = answer.get("key")
        raise LinkError(
            code if isinstance(code, str) else f"link_{name}_{status}",
            f"{key}: {sentence}" if key else str(sentence),
            retry_after=_BUSY_STORE_SECONDS
            if status == 503
            else _REFUSED_SECONDS
            if status in {409, 422, 426}
            else None,
        )

    async def _greet(self, stream: LineStream) -> None:
        try:
            async with asyncio.timeout(SILENCE_SECONDS):
                lines = await stream.read_lines()
        except TimeoutError:
            raise LinkError("link_silent") from None
        hello = _object(lines[0])
        if hello.get("op") != "hello" or hello.get("epoch") != self._process.epoch:
            raise LinkError("link_answer_invalid")
        log.info("Attached to the bridge, epoch %d.", self._process.epoch)
        self._noted.clear()
        self._attached.set()
        self._take_lines(lines[1:])

    async def _serve(self, stream: LineStream, connection: Connection) -> None:
        loop = asyncio.get_running_loop()
        tasks = {
            loop.create_task(self._read_commands(stream)),
            loop.create_task(self._send_events(connection)),
            loop.create_task(self._watch(stream)),
        }
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        for task in done:
            task.result()

    async def _read_commands(self, stream: LineStream) -> None:
        while True:
            self._take_lines(await stream.read_lines())

    def _take_lines(self, lines: list[bytes]) -> None:
        for line in lines:
            command = _object(line)
            if command.get("op") in {"alive", "hello"}:
                continue
            try:
                self._commands.receive(command)
            except CommandRefusedError:
                raise LinkError("link_command_invalid") from None

    async def _send_events(self, connection: Connection) -> None:
        queue = self._process.queue
        head = f'{{"instance":"{self._process.instance}","events":['.encode()
        failures = 0
        try:
            while True:
                await queue.wait_for_events()
                for _ in range(_GATHER_STEPS):
                    await asyncio.sleep(0)
                body = b"".join((head, b",".join(queue.take_batch()), b"]}"))
                try:
                    if not connection.usable:
                        connection.close()
                        connection = await self._dial()
                    status, content = await connection.request(
                        "POST", "/link/v1/events", body, headers=self._authorization, timeout_seconds=_REQUEST_SECONDS
                    )
                except LinkError:
                    failures += 1
                    if failures >= _EVENT_ATTEMPTS:
                        raise
                    continue  # the same numbers again: the bridge knows what it has committed
                failures = 0
                if status == 503:
                    await asyncio.sleep(_BUSY_STORE_SECONDS)
                    continue
                self._acknowledge(status, content)
        finally:
            connection.close()

    def _acknowledge(self, status: int, content: bytes) -> None:
        answer = _object(content)
        if status != 200:
            raise LinkError(str(answer.get("code") or f"link_events_{status}"))
        ack, replies = answer.get("ack"), answer.get("replies", {})
        if not isinstance(ack, int) or not isinstance(replies, dict):
            raise LinkError("link_answer_invalid")
        self._process.queue.acknowledge(ack, replies)

    async def _watch(self, stream: LineStream) -> None:
        loop = asyncio.get_running_loop()
        while True:
            left = stream.last_read + SILENCE_SECONDS - loop.time()
            if left <= 0:
                break
            await asyncio.sleep(left)
        raise LinkError("link_silent")

    async def _dial(self) -> Connection:
        if self._file is None:
            raise LinkError("link_file_missing")
        return await Connection.open(self._file.host, self._file.port, timeout_seconds=_DIAL_SECONDS)

    def _note(self, error: LinkError) -> None:
        note = (error.code, error.sentence)
        if note in self._noted:
            return  # said once in each outage
        self._noted.add(note)
        log.warning("Not attached to the bridge: %s%s", error.code, f" ({error.sentence})" if error.sentence else "")


def _object(data: bytes) -> dict[str, Any]:
    try:
        value = json.loads(data)
    except ValueError:
        raise LinkError("link_answer_invalid") from None
    if not isinstance(value, dict):
        raise LinkError("link_answer_invalid")
    return value
