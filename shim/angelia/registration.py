# SPDX-License-Identifier: Apache-2.0
"""Registration with Hermes (hermes-surface 2.4, bpp 6.1).

Discovery runs in every `hermes` command, so nothing here opens a file or a socket, takes a lock or starts a thread, and
the adapter (with all of Hermes's gateway) is imported only when the gateway makes one.
"""

from __future__ import annotations

from typing import Any, Final

from . import platform_config
from .hooks import Hooks
from .process import PROCESS

_HINT: Final = (
    "You are talking in Borgee, a team chat. A channel is shared by several people: each message names its author, so "
    "say whom you answer when it is not obvious. A direct message is between you and one person. Light Markdown is "
    "shown well; files, images and voice cannot be sent."
)


def register(context: Any) -> None:
    """Hermes's entry point of the plugin.

    Args:
        context: Hermes's PluginContext.
    """
    context.register_platform(
        name=platform_config.PLATFORM,
        label="Borgee",
        adapter_factory=_create_adapter,
        check_fn=_dependencies_present,
        validate_config=platform_config.validate_config,
        required_env=["BORGEE_API_KEY"],
        install_hint="Nothing to install: the Angelia bridge runs beside Hermes.",
        is_connected=platform_config.is_connected,
        apply_yaml_config_fn=platform_config.apply_yaml_config,
        max_message_length=4096,
        pii_safe=True,
        allow_update_command=False,
        emoji="🟣",
        platform_hint=_HINT,
    )
    for name, callback in Hooks(PROCESS).callbacks().items():
        context.register_hook(name, callback)


def _dependencies_present() -> bool:
    return True  # the standard library is enough


def _create_adapter(config: Any) -> Any:
    from .adapter import BorgeeAdapter

    return BorgeeAdapter(config)
