"""The games this program plays: one file and one line each."""

from __future__ import annotations

from typing import Any

from engine.game import Game
from engine.games.acesup import AcesUp
from engine.games.klondike import Klondike

GAMES: dict[str, Game[Any, Any]] = {
    game.key: game
    for game in (
        Klondike(),
        AcesUp(),
    )
}
"""Every game by its key, in menu order."""
