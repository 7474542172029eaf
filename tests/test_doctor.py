"""What the doctor says about files, pictures, the port of the metrics, and the bot's place at Discord."""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import AsyncIterator
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import Any

import discord
import pytest
import pytest_asyncio

from bot.app import build_client
from bot.config import Config, LogFormat
from bot.discord_app.client import BotClient
from bot.operations.doctor.discord import check_discord
from bot.operations.doctor.files import check_file_permissions
from bot.operations.doctor.finding import Finding
from bot.operations.doctor.installation import check_pictures
from bot.operations.doctor.metrics_port import check_metrics_port
from bot.operations.doctor.settings import check_processes, check_settings
from bot.operations.health import Monitor
from bot.render import deck_check
from tests.discord_app.pressing import open_wire
from tests.wire.standin import StandIn

ALL = str(discord.Permissions(view_channel=True, send_messages=True, attach_files=True).value)
SOME = str(discord.Permissions(view_channel=True, send_messages=True).value)


def config_in(folder: Path, **about: Any) -> Config:
    return Config(database_url=f"sqlite:///{folder}/games.sqlite3", **about)


# Settings and files


async def test_it_names_the_level_and_the_format_of_the_log(tmp_path: Path) -> None:
    [finding] = await check_settings(config_in(tmp_path, log_format=LogFormat.JSON, log_level="ERROR"))
    assert "log level ERROR, log format json" in str(finding)


async def test_it_says_for_how_long_unfinished_games_are_kept(tmp_path: Path) -> None:
    for days, said in ((365, "unfinished games kept for 365 days"), (None, "unfinished games kept for ever")):
        [finding] = await check_settings(config_in(tmp_path, retention_days=days))
        assert said in str(finding)


async def test_processes_that_share_no_database_are_told_to(tmp_path: Path) -> None:
    part = config_in(tmp_path, shard_count=4, shard_ids=(0, 1))
    [finding] = await check_processes(part)
    assert finding.is_wrong
    assert "PostgreSQL" in finding.advice
    for whole in (
        config_in(tmp_path),
        config_in(tmp_path, shard_count=4),
        config_in(tmp_path, shard_count=2, shard_ids=(0, 1)),
        replace(part, database_url="postgresql://bot@host/games"),
    ):
        assert await check_processes(whole) == []


@pytest.mark.skipif(os.name != "posix", reason="permissions of files (no POSIX)")
async def test_files_that_others_can_read_are_named_with_the_cure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    config = config_in(tmp_path)
    secret = [tmp_path / "games.sqlite3", tmp_path / "games.sqlite3-wal", Path(".env")]
    assert await check_file_permissions(config) == []  # nothing is there yet
    for file in secret:
        file.touch()
        file.chmod(0o600)
    assert await check_file_permissions(config) == []
    for mode, file in ((0o640, secret[0]), (0o604, secret[1]), (0o644, secret[2])):
        file.chmod(mode)
        [finding] = await check_file_permissions(config)
        assert str(file) in finding.state
        assert finding.advice.startswith("If there are any: chmod 600")
        assert not finding.is_wrong
    for file in secret:
        assert str(file) in finding.advice
        file.chmod(0o600)
    assert await check_file_permissions(config) == []


# Pictures


def test_all_pictures_of_cards_are_there() -> None:
    count, size_bytes = deck_check.check_decks()
    assert count == 4 * 4 * (52 + 1 + 9)
    assert size_bytes > 0


@pytest.mark.parametrize("fault", ["missing", "another size", "no picture"])
async def test_a_picture_that_is_not_as_it_should_be_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: str
) -> None:
    original = files("cards_png")

    class Folder:
        """cards_png, with one file spoilt."""

        def __init__(self, path: Any = original) -> None:
            self.path = path

        def __truediv__(self, name: str) -> Any:
            path = self.path / name
            if name != "QS.png" or "four_colours_large" not in str(path):
                return Folder(path) if not name.endswith(".png") else path
            spoilt = tmp_path / name
            if fault == "another size":
                spoilt.write_bytes((self.path.parent / "104" / "QS.png").read_bytes())
            elif fault == "no picture":
                spoilt.write_bytes(b"milk and bread")
            return spoilt

    monkeypatch.setattr("bot.render.deck_check.files", lambda _: Folder())
    [finding] = await check_pictures(Config())
    assert finding.is_wrong
    assert "QS.png" in finding.state or "identify" in finding.state
    assert "Reinstall" in finding.advice


# The port of the metrics


@pytest.fixture
def port() -> int:
    """A port that was free a moment ago."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


async def test_a_free_port_is_free(tmp_path: Path, port: int) -> None:
    [finding] = await check_metrics_port(config_in(tmp_path, metrics_port=port))
    assert str(finding) == f"ok     metrics: port {port} is free"
    assert await check_metrics_port(config_in(tmp_path)) == []


async def test_a_port_that_another_program_has_is_wrong(tmp_path: Path, port: int) -> None:
    async def hang_up(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.close()

    async with await asyncio.start_server(hang_up, "127.0.0.1", port):
        [finding] = await check_metrics_port(config_in(tmp_path, metrics_port=port))
    assert finding.is_wrong
    assert f"{port} is in use" in finding.state


async def test_a_port_that_the_bot_itself_has_is_right_and_tells_how_it_is(tmp_path: Path, port: int) -> None:
    config = config_in(tmp_path, metrics_port=port)
    async with Monitor(build_client(config), port):
        [finding] = await check_metrics_port(config)
    assert not finding.is_wrong
    assert "not connected to Discord's gateway" in finding.state


# Discord


@pytest_asyncio.fixture
async def registered(tmp_path: Path) -> AsyncIterator[tuple[StandIn, Config]]:
    """A stand-in at which the bot has been, and goes on running."""
    async with open_wire(tmp_path) as wire:
        yield wire.standin, config_in(tmp_path, token="token")


async def findings(standin: StandIn, config: Config, servers: list[dict[str, Any]]) -> dict[str, Finding]:
    standin.answer_with("GET", "/users/@me/guilds", 200, servers)
    return {finding.subject: finding for finding in await check_discord(config)}


async def test_commands_that_are_registered_are_as_in_this_version_and_nothing_is_changed(
    registered: tuple[StandIn, Config],
) -> None:
    standin, config = registered
    before = standin.commands
    found = await findings(standin, config, [{"name": "Kabal", "permissions": ALL}])
    assert "registered, as in this version" in found["commands"].state
    assert "in 1 servers, with the permissions it needs" in found["servers"].state
    assert standin.commands == before
    assert not any(finding.is_wrong for finding in found.values())


@pytest.mark.parametrize(
    ("recommended", "remaining", "ours", "cure"),
    [
        (1, 1000, None, ""),
        (16, 1000, None, ""),
        (16, 1000, 16, ""),
        (16, 1000, 32, ""),
        (16, 1000, 8, "Set SHARD_COUNT to 16 or more."),
        (16, 15, 16, "resets the token"),
        (16, 15, None, "resets the token"),
    ],
)
async def test_the_doctor_knows_how_many_shards_discord_recommends(
    registered: tuple[StandIn, Config], recommended: int, remaining: int, ours: int | None, cure: str
) -> None:
    standin, config = registered
    standin.rest.shards = recommended
    standin.rest.session_start_limit |= {
        "remaining": remaining,
        "max_concurrency": 2,
        "reset_after": 7_200_000,
    }
    found = (await findings(standin, replace(config, shard_count=ours), []))["shards"]
    for fact in (f"recommends {recommended},", "lets 2 start every 5 s", f"{remaining} of 1000", "2.0 h"):
        assert fact in found.state
    assert cure in found.advice if cure else found.advice == ""


async def test_where_discord_says_nothing_of_shards_the_doctor_says_so(
    registered: tuple[StandIn, Config],
) -> None:
    standin, config = registered
    standin.answer_with("GET", "/gateway/bot", 403, {"code": 0, "message": "no"})
    found = await findings(standin, config, [])
    assert "does not say" in found["shards"].state
    assert "commands" in found


async def test_commands_of_another_version_are_told_apart(
    registered: tuple[StandIn, Config], monkeypatch: pytest.MonkeyPatch
) -> None:
    standin, config = registered

    def fewer(config: Config) -> BotClient:
        client = build_client(config)
        client.tree.remove_command("draw")
        return client

    monkeypatch.setattr("bot.operations.doctor.discord.build_client", fewer)
    found = await findings(standin, config, [])
    assert found["commands"].state == "left over: draw"
    assert "next start" in found["commands"].advice


async def test_without_the_database_nobody_knows_what_was_registered(
    registered: tuple[StandIn, Config], tmp_path: Path
) -> None:
    standin, _ = registered
    found = await findings(standin, config_in(tmp_path / "elsewhere", token="token"), [])
    assert found["commands"].state == "not known to be this version's"


async def test_rights_that_a_server_does_not_give_are_named(registered: tuple[StandIn, Config]) -> None:
    standin, config = registered
    servers = [{"name": "Kabal", "permissions": ALL}, {"name": "Patience", "permissions": SOME}]
    found = await findings(standin, config, servers)
    assert "in 2 servers; permissions are missing in 1: Patience Attach Files" in found["servers"].state
    assert found["servers"].advice


async def test_an_administrator_lacks_nothing(registered: tuple[StandIn, Config]) -> None:
    standin, config = registered
    administrator = str(discord.Permissions(administrator=True).value)
    found = await findings(standin, config, [{"name": "Kabal", "permissions": administrator}])
    assert found["servers"].advice == ""


async def test_a_discord_that_fails_is_said_to_fail(registered: tuple[StandIn, Config]) -> None:
    standin, config = registered
    standin.answer_with("GET", "/users/@me/guilds", 403, {"code": 20001, "message": "Bots can't"})
    [finding] = await check_discord(config)
    assert "not checked" in finding.state
    assert not finding.is_wrong
