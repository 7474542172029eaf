"""The daily game on a phone: played by pressing, seen by nobody else, then the board."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.browser.chat import Answer, Chat, open_browser
from tests.browser.process import free_port, preview_process
from tests.browser.test_buttons import HEIGHT_PX, WIDTH_PX, assert_fits, drawn, newest


@pytest.fixture(scope="module")
def browser(chromium: str) -> Iterator[Browser]:
    with open_browser(chromium) as running:
        yield running


@pytest.fixture(autouse=True)
def around_noon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the day be far from its end: the clock of the chat's process is the machine's."""
    hour = datetime.now(UTC).hour
    ahead = 12 - hour  # how far a zone is ahead of UTC in which it is noon, turned round in the zone's name
    monkeypatch.setenv("DAILY_TIMEZONE", f"Etc/GMT{-ahead:+d}")


def next_button(chat: Chat) -> str | None:
    """The discard of everything, one discard, or the deal: what a plain player presses next."""
    labels = [
        button.inner_text() for button in newest(chat).get_by_role("button").all() if button.is_enabled()
    ]
    discards = [label for label in labels if label.startswith("Discard")]
    return next(iter(discards[::-1] + [label for label in labels if label == "Deal"]), None)


def test_the_daily_is_played_by_pressing_and_leads_to_the_board(browser: Browser, tmp_path: Path) -> None:
    with preview_process(tmp_path, free_port()) as process:
        chat = Chat.open(browser, process.url(), width=WIDTH_PX, height=HEIGHT_PX)
        dealt = chat.slash("daily")
        assert dealt.ephemeral
        assert "seed" not in dealt.text
        presses = 0
        while (label := next_button(chat)) is not None:
            assert_fits(chat)
            before = chat.latest().alt
            chat.click(label)
            await_change(chat, before)
            presses += 1
        assert presses >= 13
        chat.view_as("ola")
        assert chat.messages() == []  # nobody else sees the cards
        chat.view_as("kari")
        if "Leaderboard" not in newest(chat).inner_text():  # cards can still move, and none of it is a must
            chat.slash("giveup")
            chat.click("Yes, give this game up")
        chat.until("the end", lambda: "Leaderboard" in newest(chat).inner_text())
        assert "seed 20" in newest(chat).inner_text().replace("\n", " ")
        chat.click("Leaderboard")
        board = chat.until("the board", lambda: next((m for m in drawn(chat) if "kari" in m.text), None))
        assert board.alt.startswith("How many players")
        assert_fits(chat)
        assert chat.faults == []
        chat.close()


def await_change(chat: Chat, before: str) -> None:
    """Wait until the newest message shows another table than that of the alt text before."""

    def changed() -> Answer | None:
        message = chat.latest()
        return message if message.drawn and message.picture and message.alt != before else None

    chat.until("the next table", changed)
