"""The composition root: the one place where a store, a service and a client are made."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager

from bot.clock import Clock, system_clock
from bot.config import Config, ConfigError
from bot.discord_app.client import BotClient
from bot.service import LIMITS, Cost, Limit, Services, SolverPool, Turn
from bot.storage import Store, open_store
from bot.telemetry.metrics import Metrics


def build_client(
    config: Config,
    clock: Clock = system_clock,
    solvers: SolverPool | None = None,
    limits: Mapping[Cost, Limit] = LIMITS,
) -> BotClient:
    """Return the whole bot, not yet started. It opens its store when it logs in and closes it in ``close``.

    Without ``solvers`` hints follow rules of thumb, and no best score is known. ``limits`` are each user's.

    :raises ConfigError: when the configuration names a store that there isn't.
    """
    metrics = Metrics()

    def count_turn(turn: Turn) -> None:
        metrics.turn(turn.position.record.game, turn.action.value)

    return BotClient(
        *_store_and_services(config, clock, solvers, limits, count_turn),
        metrics,
        shard_count=config.shard_count,
        shard_ids=config.shard_ids,
    )


@asynccontextmanager
async def open_services(config: Config, clock: Clock = system_clock) -> AsyncIterator[tuple[Store, Services]]:
    """Open the store, which must be there, without Discord: for the operator's own commands.

    :raises ConfigError: when the configuration names a store that there isn't.
    :raises StoreError: when it can't be opened.
    """
    store, services = _store_and_services(config, clock, must_exist=True)
    await store.open()
    try:
        yield store, services
    finally:
        await store.close()


def _store_and_services(
    config: Config,
    clock: Clock,
    solvers: SolverPool | None = None,
    limits: Mapping[Cost, Limit] = LIMITS,
    on_turn: Callable[[Turn], object] = lambda _: None,
    *,
    must_exist: bool = False,
) -> tuple[Store, Services]:
    try:
        store = open_store(config.database_url, must_exist=must_exist)
    except ValueError as error:
        raise ConfigError(str(error)) from None
    zone, secret = config.daily_zone, config.daily_secret
    return store, Services.over(
        store,
        clock,
        zone=zone,
        secret=secret,
        solvers=solvers,
        limits=limits,
        on_turn=on_turn,
        retention_days=config.retention_days,
    )
