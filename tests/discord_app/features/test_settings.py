"""``/settings``: each player has their own; they survive restarts; and what each of them changes."""

from __future__ import annotations

import re
from dataclasses import asdict, fields
from itertools import product

import pytest

from bot.discord_app.features.settings import SWITCHES
from bot.discord_app.tables.controls import Action
from bot.render.prose import table_lines
from bot.storage import Settings
from bot.text import languages, texts_for
from bot.text.cards import card_text
from engine import GAMES, Record
from tests.discord_app.playing import World, speak
from tests.discord_app.pressing import BUTTON, RULE_SETS, WEEKS_S, Player, Shown, every

LANGUAGES = tuple(languages())
EN, NO = texts_for("en"), texts_for("no", "en-US")
DEAL = Record.parse("klondike/d1/36")

pytestmark = pytest.mark.usefixtures("quiet")
in_every_language = pytest.mark.parametrize("language", LANGUAGES)
each_switch = pytest.mark.parametrize("switch", SWITCHES)


def switch_id(shown: Shown, switch: str) -> str:
    """Return the ``custom_id`` of the button that turns a setting on or off."""
    [found] = [part for part in shown.buttons if part["custom_id"].split(":")[1] == switch]
    return str(found["custom_id"])


async def turn(who: Player, switch: str) -> Shown:
    """Turn a setting on or off by its button in ``/settings``."""
    shown = await who.types("settings")
    return await who.press_id(switch_id(shown, switch))


# ------------------------------------------------------------------------------------ the answer itself


@in_every_language
async def test_settings_are_shown_ephemerally_with_a_control_for_each(ada: Player, language: str) -> None:
    texts = texts_for(language, "en-US")
    await ada.prefers(language=language)
    shown = await ada.types("settings")
    assert shown.ephemeral
    assert texts("settings-title") in shown.text
    assert [part["custom_id"].split(":")[1] for part in shown.buttons] == list(SWITCHES)
    assert {f"{name}" for name in SWITCHES} == {field.name for field in fields(Settings)} - {"language"}
    for name in SWITCHES:
        assert texts(f"settings-{name.replace('_', '-')}") in shown.text


@in_every_language
async def test_settings_are_within_discords_limits(ada: Player, language: str) -> None:
    await ada.prefers(language=language)
    for choice in product([False, True], repeat=len(SWITCHES)):
        await ada.prefers(**dict(zip(SWITCHES, choice, strict=True)))
        await ada.prefers(is_private=False)
        shown = await ada.types("settings")
        parts = every(shown.message.components)
        ids = [part["custom_id"] for part in shown.controls]
        assert len(parts) <= 40
        assert len(set(ids)) == len(ids)
        assert all(len(name) <= 100 for name in ids)
        assert all(1 <= len(part["label"]) <= 80 for part in parts if part["type"] == BUTTON)
        assert len(shown.text) <= 4000


@each_switch
async def test_a_press_turns_a_setting_on_and_the_next_one_off_in_the_same_message(
    ada: Player, switch: str
) -> None:
    first = await ada.types("settings")
    off = first.text
    on = await ada.press_id(switch_id(first, switch))
    assert on.message.id == first.message.id
    assert asdict(await ada.settings()) == asdict(Settings()) | {switch: True}
    assert on.text != off or on.buttons != first.buttons
    back = await ada.press_id(switch_id(on, switch))
    assert back.message.id == first.message.id
    assert await ada.settings() == Settings()
    assert (back.text, back.buttons) == (off, first.buttons)


async def test_one_setting_leaves_the_others_as_they_are(ada: Player) -> None:
    wanted = asdict(Settings())
    for switch in SWITCHES:
        await turn(ada, switch)
        wanted[switch] = True
        assert asdict(await ada.settings()) == wanted


async def test_a_press_on_an_outdated_message_sets_what_its_label_says(ada: Player) -> None:
    shown = await ada.types("settings")
    custom_id = switch_id(shown, "as_text")
    await ada.seat.actor.click(shown.message, custom_id=custom_id)
    stale = await ada.types("settings")
    await ada.press_id(switch_id(stale, "as_text"))
    assert not (await ada.settings()).as_text


async def test_each_player_has_their_own_settings(ada: Player, ola: Player) -> None:
    for switch in SWITCHES:
        await turn(ada, switch)
    await ada.types("settings")
    await ada.choose("no")
    assert await ola.settings() == Settings()
    assert EN("settings-title") in (await ola.types("settings")).text


async def test_settings_survive_restarts_and_weeks(world: World, ada: Player) -> None:
    shown = await ada.types("settings")
    for switch in SWITCHES:
        await world.restart()
        await world.env.advance_time(WEEKS_S)
        shown = await ada.press_id(switch_id(shown, switch))
    chosen = await ada.settings()
    assert all(getattr(chosen, switch) for switch in SWITCHES)
    await world.restart()
    assert await ada.settings() == chosen


@in_every_language
async def test_settings_open_from_the_table_and_change_the_next_one(ada: Player, language: str) -> None:
    texts = texts_for(language, "en-US")
    await ada.prefers(language=language)
    table = await ada.holds(DEAL)
    await ada.press(texts("control-more"))
    shown = await ada.press(texts("control-settings"))
    await ada.press_id(switch_id(shown, "as_text"))
    assert table.now().pictures
    assert (await ada.types("table")).pictures == []


# ------------------------------------------------------------------------------------------- language


async def test_the_menu_has_every_language_and_the_one_of_discord(ada: Player) -> None:
    shown = await ada.types("settings")
    assert list(shown.options) == ["auto", *LANGUAGES]
    assert [shown.options[name] for name in LANGUAGES] == [texts_for(n)("language-name") for n in LANGUAGES]


@in_every_language
async def test_every_answer_is_in_the_chosen_language(
    world: World, ada: Player, language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    speak(monkeypatch, "no" if language == "en" else "en-GB")
    texts = texts_for(language, "en-US")
    await ada.types("settings")
    shown = await ada.choose(language)
    assert texts("settings-title") in shown.text
    [chosen] = [option["value"] for option in shown.menu["options"] if option.get("default")]
    assert chosen == language
    await world.restart()
    table = await ada.holds(DEAL)
    assert texts("control-undo") in [part["label"] for part in table.buttons]
    assert texts("turn-undone", move=texts("move-draw")) in (
        await press_twice(ada, texts("move-draw"), texts("control-undo"))
    )


async def press_twice(who: Player, one: str, other: str) -> str:
    await who.press(one)
    return (await who.press(other)).text


async def test_automatic_returns_to_the_language_of_the_users_discord(
    ada: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    await ada.types("settings")
    await ada.choose("no")
    shown = await ada.choose("auto")
    assert EN("settings-title") in shown.text
    speak(monkeypatch, "no")
    assert NO("settings-title") in (await ada.types("settings")).text


async def test_two_players_read_their_own_language_at_one_table(ada: Player, ola: Player) -> None:
    """A press draws the table in its owner's language; a stranger is answered in their own."""
    await ada.prefers(language="no")
    table = await ada.holds(DEAL)
    assert NO("control-undo") in [part["label"] for part in table.buttons]
    refused = await ola.press(NO("move-draw"), on=table)
    assert EN("fault-not-yours") in refused.text
    assert EN("control-same") in refused.labels


# ------------------------------------------------------------------------------------------- privacy


async def test_the_private_setting_makes_the_next_tables_ephemeral(ada: Player) -> None:
    await turn(ada, "is_private")
    assert (await ada.types("new", game="klondike", seed="36")).ephemeral
    assert (await ada.types("draw")).ephemeral
    assert (await ada.press("Undo")).ephemeral
    await turn(ada, "is_private")
    assert not (await ada.types("table")).ephemeral


async def test_the_same_deal_is_ephemeral_for_a_private_player(ada: Player, ola: Player) -> None:
    table = await ada.holds(DEAL)
    await ola.prefers(is_private=True)
    await ola.press("Draw", on=table)
    assert (await ola.press(EN("control-same"))).ephemeral
    assert not table.now().ephemeral


# ------------------------------------------------------------------------------------------ in words


@in_every_language
@pytest.mark.parametrize(("key", "code"), RULE_SETS)
async def test_as_text_every_pile_is_named_and_there_is_no_picture(
    ada: Player, key: str, code: str, language: str
) -> None:
    texts = texts_for(language, "en-US")
    await ada.prefers(as_text=True, language=language)
    shown = await ada.holds(Record(key, code, "36"))
    for _ in range(2):
        lines = table_lines(texts, await ada.seat.table())
        assert len(lines) > len((await ada.seat.table()).piles)
        assert all(line in shown.text.splitlines() for line in lines)
        assert shown.pictures == []
        assert not shown.message.attachments
        shown = await ada.do(Action.DRAW)


@pytest.mark.parametrize("key", GAMES)
async def test_as_text_no_hidden_card_is_named(ada: Player, key: str) -> None:
    await ada.prefers(as_text=True)
    shown = await ada.holds(Record(key, next(iter(GAMES[key].presets)), "36"))
    table = await ada.seat.table()
    seen = [card for pile in table.piles for card in pile.cards if card]
    named = re.findall(r"(?:10|[2-9AJQK])[♧♦♥♤]", shown.text)
    assert sorted(named) == sorted(map(card_text, seen))


async def test_as_text_a_press_edits_the_same_message(ada: Player) -> None:
    await ada.prefers(as_text=True)
    table = await ada.holds(DEAL)
    for label in ("Draw", "Hint", "Undo", "More", "Back", "Redo"):
        shown = await ada.press(label)
        assert shown.message.id == table.message.id
        assert shown.pictures == []
    assert await ada.seat.moves() == ["s-w"]


async def test_a_table_changes_between_picture_and_text_in_one_message(ada: Player) -> None:
    table = await ada.holds(DEAL)
    await ada.prefers(as_text=True)
    words = await ada.press("Draw")
    assert (words.message.id, words.pictures, words.message.attachments) == (table.message.id, [], [])
    await ada.prefers(as_text=False)
    assert (await ada.press("Undo")).picture


async def test_as_text_no_missing_permission_is_mentioned(ada: Player) -> None:
    await ada.prefers(as_text=True)
    assert EN("fault-no-picture") not in (await ada.holds(DEAL)).text


# ------------------------------------------------------------------------------------------ the deck


async def test_every_choice_of_deck_is_another_picture_of_the_same_size(ada: Player) -> None:
    pictures = []
    for four_colours, large_index in product([False, True], repeat=2):
        await ada.prefers(four_colours=four_colours, large_index=large_index)
        pictures.append(await ada.holds(DEAL))
    assert len({shown.png for shown in pictures}) == 4
    assert len({shown.image.size for shown in pictures}) == 1


@pytest.mark.parametrize("switch", ["four_colours", "large_index"])
async def test_the_next_press_uses_the_deck_chosen_in_settings(ada: Player, switch: str) -> None:
    table = await ada.holds(DEAL)
    plain = (await press_and_see(ada, table, "Draw")).png
    await ada.press("Undo", on=table.now())
    await turn(ada, switch)
    chosen = await press_and_see(ada, table.now(), "Draw")
    assert chosen.png != plain


async def press_and_see(who: Player, table: Shown, label: str) -> Shown:
    return await who.press(label, on=table)


async def test_an_animation_uses_the_players_deck(ada: Player) -> None:
    await ada.holds("klondike/d1/36 6-7")
    plain = await ada.types("replay")
    await ada.prefers(four_colours=True)
    chosen = await ada.types("replay")
    data = [ada.world.env.backend.cdn.get(shown.pictures[0]["media"]["url"]) for shown in (plain, chosen)]
    assert data[0]
    assert data[0] != data[1]
