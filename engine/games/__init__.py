"""The games that can be played: one file and one line each."""

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
"""All games by key, in menu order."""
