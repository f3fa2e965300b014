# SPDX-License-Identifier: Apache-2.0
"""The platform block of the profile's config.yaml, as far as the shim itself has to touch it.

The values are checked by the bridge, which names a wrong key at attach. The shim only brings the block to where Hermes
hands it to the adapter, and refuses keys that must not stand in a configuration file.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Mapping
from typing import Any, Final, Protocol

log = logging.getLogger(__name__)

PLATFORM: Final = "borgee"
"""Name of the platform in Hermes."""

SECRET_KEYS: Final = ("token", "api_key")
"""Keys that must not stand in the block: the key comes only from BORGEE_API_KEY (HST-9)."""

_HOME_CHANNEL_VARIABLE: Final = "BORGEE_HOME_CHANNEL"

# Parts of a platform section that Hermes reads itself; all else belongs into `extra`.
_HERMES_KEYS: Final = frozenset(
    {
        "enabled",
        "extra",
        "display",
        "home_channel",
        "reply_to_mode",
        "gateway_restart_notification",
        "typing_indicator",
        "typing_status_text",
        "channel_overrides",
        "notice_delivery",
        "unauthorized_dm_behavior",
        *SECRET_KEYS,
    }
)

# Keys with this prefix are derived (by Hermes or by this module) and never reach the bridge.
_DERIVED_PREFIX: Final = "_"
_REFUSED: Final = "_refused_keys"
_BUSY_INPUT_MODE: Final = "_busy_input_mode"
_MULTIPLEX: Final = "_multiplex_profiles"


class HermesPlatformConfig(Protocol):
    """What is used of Hermes's PlatformConfig."""

    token: str | None
    api_key: str | None
    extra: dict[str, Any]


def apply_yaml_config(yaml_config: Mapping[str, Any], section: Mapping[str, Any]) -> dict[str, Any]:
    """Bring the `borgee` block into the platform's `extra` (bpp 6.2).

    The block is the top-level `borgee`, else `platforms.borgee`, else `gateway.platforms.borgee`. Hermes also lets a
    plugin set environment variables here: a home channel is named, else every new session would begin with a notice in
    the chat.

    Args:
        yaml_config: the whole config.yaml.
        section: the platform section that Hermes found; it looks in another order, so it serves only as the last
            resort.

    Returns:
        Keys that Hermes merges into `PlatformConfig.extra`.
    """
    os.environ.setdefault(_HOME_CHANNEL_VARIABLE, "none")
    block = _platform_block(yaml_config) or section
    nested = _mapping(block.get("extra"))
    extra = {str(key): value for key, value in nested.items() if key not in SECRET_KEYS}
    extra.update({str(key): value for key, value in block.items() if key not in _HERMES_KEYS})
    extra[_REFUSED] = [key for key in SECRET_KEYS if key in block or key in nested]

    gateway = _mapping(yaml_config.get("gateway"))
    extra[_MULTIPLEX] = yaml_config.get("multiplex_profiles", gateway.get("multiplex_profiles", False))
    mode = _mapping(block.get("display")).get("busy_input_mode") or _mapping(yaml_config.get("display")).get(
        "busy_input_mode"
    )
    if mode is not None:
        extra[_BUSY_INPUT_MODE] = str(mode).strip().lower()
    return extra


def validate_config(config: HermesPlatformConfig) -> bool:
    """Refuse a platform section that holds a key of the chat server (HST-9).

    Returns:
        False after logging the name of the key, never its value; Hermes then makes no adapter.
    """
    extra = config.extra or {}
    refused = {key for key in SECRET_KEYS if getattr(config, key, None) or key in extra}
    refused.update(extra.get(_REFUSED) or ())
    if not refused:
        return True
    log.error(
        "The platform block %s holds %s: the key comes only from BORGEE_API_KEY. Remove it from config.yaml.",
        PLATFORM,
        ", ".join(sorted(refused)),
    )
    return False


def is_connected(config: HermesPlatformConfig) -> bool:
    """Tell whether the platform counts as configured when no section says `enabled`."""
    return bool((config.extra or {}).get("base_url"))


def reported_block(extra: Mapping[str, Any]) -> dict[str, Any]:
    """Return the block as the bridge gets it: what Hermes gave, without derived keys and without secrets."""
    return {
        key: value for key, value in extra.items() if not key.startswith(_DERIVED_PREFIX) and key not in SECRET_KEYS
    }


def configured_busy_input_mode(extra: Mapping[str, Any]) -> str:
    """Return the busy mode that the configuration asks for; Hermes's own default is `interrupt`."""
    return str(extra.get(_BUSY_INPUT_MODE) or "interrupt")


def configured_multiplex(extra: Mapping[str, Any]) -> bool:
    """Tell whether the configuration asks for several profiles in one gateway."""
    value = extra.get(_MULTIPLEX)
    return value.strip().lower() in {"1", "true", "yes", "on"} if isinstance(value, str) else bool(value)


def positive_number(extra: Mapping[str, Any], key: str, default: float) -> float:
    """Read a limit of the shim from the block.

    A value that is no positive number leaves the default, the bridge names it.
    """
    try:
        value = float(extra.get(key, default))
    except (TypeError, ValueError):
        return default
    return value if 0 < value < float("inf") else default


def _platform_block(yaml_config: Mapping[str, Any]) -> Mapping[str, Any] | None:
    gateway = _mapping(yaml_config.get("gateway"))
    places = (yaml_config, _mapping(yaml_config.get("platforms")), _mapping(gateway.get("platforms")))
    for place in places:
        block = place.get(PLATFORM)
        if isinstance(block, Mapping):
            return block
    return None


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}
