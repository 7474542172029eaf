"""The composition root: the one place where a store, a service and a client are made."""

from __future__ import annotations

from bot.clock import Clock, system_clock
from bot.config import Config, ConfigError
from bot.discord_app.client import SolitaireClient
from bot.service import Services
from bot.storage import open_store


def build_client(config: Config, clock: Clock = system_clock) -> SolitaireClient:
    """Return the whole bot, not yet started. It opens its store when it logs in and closes it in ``close``.

    :raises ConfigError: when the configuration names a store that there isn't.
    """
    try:
        store = open_store(config.database_url)
    except ValueError as error:
        raise ConfigError(str(error)) from None
    services = Services.over(store, clock, zone=config.daily_zone, secret=config.daily_secret)
    return SolitaireClient(store, services)
