# SPDX-License-Identifier: Apache-2.0
"""Methods of a platform adapter that have nothing to do on Borgee."""

from __future__ import annotations

from typing import Any


class Quiet:
    """Answers Hermes where Borgee shows things by itself; comes before Hermes's base class."""

    async def send_typing(self, chat_id: str, metadata: Any = None) -> None:
        """Borgee shows the running task by itself (D-9)."""

    async def stop_typing(self, chat_id: str, metadata: Any = None) -> None:
        """See send_typing."""

    def format_tool_event(self, event: Any, *, mode: str = "all", preview_max_len: int = 40) -> str | None:
        """Tool steps are no messages (D-2)."""
        return None

    async def get_chat_info(self, chat_id: str) -> dict[str, Any]:
        """Return what the channel directory of Hermes asks for; names stay at the chat server."""
        return {"name": chat_id, "type": "channel"}

    async def send_multiple_images(self, *_args: Any, **_kwargs: Any) -> None:
        """Send nothing (RUN-11); the base class would log the addresses of the images."""
