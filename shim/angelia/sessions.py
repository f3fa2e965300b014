# SPDX-License-Identifier: Apache-2.0
"""Hermes's sessions of this platform (running-hermes 8). The calls block on SQLite: run them in a thread."""

from __future__ import annotations

from typing import Any, Final, Protocol

from .platform_config import PLATFORM

_CONVERSATION_ROLES: Final = frozenset({"user", "assistant", "tool"})


class SessionEntry(Protocol):
    """What is used of Hermes's SessionEntry."""

    session_key: str
    resume_pending: bool


class SessionStore(Protocol):
    """What is used of Hermes's SessionStore."""

    def list_sessions(self) -> list[SessionEntry]:
        """List all sessions."""

    def clear_resume_pending(self, session_key: str) -> bool:
        """Forget that a session is to be resumed."""

    def peek_session_id(self, session_key: str) -> str | None:
        """Return the id that is bound to a key."""

    def load_transcript(self, session_id: str) -> list[dict[str, Any]]:
        """Return the messages of a session."""

    def rewind_session(self, session_id: str, n: int = 1) -> dict[str, Any] | None:
        """Hide the newest exchanges, kept for audit."""

    def suspend_session(self, session_key: str) -> bool:
        """Let the next turn begin a fresh session."""

    def reset_session(self, session_key: str) -> object | None:
        """Begin a fresh session at once; None when there is none."""


def is_ours(session_key: str) -> bool:
    """Tell whether a session key belongs to this platform, in whatever profile."""
    parts = session_key.split(":")
    return len(parts) >= 4 and parts[0] == "agent" and parts[2] == PLATFORM


def clear_resume_flags(store: SessionStore) -> list[str]:
    """Keep Hermes from continuing interrupted turns by itself.

    Returns:
        The keys whose flag was cleared.
    """
    pending = [
        entry.session_key for entry in store.list_sessions() if entry.resume_pending and is_ours(entry.session_key)
    ]
    return [key for key in pending if store.clear_resume_pending(key)]


def clean_for_second_run(store: SessionStore, session_key: str) -> None:
    """Give a released turn a clean history: no resume flag, and no half-done first run of the same text."""
    store.clear_resume_pending(session_key)
    session_id = store.peek_session_id(session_key)
    if session_id is None:
        return
    rows = [row for row in store.load_transcript(session_id) if row.get("role") in _CONVERSATION_ROLES]
    if rows and not (rows[-1]["role"] == "assistant" and not rows[-1].get("tool_calls")):
        store.rewind_session(session_id, 1)
