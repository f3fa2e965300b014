# SPDX-License-Identifier: Apache-2.0
"""[HST-3] Every symbol of Hermes that the shim uses, with the signature that it relies on.

The expectations are written by hand; one dictionary for all supported versions, the differences of a version beside it.
"""

from __future__ import annotations

import importlib
import inspect
from dataclasses import fields, is_dataclass
from typing import Any

import hermes_cli
import pytest

SUPPORTED = ("0.18.2", "0.19.0")
VERSION = str(hermes_cli.__version__)

BASE = "gateway.platforms.base:BasePlatformAdapter."
STORE = "gateway.session:SessionStore."

SIGNATURES: dict[str, str] = {
    BASE + "__init__": "(self, config, platform)",
    BASE + "connect": "(self, *, is_reconnect=False)",
    BASE + "disconnect": "(self)",
    BASE + "handle_message": "(self, event)",
    BASE + "on_processing_start": "(self, event)",
    BASE + "on_processing_complete": "(self, event, outcome)",
    BASE + "cancel_background_tasks": "(self)",
    BASE + "has_pending_interrupt": "(self, session_key)",
    BASE + "interrupt_session_activity": "(self, session_key, chat_id, metadata=None)",
    BASE + "set_session_store": "(self, session_store)",
    BASE + "set_message_handler": "(self, handler)",
    BASE + "send": "(self, chat_id, content, reply_to=None, metadata=None)",
    BASE + "edit_message": "(self, chat_id, message_id, content, *, finalize=False)",
    BASE + "delete_message": "(self, chat_id, message_id)",
    BASE + "send_clarify": "(self, chat_id, question, choices, clarify_id, session_key, metadata=None)",
    BASE + "send_slash_confirm": "(self, chat_id, title, message, session_key, confirm_id, metadata=None)",
    BASE + "send_private_notice": "(self, chat_id, user_id, content, reply_to=None, metadata=None)",
    BASE + "send_typing": "(self, chat_id, metadata=None)",
    BASE + "stop_typing": "(self, chat_id)",
    BASE + "send_multiple_images": "(self, chat_id, images, metadata=None, human_delay=0.0)",
    BASE + "send_image": "(self, chat_id, image_url, caption=None, reply_to=None, metadata=None)",
    BASE + "send_image_file": "(self, chat_id, image_path, caption=None, reply_to=None, metadata=None, **kwargs)",
    BASE + "send_animation": "(self, chat_id, animation_url, caption=None, reply_to=None, metadata=None)",
    BASE + "send_voice": "(self, chat_id, audio_path, caption=None, reply_to=None, metadata=None, **kwargs)",
    BASE + "send_video": "(self, chat_id, video_path, caption=None, reply_to=None, metadata=None, **kwargs)",
    BASE + "send_document": (
        "(self, chat_id, file_path, caption=None, file_name=None, reply_to=None, metadata=None, **kwargs)"
    ),
    BASE + "play_tts": "(self, chat_id, audio_path, **kwargs)",
    BASE + "format_tool_event": "(self, event, *, mode='all', preview_max_len=40)",
    BASE + "render_message_event": "(self, event, sink)",
    BASE + "get_chat_info": "(self, chat_id)",
    BASE + "supports_draft_streaming": "(self, chat_type=None, metadata=None)",
    BASE + "build_source": (
        "(self, chat_id, chat_name=None, chat_type='dm', user_id=None, user_name=None, thread_id=None, "
        "chat_topic=None, user_id_alt=None, chat_id_alt=None, is_bot=False, scope_id=None, "
        "guild_id=None, parent_chat_id=None, message_id=None, "
        "role_authorized=False, auto_thread_created=False, auto_thread_initial_name=None)"
    ),
    BASE + "_mark_connected": "(self)",
    BASE + "_mark_disconnected": "(self)",
    "gateway.session:build_session_key": (
        "(source, group_sessions_per_user=True, thread_sessions_per_user=False, profile=None)"
    ),
    STORE + "list_sessions": "(self, active_minutes=None)",
    STORE + "clear_resume_pending": "(self, session_key)",
    STORE + "peek_session_id": "(self, session_key)",
    STORE + "load_transcript": "(self, session_id)",
    STORE + "rewind_session": "(self, session_id, n=1)",
    STORE + "suspend_session": "(self, session_key)",
    STORE + "reset_session": "(self, session_key, display_name=None)",
    "hermes_cli.commands:should_bypass_active_session": "(command_name)",
    "gateway.status:acquire_scoped_lock": "(scope, identity, metadata=None)",
    "gateway.status:release_scoped_lock": "(scope, identity)",
    "gateway.display_config:resolve_display_setting": "(user_config, platform_key, setting, fallback=None)",
    "tools.clarify_gateway:resolve_gateway_clarify": "(clarify_id, response)",
    "tools.clarify_gateway:clear_session": "(session_key)",
    "tools.slash_confirm:resolve": "(session_key, confirm_id, choice, timeout=300)",
    "tools.approval:resolve_gateway_approval": "(session_key, choice, resolve_all=False, reason=None)",
    "hermes_cli.config:load_config": "()",
    "hermes_cli.plugins:get_plugin_commands": "()",
    "hermes_cli.plugins:get_plugin_manager": "()",
    "hermes_cli.plugins:PluginManager.list_plugins": "(self)",
    "hermes_cli.plugins:PluginContext.register_hook": "(self, hook_name, callback)",
    "hermes_cli.plugins:PluginContext.register_platform": (
        "(self, name, label, adapter_factory, check_fn, validate_config=None, required_env=None, install_hint='', "
        "**entry_kwargs)"
    ),
    "hermes_constants:get_hermes_home": "()",
}

DIFFERENCES: dict[str, dict[str, str]] = {
    "0.18.2": {
        BASE + "interrupt_session_activity": "(self, session_key, chat_id)",
        BASE + "build_source": (
            "(self, chat_id, chat_name=None, chat_type='dm', user_id=None, user_name=None, thread_id=None, "
            "chat_topic=None, user_id_alt=None, chat_id_alt=None, is_bot=False, guild_id=None, parent_chat_id=None, "
            "message_id=None, role_authorized=False, auto_thread_created=False, auto_thread_initial_name=None)"
        ),
    },
    "0.19.0": {},
}

FIELDS: dict[str, set[str]] = {
    "gateway.config:PlatformConfig": {"enabled", "token", "api_key", "extra", "typing_indicator"},
    "gateway.config:GatewayConfig": {
        "group_sessions_per_user",
        "thread_sessions_per_user",
        "multiplex_profiles",
        "streaming",
    },
    "gateway.config:StreamingConfig": {"enabled", "transport"},
    "gateway.platforms.base:MessageEvent": {
        "text",
        "message_type",
        "source",
        "message_id",
        "channel_prompt",
        "metadata",
        "timestamp",
        "internal",
    },
    "gateway.platforms.base:SendResult": {"success", "message_id", "error", "error_kind"},
    "gateway.platform_registry:PlatformEntry": {
        "name",
        "label",
        "adapter_factory",
        "check_fn",
        "validate_config",
        "is_connected",
        "required_env",
        "install_hint",
        "max_message_length",
        "pii_safe",
        "emoji",
        "allow_update_command",
        "platform_hint",
        "apply_yaml_config_fn",
    },
    "gateway.session:SessionEntry": {"session_key", "session_id", "resume_pending"},
    "hermes_cli.commands:CommandDef": {"name", "aliases"},
}


def symbol(path: str) -> Any:
    module, _, names = path.partition(":")
    value: Any = importlib.import_module(module)
    for name in names.split("."):
        value = inspect.getattr_static(value, name) if inspect.isclass(value) else getattr(value, name)
    return value


def shape(function: Any) -> str:
    """Return a signature without its annotations."""
    signature = inspect.signature(function)
    plain = [parameter.replace(annotation=parameter.empty) for parameter in signature.parameters.values()]
    return str(signature.replace(parameters=plain, return_annotation=signature.empty))


def test_this_version_is_supported() -> None:
    """[HST-12] the installed Hermes is one of the supported versions"""
    assert VERSION in SUPPORTED


@pytest.mark.parametrize("path", sorted(SIGNATURES))
def test_the_signature_is_the_expected_one(path: str) -> None:
    """[HST-3] each function that the shim calls or overrides has the expected signature"""
    expected = {**SIGNATURES, **DIFFERENCES[VERSION]}[path]
    assert shape(symbol(path)) == expected


@pytest.mark.parametrize("path", sorted(FIELDS))
def test_the_fields_are_there(path: str) -> None:
    """[HST-3] each record that the shim reads or makes has the fields that it uses"""
    record = symbol(path)
    assert is_dataclass(record)
    assert {field.name for field in fields(record)} >= FIELDS[path]


def test_the_values_are_the_expected_ones() -> None:
    """[HST-3] enumerations and tables have the values that the shim relies on"""
    from gateway.platforms.base import MessageType, ProcessingOutcome
    from hermes_cli.commands import COMMAND_REGISTRY, CommandDef
    from hermes_cli.plugins import VALID_HOOKS

    from angelia.admissions import Delivery
    from angelia.hooks import Hooks
    from angelia.process import ShimProcess

    assert {outcome.value for outcome in ProcessingOutcome} == {delivery.value for delivery in Delivery}
    assert MessageType.TEXT.value == "text"
    assert set(Hooks(ShimProcess()).callbacks()) <= set(VALID_HOOKS)
    assert all(isinstance(command, CommandDef) for command in COMMAND_REGISTRY)
    assert {"new", "status", "stop", "queue", "help"} <= {command.name for command in COMMAND_REGISTRY}


def test_the_private_names_are_there() -> None:
    """[HST-3] the names without a public twin exist and mean what the shim takes them for"""
    from gateway.run import GatewayRunner

    assert GatewayRunner._draining is False
    assert GatewayRunner._external_drain_active is False
    assert GatewayRunner._busy_input_mode == "interrupt"
    assert "max_workers=10" in inspect.getsource(GatewayRunner._get_executor)
    assert "_executor" in inspect.getsource(GatewayRunner._get_executor)
    assert "has_pending_interrupt(session_key)" in inspect.getsource(GatewayRunner)
    assert "apply_yaml_config_fn" in inspect.getsource(importlib.import_module("gateway.config"))


def test_an_adapter_has_the_private_names(link_file: Any) -> None:
    """[HST-3] the base class keeps active sessions, their tasks and the store under the names that the shim reads"""
    from support.stub_gateway import StubGateway

    gateway = StubGateway(link_file)
    try:
        assert gateway.adapter._active_sessions == {}
        assert gateway.adapter._session_tasks == {}
        assert gateway.adapter._session_store is gateway.store
    finally:
        gateway.executor.shutdown()


def test_the_list_of_plugins_has_the_keys() -> None:
    """[HST-3] an entry of list_plugins names plugin, key and whether it is enabled"""
    from hermes_cli.plugins import PluginManager

    source = inspect.getsource(PluginManager.list_plugins)
    assert all(f'"{key}":' in source for key in ("name", "key", "enabled"))


def test_the_registration_fits_hermes() -> None:
    """[HST-1] register() makes an entry of Hermes's registry with Borgee's values, and only its hooks"""
    from support.stub_gateway import RegistryContext

    from angelia.registration import register

    context = RegistryContext()
    register(context)
    entry = context.platform
    expected = {
        "name": "borgee",
        "label": "Borgee",
        "required_env": ["BORGEE_API_KEY"],
        "max_message_length": 4096,
        "pii_safe": True,
        "allow_update_command": False,
        "emoji": "🟣",
    }
    assert {key: entry[key] for key in expected} == expected
    assert entry["check_fn"]() is True
    assert len(context.hooks) == 7
