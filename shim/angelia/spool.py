# SPDX-License-Identifier: Apache-2.0
"""Events that an orderly stop could not deliver, kept for the next Hermes process (docs/link.md, section 6)."""

from __future__ import annotations

import json
import logging
import os
import re
import stat
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

_INSTANCE: Final = re.compile(r"[0-9a-f]{32}")

log = logging.getLogger(__name__)


class Spool:
    """The spool file of a profile.

    Args:
        path: `<HERMES_HOME>/angelia/spool.ndjson`; its folder is made with mode 0700.
    """

    def __init__(self, path: Path) -> None:
        self._path = path

    @property
    def exists(self) -> bool:
        """Whether an earlier process left events that were not handed over yet."""
        return self._path.exists()

    def save(self, instance: str, first_unacknowledged: int, events: Sequence[bytes]) -> None:
        """Write the events durably: temporary file, fsync, rename, fsync of the folder.

        Raises:
            OSError: the file cannot be written.
        """
        folder = self._path.parent
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        head = json.dumps({"instance": instance, "first_unacknowledged": first_unacknowledged}).encode()
        temporary = folder / f".{self._path.name}.{os.getpid()}"
        temporary.unlink(missing_ok=True)
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        with os.fdopen(descriptor, "wb") as handle:
            handle.write(b"\n".join((head, *events)) + b"\n")
            handle.flush()
            os.fsync(handle.fileno())
        temporary.replace(self._path)
        _sync_folder(folder)

    def load(self) -> dict[str, Any] | None:
        """Return `{"instance", "events"}` for the attach report, or None.

        A file that cannot be used is set aside under another name and named in the log; it would never become readable.
        """
        try:
            descriptor = os.open(self._path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
        except FileNotFoundError:
            return None
        except OSError:
            self._set_aside("kind")
            return None
        with os.fdopen(descriptor, "rb") as handle:
            status = os.fstat(handle.fileno())
            content = handle.read() if _is_private(status) else None
        if content is None:
            self._set_aside("owner or mode")
            return None
        try:
            head, *lines = content.split(b"\n")
            instance = json.loads(head)["instance"]
            events = [json.loads(line) for line in lines if line]
            numbers = [event["seq"] for event in events]
            if not _INSTANCE.fullmatch(instance) or numbers != sorted(set(numbers)):
                raise ValueError
        except (ValueError, KeyError, TypeError):
            self._set_aside("content")
            return None
        return {"instance": instance, "events": events}

    def forget_instance(self, instance: str) -> None:
        """Remove the file when it is of the running process: that one still has its events in memory."""
        spool = self.load()
        if spool is not None and spool["instance"] == instance:
            self.remove()

    def remove(self) -> None:
        """Forget the file after the bridge has taken it over."""
        self._path.unlink(missing_ok=True)

    def _set_aside(self, reason: str) -> None:
        log.error("The spool file is not usable (%s); it is set aside as %s.unusable.", reason, self._path.name)
        self._path.replace(self._path.with_name(f"{self._path.name}.unusable"))


def _is_private(status: os.stat_result) -> bool:
    return stat.S_ISREG(status.st_mode) and not status.st_mode & 0o077 and status.st_uid == os.geteuid()


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
