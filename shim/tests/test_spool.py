# SPDX-License-Identifier: Apache-2.0
"""[HST-11] The spool of an orderly stop."""

from __future__ import annotations

from pathlib import Path

import pytest

from angelia.spool import Spool

INSTANCE = "1234567890abcdef" * 2
HEAD = b'{"instance":"%s","first_unacknowledged":1}\n' % INSTANCE.encode()


@pytest.fixture
def spool_file(tmp_path: Path) -> Path:
    return tmp_path / "angelia" / "spool.ndjson"


def test_events_come_back_as_they_were(spool_file: Path) -> None:
    """[HST-11] events come back in order, with their instance"""
    spool = Spool(spool_file)
    spool.save(INSTANCE, 4, [b'{"seq":4,"type":"send","text":"a\xe2\x80\xa8b"}', b'{"seq":5,"type":"ended"}'])
    assert spool.load() == {
        "instance": INSTANCE,
        "events": [{"seq": 4, "type": "send", "text": "a\u2028b"}, {"seq": 5, "type": "ended"}],
    }
    spool.remove()
    assert spool.load() is None
    assert not spool.exists


def test_only_the_owner_may_read_it(spool_file: Path) -> None:
    """[SEC-2] the spool holds texts: 0600 in a folder of 0700, and nothing temporary stays"""
    Spool(spool_file).save(INSTANCE, 1, [b'{"seq":1}'])
    assert spool_file.stat().st_mode & 0o777 == 0o600
    assert spool_file.parent.stat().st_mode & 0o777 == 0o700
    assert list(spool_file.parent.iterdir()) == [spool_file]


@pytest.mark.parametrize(
    ("content", "mode"),
    [
        (b"not json\n", 0o600),
        (b'{"instance":5}\n', 0o600),
        (b'{"instance":"short"}\n', 0o600),
        (HEAD + b'{"type":"send"}\n', 0o600),
        (HEAD + b'{"seq":2}\n{"seq":1}\n', 0o600),
        (HEAD, 0o644),
    ],
)
def test_an_unusable_file_is_set_aside(spool_file: Path, content: bytes, mode: int) -> None:
    """[HST-11] a spool file that cannot be used is set aside, not tried again and not deleted"""
    spool_file.parent.mkdir()
    spool_file.write_bytes(content)
    spool_file.chmod(mode)
    assert Spool(spool_file).load() is None
    assert spool_file.with_name("spool.ndjson.unusable").read_bytes() == content


def test_a_link_is_not_followed(spool_file: Path, tmp_path: Path) -> None:
    """[SEC-2] a symbolic link in the place of the spool is not followed"""
    target = tmp_path / "target"
    target.write_bytes(HEAD)
    target.chmod(0o600)
    spool_file.parent.mkdir()
    spool_file.symlink_to(target)
    assert Spool(spool_file).load() is None
    assert target.exists()


def test_a_process_forgets_only_its_own(spool_file: Path) -> None:
    """[HST-11] a process that connects again removes its own spool, never that of an earlier process"""
    spool = Spool(spool_file)
    spool.save(INSTANCE, 1, [b'{"seq":1}'])
    spool.forget_instance("0" * 32)
    assert spool.exists
    spool.forget_instance(INSTANCE)
    assert not spool.exists
