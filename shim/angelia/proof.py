# SPDX-License-Identifier: Apache-2.0
"""Mutual proof of the link secret (docs/link.md, section 2): the secret itself never travels."""

from __future__ import annotations

import hashlib
import hmac
import secrets


def new_nonce() -> str:
    """Return 64 fresh hex characters."""
    return secrets.token_hex(32)


def make_proof(secret: str, label: str, *parts: str | int) -> str:
    """Return hex HMAC-SHA-256 over label and parts, joined by newlines.

    Args:
        secret: the 64 characters of the link file, used as ASCII.
        label: who proves: `bridge`, `shim` or `session`.
        parts: nonces and epoch, in the order of the protocol.
    """
    message = "\n".join((label, *(str(part) for part in parts)))
    return hmac.new(secret.encode("ascii"), message.encode("ascii"), hashlib.sha256).hexdigest()


def is_proof(given: object, expected: str) -> bool:
    """Compare in constant time."""
    return isinstance(given, str) and given.isascii() and hmac.compare_digest(given, expected)
