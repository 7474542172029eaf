"""Registering the commands with Discord, only when that is needed.

Discord limits how often commands may be registered, and takes a while to spread them, so a start must not
push them again for nothing.
"""

from __future__ import annotations

import hashlib
import json
import logging
from typing import Any

from discord import app_commands

from bot.storage import Store

log = logging.getLogger(__name__)


async def sync_if_changed(tree: app_commands.CommandTree[Any], store: Store) -> bool:
    """Register the commands unless Discord has these very ones; return whether it was done.

    What was registered is remembered by a hash of the payload and the ids that Discord gave the commands,
    so that commands which were changed or removed from elsewhere are registered again.
    """
    key = f"commands:{tree.client.application_id}"
    payload = await _payload_hash(tree)
    if await store.recall(key) == _fingerprint(payload, await tree.fetch_commands()):
        return False
    registered = await tree.sync()
    await store.remember(key, _fingerprint(payload, registered))
    log.info("registered %d commands", len(registered))
    return True


async def _payload_hash(tree: app_commands.CommandTree[Any]) -> str:
    commands = tree.get_commands()
    translator = tree.translator
    payload = [
        await command.get_translated_payload(tree, translator) if translator else command.to_dict(tree)
        for command in commands
    ]
    text = json.dumps(payload, sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()


def _fingerprint(payload_hash: str, registered: list[app_commands.AppCommand]) -> str:
    return " ".join((payload_hash, *sorted(str(command.id) for command in registered)))
