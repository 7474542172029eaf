"""What every store can do for the processes that share it: let one of them do what is to be done once."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from typing import Protocol


class Alone(Protocol):
    """Lets one process at a time do something; see :meth:`AloneStore.alone`."""

    def __call__(self, what: str, *, waits: bool = False) -> AbstractAsyncContextManager[bool]:
        """Return a block in which nobody else does ``what``."""


class AloneStore(Protocol):
    """Lets one process at a time do something."""

    def alone(self, what: str, *, waits: bool = False) -> AbstractAsyncContextManager[bool]:
        """Return a block that one task at a time is in, of all processes over this database.

        It gives True to whoever is in it alone. Where somebody else is, it gives False at once, and the block
        must do nothing; with ``waits`` it waits instead until they have left. Who dies in it has left it. A
        process that lost the database may still be in it when the next one enters, so what is done there has
        to be harmless when done twice; it is alone to spare work.

        :raises NotKept: when the database can't be asked.
        """
