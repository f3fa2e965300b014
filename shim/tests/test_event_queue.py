# SPDX-License-Identifier: Apache-2.0
"""[HST-10] The ordered queue of events."""

from __future__ import annotations

import asyncio
import json
import threading
from typing import Any

from angelia.event_queue import EventQueue


def decoded(batch: list[bytes]) -> list[dict[str, Any]]:
    return [json.loads(data) for data in batch]


def test_events_are_numbered_from_one_and_stay_until_acknowledged() -> None:
    """[HST-10] events are numbered from 1 and stay until acknowledged"""
    queue = EventQueue()
    queue.put("send", text="a")
    queue.put("send", text="b")
    assert [event["seq"] for event in decoded(queue.take_batch())] == [1, 2]
    assert queue.take_batch() == queue.take_batch()
    queue.acknowledge(1, {})
    assert [event["text"] for event in decoded(queue.take_batch())] == ["b"]
    assert queue.first_unacknowledged == 2
    queue.acknowledge(2, {})
    assert (queue.first_unacknowledged, queue.byte_count) == (3, 0)


def test_waiting_edits_of_one_handle_merge() -> None:
    """[HST-10] edits of one handle that still wait merge into the newest, in the place of the first"""
    queue = EventQueue()
    queue.put("send", handle="h1", text="a")
    queue.edit("h1", text="ab", final=False)
    queue.edit("h2", text="x", final=False)
    queue.edit("h1", text="abc", final=True)
    events = decoded(queue.take_batch())
    assert [(event["type"], event["handle"], event["text"]) for event in events] == [
        ("send", "h1", "a"),
        ("edit", "h1", "abc"),
        ("edit", "h2", "x"),
    ]
    assert [event["seq"] for event in events] == [1, 2, 3]


def test_an_edit_that_was_sent_once_never_changes() -> None:
    """[HST-10] an edit that may have been committed is not changed by a later one"""
    queue = EventQueue()
    queue.edit("h1", text="a", final=False)
    first = queue.take_batch()
    queue.edit("h1", text="b", final=False)
    assert queue.take_batch()[: len(first)] == first
    assert [event["text"] for event in decoded(queue.take_batch())] == ["a", "b"]


def test_merged_edits_count_once_in_bytes() -> None:
    """[HST-10] the byte count follows merged edits and acknowledgements"""
    queue = EventQueue()
    queue.edit("h1", text="a" * 1000, final=False)
    large = queue.byte_count
    queue.edit("h1", text="a", final=False)
    assert queue.byte_count == large - 999
    queue.acknowledge(1, {})
    assert queue.byte_count == 0


def test_replies_reach_their_event() -> None:
    """[HST-10] a reply is handed to the event with its number, None where there is none"""
    queue = EventQueue()
    seen: list[Any] = []
    queue.put("started", on_ack=lambda reply: seen.append(("first", reply)), needs_reply=True)
    queue.put("started", on_ack=lambda reply: seen.append(("second", reply)), needs_reply=True)
    queue.acknowledge(2, {"1": {"go": True}})
    assert seen == [("first", {"go": True}), ("second", None)]


def test_an_attach_keeps_events_whose_reply_was_lost() -> None:
    """[HST-10] after an attach, committed events without their reply are repeated under the same numbers"""
    queue = EventQueue()
    seen: list[Any] = []
    queue.put("send", text="a")
    queue.put("started", on_ack=seen.append, needs_reply=True, admission="c1")
    queue.put("started", on_ack=seen.append, needs_reply=True, admission="c2")
    queue.put("send", text="b")
    queue.take_batch()
    queue.acknowledge_at_attach(3)
    assert [event["seq"] for event in decoded(queue.take_batch())] == [2, 3, 4]
    assert seen == []
    queue.acknowledge(4, {"2": {"go": True}, "3": {"go": False}})
    assert seen == [{"go": True}, {"go": False}]


def test_a_batch_is_bounded_but_never_empty() -> None:
    """[HST-10] a batch stays below its bound, a larger event travels alone"""
    queue = EventQueue()
    queue.put("send", text="x" * 100)
    queue.put("send", text="y" * 100)
    assert len(queue.take_batch(max_bytes=10)) == 1
    assert len(queue.take_batch(max_bytes=10_000)) == 2


def test_senders_wait_above_the_byte_bound() -> None:
    """[HST-10] above the byte bound a sender waits until the bridge has taken something"""

    async def main() -> None:
        queue = EventQueue(max_bytes=200)
        queue.bind(asyncio.get_running_loop())
        queue.put("send", text="x" * 200)
        waiting = asyncio.ensure_future(queue.wait_for_space())
        await asyncio.sleep(0)
        assert queue.full
        assert not waiting.done()
        queue.acknowledge(1, {})
        await waiting

    asyncio.run(main())


def test_a_lone_surrogate_does_not_break_the_line() -> None:
    """[INB-16] a lone surrogate out of a model becomes a replacement character, a pair stays"""
    queue = EventQueue()
    queue.put("send", text="a\ud83d b\ud83d\ude00")
    assert decoded(queue.take_batch())[0]["text"] == "a\ufffd b\U0001f600"


def test_line_separators_stay_inside_their_event() -> None:
    """[HST-10] U+2028 and U+0085 are ordinary characters"""
    queue = EventQueue()
    queue.put("send", text="a\u2028b\x85c")
    (data,) = queue.take_batch()
    assert b"\n" not in data
    assert json.loads(data)["text"] == "a\u2028b\x85c"


def test_events_of_many_threads_keep_their_order_and_wake_the_reader() -> None:
    """[HST-10] threads put events at once: each is numbered once and the reader wakes"""

    async def main() -> None:
        queue = EventQueue()
        queue.bind(asyncio.get_running_loop())
        threads = [
            threading.Thread(target=lambda name=name: [queue.put("n", name=name, i=i) for i in range(200)])
            for name in range(4)
        ]
        for thread in threads:
            thread.start()
        taken: list[dict[str, Any]] = []
        async with asyncio.timeout(30):
            while len(taken) < 800:
                await queue.wait_for_events()
                batch = decoded(queue.take_batch())
                taken += batch
                queue.acknowledge(batch[-1]["seq"], {})
            await queue.wait_until_idle()
        assert [event["seq"] for event in taken] == list(range(1, 801))
        for name in range(4):
            assert [event["i"] for event in taken if event["name"] == name] == list(range(200))

    asyncio.run(main())
