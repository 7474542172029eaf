"""How each user likes it: language, private tables, tables in words, the deck."""

from __future__ import annotations

from dataclasses import asdict

from bot.storage import Settings, Store


class SettingsService:
    """Users' settings over one store."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def of(self, user_id: int) -> Settings:
        """Return a user's settings, the defaults if they have chosen none."""
        return await self._store.load_settings(user_id)

    async def change(self, user_id: int, name: str, value: str | bool) -> Settings:  # noqa: FBT001
        """Change one field of a user's settings, and return the settings as they are then."""
        changed = Settings()

        def change(chosen: Settings) -> Settings:
            nonlocal changed
            changed = Settings(**(asdict(chosen) | {name: value}))
            return changed

        # Two switches pressed at once, possibly in two processes, must both be kept.
        await self._store.change_settings(user_id, change)
        return changed
