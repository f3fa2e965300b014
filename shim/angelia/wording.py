# SPDX-License-Identifier: Apache-2.0
"""Sentences that Hermes and its model read."""

from __future__ import annotations

from typing import Final

NO_QUESTIONS: Final = (
    "Questions to people are not available in this chat. "
    "Decide by yourself, or say in your answer what you need to know."
)
"""Answer to a question of the model."""

NO_APPROVALS: Final = (
    "Approvals are not available in this chat, so nobody can allow this command. "
    "Find another way, or say in your answer what you would need."
)
"""Reason that a dangerous command is denied with."""

NO_MEDIA: Final = "not supported by this server adapter yet"
"""Error of every call that would send a file (RUN-11)."""
