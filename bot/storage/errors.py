"""What a store raises."""

from __future__ import annotations


class StoreError(Exception):
    """The store can't be used; the message says what is wrong and what to do."""


class StorageUnavailable(StoreError):
    """The store can't be read or written now (disk full, no permission, server away); nothing was changed."""


class StorageCorrupt(StoreError):
    """The stored data can't be read any more; restore a backup."""


class RevisionConflict(Exception):
    """The game was changed since the revision that the caller knew; nothing was written."""


class AlreadyExists(Exception):
    """What may exist once exists already: a day's game, or a player's game in a challenge."""
