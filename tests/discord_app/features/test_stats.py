"""``/stats``: numbers, picture and menu, of oneself and of others, public or ephemeral."""

from __future__ import annotations

from collections import Counter
from itertools import count, product

import discord
import pytest
import pytest_asyncio

from bot.render.bars import HEIGHT_PX
from bot.service import GroupStats, PlayerStats, Request
from bot.service.players.stats import grouped
from bot.storage import NewGame, Played, Status
from bot.text import texts_for
from bot.text.names import rules_name
from bot.text.stats import MOST_GROUPS, spread_alt_text, spread_text, stats_text
from engine import GAMES
from tests.discord_app.direct import direct_bot
from tests.discord_app.playing import PLACES, Answer, Seat, World, speak
from tests.discord_app.pressing import SELECT, WEEKS_S, Player, Shown, player

pytestmark = pytest.mark.usefixtures("quiet")

EN, NO = texts_for("en"), texts_for("no")
_requests = count(1)
everywhere = pytest.mark.parametrize("place", PLACES)


async def has(seat: Seat | Player, deal: str, *games: int | str) -> None:
    """Store games with these scores or statuses."""
    seat = seat.seat if isinstance(seat, Player) else seat
    store = seat.world.client._store
    full = 48 if deal.startswith("acesup") else 52
    for number, what in enumerate(games):
        status = Status.OVER if isinstance(what, int) else Status(what)
        score = what if isinstance(what, int) else full if status is Status.WON else 3
        record = f"{deal}/{number} {'s-w' if full == 52 else 's-t'}"
        await store.create_game(NewGame(seat.user_id, record, status, score, next(_requests), 1))


@pytest_asyncio.fixture
async def ada(world: World) -> Player:
    ada = player(world)
    await has(ada, "klondike/d1", 10, 20, 20, "won", "given_up")
    await has(ada, "acesup/standard", 31, "playing")
    return ada


@pytest.fixture
def ola(world: World) -> Player:
    return player(world, "ola")


# ------------------------------------------------------------------------------------------- answer


@everywhere
async def test_the_numbers_of_each_rule_set_and_a_picture_of_the_most_played_one(
    world: World, ada: Player, place: str
) -> None:
    shown = Shown.of_message(world, (await world.seat(place=place).type("stats")).message)
    assert not shown.ephemeral
    assert shown.text == "\n".join(
        [
            "## 📊 ada",
            "**Klondike · draw 1**",
            "5 games, 1 won (20%)",
            "-# average 21 · best 52 · win streak 0, longest 1",
            "**Aces Up · standard**",
            "2 games, 0 won (0%) · 1 in progress",
            "-# average 31 · best 31 · win streak 0, longest 0",
        ]
    )
    assert shown.image.size == (1100, HEIGHT_PX)
    assert shown.filename == "stats-klondike-d1-5.png"
    assert shown.alt == (
        "Klondike · draw 1: average 21, latest 3. How often each score came: 3 × 1, 10 × 1, 20 × 2, 52 × 1"
    )
    assert list(shown.options.values()) == ["Klondike · draw 1", "Aces Up · standard"]


async def test_in_norwegian(ada: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    english = await ada.types("stats")
    speak(monkeypatch, "no")
    shown = await ada.types("stats")
    assert shown.text.splitlines()[1:4] == [
        "**Sjuerkabalen · trekk 1**",
        "5 spill, 1 gikk opp (20 %)",
        "-# snitt 21 · best 52 · seiersrekke 0, lengste 1",
    ]
    assert shown.alt.startswith("Sjuerkabalen · trekk 1: snitt 21, siste 3. ")
    assert shown.png != english.png


@pytest.mark.parametrize(("locale", "mark"), [("en-US", "15.7"), ("no", "15,7")])
async def test_decimals_are_written_as_the_language_does(
    ola: Player, monkeypatch: pytest.MonkeyPatch, locale: str, mark: str
) -> None:
    speak(monkeypatch, locale)
    await has(ola, "klondike/d1", 15, 16, 16)
    shown = await ola.types("stats")
    assert mark in shown.text
    assert mark in shown.alt


async def test_the_daily_streak_is_shown(world: World, ada: Player, ola: Player) -> None:
    assert "streak:" not in (await ada.types("stats")).text
    for who in (ada, ola):
        play = world.client.services.games
        await play.play_daily(request(who, 1))
        await play.give_up(request(who, 2))
        assert "**Daily streak:** 1 day, longest 1" in (await who.types("stats")).text


def request(who: Player, number: int) -> Request:
    return Request(who.seat.user_id, number)


@everywhere
async def test_a_player_without_games_is_told_what_counts(world: World, place: str) -> None:
    ola = world.seat("ola", place)
    await ola.new("klondike", "d1", "36")
    answer = await ola.type("stats")
    assert (answer.ephemeral, answer.text) == (True, EN("stats-none"))


async def test_games_in_progress_have_numbers_but_no_picture(ola: Player) -> None:
    await has(ola, "klondike/d1", "playing")
    shown = await ola.types("stats")
    assert shown.text.splitlines()[1:] == ["**Klondike · draw 1**", "1 game, 0 won (0%) · 1 in progress"]
    assert not shown.pictures
    assert not shown.controls


async def test_one_rule_set_needs_no_menu(ola: Player) -> None:
    await has(ola, "klondike/d1", 1)
    shown = await ola.types("stats")
    assert shown.picture
    assert not shown.controls


# -------------------------------------------------------------------------------- in public, in words


@pytest.mark.parametrize("setting", ["is_private", "is_hidden"])
async def test_a_private_player_is_answered_ephemerally(ada: Player, setting: str) -> None:
    await ada.prefers(**{setting: True})
    assert (await ada.types("stats")).ephemeral


async def test_as_text_the_scores_are_listed(ada: Player) -> None:
    await ada.prefers(as_text=True)
    shown = await ada.types("stats")
    assert not shown.pictures
    assert not shown.message.attachments
    assert shown.text.splitlines()[-2:] == [
        "**Klondike · draw 1**",
        "How often each score came: 3 × 1, 10 × 1, 20 × 2, 52 × 1",
    ]
    again = await ada.choose("acesup/standard")
    assert again.text.endswith("**Aces Up · standard**\nHow often each score came: 31 × 1")


async def test_without_attach_files_the_scores_come_as_text_with_the_reason(
    world: World, ada: Player
) -> None:
    ada.seat.channel = world.guild.create_text_channel(
        "no-files", overwrites={world.guild.default_role: discord.PermissionOverwrite(attach_files=False)}
    )
    shown = await ada.types("stats")
    assert not shown.message.attachments
    assert "10 × 1, 20 × 2" in shown.text
    assert EN("stats-no-picture") in shown.text
    await ada.prefers(as_text=True)
    assert EN("stats-no-picture") not in (await ada.types("stats")).text


# ------------------------------------------------------------------------------------------- others


@everywhere
async def test_anybody_who_does_not_hide_is_shown(world: World, ada: Player, place: str) -> None:
    ola = world.seat("ola", place)
    answer = await ola.type("stats", user=ada.seat.actor)
    assert not answer.ephemeral
    assert answer.text.splitlines()[0] == "## 📊 ada"
    assert "5 games, 1 won" in answer.text
    assert answer.picture


@everywhere
async def test_a_hidden_player_is_shown_to_nobody_else(world: World, ada: Player, place: str) -> None:
    await ada.prefers(is_hidden=True)
    ola = world.seat("ola", place)
    answer = await ola.type("stats", user=ada.seat.actor)
    assert (answer.ephemeral, answer.text) == (True, EN("fault-hidden-player"))
    own = await world.seat("ada", place).type("stats", user=ada.seat.actor)
    assert "5 games, 1 won" in own.text
    assert own.ephemeral


async def test_a_private_player_asking_about_somebody_is_answered_ephemerally(
    ada: Player, ola: Player
) -> None:
    await ola.prefers(is_private=True)
    assert (await ola.types("stats", user=ada.seat.actor)).ephemeral
    await ola.prefers(is_private=False, is_hidden=True)
    assert not (await ola.types("stats", user=ada.seat.actor)).ephemeral


async def test_somebody_else_has_not_played(ada: Player, ola: Player) -> None:
    shown = await ada.types("stats", user=ola.seat.actor)
    assert (shown.ephemeral, shown.text) == (True, EN("stats-none-other", name="ola"))


NASTY = "@everyone **x** <@1> [a](b) `c`\n# d"


async def test_a_name_neither_formats_nor_mentions_anything(world: World, ola: Player) -> None:
    actor = world.guild.add_member(world.env.create_user("nasty", global_name=NASTY))
    nasty = Seat(world, actor, world.channel)
    for who in (nasty, ola.seat):
        answer = await who.type("stats", user=actor)
        assert "\\@everyone" in answer.text or answer.text == EN("stats-none")
        await has(nasty, "klondike/d1", 1)
        await has(nasty, "klondike/d3", 1)
        heading = (await who.type("stats", user=actor)).text.splitlines()[0]
        assert heading.startswith("## 📊 \\@everyone \\*\\*x\\*\\* \\<\\@1\\>")
    sent = [r.json for r in world.env.http_requests if r.method == "POST" and r.path.endswith("/callback")]
    assert {str(body["data"]["allowed_mentions"]) for body in sent if body} == {"{'parse': []}"}


# --------------------------------------------------------------------------------------------- menu


async def test_a_choice_draws_another_rule_set_in_the_same_message(ada: Player) -> None:
    first = await ada.types("stats")
    shown = await ada.choose("acesup/standard")
    assert shown.message.id == first.message.id
    assert shown.text == first.text
    assert shown.filename == "stats-acesup-standard-1.png"
    assert shown.alt.startswith("Aces Up · standard: average 31")
    assert [option["value"] for option in shown.menu["options"] if option.get("default")] == [
        "acesup/standard"
    ]
    assert (await ada.choose("klondike/d1")).png == first.png


async def test_a_choice_works_after_a_restart_and_weeks(world: World, ada: Player) -> None:
    first = await ada.types("stats")
    await world.restart()
    await world.env.advance_time(WEEKS_S)
    await has(ada, "acesup/standard", 40)
    shown = await ada.choose("acesup/standard", on=first)
    assert shown.message.id == first.message.id
    assert "3 games" in shown.text
    assert shown.text.splitlines()[0] == "## 📊 ada"


async def test_somebody_elses_choice_is_answered_ephemerally_and_leaves_the_message(
    ada: Player, ola: Player
) -> None:
    first = await ada.types("stats")
    theirs = await ola.choose("acesup/standard", on=first)
    assert theirs.ephemeral
    assert theirs.text == first.text
    assert theirs.filename == "stats-acesup-standard-1.png"
    assert first.now().filename == first.filename
    again = await ola.choose("klondike/d1")  # in their own
    assert again.message.id == theirs.message.id
    assert again.alt == first.alt


async def test_a_player_who_hides_meanwhile_is_not_shown(ada: Player, ola: Player) -> None:
    first = await ola.types("stats", user=ada.seat.actor)
    await ada.prefers(is_hidden=True)
    refused = await ola.choose("acesup/standard", on=first)
    assert (refused.ephemeral, refused.text) == (True, EN("fault-hidden-player"))
    assert first.now().text == first.text


async def test_a_player_who_was_deleted_meanwhile_has_not_played(
    world: World, ada: Player, ola: Player
) -> None:
    first = await ola.types("stats", user=ada.seat.actor)
    await world.client.services.own_data.forget(ada.seat.user_id)
    shown = await ola.choose("acesup/standard", on=first)
    assert (shown.ephemeral, shown.text) == (True, EN("stats-none-other", name="ada"))


@pytest.mark.parametrize(
    "custom_id", ["stats", "stats:", "stats:x:1:0", "stats:1:2", "forget:", "forget:1:yes"]
)
async def test_an_unknown_control_says_so(monkeypatch: pytest.MonkeyPatch, custom_id: str) -> None:
    async with direct_bot(monkeypatch) as direct:
        [sent] = await direct.press(custom_id, "klondike/d1")
        assert (sent.ephemeral, sent.text) == (True, EN("fault-unknown-control"))


# -------------------------------------------------------------------------------------------- limits


def groups_of_all_kinds() -> tuple[GroupStats, ...]:
    """Games of every rule set there is, with every score many times."""
    klondike = [
        f"d{draw}{passes}{returns}"
        for draw, passes, returns in product("13", ["", *(f"p{n}" for n in range(1, 10))], ["", "r"])
    ]
    acesup = ["standard", "aces", "cell", "pairs", "aces+cell", "aces+pairs", "cell+pairs", "aces+cell+pairs"]
    codes = [f"klondike/{code}" for code in klondike] + [f"acesup/{code}" for code in acesup]
    flags = {"is_started": True, "is_won": False, "is_copy": False}
    games = [
        Played(number, f"{code}/1", status, 30 + number % 10, "", **flags)
        for number, (code, status) in enumerate(product(codes, [Status.OVER, Status.PLAYING] * 20))
    ]
    return grouped(games)


@pytest.mark.parametrize("language", ["en", "no"])
def test_every_number_of_rule_sets_fits_into_a_message(language: str) -> None:
    texts = texts_for(language)
    groups = groups_of_all_kinds()
    scores = Counter(dict.fromkeys(range(53), 1234))
    assert len(groups) == 48
    for chosen in groups:
        text = stats_text(texts, PlayerStats(groups, 1_000, 1_000, is_hidden=False), chosen)
        name = rules_name(texts, chosen.game, chosen.rules)
        assert name in text
        assert texts("stats-more", count=48 - MOST_GROUPS) in text
        full = GroupStats(**{f: getattr(chosen, f) for f in GroupStats.__slots__} | {"scores": scores})
        assert len(text) + len(spread_text(texts, full)) + 300 < 4000
        assert len(spread_alt_text(texts, full)) <= 1024


async def test_every_rule_set_can_be_chosen_however_many_there_are(world: World, ola: Player) -> None:
    codes = [f"{key}/{code}" for key, game in GAMES.items() for code in game.presets]
    codes += [f"klondike/d{draw}p{passes}" for draw in "13" for passes in range(4, 10)]
    codes += [f"klondike/d{draw}r" for draw in "13"] + [f"klondike/d3p{n}r" for n in range(1, 7)]
    for code in codes:
        await has(ola, code, 1)
    shown = await ola.types("stats")
    menus = [part for part in shown.controls if part["type"] == SELECT]
    assert [len(menu["options"]) for menu in menus] == [25, len(codes) - 25]
    assert {option["value"] for menu in menus for option in menu["options"]} == set(codes)
    assert len({menu["custom_id"] for menu in menus}) == 2
    last = menus[1]["options"][-1]["value"]
    result = await ola.seat.actor.select(shown.message, [last], custom_id=menus[1]["custom_id"])
    assert result.response is not None
    again = Answer(world, result.response)
    assert again.filename.startswith("stats-acesup-pairs")
