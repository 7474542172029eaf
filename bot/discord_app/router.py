"""Which handler a pressed button, a menu choice or a form belongs to, by its ``custom_id``.

A ``custom_id`` says all there is to know, so nothing about a message is kept in memory: controls work after
a restart and after weeks. Features register theirs; ids in messages that are out there must keep working.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from bot.discord_app.context import Context
from bot.service import Cost

Handler = Callable[[Context, re.Match[str]], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Route:
    """One kind of control.

    ``name`` stands in the log. ``cost`` is what a press costs its user besides being one. With
    ``is_private`` nobody else sees that the bot is thinking about the answer.
    """

    pattern: re.Pattern[str]
    handler: Handler
    name: str
    cost: Cost | None = None
    is_private: bool = False


class Router:
    """Finds routes by the part of the ``custom_id`` before its first colon, then by pattern."""

    def __init__(self) -> None:
        self._routes: defaultdict[str, list[Route]] = defaultdict(list)

    def add(
        self,
        pattern: str,
        handler: Handler,
        *,
        name: str = "",
        cost: Cost | None = None,
        is_private: bool = False,
    ) -> None:
        """Send presses whose whole ``custom_id`` matches a regular expression to ``handler``.

        The expression begins with a literal prefix and a colon. A group ``game_id`` is noted in the log.
        """
        prefix = pattern.partition(":")[0]
        route = Route(re.compile(pattern, re.ASCII), handler, name or prefix, cost, is_private)
        self._routes[prefix].append(route)

    @property
    def routes(self) -> list[Route]:
        """Every route."""
        return [route for routes in self._routes.values() for route in routes]

    def find(self, custom_id: str) -> tuple[Route, re.Match[str]] | None:
        """Return the first route that matches, and the match; None for an unknown control."""
        for route in self._routes.get(custom_id.partition(":")[0], ()):
            found = route.pattern.fullmatch(custom_id)
            if found is not None:
                return route, found
        return None
