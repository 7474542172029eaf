"""A newcomer's first minutes: the chat is started as a process, and played in Chromium by typing."""

from __future__ import annotations

import io
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Browser

from tests.browser.chat import Answer, Chat, Pick, Value, open_browser
from tests.browser.process import free_port, preview_process

SEED = "80"
TURNS: tuple[tuple[str, dict[str, Value], str], ...] = (
    ("move", {"from": "1", "to": "f"}, "1 → f: A♧ to the foundation"),
    ("move", {"from": "3", "to": "6"}, "3 → 6"),
    ("move", {"from": "6", "to": "2", "count": 2}, "6 → 2"),
    ("move", {"from": " 6 ", "to": "F"}, "6 → f"),
    ("move", {"from": Pick("5 → 6")}, "5 → 6"),
    ("draw", {}, "Draw"),
    ("undo", {}, "Undone"),
    ("redo", {}, "Redone"),
    ("move", {"from": "6", "to": Pick("6 → 1")}, "6 → 1"),
    ("move", {"from": "2 5"}, "2 → 5"),
)
PICTURE_WIDTH_PX = 1100


@pytest.fixture(scope="module")
def browser(chromium: str) -> Iterator[Browser]:
    with open_browser(chromium) as running:
        yield running


def test_ten_turns_change_the_picture_and_a_wrong_move_only_answers(browser: Browser, tmp_path: Path) -> None:
    with preview_process(tmp_path, free_port()) as process:
        chat = Chat.open(browser, process.url())
        dealt = chat.slash("new", game=Pick("Klondike"), seed=SEED)
        assert_shows(dealt, f"seed {SEED}")
        picture = chat.picture()

        for command, options, words in TURNS:
            assert_shows(chat.slash(command, **options), words)
            turned, picture = picture, chat.changed_picture(picture)
            assert turned != picture
            assert Image.open(io.BytesIO(picture)).width == PICTURE_WIDTH_PX

            refused = chat.slash("move", **{"from": "3 9"})
            assert refused.ephemeral
            assert "9" in refused.text
            assert refused.picture is None
            assert chat.picture() == picture

        assert process.interrupt() == 0
        assert chat.faults == []
        chat.close()


def test_a_wrong_move_says_why_to_its_player_alone(browser: Browser, tmp_path: Path) -> None:
    with preview_process(tmp_path, free_port()) as process:
        chat = Chat.open(browser, process.url())
        chat.slash("new", game=Pick("Klondike"), seed=SEED)
        before = chat.picture()

        refused = chat.slash("move", **{"from": "3", "to": "2"})

        assert refused.ephemeral
        assert "needs a" in refused.text
        assert chat.slash("table").picture is not None
        assert chat.picture() == before
        chat.view_as("ola")
        assert chat.whispers() == []
        assert chat.picture() == before
        chat.close()


def test_the_game_outlives_the_process(browser: Browser, tmp_path: Path) -> None:
    with preview_process(tmp_path, free_port()) as first:
        chat = Chat.open(browser, first.url())
        chat.slash("new", game=Pick("Klondike"), seed=SEED)
        chat.slash("move", **{"from": "1", "to": "f"})
        left = chat.picture()
        assert first.interrupt() == 0
        chat.close()

    with preview_process(tmp_path, free_port()) as second:
        chat = Chat.open(browser, second.url())
        # The very first command acts: its id must not pass for one of the last start's.
        drawn = chat.slash("draw")
        assert_shows(drawn, f"seed {SEED}")
        assert drawn.text.startswith("Draw:")
        chat.slash("undo")
        assert_shows(chat.slash("table"), f"seed {SEED}")
        assert chat.picture() == left
        chat.close()


def test_ctrl_c_ends_it_with_exit_code_0_and_without_a_traceback(tmp_path: Path) -> None:
    with preview_process(tmp_path, free_port()) as process:
        process.url()
        assert process.interrupt() == 0
        assert "Traceback" not in process.printed
        assert "kept" in process.printed


def test_a_port_in_use_is_said_plainly_with_the_cure(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with preview_process(tmp_path, port) as process:
            assert process.wait() != 0
    assert "Traceback" not in process.printed
    assert f"Port {port} is taken" in process.printed
    assert f"--port {port + 1}" in process.printed


def assert_shows(answer: Answer, words: str) -> None:
    """A turn's answer is for all to see, has a picture that the page could draw, and says ``words``."""
    assert words in answer.text
    assert not answer.ephemeral
    assert answer.picture is not None
    assert answer.alt
