"""The slash commands. Each handler asks the service for one thing and sends what comes back."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from discord import app_commands

from bot.discord_app.commands import Command, Interaction, command, completer, request_of
from bot.discord_app.context import reader_of
from bot.discord_app.errors import whisper, whisper_long
from bot.discord_app.features.analyse import add_analysis
from bot.discord_app.features.challenges import add_challenges
from bot.discord_app.features.compare import add_comparing
from bot.discord_app.features.daily import add_daily
from bot.discord_app.features.leaderboard import add_boards
from bot.discord_app.features.privacy import add_own_data
from bot.discord_app.features.rules import send_rules
from bot.discord_app.features.settings import answer_settings
from bot.discord_app.features.share import add_sharing
from bot.discord_app.features.stats import add_stats
from bot.discord_app.tables import autocomplete as choices
from bot.discord_app.tables.autocomplete import Choices
from bot.discord_app.tables.controls import Panel
from bot.service import (
    CodeAlone,
    Cost,
    Finished,
    GameService,
    NoGame,
    NoSuchGame,
    NoTarget,
    NotYours,
    Request,
    SeedWithWinnable,
    Turn,
)
from bot.storage import Status
from bot.text import Texts
from bot.text.lists import games_text, help_text
from engine import MoveSyntaxError, TypedMove

CODE_INPUT_MAX_CHARACTERS = 6000  # Discord's limit for an option

# Each adds the commands of a module of its own.
_PACKAGES: tuple[Callable[[app_commands.CommandTree[Any]], None], ...] = (
    add_daily,
    add_boards,
    add_stats,
    add_own_data,
    add_sharing,
    add_challenges,
    add_comparing,
    add_analysis,
)


def add_commands(tree: app_commands.CommandTree[Any]) -> None:
    """Add every command to ``tree``."""
    for make in (_new, _games, _move, _discard, _give_up, _rules):
        tree.add_command(make())
    for one in (*_plain_turns(), *_others()):
        tree.add_command(one)
    for add in _PACKAGES:
        add(tree)


def _new() -> Command:
    @command("new", Cost.DEAL, game="game", rules="rules", seed="seed", code="code", winnable="winnable")
    @app_commands.choices(game=choices.game_options())
    async def new(
        interaction: Interaction,
        game: app_commands.Choice[str] | None = None,
        rules: app_commands.Range[str, 1, 40] | None = None,
        seed: app_commands.Range[str, 1, choices.SEED_INPUT_MAX_CHARACTERS] | None = None,
        code: app_commands.Range[str, 1, CODE_INPUT_MAX_CHARACTERS] | None = None,
        winnable: bool = False,  # noqa: FBT001, FBT002 - an option of the command
    ) -> None:
        key = game.value if game else None
        play, request = interaction.client.games, request_of(interaction)
        if code is None:
            turn = await play.new(request, game=key, rules=rules, seed=seed, winnable=winnable)
        elif winnable:
            raise SeedWithWinnable
        elif key is None and rules is None and seed is None:
            turn = await play.new_by_code(request, code)
        else:
            raise CodeAlone
        await _post(interaction, turn)

    @new.autocomplete("rules")
    @completer
    async def complete(interaction: Interaction, typed: str) -> Choices:
        return choices.rules((await reader_of(interaction)).texts, interaction.namespace.game, typed)

    return new


def _games() -> Command:
    @command("games", resume="resume")
    async def games(interaction: Interaction, resume: app_commands.Range[str, 1, 100] | None = None) -> None:
        play = interaction.client.games
        if resume is None:
            unfinished = await play.unfinished(interaction.user.id)
            await whisper_long(interaction, games_text((await reader_of(interaction)).texts, unfinished))
            return
        if not (resume.isascii() and resume.isdigit() and len(resume) <= 18):
            raise NoSuchGame
        try:
            turn = await play.resume(request_of(interaction, game_id=int(resume)))
        except NotYours:  # nobody needs to learn whose games there are
            raise NoSuchGame from None
        await _post(interaction, turn)

    @games.autocomplete("resume")
    @completer
    async def complete(interaction: Interaction, typed: str) -> Choices:
        unfinished = await interaction.client.games.unfinished(interaction.user.id)
        return choices.games((await reader_of(interaction)).texts, unfinished, typed)

    return games


def _move() -> Command:
    @command("move", source="from", target="to", count="count")
    async def move(
        interaction: Interaction,
        source: app_commands.Range[str, 1, 100],
        target: app_commands.Range[str, 1, 100] | None = None,
        count: app_commands.Range[int, 1, 13] | None = None,
    ) -> None:
        text = _typed_move(source, target, count)
        await _post(interaction, await interaction.client.games.move(request_of(interaction), text))

    @move.autocomplete("source")
    @completer
    async def complete_source(interaction: Interaction, typed: str) -> Choices:
        return choices.moves(*await _table(interaction), typed)

    @move.autocomplete("target")
    @completer
    async def complete_target(interaction: Interaction, typed: str) -> Choices:
        source = str(getattr(interaction.namespace, "from", None) or "")
        return choices.targets(*await _table(interaction), source, typed)

    return move


def _discard() -> Command:
    @command("discard", pile="pile")
    async def discard(interaction: Interaction, pile: app_commands.Range[str, 1, 100] | None = None) -> None:
        await _post(interaction, await interaction.client.games.discard(request_of(interaction), pile))

    @discard.autocomplete("pile")
    @completer
    async def complete(interaction: Interaction, typed: str) -> Choices:
        return choices.discards(*await _table(interaction), typed)

    return discard


def _plain_turns() -> list[Command]:
    """Return the commands without options that answer with a table."""
    turns: dict[str, Callable[[GameService, Request], Awaitable[Turn]]] = {
        "draw": GameService.draw,
        "undo": GameService.undo,
        "redo": GameService.redo,
        "hint": GameService.hint,
        "table": GameService.show,
    }

    def make(key: str, ask: Callable[[GameService, Request], Awaitable[Turn]]) -> Command:
        @command(key)
        async def plain(interaction: Interaction) -> None:
            await _post(interaction, await ask(interaction.client.games, request_of(interaction)))

        return plain

    return [make(key, ask) for key, ask in turns.items()]


def _give_up() -> Command:
    @command("giveup")
    async def giveup(interaction: Interaction) -> None:
        turn = await interaction.client.games.show(request_of(interaction))
        if turn.game.status is not Status.PLAYING:
            raise Finished
        reader = await reader_of(interaction)
        question = reader.texts("give-up-question")
        await interaction.client.tables.post(interaction, reader, turn, question, panel=Panel.GIVE_UP)

    return giveup


def _rules() -> Command:
    @command("rules", is_private=True, game="game")
    @app_commands.choices(game=choices.game_options())
    async def rules(interaction: Interaction, game: app_commands.Choice[str] | None = None) -> None:
        await send_rules(interaction, game.value if game else None)

    return rules


def _others() -> list[Command]:
    @command("settings", is_private=True)
    async def settings(interaction: Interaction) -> None:
        await answer_settings(interaction)

    @command("help", is_private=True)
    async def help_(interaction: Interaction) -> None:
        await whisper(interaction, help_text((await reader_of(interaction)).texts))

    @command("replay")
    async def replay(interaction: Interaction) -> None:
        await interaction.client.replays.send(interaction)

    return [replay, settings, help_]


async def _post(interaction: Interaction, turn: Turn) -> None:
    await interaction.client.tables.post(interaction, await reader_of(interaction), turn)


async def _table(interaction: Interaction) -> tuple[Texts, Turn | None]:
    """Return the language and the table for which an option is being typed, if there is one."""
    texts = (await reader_of(interaction)).texts
    try:
        return texts, await interaction.client.games.show(request_of(interaction))
    except NoGame:
        return texts, None


def _typed_move(source: str, target: str | None, count: int | None) -> str:
    """Put the options of ``/move`` together; ``source`` alone may be a whole move, picked from the list.

    :raises NoTarget: when there is no target at all.
    """
    try:
        whole: TypedMove | None = TypedMove.parse(source)
    except MoveSyntaxError:
        whole = None
    if target is None:
        if whole is None:
            raise NoTarget
        return source if count is None else f"{whole.source} {whole.target} {count}"
    start = whole.source if whole and len(source.strip()) > 2 else source
    return " ".join((start, target, *([str(count)] if count else [])))
