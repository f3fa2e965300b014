# SPDX-License-Identifier: Apache-2.0
"""Counterparts of the shim for its tests."""
