"""Whatever is asked for, by anybody, in any order: the record is the truth, and the rest follows from it."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.service import GameService, Position, ServiceError, Turn
from bot.storage import SqliteStore, Status, StoredGame
from engine import GAMES, Move, Record, SolitaireError
from tests.service.conftest import STATUS, Clock, Player

RULES = [(key, code) for key, game in GAMES.items() for code in game.presets] + [(None, None)]

deals = st.tuples(st.just("new"), st.sampled_from(RULES), st.sampled_from([None, "1", "24", "å  b", "%2F"]))
typed = st.one_of(
    st.builds("{} {}".format, st.sampled_from("1234567wfcsd"), st.sampled_from("1234567wfcdt")),
    st.text(max_size=6),
)
actions = st.one_of(
    deals,
    st.tuples(st.just("legal"), st.integers(0, 40)),
    st.tuples(st.just("legal"), st.integers(0, 40)),
    st.tuples(st.just("legal"), st.integers(0, 40)),
    st.tuples(st.just("move"), typed),
    st.tuples(st.just("draw")),
    st.tuples(st.just("discard"), st.sampled_from([None, "1", "2", "3+4", "x"])),
    st.tuples(st.just("discard_all")),
    st.tuples(st.just("finish")),
    st.tuples(st.just("undo")),
    st.tuples(st.just("undo")),
    st.tuples(st.just("redo")),
    st.tuples(st.just("give_up")),
    st.tuples(st.just("resume"), st.integers(0, 6)),
    st.tuples(st.just("show")),
)
# Who, what, whether it is the last request once more, and how many revisions old the table is, if told.
requests = st.tuples(
    st.sampled_from([1, 2]), actions, st.booleans(), st.sampled_from([None, None, None, 0, 1])
)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(requests, min_size=5, max_size=30))
def test_a_stored_record_always_replays_to_the_stored_score_and_status(requests: Sequence[Any]) -> None:
    asyncio.run(replayed(requests))


async def replayed(requests: Sequence[Any]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        store = SqliteStore(Path(folder) / "games.sqlite3")
        await store.open()
        try:
            play = GameService(store, Clock())
            players = {1: Player(play, store, 1), 2: Player(play, store, 2)}
            last_id = {1: 1, 2: 2}
            for number, (user_id, action, again, age) in enumerate(requests, start=1):
                last_id[user_id] = last_id[user_id] if again else 10 * number + user_id
                before = await kept(store)
                try:
                    await act(players[user_id], last_id[user_id], action, age)
                except (ServiceError, SolitaireError):
                    assert await kept(store) == before
                await check(store, before, user_id)
        finally:
            await store.close()


async def act(player: Player, request_id: int, action: tuple[Any, ...], age: int | None) -> Turn:
    verb, *arguments = action
    about: dict[str, int] = {"same": request_id}
    current = await player.store.current_game(player.user_id)
    if age is not None and current is not None:
        about["revision"] = current.revision - age
    if verb == "new":
        (game, rules), seed = arguments
        return await player.play.new(player.request(same=request_id), game=game, rules=rules, seed=seed)
    if verb == "resume":
        return await player.play.resume(player.request(same=request_id, game_id=arguments[0]))
    if verb == "legal":
        legal = (await player.show()).legal_moves
        return await player.move(str(legal[arguments[0] % len(legal)]) if legal else "1 2", **about)
    turn: Turn = await getattr(player, verb)(*arguments, **about)
    return turn


async def kept(store: SqliteStore) -> list[StoredGame]:
    games: list[StoredGame] = []
    while (game := await store.load_game(len(games) + 1)) is not None:
        games.append(game)
    return games


async def check(store: SqliteStore, before: list[StoredGame], user_id: int) -> None:
    after = await kept(store)
    for game in after:
        position = Position.of(Record.parse(game.record))
        assert game.score == position.table.score == position.game.score(position.state)
        assert game.status in (STATUS[position.outcome], Status.GIVEN_UP)
        assert str(position.record) == game.record
        for text in game.undone.split():  # what redo would play again is legal, one after the other
            position = position.then(Move.parse(text))
    for old, new in zip(before, after, strict=False):
        assert (new == old) == (new.revision == old.revision)
        assert new.revision in (old.revision, old.revision + 1)
        if new != old:
            assert old.status is not Status.GIVEN_UP
            assert new.owner_id == old.owner_id == user_id
    assert len(after) - len(before) in (0, 1)
    for owner_id in (1, 2):
        current = await store.current_game(owner_id)
        assert (current is None) == all(game.owner_id != owner_id for game in after)
        assert current is None or (current.owner_id == owner_id and current in after)
        unfinished = [g for g in after if g.owner_id == owner_id and g.status is Status.PLAYING]
        listed = await store.unfinished_games(owner_id, 100)
        assert sorted(game.id for game in listed) == [game.id for game in unfinished]
