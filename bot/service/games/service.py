"""Everything a user can do with games of their own."""

from __future__ import annotations

from bot.service.games.dealing import Dealing
from bot.service.games.hints import Hints
from bot.service.games.moves import Moves


class GameService(Dealing, Moves, Hints):
    """Deals, moves and hints over one store."""
