"""Runs the bot on Discord until it is told to stop."""

from __future__ import annotations

import asyncio
import logging
import signal
import sys
from collections.abc import Callable

import aiohttp
import discord

from bot.app import build_client
from bot.config import Config, ConfigError
from bot.discord_app.client import BotClient
from bot.discord_app.transport.shards import NO_SUCH_SHARDS
from bot.operations.doctor.settings import ONE_PROCESS_ONLY
from bot.operations.exit_codes import FAILED, USAGE_ERROR
from bot.operations.health import Monitor
from bot.operations.logs import set_up_logging
from bot.operations.runtime import tune_interpreter
from bot.service import SolverPool
from bot.storage import StoreError, is_postgres

log = logging.getLogger("bot")

NO_TOKEN = (
    "DISCORD_TOKEN is not set. Put the bot's token into the environment or into .env (README, “On a real"
    " server”), or try the bot without one: scripts/play"
)
UNREACHABLE = "Discord can't be reached ({error}). Check the network."
BAD_TOKEN = "Discord does not accept DISCORD_TOKEN. Copy it again from the Developer Portal."
BAD_SHARDS = (
    "Discord does not accept these shards. `python -m bot doctor` shows how many it recommends; set"
    " SHARD_COUNT to that or more, to the same number in every process."
)


async def run(config: Config, new_solver_pool: Callable[[], SolverPool] = SolverPool) -> int:
    """Run the bot until SIGTERM or SIGINT; requests already received are answered first.

    :returns: the exit code. What went wrong is printed or logged.
    :raises ConfigError: when a setting can't be used.
    :raises StoreError: when the database can't be used.
    """
    if not config.token:
        print(NO_TOKEN, file=sys.stderr)
        return USAGE_ERROR
    set_up_logging(config)
    if config.is_part and not is_postgres(config.database_url):
        log.warning("%s", ONE_PROCESS_ONLY)
    tune_interpreter()
    async with (
        build_client(config, solvers=new_solver_pool()) as client,
        Monitor(client, config.metrics_port),
    ):
        running = asyncio.create_task(client.start(config.token))
        stop = asyncio.Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            asyncio.get_running_loop().add_signal_handler(number, stop.set)
        stopping = asyncio.create_task(_stop(stop, client, running))
        try:
            await running
        except asyncio.CancelledError:
            log.info("stopped")
        except (ConfigError, StoreError):
            raise
        except Exception as error:
            if reason := _known_reason(error):
                print(reason, file=sys.stderr)
            else:
                log.exception("the bot ended unexpectedly")
            return FAILED
        finally:
            stopping.cancel()
    return 0


def _known_reason(error: Exception) -> str:
    """Return what an operator can do about an error, or an empty text if it is unexpected."""
    if isinstance(error, aiohttp.ClientConnectionError):
        return UNREACHABLE.format(error=error)
    if isinstance(error, discord.LoginFailure):
        return BAD_TOKEN
    if isinstance(error, discord.ConnectionClosed) and error.code in NO_SUCH_SHARDS:
        return BAD_SHARDS
    return ""


async def _stop(told: asyncio.Event, client: BotClient, running: asyncio.Task[None]) -> None:
    """Wait for the signal to stop, finish the requests in flight, then end the client."""
    await told.wait()
    await client.in_flight.finish()
    running.cancel()
