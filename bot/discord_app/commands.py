"""The slash commands. Each handler asks the service for one thing and sends what comes back."""

from __future__ import annotations

import functools
from collections.abc import Awaitable, Callable, Coroutine
from typing import TYPE_CHECKING, Any

import discord
from discord import app_commands

from bot.discord_app import choices
from bot.discord_app.choices import Choices
from bot.discord_app.controls import Panel
from bot.discord_app.errors import USER_FAULTS, answer_fault, whisper, whisper_long
from bot.discord_app.localisation import label
from bot.discord_app.preferences import answer_settings
from bot.discord_app.reader import reader_of
from bot.discord_app.rulebook import send_rules
from bot.service import Finished, NoGame, NoSuchGame, NoTarget, NotYours, Play, Request, Turn
from bot.storage import Status
from bot.text import DEFAULT, Texts, texts_for
from bot.text.lists import games_text, help_text
from bot.text.names import game_name
from engine import GAMES, MoveSyntaxError, TypedMove

if TYPE_CHECKING:
    from bot.discord_app.client import SolitaireClient

    Interaction = discord.Interaction[SolitaireClient]
else:
    Interaction = discord.Interaction

Handler = Callable[..., Coroutine[Any, Any, None]]
Command = app_commands.Command[Any, ..., None]

SEED_INPUT_MAX_CHARACTERS = 200


def add_commands(tree: app_commands.CommandTree[Any]) -> None:
    """Add every command to ``tree``."""
    for make in (_new, _games, _move, _discard, _give_up, _rules):
        tree.add_command(make())
    for one in (*_plain_turns(), *_others()):
        tree.add_command(one)


def _new() -> Command:
    @command("new", game="game", rules="rules", seed="seed")
    @app_commands.choices(game=_game_choices())
    async def new(
        interaction: Interaction,
        game: app_commands.Choice[str] | None = None,
        rules: app_commands.Range[str, 1, 40] | None = None,
        seed: app_commands.Range[str, 1, SEED_INPUT_MAX_CHARACTERS] | None = None,
    ) -> None:
        key = game.value if game else None
        play = interaction.client.play
        await _post(interaction, await play.new(_request(interaction), game=key, rules=rules, seed=seed))

    @new.autocomplete("rules")
    async def complete(interaction: Interaction, typed: str) -> Choices:
        return choices.rules((await reader_of(interaction)).texts, interaction.namespace.game, typed)

    return new


def _games() -> Command:
    @command("games", resume="resume")
    async def games(interaction: Interaction, resume: app_commands.Range[str, 1, 100] | None = None) -> None:
        play = interaction.client.play
        if resume is None:
            unfinished = await play.unfinished(interaction.user.id)
            await whisper_long(interaction, games_text((await reader_of(interaction)).texts, unfinished))
            return
        if not (resume.isascii() and resume.isdigit() and len(resume) <= 18):
            raise NoSuchGame
        try:
            turn = await play.resume(_request(interaction, game_id=int(resume)))
        except NotYours:  # nobody needs to learn whose games there are
            raise NoSuchGame from None
        await _post(interaction, turn)

    @games.autocomplete("resume")
    async def complete(interaction: Interaction, typed: str) -> Choices:
        unfinished = await interaction.client.play.unfinished(interaction.user.id)
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
        await _post(interaction, await interaction.client.play.move(_request(interaction), text))

    @move.autocomplete("source")
    async def complete_source(interaction: Interaction, typed: str) -> Choices:
        return choices.moves(*await _table(interaction), typed)

    @move.autocomplete("target")
    async def complete_target(interaction: Interaction, typed: str) -> Choices:
        source = str(getattr(interaction.namespace, "from", None) or "")
        return choices.targets(*await _table(interaction), source, typed)

    return move


def _discard() -> Command:
    @command("discard", pile="pile")
    async def discard(interaction: Interaction, pile: app_commands.Range[str, 1, 100] | None = None) -> None:
        await _post(interaction, await interaction.client.play.discard(_request(interaction), pile))

    @discard.autocomplete("pile")
    async def complete(interaction: Interaction, typed: str) -> Choices:
        return choices.discards(*await _table(interaction), typed)

    return discard


def _plain_turns() -> list[Command]:
    """Return the commands without options that answer with a table."""
    turns: dict[str, Callable[[Play, Request], Awaitable[Turn]]] = {
        "draw": Play.draw,
        "undo": Play.undo,
        "redo": Play.redo,
        "hint": Play.hint,
        "table": Play.show,
    }

    def make(key: str, ask: Callable[[Play, Request], Awaitable[Turn]]) -> Command:
        @command(key)
        async def plain(interaction: Interaction) -> None:
            await _post(interaction, await ask(interaction.client.play, _request(interaction)))

        return plain

    return [make(key, ask) for key, ask in turns.items()]


def _give_up() -> Command:
    @command("giveup")
    async def giveup(interaction: Interaction) -> None:
        turn = await interaction.client.play.show(_request(interaction))
        if turn.game.status is not Status.PLAYING:
            raise Finished
        reader = await reader_of(interaction)
        question = reader.texts("give-up-question")
        await interaction.client.tables.post(interaction, reader, turn, question, panel=Panel.GIVE_UP)

    return giveup


def _rules() -> Command:
    @command("rules", game="game")
    @app_commands.choices(game=_game_choices())
    async def rules(interaction: Interaction, game: app_commands.Choice[str] | None = None) -> None:
        await send_rules(interaction, game.value if game else None)

    return rules


def _others() -> list[Command]:
    @command("settings")
    async def settings(interaction: Interaction) -> None:
        await answer_settings(interaction)

    @command("help")
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
        return texts, await interaction.client.play.show(_request(interaction))
    except NoGame:
        return texts, None


def command(key: str, **options: str) -> Callable[[Handler], Command]:
    """Make a command of a handler, named and described by ``command-<key>`` in the language files.

    ``options`` maps each parameter of the handler to the attribute that names it there. What the handler
    raises because of what the user asked for is answered; anything else is left to the tree.
    """

    def decorate(handler: Handler) -> Command:
        @functools.wraps(handler)
        async def answered(interaction: Interaction, **arguments: Any) -> None:
            try:
                await handler(interaction, **arguments)
            except USER_FAULTS as fault:
                await answer_fault(interaction, fault)

        own = f"command-{key}"
        names = {parameter: label(f"{own}.{option}") for parameter, option in options.items()}
        hints = {parameter: label(f"{own}.{option}-description") for parameter, option in options.items()}
        described = app_commands.rename(**names)(app_commands.describe(**hints)(answered))
        return app_commands.command(name=label(own), description=label(f"{own}.description"))(described)

    return decorate


def _game_choices() -> list[app_commands.Choice[str]]:
    texts = texts_for(DEFAULT)
    return [
        app_commands.Choice(
            name=label(f"game-{key}") if texts.find(f"game-{key}") else game_name(texts, key), value=key
        )
        for key in GAMES
    ]


def _request(interaction: Interaction, game_id: int | None = None) -> Request:
    return Request(user_id=interaction.user.id, id=interaction.id, game_id=game_id)


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
