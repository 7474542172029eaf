"""The command line: ``python -m bot`` runs the bot on Discord, ``python -m bot --help`` lists the commands.

Settings come from the environment and from a file ``.env`` in the current folder; the environment wins.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from dotenv import dotenv_values

from bot.config import Config, ConfigError
from bot.operations.backups import back_up, restore_backup
from bot.operations.doctor.checks import examine
from bot.operations.exit_codes import FAILED
from bot.operations.logs import set_up_logging
from bot.operations.migrate import migrate_store
from bot.operations.runtime import new_event_loop
from bot.operations.verify import verify
from bot.run import run
from bot.service import SolverPool
from bot.storage import StoreError


def main(
    arguments: Sequence[str] | None = None, new_solver_pool: Callable[[], SolverPool] = SolverPool
) -> int:
    """Run the given command, by default with the arguments of the process; return the exit code."""
    options = _parser().parse_args(arguments)
    if options.command == "migrate-store":  # needs no settings
        return migrate_store(options.source, options.target, is_copy=options.copy)
    try:
        config = Config.from_env(_environment())
        match options.command:
            case "verify":
                return asyncio.run(verify(config))
            case "doctor":
                return asyncio.run(_doctor(config))
            case "backup":
                return asyncio.run(back_up(config, options.file))
            case "restore":
                return asyncio.run(restore_backup(config, options.file))
            case "play" if not config.token:
                return _preview(config, options)
            case "play":
                print(
                    "DISCORD_TOKEN is set: starting the bot on Discord. (Locally: DISCORD_TOKEN="
                    " scripts/play)"
                )
        with asyncio.Runner(loop_factory=new_event_loop) as runner:
            return runner.run(run(config, new_solver_pool))
    except (ConfigError, StoreError) as error:
        print(error, file=sys.stderr)
        return FAILED
    except KeyboardInterrupt:
        return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m bot", description="A solitaire bot for Discord. Without a command, it runs the bot."
    )
    commands = parser.add_subparsers(dest="command", metavar="command")
    play = commands.add_parser("play", help="play in a local browser chat, or on Discord if a token is set")
    play.add_argument("--port", type=_port, default=8765, help="of the local page (default: %(default)s)")
    play.add_argument("--no-browser", action="store_true", help="only print the address of the local page")
    commands.add_parser("verify", help="replay every game on the leaderboards and compare the scores")
    commands.add_parser("doctor", help="check settings, database, pictures, clock and Discord")
    backup = commands.add_parser("backup", help="copy the database into a new file; the bot may be running")
    backup.add_argument("file", type=Path)
    restore = commands.add_parser("restore", help="replace the database by a backup; stop the bot first")
    restore.add_argument("file", type=Path)
    migrate = commands.add_parser(
        "migrate-store", help="copy all games into another database: from SQLite to PostgreSQL, or back"
    )
    migrate.add_argument(
        "--copy",
        action="store_true",
        help="only copy everything as it is now, as a backup; bots may be running",
    )
    migrate.add_argument("source", help="the address of the present database, as in DATABASE_URL")
    migrate.add_argument(
        "target", help="the address of an empty one, or of one that an earlier try was copying to"
    )
    return parser


def _port(text: str) -> int:
    if not (text.isascii() and text.isdigit() and int(text) <= 65_535):
        raise argparse.ArgumentTypeError(f"{text!r} is not a port; write a number from 0 to 65535")
    return int(text)


async def _doctor(config: Config) -> int:
    findings = await examine(config)
    for finding in findings:
        print(finding)
    return FAILED if any(finding.is_wrong for finding in findings) else 0


def _preview(config: Config, options: argparse.Namespace) -> int:
    # Imported here because a server need not install the extra it needs.
    from bot.preview import preview  # noqa: PLC0415

    set_up_logging(replace(config, log_level="WARNING"))  # leaves the terminal to the page's address
    return asyncio.run(preview(config, port=options.port, open_browser=not options.no_browser))


def _environment() -> dict[str, str]:
    try:
        file = {key: value for key, value in dotenv_values(".env").items() if value is not None}
    except UnicodeDecodeError:
        raise ConfigError("The file .env is not UTF-8 text; save it as UTF-8.") from None
    return {**file, **os.environ}


if __name__ == "__main__":
    sys.exit(main())
