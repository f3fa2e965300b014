# SPDX-License-Identifier: Apache-2.0
"""The two locks of the official Borgee plugin (D-8, bpp 6.12).

Only a process that looks like a Hermes gateway can hold them, so the shim takes them for the bridge: the official
plugin and Angelia never serve one profile or one key at once. The bridge gives the identities, which are digests.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any, Final

log = logging.getLogger(__name__)

Acquire = Callable[[str, str, dict[str, Any]], tuple[bool, Any]]
Release = Callable[[str, str], None]

_ORDER: Final = (("profile", "borgee-profile"), ("credential", "borgee"))
"""Names in the attach answer and scopes, in the order of acquiring."""


class OfficialLocks:
    """Holds the locks of one adapter.

    Args:
        acquire: Hermes's `acquire_scoped_lock`.
        release: Hermes's `release_scoped_lock`.
    """

    def __init__(self, acquire: Acquire, release: Release) -> None:
        self._acquire = acquire
        self._release = release
        self._held: list[tuple[str, str]] = []

    def take(self, identities: dict[str, Any]) -> bool:
        """Hold exactly the locks that the bridge named: all of them, or none.

        Returns:
            False when another gateway holds one; the owner's process id is logged.
        """
        wanted = [(scope, str(identities[name])) for name, scope in _ORDER if identities.get(name) is not None]
        if wanted == self._held:
            return True
        self.release()
        for scope, identity in wanted:
            obtained, owner = self._acquire(scope, identity, {"platform": "borgee"})
            if not obtained:
                pid = owner.get("pid") if isinstance(owner, dict) else None
                log.error(
                    "The lock %s is held by the gateway process %s. Angelia serves nothing until it is free.",
                    scope,
                    pid,
                )
                self.release()
                return False
            self._held.append((scope, identity))
        return True

    def release(self) -> None:
        """Release in reverse order. Idempotent."""
        while self._held:
            scope, identity = self._held.pop()
            self._release(scope, identity)
