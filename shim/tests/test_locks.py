# SPDX-License-Identifier: Apache-2.0
"""[HST-6] The two locks of the official plugin."""

from __future__ import annotations

from typing import Any

import pytest

from angelia.locks import OfficialLocks

PROFILE = "hermes-home:aa"
CREDENTIAL = "https://chat.example.com|credential:bb"


class Table:
    """Stands for Hermes's lock files."""

    def __init__(self, *taken: str) -> None:
        self.taken = set(taken)
        self.calls: list[tuple[str, str]] = []

    def acquire(self, scope: str, identity: str, metadata: dict[str, Any]) -> tuple[bool, Any]:
        self.calls.append(("acquire", scope))
        return identity not in self.taken, {"pid": 4711}

    def release(self, scope: str, identity: str) -> None:
        self.calls.append(("release", scope))


def test_both_are_taken_in_order_and_released_in_reverse() -> None:
    """[HST-6] profile before credential, released in reverse, once"""
    table = Table()
    locks = OfficialLocks(table.acquire, table.release)
    assert locks.take({"profile": PROFILE, "credential": CREDENTIAL})
    assert locks.take({"profile": PROFILE, "credential": CREDENTIAL})
    locks.release()
    locks.release()
    assert table.calls == [
        ("acquire", "borgee-profile"),
        ("acquire", "borgee"),
        ("release", "borgee"),
        ("release", "borgee-profile"),
    ]


@pytest.mark.parametrize("taken", [PROFILE, CREDENTIAL])
def test_one_that_is_taken_leaves_none(taken: str, caplog: pytest.LogCaptureFixture) -> None:
    """[HST-6] while another gateway holds one, none is kept; its process is named, the identity is not"""
    table = Table(taken)
    locks = OfficialLocks(table.acquire, table.release)
    assert not locks.take({"profile": PROFILE, "credential": CREDENTIAL})
    acquired = len([call for call in table.calls if call[0] == "acquire"])
    assert len([call for call in table.calls if call[0] == "release"]) == acquired - 1
    assert "4711" in caplog.text
    assert taken not in caplog.text


def test_a_changed_credential_is_followed() -> None:
    """[HST-6] no credential yet, then one: the locks follow what the bridge names"""
    table = Table()
    locks = OfficialLocks(table.acquire, table.release)
    assert locks.take({"profile": PROFILE, "credential": None})
    assert locks.take({"profile": PROFILE, "credential": CREDENTIAL})
    assert [scope for call, scope in table.calls if call == "acquire"] == ["borgee-profile", "borgee-profile", "borgee"]
