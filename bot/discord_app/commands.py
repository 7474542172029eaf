"""The slash commands. Each handler asks the service for one thing and sends what comes back."""

from __future__ import annotations

import functools
from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any

import discord
from discord import app_commands

from bot.discord_app import choices
from bot.discord_app.answers import send_turn
from bot.discord_app.errors import USER_FAULTS, answer_fault
from bot.discord_app.localisation import label, texts_of
from bot.service import NoGame, Play, Request
from bot.text import DEFAULT, texts_for
from bot.text.lists import games_text, help_text, rules_text
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


def add_commands(tree: app_commands.CommandTree[Any], play: Play) -> None:
    """Add every command to ``tree``, all of them over ``play``."""
    for command in (*_dealing(play), *_playing(play), *_looking(play)):
        tree.add_command(command)


def _dealing(play: Play) -> list[Command]:
    @command("new", game="game", rules="rules", seed="seed")
    @app_commands.choices(game=_game_choices())
    async def new(
        interaction: Interaction,
        game: app_commands.Choice[str] | None = None,
        rules: app_commands.Range[str, 1, 40] | None = None,
        seed: app_commands.Range[str, 1, SEED_INPUT_MAX_CHARACTERS] | None = None,
    ) -> None:
        key = game.value if game else None
        await send_turn(interaction, await play.new(_request(interaction), game=key, rules=rules, seed=seed))

    @new.autocomplete("rules")
    async def complete_rules(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        return choices.rules(texts_of(interaction), interaction.namespace.game, typed)

    @command("games", resume="resume")
    async def games(interaction: Interaction, resume: app_commands.Range[str, 1, 100] | None = None) -> None:
        if resume is None:
            text = games_text(texts_of(interaction), await play.unfinished(interaction.user.id))
            await interaction.response.send_message(text, ephemeral=True)
            return
        if not (resume.isascii() and resume.isdigit() and len(resume) <= 18):
            raise NoGame
        await send_turn(interaction, await play.resume(_request(interaction, game_id=int(resume))))

    @games.autocomplete("resume")
    async def complete_games(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        return choices.games(texts_of(interaction), await play.unfinished(interaction.user.id), typed)

    @command("giveup")
    async def giveup(interaction: Interaction) -> None:
        await send_turn(interaction, await play.give_up(_request(interaction)))

    return [new, games, giveup]


def _playing(play: Play) -> list[Command]:
    @command("move", source="from", target="to", count="count")
    async def move(
        interaction: Interaction,
        source: app_commands.Range[str, 1, 100],
        target: app_commands.Range[str, 1, 100] | None = None,
        count: app_commands.Range[int, 1, 13] | None = None,
    ) -> None:
        text = _typed_move(source, target, count)
        await send_turn(interaction, await play.move(_request(interaction), text))

    @move.autocomplete("source")
    async def complete_source(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        return choices.moves(texts_of(interaction), await _table_of(interaction), typed)

    @move.autocomplete("target")
    async def complete_target(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        source = str(interaction.namespace["from"] or "")
        return choices.targets(texts_of(interaction), await _table_of(interaction), source, typed)

    @command("draw")
    async def draw(interaction: Interaction) -> None:
        await send_turn(interaction, await play.draw(_request(interaction)))

    @command("discard", pile="pile")
    async def discard(interaction: Interaction, pile: app_commands.Range[str, 1, 100] | None = None) -> None:
        await send_turn(interaction, await play.discard(_request(interaction), pile))

    @discard.autocomplete("pile")
    async def complete_pile(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        return choices.discards(texts_of(interaction), await _table_of(interaction), typed)

    @command("undo")
    async def undo(interaction: Interaction) -> None:
        await send_turn(interaction, await play.undo(_request(interaction)))

    @command("redo")
    async def redo(interaction: Interaction) -> None:
        await send_turn(interaction, await play.redo(_request(interaction)))

    async def _table_of(interaction: Interaction) -> Any:
        return await play.show(_request(interaction))

    return [move, draw, discard, undo, redo]


def _looking(play: Play) -> list[Command]:
    @command("table")
    async def table(interaction: Interaction) -> None:
        await send_turn(interaction, await play.show(_request(interaction)))

    @command("rules", game="game")
    @app_commands.choices(game=_game_choices())
    async def rules(interaction: Interaction, game: app_commands.Choice[str] | None = None) -> None:
        texts = texts_of(interaction)
        keys = [game.value] if game else list(GAMES)
        text = "\n".join(rules_text(texts, key) for key in keys)
        await interaction.response.send_message(text, ephemeral=True)

    @command("help")
    async def help_(interaction: Interaction) -> None:
        await interaction.response.send_message(help_text(texts_of(interaction)), ephemeral=True)

    return [table, rules, help_]


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

    :raises MoveSyntaxError: when there is no target at all.
    """
    try:
        whole: TypedMove | None = TypedMove.parse(source)
    except MoveSyntaxError:
        whole = None
    if target is None:
        if whole is None:
            raise MoveSyntaxError(source, "no target")
        return source if count is None else f"{whole.source} {whole.target} {count}"
    start = whole.source if whole else source
    return " ".join((start, target, *([str(count)] if count else [])))
