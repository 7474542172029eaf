"""``python -m bot`` runs the bot on Discord; ``python -m bot play`` without a token in a local browser chat;
``verify`` proves the leaderboards, ``doctor`` says what is wrong with the set-up, ``backup FILE`` and
``restore FILE`` copy the database, ``migrate-store FROM TO`` moves it into another one.

Settings come from the environment and from a file ``.env`` in the current folder; the environment wins.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import os
import signal
import sys
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import aiohttp
import discord
from dotenv import dotenv_values

from bot.app import build_client, open_services
from bot.config import Config, ConfigError
from bot.discord_app.client import BotClient
from bot.discord_app.transport.shards import NO_SUCH_SHARDS
from bot.operations.doctor.examine import ALONE_WITH_ITS_FILE, examine
from bot.operations.health import Monitor
from bot.operations.housekeeping import new_event_loop, settle
from bot.operations.migrate import migrate_store
from bot.service import SolverPool
from bot.service.proof import prove
from bot.storage import StoreError, backup, is_postgres, restore, sqlite_path
from bot.telemetry.log import set_up_logging

log = logging.getLogger("bot")

TROUBLE = 1  # exit codes
MISUSE = 2


def main(arguments: Sequence[str] | None = None) -> int:
    """Run what the command line asks for; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m bot", description="A solitaire bot for Discord.")
    commands = parser.add_subparsers(dest="command", metavar="command")
    play = commands.add_parser("play", help="play in a local browser chat, or on Discord if there is a token")
    play.add_argument("--port", type=_port, default=8765, help="of the local page (default: %(default)s)")
    play.add_argument("--no-browser", action="store_true", help="only print the address of the local page")
    commands.add_parser("verify", help="play every game on the leaderboards through again")
    commands.add_parser("doctor", help="look at settings, database, pictures, clock and Discord")
    saving = commands.add_parser("backup", help="copy the database into a new file, also while the bot runs")
    saving.add_argument("file", type=Path)
    restoring = commands.add_parser(
        "restore", help="put a backup in the database's place; stop the bot first"
    )
    restoring.add_argument("file", type=Path)
    moving = commands.add_parser(
        "migrate-store", help="copy all games into another database: from SQLite to PostgreSQL, or back"
    )
    moving.add_argument(
        "--copy", action="store_true", help="only copy all as it is now, for a backup: bots may play on"
    )
    moving.add_argument("source", help="the address of the database there is, as in DATABASE_URL")
    moving.add_argument("target", help="the address of an empty one, or where an earlier try ended")
    options = parser.parse_args(arguments)
    if options.command == "migrate-store":
        return migrate_store(options.source, options.target, is_copy=options.copy)
    try:
        config = Config.from_env(_environment())
        if options.command == "play" and not config.token:
            # Imported here because a server need not install the extra that it needs.
            from bot.preview import preview  # noqa: PLC0415

            _set_up_logging(
                replace(config, log_level="WARNING")
            )  # the terminal belongs to the page's address
            return asyncio.run(preview(config, port=options.port, open_browser=not options.no_browser))
        if options.command in _OPERATIONS:
            return asyncio.run(_OPERATIONS[options.command](config, options))
        if options.command == "play":
            print("DISCORD_TOKEN is set: starting the bot on Discord. (Locally: DISCORD_TOKEN= scripts/play)")
        with asyncio.Runner(loop_factory=new_event_loop) as runner:
            return runner.run(_serve(config))
    except (ConfigError, StoreError) as error:
        print(error, file=sys.stderr)
        return TROUBLE
    except KeyboardInterrupt:
        return 0


async def _serve(config: Config) -> int:
    """Run the bot on Discord until it is told to stop."""
    if not config.token:
        print(
            "DISCORD_TOKEN is not set. Put the bot's token into the environment or into .env (README, “On a"
            " real server”), or try the bot without one: scripts/play",
            file=sys.stderr,
        )
        return MISUSE
    _set_up_logging(config)
    if config.is_part and not is_postgres(config.database_url):
        log.warning("%s", ALONE_WITH_ITS_FILE)
    settle()
    async with build_client(config, solvers=SolverPool()) as client, Monitor(client, config.metrics_port):
        running = asyncio.create_task(client.start(config.token))
        stop = asyncio.Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            asyncio.get_running_loop().add_signal_handler(number, stop.set)
        stopping = asyncio.create_task(_stop(stop, client, running))
        try:
            await running
        except asyncio.CancelledError:
            log.info("stopped")
        except aiohttp.ClientConnectionError as error:
            print(f"Discord can't be reached ({error}). Is there a network?", file=sys.stderr)
            return TROUBLE
        except discord.LoginFailure:
            print("Discord does not accept DISCORD_TOKEN. Copy it anew from its web page.", file=sys.stderr)
            return TROUBLE
        except (ConfigError, StoreError):
            raise
        except Exception as error:
            if not (isinstance(error, discord.ConnectionClosed) and error.code in NO_SUCH_SHARDS):
                log.exception("the bot ended, which it should not")
                return TROUBLE
            print(
                "Discord does not take these shards. `python -m bot doctor` says how many it recommends; set"
                " SHARD_COUNT to that or more, in every process alike.",
                file=sys.stderr,
            )
            return TROUBLE
        finally:
            stopping.cancel()
    return 0


async def _stop(told: asyncio.Event, client: BotClient, running: asyncio.Task[None]) -> None:
    """Once told to, finish what is under way, then let the client go."""
    await told.wait()
    await client.in_flight.finish()
    running.cancel()


async def _backup(config: Config, options: argparse.Namespace) -> int:
    """Copy the database, and say what is in the copy."""
    games = await backup(_path(config), options.file)
    print(f"{options.file} has all {games} games. Keep it secret: the coming daily deals follow from it.")
    return 0


async def _restore(config: Config, options: argparse.Namespace) -> int:
    """Put a backup in the database's place, and say where that is now."""
    path = _path(config)
    aside = await restore(options.file, path)
    print(f"{path} now holds what {options.file} does.")
    if aside is not None:
        print(f"What it held before is in {aside}.")
    return 0


def _path(config: Config) -> Path:
    if is_postgres(config.database_url):
        raise ConfigError(
            "DATABASE_URL names a PostgreSQL database: copy it with pg_dump, or into an SQLite file with "
            "python -m bot migrate-store (docs/moving.md)"
        )
    try:
        return sqlite_path(config.database_url)
    except ValueError as error:
        raise ConfigError(str(error)) from None


async def _doctor(config: Config, _: argparse.Namespace) -> int:
    """Look at all that the bot needs, and say what to do about what is wrong."""
    findings = await examine(config)
    for finding in findings:
        print(finding)
    return TROUBLE if any(finding.is_wrong for finding in findings) else 0


async def _verify(config: Config, _: argparse.Namespace) -> int:
    """Prove the leaderboards, and say what is wrong with them."""
    async with open_services(config) as (store, services):
        proof = await prove(store, services.daily)
    for problem in proof.problems:
        print(problem, file=sys.stderr)
    print(
        f"{proof.results} results: {proof.results - proof.forgotten - len(proof.problems)} proved, "
        f"{proof.forgotten} of players who asked to be forgotten, {len(proof.problems)} wrong"
    )
    return TROUBLE if proof.problems else 0


_OPERATIONS: dict[str, Callable[[Config, argparse.Namespace], Coroutine[Any, Any, int]]] = {
    "verify": _verify,
    "doctor": _doctor,
    "backup": _backup,
    "restore": _restore,
}


def _set_up_logging(config: Config) -> None:
    set_up_logging(config)
    for name in ("discord.client", "discord.state"):
        logging.getLogger(name).addFilter(_is_news)


def _is_news(record: logging.LogRecord) -> bool:
    """Keep back discord.py's advice to ask for the guilds intent and for voice: this bot does without."""
    said = record.getMessage()
    return "intent seems to be disabled" not in said and "voice will NOT be supported" not in said


def _port(text: str) -> int:
    if not (text.isascii() and text.isdigit() and int(text) <= 65_535):
        raise argparse.ArgumentTypeError(f"{text!r} is no port; write a number from 0 to 65535")
    return int(text)


def _environment() -> dict[str, str]:
    try:
        file = {key: value for key, value in dotenv_values(".env").items() if value is not None}
    except UnicodeDecodeError:
        raise ConfigError("The file .env is not UTF-8 text; save it as UTF-8.") from None
    return {**file, **os.environ}


if __name__ == "__main__":
    sys.exit(main())
