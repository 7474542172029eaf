"""The pages of rules: opened by a command, turned with buttons."""

from __future__ import annotations

import io
import threading
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import discord
import pytest
import pytest_asyncio
import simcord
from PIL import Image

from bot.app import build_client
from bot.config import Config
from bot.discord_app.client import BotClient
from bot.discord_app.context import Context
from bot.discord_app.features import rules as rulebook
from bot.discord_app.layout import Message
from bot.render.image import draw_table
from bot.render.layout import HEIGHT_PX, WIDTH_PX
from bot.text import texts_for
from bot.text.lessons import LESSONS, lesson_text
from bot.text.lists import rules_text
from bot.text.names import game_name
from engine import GAMES

ENGLISH = texts_for("en")
BUTTON, TEXT, GALLERY = 2, 10, 12


class Chat:
    """One member in a channel with the real bot."""

    def __init__(self, env: simcord.Env, client: BotClient) -> None:
        self.env = env
        self.client = client
        self.guild = env.create_guild("Kabalklubben")
        self.channel = self.guild.create_text_channel("solitaire")
        self.kari = self.guild.add_member(env.create_user("kari"))

    async def open(self, **options: str) -> Page:
        result = await self.kari.slash(self.channel, "rules", **options)
        assert result.response is not None
        return Page(self, result.response)

    async def press(self, page: Page, custom_id: str) -> Page:
        result = await self.kari.click(page.message, custom_id=custom_id)
        assert result.acknowledged
        assert not result.followups
        assert result.response is not None
        assert result.response.id == page.message.id  # the same message, changed
        return Page(self, result.response)

    async def choose(self, **settings: Any) -> None:
        for name, value in settings.items():
            await self.client.services.settings.change(self.kari.id, name, value)


class Page:
    """A message of rules, as Discord has it."""

    def __init__(self, chat: Chat, message: simcord.ResponseMessage) -> None:
        self.message = message
        self.parts = list(_walk(message.components))
        self.texts = [str(part["content"]) for part in self.parts if part["type"] == TEXT]
        self.buttons = {str(part["custom_id"]): part for part in self.parts if part["type"] == BUTTON}
        self.pictures = [item for part in self.parts if part["type"] == GALLERY for item in part["items"]]

    @property
    def footer(self) -> str:
        return self.texts[-1]

    def button(self, action: str) -> str:
        """Return the ``custom_id`` of the only button of that action."""
        (found,) = [name for name in self.buttons if name.endswith(f":{action}")]
        return found

    def is_off(self, action: str) -> bool:
        return bool(self.buttons[self.button(action)].get("disabled"))


def _walk(components: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [part for one in components for part in (one, *_walk(one.get("components") or []))]


@pytest_asyncio.fixture
async def simcord_bot(tmp_path: Path) -> AsyncIterator[BotClient]:
    client = build_client(config(tmp_path))
    yield client
    if not client.is_closed():
        await client.close()


@pytest.fixture
def chat(simcord_env: simcord.Env, simcord_bot: BotClient) -> Chat:
    return Chat(simcord_env, simcord_bot)


def config(folder: Path) -> Config:
    return Config(database_url=f"sqlite:///{folder}/rules.sqlite3", shard_count=1)


@pytest.mark.parametrize("language", ["en", "no"])
@pytest.mark.parametrize("key", LESSONS)
async def test_next_and_back_turn_all_pages(chat: Chat, key: str, language: str) -> None:
    texts, lessons = texts_for(language, "en-US"), LESSONS[key]
    await chat.choose(language=language)
    page = await chat.open(game=key)
    assert page.message.ephemeral
    footers, alts, names = [], [], []
    for number, lesson in enumerate(lessons, start=1):
        assert page.texts[0] == lesson_text(texts, lesson)
        assert f"{number} " in page.footer
        assert page.footer.startswith(f"-# {game_name(texts, key)}")
        (picture,) = page.pictures
        assert 0 < len(picture["description"]) <= 1024
        (file,) = page.message.attachments
        assert file.filename in picture["media"]["url"]
        image = Image.open(io.BytesIO(await file.read()))
        assert image.size == (WIDTH_PX, HEIGHT_PX)
        footers.append(page.footer)
        alts.append(picture["description"])
        names.append(file.filename)
        assert page.is_off("back") == (number == 1)
        assert page.is_off("next") == (number == len(lessons))
        if number < len(lessons):
            page = await chat.press(page, page.button("next"))
    assert len(set(footers)) == len(set(alts)) == len(set(names)) == len(lessons)
    for lesson in reversed(lessons[:-1]):
        page = await chat.press(page, page.button("back"))
        assert page.texts[0] == lesson_text(texts, lesson)
    assert page.is_off("back")


async def test_without_an_option_rules_open_at_the_first_game(chat: Chat) -> None:
    page = await chat.open()
    first = next(iter(GAMES))
    assert page.texts[0] == lesson_text(ENGLISH, LESSONS[first][0])


async def test_a_button_leads_to_the_other_game_and_back(chat: Chat) -> None:
    page = await chat.open(game="klondike")
    page = await chat.press(page, page.button("next"))
    page = await chat.press(page, page.button("game"))
    assert page.texts[0] == lesson_text(ENGLISH, LESSONS["acesup"][0])
    page = await chat.press(page, page.button("game"))
    assert page.texts[0] == lesson_text(ENGLISH, LESSONS["klondike"][0])


async def test_with_tables_as_text_rules_have_no_picture(chat: Chat) -> None:
    await chat.choose(as_text=True)
    page = await chat.open(game="acesup")
    assert not page.pictures
    assert not page.message.attachments
    assert "Stock: 48 face down" in page.texts[0]
    page = await chat.press(page, page.button("next"))
    assert "Discarded: 1" in page.texts[0]
    await chat.choose(as_text=False)
    page = await chat.press(page, page.button("next"))
    assert len(page.message.attachments) == 1


async def test_without_attach_files_rules_come_as_text_with_the_reason(chat: Chat) -> None:
    denied = discord.PermissionOverwrite(attach_files=False)
    chat.channel = chat.guild.create_text_channel("no-files", overwrites={chat.guild.default_role: denied})
    page = await chat.open(game="klondike")
    assert not page.message.attachments
    assert "Stock: 24 face down" in page.texts[0]
    assert ENGLISH("fault-no-picture") in page.texts[0]


async def test_a_game_without_lessons_has_its_rules_as_text(
    chat: Chat, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rulebook, "LESSONS", {"klondike": LESSONS["klondike"]})
    page = await chat.open(game="acesup")
    assert page.texts == [rules_text(ENGLISH, "acesup")]
    assert not page.pictures
    assert [name.rpartition(":")[2] for name in page.buttons] == ["game"]
    page = await chat.press(page, page.button("game"))
    assert len(page.message.attachments) == 1
    page = await chat.press(page, page.button("game"))
    assert page.texts == [rules_text(ENGLISH, "acesup")]
    assert not page.message.attachments


async def test_a_page_number_out_of_range_means_the_nearest_page(
    chat: Chat, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = await chat.open(game="klondike")
    actual = rulebook.Rules._page
    for asked, number in ((999_999, len(LESSONS["klondike"])), (-5, 1)):

        async def absurd(
            self: rulebook.Rules, ctx: Context, key: str, page: int, asked: int = asked
        ) -> Message:
            return await actual(self, ctx, key, asked)

        monkeypatch.setattr(rulebook.Rules, "_page", absurd)
        page = await chat.press(page, page.button("game"))
        assert f"page {number} of" in page.footer


async def test_buttons_of_old_messages_work_after_a_restart(chat: Chat, tmp_path: Path) -> None:
    page = await chat.open(game="acesup")
    await chat.client.close()
    restarted = build_client(config(tmp_path))
    await chat.env.restart_bot(restarted)
    page = await chat.press(page, page.button("next"))
    assert page.texts[0] == lesson_text(ENGLISH, LESSONS["acesup"][1])
    await restarted.close()


async def test_discord_py_keeps_no_view(chat: Chat) -> None:
    page = await chat.open(game="acesup")
    for _ in range(3):
        page = await chat.press(page, page.button("next"))
    store = chat.client._connection._view_store
    assert not store._views
    assert not store._synced_message_views


def test_a_custom_id_names_a_game_and_a_page() -> None:
    for custom_id, expected in {
        "rules:klondike:3:next": {"game": "klondike", "page": "3"},
        "rules:acesup:0:back": {"game": "acesup", "page": "0"},
        "rules:acesup:0:game": {"game": "acesup", "page": "0"},
    }.items():
        found = build_client(Config()).router.find(custom_id)
        assert found is not None
        assert found[1].groupdict() == expected


@pytest.mark.parametrize(
    "custom_id",
    [
        "",
        "rules",
        "rules:klondike:3",
        "rules:klondike:3:jump",
        "rules:klondike:-1:back",
        "rules:klondike:x:back",
        "rules:klondike:٣:back",
        "rules:klondike:1:next\n",
        "rules:klondike:99999999999999999999:next",
        "rules::1:next",
        "rules:Klondike:1:next",
        "xrules:klondike:1:next",
        "sol:1:2:rules",
    ],
)
def test_no_other_custom_id_is_a_page_of_rules(custom_id: str) -> None:
    found = build_client(Config()).router.find(custom_id)
    assert found is None or not found[0].pattern.pattern.startswith("rules:")


async def test_pictures_are_drawn_off_the_event_loop(chat: Chat, monkeypatch: pytest.MonkeyPatch) -> None:
    threads = []

    def draw(*arguments: Any) -> bytes:
        threads.append(threading.current_thread())
        return draw_table(*arguments)

    monkeypatch.setattr(rulebook, "draw_table", draw)
    page = await chat.open(game="acesup")
    await chat.press(page, page.button("next"))
    assert len(threads) == 2
    assert threading.main_thread() not in threads
