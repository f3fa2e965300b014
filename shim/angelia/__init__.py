# SPDX-License-Identifier: Apache-2.0
"""Angelia's shim: the Hermes platform plugin that carries turns between the bridge and Hermes (docs/link.md)."""

from __future__ import annotations

from .registration import register

__all__ = ["register"]
