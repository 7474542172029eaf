"""Adding a command takes one module and its sentences: the ones that CONTRIBUTING.md shows are used here."""

from __future__ import annotations

import re
import sys
import textwrap
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
import pytest_asyncio

import bot.text
from bot.discord_app import features
from bot.text import languages
from tests.discord_app.playing import World, open_world, speak, walk

pytestmark = pytest.mark.usefixtures("quiet")

CONTRIBUTING = Path(__file__).resolve().parents[2] / "CONTRIBUTING.md"
CARD = r"(?:10|[2-9AJQK])[♧♦♥♤]"
BUTTON = 2


def blocks(language: str) -> list[str]:
    """Return the code blocks in that language from the section "Adding a command"."""
    text = CONTRIBUTING.read_text("utf-8")
    section = text[text.index("## Adding a command") : text.index("## Adding a game")]
    found = re.findall(rf"^ *```{language}\n(.*?)^ *```$", section, re.MULTILINE | re.DOTALL)
    return [textwrap.dedent(block) for block in found]


def forget_languages() -> None:
    bot.text._texts.cache_clear()
    bot.text._bundle.cache_clear()


@pytest.fixture
def contributed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Add the module to the features and its sentences to the language files, and nothing else."""
    [module] = blocks("python")
    english, norwegian = blocks("ftl")
    folder = tmp_path / "features"
    folder.mkdir()
    (folder / "cut.py").write_text(module, "utf-8")
    files = dict(languages())
    longer = files | {"en": files["en"] + "\n" + english, "no": files["no"] + "\n" + norwegian}
    with monkeypatch.context() as patched:
        patched.setattr(features, "__path__", [*features.__path__, str(folder)])
        patched.setattr("bot.text.languages", lambda: longer)
        forget_languages()
        yield
        sys.modules.pop("bot.discord_app.features.cut", None)
    forget_languages()


@pytest_asyncio.fixture
async def world(contributed: None, tmp_path: Path, raised: list[BaseException]) -> AsyncIterator[World]:
    async with AsyncExitStack() as stack:
        yield await open_world(stack, tmp_path, raised)


@pytest.mark.parametrize(
    ("locale", "command", "sentence", "label"),
    [
        ("en-US", "cut", f"You cut {CARD}.", "Cut again"),
        ("no", "cut", f"Du tok av {CARD}.", "Ta av igjen"),
    ],
)
async def test_the_command_is_typed_and_its_button_pressed(
    world: World,
    monkeypatch: pytest.MonkeyPatch,
    raised: list[BaseException],
    locale: str,
    command: str,
    sentence: str,
    label: str,
) -> None:
    speak(monkeypatch, locale)
    ada = world.seat()
    answer = await ada.type(command)
    assert re.fullmatch(sentence, answer.text)
    [button] = [part for part in walk(answer.message.components) if part["type"] == BUTTON]
    assert button["label"] == label
    pressed = await ada.actor.click(answer.message, custom_id=button["custom_id"])
    assert pressed.acknowledged
    assert raised == []


async def test_its_norwegian_name_is_registered(world: World) -> None:
    puts = [r.json for r in world.env.http_requests if r.method == "PUT" and r.path.endswith("/commands")]
    [cut] = [one for one in puts[-1] or [] if one["name"] == "cut"]
    assert cut["name_localizations"] == {"no": "ta-av"}
    assert cut["description_localizations"] == {"no": "Ta av stokken"}
