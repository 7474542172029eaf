"""Any input to an option or a control gets an answer within Discord's limits, and does no harm."""

from __future__ import annotations

import asyncio
import itertools
import logging
from collections.abc import Iterator
from contextlib import AsyncExitStack
from typing import Any

import pytest
from simcord.backend.models import User

from bot.app import build_client
from bot.config import Config
from bot.discord_app.features.challenges import ChallengesFeature
from bot.discord_app.tables.controls import Action, ComponentId, Panel, page_number, panel_named
from bot.service import Position
from bot.storage import LARGEST_ID
from bot.text import languages, texts_for
from bot.text.stats import stats_title
from engine import GAMES, Record
from tests.discord_app.direct import Answered, DirectBot, direct_bot
from tests.discord_app.playing import NOW_MS
from tests.discord_app.pressing import parse_id
from tests.fuzz.test_engine import MOVES, RECORD_PATTERN, RULES, SEEDS, records
from tests.fuzz.texts import counts, fuzz, hostile
from tests.limits import speech_faults, spoken

PEOPLE_A_TURN = 20  # texts after which somebody else goes on


class Table:
    """The bot with an event loop of its own, and a user who plays."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self._runner = asyncio.Runner()
        self._stack = AsyncExitStack()
        bot = direct_bot(patch, clock=lambda: NOW_MS, secret="a secret of the tests")
        opening = self._stack.enter_async_context(bot)
        self.direct: DirectBot = self.run(opening)
        self.known_ids: set[int] = set()
        self._loud = _Loud()
        self._records = itertools.cycle(records())
        self._turns = itertools.count()
        self._user_ids = itertools.count(10_000)
        self.user_id = 0

    def close(self) -> None:
        self.run(self._stack.aclose())
        self._runner.close()

    def run(self, coroutine: Any) -> Any:
        return self._runner.run(coroutine)

    def user(self, record: str, name: str = "ada") -> int:
        """Return the id of somebody new with a game that has come so far."""
        user_id = next(self._user_ids)
        self.direct.user(user_id, name)
        self.known_ids.add(user_id)
        self.run(self.direct.holds(Position.of(Record.parse(record)), user_id))
        return user_id

    def somebody(self) -> int:
        """Return who asks this time: every so often another user, in another game."""
        if next(self._turns) % PEOPLE_A_TURN == 0:
            self.user_id = self.user(next(self._records))
        return self.user_id

    def check(self, asked: Any, what: str) -> Answered:
        """Check an answer; if it is only a sentence, the game must be unchanged."""
        before = self.run(self.direct.store.current_game(self.user_id))
        with self._loud:
            answered: Answered = self.run(self._settled(asked))
        faults = [*self._loud.said, *self.direct.faults(), *self._faults(answered)]
        self._loud.said.clear()
        assert not faults, (what, faults)
        after = self.run(self.direct.store.current_game(self.user_id))
        is_table = any(sent.parts for sent in answered.sent)
        assert is_table or after == before, (what, [sent.text for sent in answered.sent])
        return answered

    async def _settled(self, asked: Any) -> Answered:
        answered: Answered = await asked
        messages = self.direct.client.feature(ChallengesFeature).messages
        while messages._tasks:
            await asyncio.gather(*messages._tasks)
        return answered

    def _faults(self, answered: Answered) -> list[str]:
        """What is wrong with an answer, besides what Discord would refuse."""
        faults = [] if answered.sent or answered.choices is not None else ["there is no answer"]
        for text in (text for sent in answered.sent for text in spoken(sent.body)):
            faults += speech_faults(text, self.known_ids)
            faults += ["there is an error of ours"] if text.startswith(UNEXPECTED) else []
        return faults


UNEXPECTED = tuple(texts_for(name)("fault-unexpected", id="\0").partition("\0")[0] for name in languages())


class _Loud(logging.Handler):
    """Notes what the bot or discord.py logs as an error."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.said: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        error = f": {record.exc_info[1]!r}" if record.exc_info else ""
        self.said.append(f"it was logged: {record.getMessage()}{error}")

    def __enter__(self) -> None:
        logging.getLogger().addHandler(self)

    def __exit__(self, *_: object) -> None:
        logging.getLogger().removeHandler(self)


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch) -> Iterator[Table]:
    table = Table(monkeypatch)
    yield table
    table.close()


# Every option that takes a text, and what else is filled in.
OPTIONS: tuple[tuple[str, str, dict[str, Any]], ...] = (
    ("new", "code", {}),
    ("new", "seed", {}),
    ("new", "rules", {}),
    ("new", "seed", {"game": "acesup", "rules": "cell"}),
    ("new", "rules", {"game": "klondike", "winnable": True}),
    ("games", "resume", {}),
    ("move", "from", {}),
    ("move", "from", {"to": "f", "count": 2}),
    ("move", "to", {"from": "w"}),
    ("discard", "pile", {}),
    ("leaderboard", "when", {}),
    ("leaderboard", "when", {"scope": "everyone"}),
    ("challenge", "seed", {"game": "klondike"}),
    ("challenge", "rules", {"friend1": User(9_001, "bo")}),
)
LOCALES = ("en-US", "no", "de", "zh-CN")
TYPED = (
    *MOVES,
    *SEEDS,
    *RULES,
    "today",
    "2026-01-01",
    "1.1.2026",
    "0001-01-01",
    "9999-12-31",
    "0000-00-00",
    "10000-1-1",
)


@pytest.mark.parametrize("count", counts("commands"))
def test_every_option_accepts_any_text(table: Table, count: int) -> None:
    table.known_ids.add(9_001)
    options = itertools.cycle(OPTIONS)
    locales = itertools.cycle(LOCALES[:3])

    def check(text: str) -> None:
        command, option, filled = next(options)
        user_id = table.somebody()
        asked = table.direct.types(command, user_id, next(locales), **{**filled, option: text})
        table.check(asked, f"/{command} {option}:{text[:200]!r}")

    fuzz(check, hostile(*TYPED, *records(), pattern=RECORD_PATTERN), count, known=TYPED)


COMPLETED: tuple[tuple[str, str, dict[str, Any]], ...] = (
    ("new", "rules", {}),
    ("new", "rules", {"game": "acesup"}),
    ("games", "resume", {}),
    ("move", "from", {}),
    ("move", "to", {"from": "w"}),
    ("discard", "pile", {}),
    ("leaderboard", "when", {}),
    ("challenge", "rules", {}),
)


@pytest.mark.parametrize("count", counts("typing"))
def test_any_text_being_typed_gets_a_list_of_choices(table: Table, count: int) -> None:
    options = itertools.cycle(COMPLETED)

    def check(text: str) -> None:
        command, option, filled = next(options)
        user_id = table.somebody()
        first = next(iter(filled), "")
        given = filled if first != "from" else {"from": text}
        sent = table.check(
            table.direct.completes(command, option, text, user_id, **given), f"{command} {option}"
        )
        assert sent.choices is not None

    fuzz(check, hostile(*MOVES, *RULES, "today", "12"), count)


IDS = (
    *(f"sol:1:0:{action}" for action in Action),
    *(str(ComponentId(2, 0, Action.PLAY, move)) for move in ("s-t", "1+3-d", "3-5x2", "w-fh")),
    *(str(ComponentId(1, 0, Action.PANEL, panel)) for panel in ("more", "main", "giveup")),
    "sol:1:0:menu:0",
    *(f"rules:{key}:{page}:next" for key in GAMES for page in (0, 3, 999_999)),
    *(f"set:{name}:1" for name in ("language", "is_private", "as_text", "is_hidden", "tells_lost")),
    "board:server:pick",
    "board:everyone:today",
    "board:server:2023-11-01",
    "daily:play",
    "stats:1:1:0",
    "stats:12345678901234567890:99999999999999999999:0",
    f"stats:1:{2**63 - 1}:0",
    f"stats:1:{2**63}:0",
    "stats:1:9999999999999999999:0",
    "sol:١:٠:draw",
    "forget:1",
    "forget:1:no",
    *(f"duel:1:{what}" for what in ("play", "show", "compare")),
    "duel:999999999999999999:show",
)
ID_PATTERN = (
    r"sol:\d{1,18}:\d{1,18}:[a-z]{1,9}(?::[\w+-]{1,9})?|stats:\d{1,20}:\d{1,20}:\d|forget:\d{1,20}"
    r"|board:(?:server|everyone):(?:pick|week|\d{4}-\d{2}-\d{2})|duel:\d{1,18}:show|rules:[a-z]{1,8}:\d{1,6}:back"
    r"|set:[a-z_]{1,9}:[01]"
)


@pytest.mark.parametrize("count", counts("controls"))
def test_any_custom_id_is_a_control_or_none(count: int) -> None:
    router = build_client(Config()).router

    def check(text: str) -> None:
        found = router.find(text)
        if found is not None:
            assert text.isascii()
            press = parse_id(text)
            assert (press is not None) == text.startswith("sol:")
            if press is not None:
                assert parse_id(str(press)) == press
                assert max(press.game_id, press.revision) <= LARGEST_ID
            page = found[1].groupdict().get("page")
            assert page is None or 0 <= int(page) < 1_000_000
        assert 0 <= page_number(text) < 1_000
        assert panel_named(text) in Panel

    fuzz(check, hostile(*IDS, "page-1", "page-٣", "more", pattern=ID_PATTERN), count, known=IDS)


async def pressing(
    table: Table, user_id: int, custom_id: str, *values: str, title: str = "table"
) -> Answered:
    """Press something on a message of the bot that begins with ``title``."""
    direct = table.direct
    message_id = direct.message(title)
    return await direct.answer(direct.pressed(custom_id, *values, user_id=user_id, message_id=message_id))


@pytest.mark.parametrize("count", counts("presses"))
def test_every_control_and_every_choice_in_a_menu_is_answered(table: Table, count: int) -> None:
    # By an id with a valid beginning, and by a valid id with any choice and any title on its message.
    menus = itertools.cycle(
        ("sol:{}:0:menu:0", "board:server:pick", "set:language", "stats:{}:{}:0", "duel:{}:show")
    )

    def check(text: str) -> None:
        user_id = table.somebody()
        table.check(pressing(table, user_id, text), f"custom_id {text[:200]!r}")
        game = table.run(table.direct.store.current_game(user_id))
        menu = next(menus).replace("{}", str(game.id if game else 1), 1).replace("{}", str(user_id))
        table.check(pressing(table, user_id, menu, text), f"{menu} {text[:200]!r}")

    fuzz(
        check,
        hostile(*IDS, "page-1", "page-999", "auto", "klondike/d1", pattern=ID_PATTERN),
        count,
        known=IDS,
    )


@pytest.mark.parametrize("count", counts("people"))
def test_any_name_and_any_language_gets_an_answer(table: Table, count: int) -> None:
    def check(text: str) -> None:
        name = text.encode("utf-8", "replace").decode()[:32].strip() or "x"  # as Discord keeps names
        friend = table.user(records()[0], name)
        table.user_id = me = table.user(records()[6], name)
        locale = text[:10] or "en"
        for command, options in (
            ("stats", {"user": User(friend, name)}),
            ("stats", {}),
            ("leaderboard", {}),
            ("challenge", {"friend1": User(friend, name)}),
            ("compare", {"friend": User(friend, name)}),
        ):
            table.check(table.direct.types(command, me, locale, **options), f"/{command} {name!r} {locale!r}")
        title = stats_title(texts_for("en"), name)
        table.check(pressing(table, me, f"stats:{me}:{friend}:0", "x", title=title), name)

    fuzz(check, hostile("Kari Nordmann", "no", "en-GB"), count)


@pytest.mark.parametrize("number", [-1, 0, 1, 13, 14, 19, 20, 2**53])
def test_any_count_of_cards_is_answered(table: Table, number: int) -> None:
    options: dict[str, Any] = {"from": "1", "to": "2", "count": number}
    for _ in range(3):
        table.check(table.direct.types("move", table.somebody(), **options), str(options))


def test_any_challenged_user_gets_an_answer(table: Table) -> None:
    me = table.somebody()
    robot, friend = User(9_002, "robot", bot=True), User(9_001, "bo")
    table.known_ids |= {9_001, 9_002}
    for friends in ([robot], [User(me, "x")], [friend] * 5, [friend, robot], [User(2**63 - 1, "x")]):
        table.known_ids |= {friend.id for friend in friends}
        named: dict[str, Any] = {f"friend{number}": user for number, user in enumerate(friends, start=1)}
        table.check(table.direct.types("challenge", me, **named), str(friends))
