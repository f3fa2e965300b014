# SPDX-License-Identifier: Apache-2.0
"""Control work beside the busy turn of its session (SCH-2, SCH-3).

Hermes handles a recognised command of a busy session inline, without a task and without its start and complete calls.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from .admissions import CURRENT, Admission
from .commands import typed_command
from .errors import CommandRefusedError
from .process import ShimProcess


async def start_beside(
    process: ShimProcess,
    admission: Admission,
    handle: Callable[[], Awaitable[None]],
    tasks: Mapping[str, asyncio.Task[Any]],
    bypasses: Callable[[str], bool],
) -> None:
    """Let Hermes handle a command inline and end its admission.

    Args:
        process: this Hermes process.
        admission: the command; its session must be busy.
        handle: hands the event to Hermes.
        tasks: Hermes's running tasks by session key.
        bypasses: tells whether Hermes handles a command of a busy session inline.

    Raises:
        CommandRefusedError: `not_active` when the session is idle or the text would wait in Hermes's own queue.
    """
    key = admission.session_key
    running = tasks.get(key)
    name = typed_command(admission.text) if admission.command else None
    if process.admissions.occupant(key) is None or running is None or running.done() or not (name and bypasses(name)):
        raise CommandRefusedError("not_active")
    process.admissions.add_beside(admission)
    CURRENT.set(admission)  # the command of the bridge has a task of its own, so nothing else sees this
    try:
        await handle()
    except BaseException:
        process.admissions.forget(admission)
        raise
    now = tasks.get(key)
    if now is not None and now is not running:  # the turn ended at this very moment: the command became a turn
        process.admissions.add(admission)
    else:
        process.end_inline(admission)
