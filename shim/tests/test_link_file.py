# SPDX-License-Identifier: Apache-2.0
"""[SEC-2] The link file and the proofs over its secret."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from support.fake_bridge import digest

from angelia import proof
from angelia.errors import LinkError
from angelia.link_file import read_link_file

SECRET = "0123456789abcdef" * 4


def write(path: Path, mode: int = 0o600, **changes: Any) -> Path:
    path.parent.mkdir(exist_ok=True)
    content = {"protocol": 1, "host": "127.0.0.1", "port": 40123, "secret": SECRET, "pid": 1, **changes}
    path.write_text(json.dumps(content))
    path.chmod(mode)
    return path


def code_of(path: Path, *, shared: bool = False) -> str:
    with pytest.raises(LinkError) as caught:
        read_link_file(path, shared=shared)
    return caught.value.code


def test_a_sound_file_is_read(link_file: Path) -> None:
    """[HST-10] a sound link file is read, and its secret does not show in a text of it"""
    file = read_link_file(write(link_file), shared=False)
    assert (file.host, file.port, file.secret) == ("127.0.0.1", 40123, SECRET)
    assert SECRET not in repr(file)


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o660, 0o644])
def test_the_private_file_is_for_the_owner_alone(link_file: Path, mode: int) -> None:
    """[SEC-2] a link file of the default place with any right for others is refused"""
    assert code_of(write(link_file, mode)) == "link_file_unsafe"


@pytest.mark.parametrize(("mode", "refused"), [(0o640, False), (0o600, False), (0o644, True), (0o660, True)])
def test_a_configured_file_may_be_read_by_the_group(link_file: Path, mode: int, refused: bool) -> None:
    """[SEC-2] a configured link file may be read by Hermes's group, and by nobody else"""
    write(link_file, mode)
    if refused:
        assert code_of(link_file, shared=True) == "link_file_unsafe"
    else:
        assert read_link_file(link_file, shared=True).port == 40123


def test_a_missing_file_and_a_symbolic_link_are_told_apart(link_file: Path, tmp_path: Path) -> None:
    """[SEC-2] a missing file is waited for, a symbolic link is refused"""
    assert code_of(link_file) == "link_file_missing"
    write(tmp_path / "elsewhere" / "link.json")
    link_file.parent.mkdir()
    link_file.symlink_to(tmp_path / "elsewhere" / "link.json")
    assert code_of(link_file) == "link_file_unsafe"


@pytest.mark.parametrize(
    "changes",
    [{"protocol": 2}, {"host": "192.0.2.1"}, {"host": "localhost"}, {"port": 0}, {"port": True}, {"secret": "short"}],
)
def test_an_unsound_file_is_refused(link_file: Path, changes: dict[str, Any]) -> None:
    """[HST-10] another protocol, a foreign host, a bad port or secret is refused"""
    assert code_of(write(link_file, **changes)) == "link_file_invalid"


def test_the_proof_is_that_of_the_protocol() -> None:
    """[HST-10] the proof is the HMAC of docs/link.md, written down apart from the code"""
    assert proof.make_proof(SECRET, "bridge", "a", "b", 7) == digest(SECRET, "bridge", "a", "b", 7)
    known = "3221921888e133379bfd62332d749ce10b736cdd11d5126440e6a71f073a8ee4"
    assert proof.make_proof(SECRET, "bridge", "a", "b", 7) == known
    assert not proof.is_proof(None, "00")
    assert not proof.is_proof("\u00e4", "00")
