"""A whole game on a phone: after /new nothing is typed, everything is pressed or chosen."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Browser, Locator

from bot.service import Position
from bot.text import texts_for
from bot.text.moves import move_text
from engine import Outcome, Record
from tests.browser.chat import Answer, Chat, Pick, open_browser
from tests.browser.process import free_port, preview_process
from tests.hints import advise

EN = texts_for("en")
WIDTH_PX, HEIGHT_PX = 400, 860
WON = Record.parse("acesup/standard/462")  # short, and three cards go to empty piles on the way


@pytest.fixture(scope="module")
def browser(chromium: str) -> Iterator[Browser]:
    with open_browser(chromium) as running:
        yield running


def way_of(record: Record) -> Iterator[tuple[str, bool, Position]]:
    """What to press on the way to the win, whether it stands in the menu, and where it leads."""
    at = Position.of(record)
    while at.outcome is None:
        if len(at.discard_chain) > 1:
            label, after = EN("control-discard-all", count=len(at.discard_chain)), at.then(*at.discard_chain)
        else:
            move = advise(at)
            assert move is not None
            label, after = move_text(EN, at.table, move), at.then(move)
        in_menu = "→" in label
        at = after
        yield label, in_menu, at


def plain(key: str, **words: str | int) -> str:
    """A sentence of the bot as the page shows it: without the marks of its formatting."""
    return re.sub(r"[*`]", "", EN(key, **words))


def newest(chat: Chat) -> Locator:
    return chat.page.locator("#channel-message-list > article").last


def choose(chat: Chat, label: str) -> None:
    """Choose a move in the newest message's menu."""
    newest(chat).get_by_role("combobox").click()
    chat.page.get_by_role("option", name=label, exact=True).click()
    chat.until(f"“{label}” to be done", chat._is_ready)


def only_message(chat: Chat, words: str) -> Answer:
    """Wait until the one message there is says these words and shows its picture."""

    def found() -> Answer | None:
        [message] = chat.messages()
        return message if words in message.text and message.drawn and message.picture else None

    return chat.until(words, found)


def assert_fits(chat: Chat) -> None:
    """Every control of the newest message lies within the window, and is large enough for a thumb."""
    for control in (*newest(chat).get_by_role("button").all(), *newest(chat).get_by_role("combobox").all()):
        box = control.bounding_box()
        if box is not None and control.inner_text():
            assert box["x"] >= 0
            assert box["x"] + box["width"] <= WIDTH_PX
            assert box["height"] >= 24


def test_a_whole_game_of_aces_up_is_played_with_buttons_and_the_menu_on_a_phone(
    browser: Browser, tmp_path: Path
) -> None:
    with preview_process(tmp_path, free_port()) as process:
        chat = Chat.open(browser, process.url(), width=WIDTH_PX, height=HEIGHT_PX)
        chat.slash("new", game=Pick("Aces Up"), seed=WON.seed)
        table = only_message(chat, f"seed {WON.seed}")
        seen = {table.alt}
        chosen = 0
        for label, in_menu, at in way_of(WON):
            assert_fits(chat)
            if in_menu:
                choose(chat, label)
                chosen += 1
            else:
                chat.click(label)
            now = only_message(chat, label) if "all" not in label else only_message(chat, "Discarded")
            assert now.id == table.id
            assert now.alt not in seen
            assert f"Score {at.table.score} of 48" in now.alt
            seen.add(now.alt)
        assert at.outcome is Outcome.WON
        assert chosen >= 2
        assert "48 of 48" in only_message(chat, plain("turn-won", score=48, full=48, moves=63)[:8]).text
        assert newest(chat).get_by_role("combobox").count() == 0
        assert Image.open(io.BytesIO(chat.picture())).width > WIDTH_PX
        assert chat.faults == []
        chat.close()


def test_undo_redo_hint_and_the_panels_are_pressed_too(browser: Browser, tmp_path: Path) -> None:
    with preview_process(tmp_path, free_port()) as process:
        chat = Chat.open(browser, process.url(), width=WIDTH_PX, height=HEIGHT_PX)
        dealt = chat.slash("new", game=Pick("Klondike"), seed="36")
        for label, words in (
            ("Draw", "Draw"),
            ("Hint", plain("turn-hint", move="")),
            ("Undo", plain("turn-undone", move="Draw")),
            ("Redo", plain("turn-redone", move="Draw")),
            ("More", plain("turn-shown")),
            ("Give up", plain("turn-shown")),
            ("Back", plain("turn-shown")),
        ):
            chat.click(label)
            assert only_message(chat, words).id == dealt.id
            assert_fits(chat)
        chat.click("More")
        chat.click("Give up")
        chat.click("Yes, give this game up")
        assert only_message(chat, plain("turn-given-up", score=0, full=52)).id == dealt.id
        assert chat.faults == []
        chat.close()


def test_somebody_else_is_offered_the_same_deal_and_gets_a_table_of_their_own(
    browser: Browser, tmp_path: Path
) -> None:
    with preview_process(tmp_path, free_port()) as process:
        chat = Chat.open(browser, process.url(), width=WIDTH_PX, height=HEIGHT_PX)
        mine = chat.slash("new", game=Pick("Aces Up"), seed="mormor")
        chat.view_as("ola")
        chat.click("Deal")
        [whisper] = chat.until("the answer to ola", chat.whispers)
        assert plain("fault-not-yours") in whisper.text
        chat.click("Deal me this one too")
        own = chat.until("ola's own table", lambda: next((m for m in drawn(chat) if m.id != mine.id), None))
        assert "seed mormor" in own.text
        assert next(m for m in drawn(chat) if m.id == mine.id).text == mine.text
        chat.close()


def drawn(chat: Chat) -> list[Answer]:
    return [message for message in chat.messages() if message.picture]
