# SPDX-License-Identifier: Apache-2.0
"""The link file: where the bridge listens and what secret it shares (docs/link.md, section 1)."""

from __future__ import annotations

import ipaddress
import json
import os
import re
import stat
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from .errors import LinkError
from .version import LINK_PROTOCOL

_SECRET: Final = re.compile(r"[0-9a-f]{64}")
_MAX_BYTES: Final = 4096


@dataclass(frozen=True, slots=True)
class LinkFile:
    """Contents of a link file."""

    host: str
    port: int
    secret: str = field(repr=False)


def read_link_file(path: Path, *, shared: bool) -> LinkFile:
    """Read and check the link file; it is read again before each dial.

    Args:
        path: the file.
        shared: the path was configured, so the bridge runs as its own user: group read (0640) and a foreign owner are
            legal.

    Raises:
        LinkError: `link_file_missing`, `link_file_unsafe` (kind, owner or mode) or `link_file_invalid`.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except FileNotFoundError:
        raise LinkError("link_file_missing") from None
    except OSError:
        raise LinkError("link_file_unsafe") from None
    with os.fdopen(descriptor, "rb") as handle:
        status = os.fstat(handle.fileno())
        forbidden = 0o037 if shared else 0o077
        foreign = not shared and status.st_uid != os.geteuid()
        if not stat.S_ISREG(status.st_mode) or status.st_mode & forbidden or foreign:
            raise LinkError("link_file_unsafe")
        return _parse(handle.read(_MAX_BYTES + 1))


def _parse(content: bytes) -> LinkFile:
    try:
        value = json.loads(content)
        host, port, secret = value["host"], value["port"], value["secret"]
        sound = (
            len(content) <= _MAX_BYTES
            and value["protocol"] == LINK_PROTOCOL
            and type(port) is int
            and 0 < port < 65536
            and ipaddress.ip_address(host).is_loopback
            and _SECRET.fullmatch(secret) is not None
        )
    except (ValueError, KeyError, TypeError):
        raise LinkError("link_file_invalid") from None
    if not sound:
        raise LinkError("link_file_invalid")
    return LinkFile(host, port, secret)
