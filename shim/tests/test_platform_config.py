# SPDX-License-Identifier: Apache-2.0
"""[HST-9] The platform block, as far as the shim touches it."""

from __future__ import annotations

import logging
import os
from types import SimpleNamespace
from typing import Any

import pytest

from angelia import platform_config


def config(extra: dict[str, Any], token: str | None = None, api_key: str | None = None) -> Any:
    return SimpleNamespace(extra=extra, token=token, api_key=api_key)


@pytest.mark.parametrize(
    "yaml_config",
    [
        {
            "borgee": {"base_url": "https://a.example.com"},
            "platforms": {"borgee": {"base_url": "https://b.example.com"}},
        },
        {
            "platforms": {"borgee": {"base_url": "https://a.example.com"}},
            "gateway": {"platforms": {"borgee": {"base_url": "https://b.example.com"}}},
        },
        {"gateway": {"platforms": {"borgee": {"base_url": "https://a.example.com"}}}},
    ],
)
def test_the_block_is_found_in_the_official_order(yaml_config: dict[str, Any]) -> None:
    """[HST-9] the block is the top-level one, else platforms.borgee, else gateway.platforms.borgee"""
    extra = platform_config.apply_yaml_config(yaml_config, {"base_url": "https://c.example.com"})
    assert extra["base_url"] == "https://a.example.com"


def test_the_official_block_is_read_unchanged() -> None:
    """[HST-9] the block that the official plugin writes reaches the bridge unchanged"""
    block = {
        "enabled": True,
        "group_sessions_per_user": False,
        "dm_policy": "open",
        "group_policy": "open",
        "display": {"busy_input_mode": "queue"},
        "extra": {
            "base_url": "https://chat.example.com",
            "allow_insecure_loopback": True,
            "group_sessions_per_user": False,
            "_busy_input_mode": "queue",
        },
    }
    extra = platform_config.apply_yaml_config({"platforms": {"borgee": block}}, block)
    assert platform_config.reported_block(extra) == {
        "base_url": "https://chat.example.com",
        "allow_insecure_loopback": True,
        "group_sessions_per_user": False,
        "dm_policy": "open",
        "group_policy": "open",
    }
    assert platform_config.configured_busy_input_mode(extra) == "queue"


def test_a_key_of_the_block_wins_over_its_extra() -> None:
    """[HST-9] a key beside `extra` wins over the same key inside"""
    block = {"base_url": "https://a.example.com", "extra": {"base_url": "https://b.example.com"}}
    assert platform_config.apply_yaml_config({"borgee": block}, block)["base_url"] == "https://a.example.com"


@pytest.mark.parametrize(
    ("yaml_config", "mode", "multiplexed"),
    [
        ({"borgee": {}, "display": {"busy_input_mode": " Queue "}}, "queue", False),
        (
            {"borgee": {"display": {"busy_input_mode": "steer"}}, "display": {"busy_input_mode": "queue"}},
            "steer",
            False,
        ),
        ({"borgee": {}, "multiplex_profiles": True}, "interrupt", True),
        ({"borgee": {}, "gateway": {"multiplex_profiles": "yes"}}, "interrupt", True),
        ({"borgee": {}, "gateway": None, "display": None}, "interrupt", False),
    ],
)
def test_busy_mode_and_multiplexing_are_derived(yaml_config: dict[str, Any], mode: str, multiplexed: bool) -> None:
    """[HST-7] busy mode and multiplexing come from where Hermes and the official plugin keep them"""
    extra = platform_config.apply_yaml_config(yaml_config, {})
    assert platform_config.configured_busy_input_mode(extra) == mode
    assert platform_config.configured_multiplex(extra) is multiplexed


@pytest.mark.parametrize(
    "refused",
    [
        config({}, token="canary"),
        config({}, api_key="canary"),
        config({"api_key": "canary"}),
        config(platform_config.apply_yaml_config({"borgee": {"token": "canary"}}, {})),
        config(platform_config.apply_yaml_config({"borgee": {"extra": {"api_key": "canary"}}}, {})),
    ],
)
def test_a_key_in_the_file_is_refused_by_name(refused: Any, caplog: pytest.LogCaptureFixture) -> None:
    """[HST-9] token and api_key in the block are refused; the log names the key and not its value"""
    caplog.set_level(logging.DEBUG)
    assert not platform_config.validate_config(refused)
    assert "BORGEE_API_KEY" in caplog.text
    assert "canary" not in caplog.text
    assert "canary" not in str(platform_config.reported_block(refused.extra))


def test_a_block_without_a_key_is_accepted() -> None:
    """[HST-9] a block without a key is accepted, and counts as configured by its address"""
    accepted = config(platform_config.apply_yaml_config({"borgee": {"base_url": "https://a.example.com"}}, {}))
    assert platform_config.validate_config(accepted)
    assert platform_config.is_connected(accepted)
    assert not platform_config.is_connected(config({}))


def test_the_home_channel_notice_is_switched_off(monkeypatch: pytest.MonkeyPatch) -> None:
    """[BPP-4] a home channel is named, but a chosen one stays"""
    monkeypatch.delenv("BORGEE_HOME_CHANNEL", raising=False)
    platform_config.apply_yaml_config({"borgee": {}}, {})
    assert os.environ["BORGEE_HOME_CHANNEL"] == "none"
    monkeypatch.setenv("BORGEE_HOME_CHANNEL", "ch_9")
    platform_config.apply_yaml_config({"borgee": {}}, {})
    assert os.environ["BORGEE_HOME_CHANNEL"] == "ch_9"


@pytest.mark.parametrize(
    ("value", "expected"), [(7, 7.0), ("2.5", 2.5), (0, 300.0), (-1, 300.0), ("x", 300.0), (None, 300.0)]
)
def test_limits_fall_back_to_their_default(value: object, expected: float) -> None:
    """[QLT-3] a limit that is no positive number leaves the default; the bridge names it"""
    assert platform_config.positive_number({"start_hold_seconds": value}, "start_hold_seconds", 300.0) == expected
