"""The whole script: what is played, in order."""

from __future__ import annotations

from tests.wire.exchanges import (
    play_acesup,
    play_daily,
    play_friends,
    play_goodbye,
    play_klondike,
    play_pages,
    play_rare,
    play_thinking,
    play_trouble,
)
from tests.wire.exchanges.stage import Stage

ACTS = (
    play_klondike.play,
    play_acesup.play,
    play_pages.play,
    play_daily.play,
    play_friends.play,
    play_trouble.play,
    play_goodbye.play,
    play_thinking.play,
    play_rare.play,
)


async def play(stage: Stage) -> None:
    for act in ACTS:
        await act(stage)
