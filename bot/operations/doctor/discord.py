"""Checks the bot's place at Discord: token, shards, installation, permissions, commands."""

from __future__ import annotations

import asyncio
from typing import Any

import aiohttp
import discord
from discord import app_commands

from bot.app import build_client
from bot.config import Config
from bot.discord_app.localisation import FluentTranslator
from bot.discord_app.transport.shards import recommendation
from bot.discord_app.transport.sync import is_as_registered, memory_key
from bot.operations.doctor.database import stored_value
from bot.operations.doctor.finding import Finding, wrong
from bot.telemetry.error_reports import describe

OFFLINE = "Check the network: the bot needs discord.com, port 443."
TIMEOUT_S = 10.0

_NEEDED_PERMISSIONS = ("view_channel", "send_messages", "attach_files")
_MAX_SERVERS = 200  # Discord lists at most this many at a time


async def check_discord(config: Config) -> list[Finding]:
    """Log in as the bot, without connecting to the gateway, and check everything the REST API tells."""
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
        return wrong(
            "Discord", "the token is not accepted", "Copy DISCORD_TOKEN again from the Developer Portal."
        )
    except (discord.HTTPException, aiohttp.ClientError, TimeoutError, OSError) as error:
        return [Finding("Discord", f"not checked ({describe(error)})", OFFLINE)]
    finally:
        await client.close()
    token = Finding("Discord", f"the token belongs to {client.user}")
    return [
        token,
        *_shards(config, shards),
        *_installation(info),
        *_invitation(info),
        *_servers(servers),
        *commands,
    ]


def _shards(config: Config, recommended: tuple[int, discord.SessionStartLimits] | None) -> list[Finding]:
    """Report how many shards Discord recommends and how many more sessions it allows."""
    if recommended is None:
        return [Finding("shards", "Discord does not say how many it recommends")]
    count, limits = recommended
    state = (
        f"Discord recommends {count}, lets {limits.max_concurrency} start every 5 s, and allows"
        f" {limits.remaining} of {limits.total} more starts within {limits.reset_after / 3_600_000:.1f} h"
    )
    ours = config.shard_count or count
    if ours < count:
        return [Finding("shards", f"{state}; SHARD_COUNT is {ours}", f"Set SHARD_COUNT to {count} or more.")]
    if limits.remaining < ours:
        advice = "Find out why it starts so often, and wait: Discord resets the token after too many starts."
        return [Finding("shards", state, advice)]
    return [Finding("shards", state)]


def _installation(info: discord.AppInfo) -> list[Finding]:
    """Report who can install the bot, where Discord says so."""
    contexts = {"servers": info.guild_integration_config, "users": info.user_integration_config}
    missing = [name for name, config in contexts.items() if config is None]
    if len(missing) == len(contexts):
        return []
    if missing:
        advice = "Developer Portal → Installation → Installation Contexts: tick both."
        return [Finding("installation", f"not offered to {missing[0]}", advice)]
    return [Finding("installation", "offered to servers and users")]


def _invitation(info: discord.AppInfo) -> list[Finding]:
    """Report the permissions that the install link asks for."""
    params = info.install_params
    if params is None and info.guild_integration_config is not None:
        params = info.guild_integration_config.oauth2_install_params
    if params is None:
        return [Finding("permissions", "no install link is set up")]
    missing = _missing(params.permissions)
    if missing:
        advice = (
            f"Installation → Default Install Settings: add {missing}, needed for daily posts and pictures."
        )
        return [Finding("permissions", f"the install link lacks {missing}", advice)]
    return [Finding("permissions", "the install link asks for what is needed")]


def _servers(servers: list[Any]) -> list[Finding]:
    """Report what the bot's roles allow in each server it is in; channels may override them."""
    lacking = {
        server["name"]: missing
        for server in servers
        if (missing := _missing(discord.Permissions(int(server["permissions"]))))
    }
    count = f"{len(servers)}{' or more' if len(servers) == _MAX_SERVERS else ''} servers"
    if not lacking:
        return [
            Finding("servers", f"in {count}, with the permissions it needs" if servers else "in none yet")
        ]
    name, missing = next(iter(lacking.items()))
    advice = "Server Settings → Roles → the bot's role. Where it can't send pictures, it sends text."
    state = f"in {count}; permissions are missing in {len(lacking)}: {name} {missing}"
    return [Finding("servers", state, advice)]


def _missing(permissions: discord.Permissions) -> str:
    """Return the names of the permissions that are needed and not granted, as Discord's pages spell them."""
    if permissions.administrator:
        return ""
    names = [name for name in _NEEDED_PERMISSIONS if not getattr(permissions, name)]
    return " and ".join(name.replace("_", " ").title() for name in names)


async def _commands(client: discord.Client, config: Config) -> list[Finding]:
    """Compare the registered commands with those of this version."""
    tree = build_client(config).tree
    await tree.set_translator(FluentTranslator())
    registered = await app_commands.CommandTree(client).fetch_commands()
    stored = await stored_value(config, memory_key(client.application_id))
    if await is_as_registered(tree, registered, stored):
        return [Finding("commands", f"{len(registered)} registered, as in this version")]
    ours, theirs = {c.name for c in tree.get_commands()}, {c.name for c in registered}
    parts = (("missing", ours - theirs), ("left over", theirs - ours))
    state = "; ".join(f"{what}: {', '.join(sorted(names))}" for what, names in parts if names)
    state = state or "not known to be this version's"
    return [Finding("commands", state, "The next start registers them again.")]
