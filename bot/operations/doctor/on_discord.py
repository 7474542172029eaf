"""What the doctor asks Discord: token, installation, permissions, commands. Nothing is changed by it."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from typing import Any

import aiohttp
import discord
from discord import app_commands

from bot.app import build_client
from bot.config import Config
from bot.discord_app.localisation import FluentTranslator
from bot.discord_app.transport.shards import recommendation
from bot.discord_app.transport.sync import is_as_registered, memory_key
from bot.operations.doctor.findings import Finding, named, wrong
from bot.operations.doctor.postgres import recalled_by_postgres
from bot.storage import is_postgres, sqlite_path

OFFLINE = "Is there a network? The bot needs discord.com, port 443."
TIMEOUT_S = 10.0

_NEEDED = ("view_channel", "send_messages", "attach_files")
_MAX_SERVERS = 200  # Discord tells of so many at a time


async def look_at_discord(config: Config) -> list[Finding]:
    """Log in as the bot, without connecting to the gateway, and look around."""
    if not config.token:
        return []
    client = discord.Client(intents=discord.Intents.none())
    try:
        async with asyncio.timeout(TIMEOUT_S):
            await client.login(config.token)
            info = await client.application_info()
            shards = await recommendation(client.http, insists=False)
            servers = await client.http.get_guilds(_MAX_SERVERS)
            commands = await _commands(client, config)
    except discord.LoginFailure:
        return wrong("Discord", "it does not accept the token", "Copy DISCORD_TOKEN anew from its web page.")
    except (discord.HTTPException, aiohttp.ClientError, TimeoutError, OSError) as error:
        return [Finding("Discord", f"not asked ({named(error)})", OFFLINE)]
    finally:
        await client.close()
    token = Finding("Discord", f"the token is that of {client.user}")
    looked_at = [*_shards(config, shards), *_installation(info), *_invitation(info), *_servers(servers)]
    return [token, *looked_at, *commands]


def _shards(config: Config, advised: tuple[int, discord.SessionStartLimits] | None) -> list[Finding]:
    """Look at how many shards Discord recommends, and how many more sessions it lets them begin."""
    if advised is None:
        return [Finding("shards", "Discord does not say how many it recommends")]
    count, limits = advised
    how = (
        f"Discord recommends {count}, lets {limits.max_concurrency} begin in 5 s, and {limits.remaining} of"
        f" {limits.total} more within {limits.reset_after / 3_600_000:.1f} h"
    )
    ours = config.shard_count or count
    if ours < count:
        return [Finding("shards", f"{how}; SHARD_COUNT is {ours}", f"Set SHARD_COUNT to {count} or more.")]
    if limits.remaining < ours:
        cure = "Find out why it starts so often, and wait: who begins too many sessions loses the token."
        return [Finding("shards", how, cure)]
    return [Finding("shards", how)]


def _installation(info: discord.AppInfo) -> list[Finding]:
    """Look at who may install the bot, where Discord says so."""
    ways = {"servers": info.guild_integration_config, "users": info.user_integration_config}
    missing = [name for name, way in ways.items() if way is None]
    if len(missing) == len(ways):
        return []
    if missing:
        cure = "Installation → Installation Contexts: tick both, to be of use to everybody."
        return [Finding("installation", f"not offered to {missing[0]}", cure)]
    return [Finding("installation", "offered to servers and users")]


def _invitation(info: discord.AppInfo) -> list[Finding]:
    """Look at what a server that invites the bot lets it do."""
    params = info.install_params
    if params is None and info.guild_integration_config is not None:
        params = info.guild_integration_config.oauth2_install_params
    if params is None:
        return [Finding("permissions", "no invitation is set up")]
    missing = _missing(params.permissions)
    if missing:
        cure = f"Installation → Default Install Settings: add {missing}. Daily posts and pictures need them."
        return [Finding("permissions", f"the invitation lacks {missing}", cure)]
    return [Finding("permissions", "the invitation has what is needed")]


def _servers(servers: list[Any]) -> list[Finding]:
    """Look at what the bot's roles let it do in each server that it is in; channels may say otherwise."""
    lacking = {
        server["name"]: missing
        for server in servers
        if (missing := _missing(discord.Permissions(int(server["permissions"]))))
    }
    count = f"{len(servers)}{' or more' if len(servers) == _MAX_SERVERS else ''} servers"
    if not lacking:
        return [Finding("servers", f"in {count}, with what is needed" if servers else "in none yet")]
    name, missing = next(iter(lacking.items()))
    cure = "Server Settings → Roles → the bot's role. Where pictures can't be sent, tables come in words."
    return [Finding("servers", f"in {count}; {len(lacking)} lack rights: {name} {missing}", cure)]


def _missing(permissions: discord.Permissions) -> str:
    """Return the names of what is needed and not allowed, as Discord's pages have them."""
    if permissions.administrator:
        return ""
    names = [name for name in _NEEDED if not getattr(permissions, name)]
    return " and ".join(name.replace("_", " ").title() for name in names)


async def _commands(client: discord.Client, config: Config) -> list[Finding]:
    """Compare the commands that Discord has with this version's."""
    tree = build_client(config).tree
    await tree.set_translator(FluentTranslator())
    registered = await app_commands.CommandTree(client).fetch_commands()
    remembered = await _recalled(config, memory_key(client.application_id))
    if await is_as_registered(tree, registered, remembered):
        return [Finding("commands", f"{len(registered)} registered, as in this version")]
    ours, theirs = {c.name for c in tree.get_commands()}, {c.name for c in registered}
    parts = (("missing", ours - theirs), ("left over", theirs - ours))
    how = "; ".join(f"{what}: {', '.join(sorted(names))}" for what, names in parts if names)
    return [
        Finding("commands", how or "not known to be this version's", "The next start registers them anew.")
    ]


async def _recalled(config: Config, key: str) -> str | None:
    """Return what the database remembers under a key, if there is one."""
    if is_postgres(config.database_url):
        return await recalled_by_postgres(config.database_url, key)
    return await asyncio.to_thread(_recalled_by_sqlite, config, key)


def _recalled_by_sqlite(config: Config, key: str) -> str | None:
    try:
        uri = f"{sqlite_path(config.database_url).absolute().as_uri()}?mode=ro"
        with closing(sqlite3.connect(uri, uri=True, timeout=5)) as db:
            row = db.execute("SELECT value FROM memory WHERE key = ?", (key,)).fetchone()
    except (sqlite3.Error, ValueError):
        return None  # said elsewhere
    return None if row is None else str(row[0])
