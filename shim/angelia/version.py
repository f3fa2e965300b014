# SPDX-License-Identifier: Apache-2.0
"""Versions that the shim tells the bridge at attach (docs/link.md, section 3)."""

from __future__ import annotations

from typing import Final

SHIM_VERSION: Final = "0.1.0"
"""Version of this plugin, the same as in plugin.yaml."""

LINK_PROTOCOL: Final = 1
"""Version of the link protocol that this shim speaks."""
