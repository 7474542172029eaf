"""Which message shows a game's table with its controls."""

from __future__ import annotations

from bot.storage import LiveTable, Store


class LiveTables:
    """One message for each game."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def of(self, game_id: int) -> LiveTable | None:
        """Return the message that has the game's controls, if any has."""
        return await self._store.live_table(game_id)

    async def place(self, game_id: int, table: LiveTable) -> LiveTable | None:
        """Note which message has the controls now; return the one that had them, if it is another."""
        before = await self._store.place_table(game_id, table)
        return before if before and before.message_id != table.message_id else None
