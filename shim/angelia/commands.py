# SPDX-License-Identifier: Apache-2.0
"""Commands of the bridge (docs/link.md, section 4): checked, carried out once, answered from memory when repeated."""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Protocol

from .admissions import AdmissionTable
from .errors import CommandRefusedError

if TYPE_CHECKING:
    from .process import ShimProcess

log = logging.getLogger(__name__)

MEMORY_ENTRIES: Final = 4096
"""Results that are kept at least; those of living admissions are kept beyond it."""


@dataclass(frozen=True, slots=True)
class StartCommand:
    """A turn that Hermes is to run."""

    admission: str
    chat_id: str
    chat_type: str
    chat_name: str
    thread_id: str | None
    author_id: str
    author_name: str
    message_id: str
    text: str
    prompt: str
    sent_at: float
    """Unix milliseconds."""
    command: bool
    bypass: bool
    """Control work beside the busy turn of its session."""
    clean: bool

    @classmethod
    def parse(cls, line: Mapping[str, Any]) -> StartCommand:
        """Check the fields of a line.

        Raises:
            CommandRefusedError: `bad_request`.
        """
        chat, author = line.get("chat"), line.get("author")
        if not isinstance(chat, Mapping) or not isinstance(author, Mapping):
            raise CommandRefusedError("bad_request")
        thread_id, sent_at, chat_type = chat.get("thread_id"), line.get("sent_at"), _text(chat, "type")
        sound = (
            (thread_id is None or isinstance(thread_id, str))
            and isinstance(sent_at, int | float)
            and chat_type in {"dm", "channel"}
            and isinstance(line.get("command"), bool)
            and isinstance(line.get("bypass"), bool)
            and isinstance(line.get("clean"), bool)
        )
        if not sound:
            raise CommandRefusedError("bad_request")
        return cls(
            admission=_text(line, "admission"),
            chat_id=_text(chat, "id"),
            chat_type=chat_type,
            chat_name=_text(chat, "name"),
            thread_id=thread_id,
            author_id=_text(author, "id"),
            author_name=_text(author, "name"),
            message_id=_text(line, "message_id"),
            text=_text(line, "text"),
            prompt=_text(line, "prompt"),
            sent_at=line["sent_at"],
            command=line["command"],
            bypass=line["bypass"],
            clean=line["clean"],
        )


class CommandHost(Protocol):
    """The adapter as commands see it. Every method raises CommandRefusedError with the code of the answer."""

    async def start_turn(self, start: StartCommand) -> None:
        """Hand a turn to Hermes."""

    async def suspend_session(self, session_key: str, *, busy: bool) -> bool:
        """Suspend a session; tells whether it existed."""

    async def reset_session(self, session_key: str) -> bool:
        """Let a session begin afresh without a notice; tells whether it existed."""

    async def interrupt_turn(self, admission_id: str) -> bool:
        """Interrupt a turn; tells whether it runs here."""


class CommandMemory:
    """Results by command id. None: still being carried out."""

    def __init__(self, admissions: AdmissionTable) -> None:
        self._admissions = admissions
        self._results: OrderedDict[str, dict[str, Any] | None] = OrderedDict()

    def begin(self, command: str) -> bool:
        """Remember a command that begins; False when it is known already."""
        if command in self._results:
            return False
        self._results[command] = None
        return True

    def result(self, command: str) -> dict[str, Any] | None:
        """Return the result of a known command, None while it runs."""
        return self._results[command]

    def finish(self, command: str, result: dict[str, Any]) -> None:
        """Keep a result. The oldest ones go, but never that of an admission whose end is not acknowledged."""
        self._results[command] = result
        surplus = len(self._results) - MEMORY_ENTRIES
        if surplus <= 0:
            return
        for candidate in list(self._results):
            if surplus <= 0:
                break
            claim = candidate.partition(":")[2]
            if self._results[candidate] is not None and self._admissions.get(claim) is None:
                del self._results[candidate]
                surplus -= 1


class CommandExecutor:
    """Carries out the commands of one host and answers each with a `result` event.

    Commands run side by side: the order between lanes does not matter, and a lane has one turn at a time.
    """

    def __init__(self, process: ShimProcess, host: CommandHost) -> None:
        self._process = process
        self._host = host
        self._tasks: set[asyncio.Task[None]] = set()

    def receive(self, line: Mapping[str, Any]) -> None:
        """Take a line of the command stream; never blocks.

        Raises:
            CommandRefusedError: `bad_request` when the line has no id, so no answer is possible.
        """
        command, epoch = line.get("id"), line.get("epoch")
        if not isinstance(command, str) or not isinstance(epoch, int):
            raise CommandRefusedError("bad_request")
        if epoch < self._process.epoch:
            log.warning("A command of epoch %d is refused, the bridge's epoch is %d.", epoch, self._process.epoch)
            self._process.queue.put("result", command=command, ok=False, code="stale_epoch")
            return
        memory = self._process.memory
        if memory.begin(command):
            task = asyncio.get_running_loop().create_task(self._run(command, line))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
            return
        known = memory.result(command)
        if known is not None:
            self._process.queue.put("result", **{**known, "repeated": True})

    async def _run(self, command: str, line: Mapping[str, Any]) -> None:
        result: dict[str, Any] = {"command": command, "ok": True}
        try:
            result.update(await self._execute(line))
        except CommandRefusedError as refusal:
            result.update(ok=False, code=refusal.code)
        except Exception as error:  # the bridge must get an answer whatever Hermes raises; its text may hold content
            log.error("Command %s failed: %s.", command, type(error).__name__)
            result.update(ok=False, code="internal")
        self._process.memory.finish(command, result)
        self._process.queue.put("result", **result)

    async def _execute(self, line: Mapping[str, Any]) -> dict[str, Any]:
        match line.get("op"):
            case "start":
                await self._host.start_turn(StartCommand.parse(line))
                return {}
            case "suspend":
                busy = line.get("busy") is True
                return {"existed": await self._host.suspend_session(_text(line, "session_key"), busy=busy)}
            case "reset":
                return {"existed": await self._host.reset_session(_text(line, "session_key"))}
            case "admissions":
                return {"admissions": self._process.admissions.snapshot()}
            case "interrupt":
                return {"known": await self._host.interrupt_turn(_text(line, "admission"))}
            case _:
                raise CommandRefusedError("bad_request")


def typed_command(text: str) -> str:
    """Return the name of the slash command that a text is, without mention and in lower case; else an empty text."""
    words = text.split(maxsplit=1)
    return words[0][1:].partition("@")[0].lower() if words and words[0].startswith("/") else ""


def _text(value: Mapping[str, Any], key: str) -> str:
    text = value.get(key)
    if not isinstance(text, str):
        raise CommandRefusedError("bad_request")
    return text
