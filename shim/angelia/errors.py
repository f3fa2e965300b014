# SPDX-License-Identifier: Apache-2.0
"""Errors of the link. They carry codes, never contents."""

from __future__ import annotations


class LinkError(Exception):
    """The link cannot be made or has ended; it is tried again.

    Args:
        code: machine-readable reason, the bridge's own code where it gave one.
        sentence: what to do about it, for the log; without values of settings.
        retry_after: seconds to wait before the next try, instead of the ordinary backoff.
    """

    def __init__(self, code: str, sentence: str = "", *, retry_after: float | None = None) -> None:
        super().__init__(code)
        self.code = code
        self.sentence = sentence
        self.retry_after = retry_after


class CommandRefusedError(Exception):
    """A command of the bridge cannot be carried out.

    Args:
        code: `draining`, `session_busy`, `bad_request`, `refused`, `stale_epoch` or `internal` (docs/link.md, section
            4).
    """

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code
