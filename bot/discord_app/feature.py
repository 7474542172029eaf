"""What a feature is: a class in a module of its own under ``features``."""

from __future__ import annotations

from bot.discord_app.commands import Commands
from bot.discord_app.context import App
from bot.discord_app.router import Router
from bot.discord_app.tables.posting import Tables


class Feature:
    """Commands and controls, and how they are answered. One object for each client."""

    def __init__(self, app: App, tables: Tables) -> None:
        self._app = app
        self._tables = tables

    def register(self, commands: Commands, router: Router) -> None:
        """Add the feature's commands and the ``custom_id`` patterns of its controls."""

    def start(self) -> None:
        """Begin work in the background, once the bot has logged in."""

    async def close(self) -> None:
        """End all work in the background."""
