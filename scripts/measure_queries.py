"""What PostgreSQL is asked for a turn. Each query is a way there and back."""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from scripts.measure_wire import ANSWER_TIMEOUT_S, CHANNEL, GUILD, PLAYER, MeasuredBot
from tests.postgres import schema
from tests.wire.interactions import Interaction
from tests.wire.payloads import Message, walk
from tests.wire.standin import StandIn

_TABLE = re.compile(r"(?:FROM|INTO|UPDATE) (\w+)")
_SIGNS = {"(number)": "nextval", "(lock)": " FOR NO KEY UPDATE", "(user's lock)": "advisory"}
_SETTLED_S = 0.3  # what a turn is followed by has come to its end


async def measure_queries(url: str, turns: int) -> dict[str, Any]:
    """Return how many queries a press on Draw, ``/draw`` and ``/new`` take, and which; on average of so many.

    The queries of a kind of turn are told in short, such as ``UPDATE games``, with how often each comes.
    """
    async with schema(url) as own, StandIn(checked=False) as standin:
        standin.add_guild(GUILD, CHANNEL)
        bot = await MeasuredBot.started(standin.url, DATABASE_URL=own, COUNT_QUERIES="1")
        try:
            await standin.connected(60)
            message = await _shown(_type(standin, "new", game="klondike", seed="1"))

            async def press() -> None:
                nonlocal message
                controls = [part.get("custom_id", "") for part in walk(message.payload["components"])]
                draw = next(control for control in controls if control.endswith(":draw"))
                message = await _shown(standin.press(message, draw, user=PLAYER))

            async def draw() -> None:
                await _shown(_type(standin, "draw"))

            async def new() -> None:
                await _shown(_type(standin, "new", game="klondike"))

            return {
                **await _asked(bot, "press", press, turns),
                **await _asked(bot, "draw", draw, turns),
                **await _asked(bot, "new", new, turns),
            }
        finally:
            await bot.end()


async def _asked(
    bot: MeasuredBot, name: str, turn: Callable[[], Awaitable[None]], turns: int
) -> dict[str, Any]:
    await turn()  # the first of a kind asks for what is then known
    await asyncio.sleep(_SETTLED_S)
    await bot.order("calls")
    for _ in range(turns):
        await turn()
    await asyncio.sleep(_SETTLED_S)
    asked = _in_short((await bot.order("report"))["queries"])
    # What the bot asks by the clock is no turn's.
    queries = {query: times / turns for query, times in asked.most_common() if times >= turns / 2}
    return {f"queries_per_{name}": sum(queries.values()), f"queries_of_{name}": queries}


def _in_short(queries: Mapping[str, int]) -> Counter[str]:
    """Return how often each kind of query was asked, by what it does and to which table."""
    short: Counter[str] = Counter()
    for query, times in queries.items():
        verb = query.split()[0].rstrip(";")
        found = _TABLE.search(query)
        about = [found[1]] if found else []
        about += [word for word, sign in _SIGNS.items() if sign in query]
        short[" ".join([verb, *about])] += times
    return short


def _type(standin: StandIn, command: str, **options: str) -> Awaitable[Interaction]:
    return standin.interact(command, options, user=PLAYER, guild_id=GUILD)


async def _shown(asked: Awaitable[Interaction]) -> Message:
    return await (await asked).shown(ANSWER_TIMEOUT_S)
