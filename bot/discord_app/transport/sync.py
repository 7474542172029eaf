"""Registering the commands with Discord, only when that is needed.

Discord limits how often commands may be registered, and takes a while to spread them, so a start must not
push them again for nothing.
"""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Mapping
from typing import Any

from discord import app_commands

from bot.storage import Store

log = logging.getLogger(__name__)


async def sync_if_changed(tree: app_commands.CommandTree[Any], store: Store) -> bool:
    """Register the commands unless Discord has these very ones; return whether it was done.

    What was registered is remembered by a hash of the payload and of what Discord has, so that commands
    which were changed or removed from elsewhere are registered again. Of several processes the first one
    registers them; the others wait, and find them registered.
    """
    key = memory_key(tree.client.application_id)
    async with store.lock("commands", waits=True):
        return await _sync_if_changed(tree, store, key)


async def _sync_if_changed(tree: app_commands.CommandTree[Any], store: Store, key: str) -> bool:
    if await is_as_registered(tree, await tree.fetch_commands(), await store.get_value(key)):
        return False
    registered = await tree.sync()
    await store.set_value(key, _fingerprint(await _payload_hash(tree), registered))
    log.info("registered %d commands", len(registered))
    return True


def memory_key(application_id: int | None) -> str:
    """Return under which key a store remembers what was registered."""
    return f"commands:{application_id}"


async def is_as_registered(
    tree: app_commands.CommandTree[Any], there: list[app_commands.AppCommand], remembered: str | None
) -> bool:
    """Return whether what Discord has is what was registered last, and that is what ``tree`` has."""
    return remembered == _fingerprint(await _payload_hash(tree), there)


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
    """Return a hash of what was registered and of what Discord says it has, translations left out.

    Translations stand in the first, but Discord's list has them only on request.
    """
    there = sorted(json.dumps(_untranslated({"id": c.id, **c.to_dict()}), sort_keys=True) for c in registered)
    return hashlib.sha256("".join((payload_hash, *there)).encode()).hexdigest()


def _untranslated(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {k: _untranslated(v) for k, v in value.items() if not str(k).endswith("_localizations")}
    if isinstance(value, list):
        return [_untranslated(v) for v in value]
    return value
