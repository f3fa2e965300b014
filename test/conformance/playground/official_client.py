# SPDX-License-Identifier: Apache-2.0
"""Drives the official client of the Borgee protocol against the playground and prints what it saw as one JSON line.

Argument: the origin of the playground. The agent's key comes from the environment (BORGEE_API_KEY).
"""

import asyncio
import json
import os
import sys

from borgee_plugin_sdk import BorgeePluginOptions, TaskOutcome, create_borgee_plugin

LAST_KIND = "deleted"


async def run(origin: str) -> dict[str, object]:
    """Connects, answers the first message within a task, and reads deliveries until a message is deleted."""
    options = BorgeePluginOptions(
        base_url=origin,
        api_key=os.environ["BORGEE_API_KEY"],
        plugin_id="hermes-borgee",
        allow_insecure_loopback=True,
    )
    client = create_borgee_plugin(options)
    await client.connect()
    seen: list[dict[str, object]] = []
    result: dict[str, object] = {"me": (await client.get_me()).id, "seen": seen}
    print("online", flush=True)
    async for delivery in client.deliveries():
        event = delivery.event
        seen.append({"kind": str(event.kind), "author": event.author_name})
        if len(seen) == 1 and event.message is not None:
            await client.report_task_started("task-1", event.channel_id, "Working on a message")
            sent = await client.send_message(event.channel_id, "pong", reply_to_id=event.message.id)
            await client.edit_message(sent.message_id, "pong!")
            await client.report_task_finished("task-1", event.channel_id, TaskOutcome.COMPLETED)
            context = event.conversation_context
            zones = await client.list_zones(context.guild_id if context else "", limit=1)
            result["zones"] = zones
            channel = await client.create_channel("pier", guild_id="guild-harbour", parent_id=None)
            result["channel"] = (await client.update_channel(channel["id"], archived=True))["archived"]
            result["history"] = len(await client.read_history(event.channel_id))
            result["channels"] = len(await client.list_channels())
            await client.delete_channel(channel["id"])
        await delivery.checkpoint()
        if str(event.kind) == LAST_KIND:
            break
    await client.close()
    return result


print(json.dumps(asyncio.run(run(sys.argv[1]))))
