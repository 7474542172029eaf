"""The shipped pools: every line wins, and size and form are as documented."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from engine import GAMES, Move, Outcome, Record, replay
from solve import jobs, pool, pool_maker
from solve.registry import SOLVERS, Solvers

# For every preset of a game that has a solver.
POOLS = [(key, code) for key, game in GAMES.items() if jobs.can_find(key) for code in game.presets]
of_every_pool = pytest.mark.parametrize(("game", "rules"), POOLS)


def wins(record: Record) -> bool:
    return GAMES[record.game].outcome(replay(record)) is Outcome.WON


@of_every_pool
def test_every_preset_has_at_least_a_thousand_deals(game: str, rules: str) -> None:
    assert len(pool.numbers(game, rules)) >= 1_000


@of_every_pool
def test_the_numbers_of_a_pool_rise_and_can_be_seeds(game: str, rules: str) -> None:
    numbers = list(pool.numbers(game, rules))
    assert numbers == sorted(set(numbers))
    assert numbers[0] >= 1
    assert numbers[-1] <= 999_999_999


def test_there_is_no_other_pool() -> None:
    files = {file.stem for file in pool_maker.FOLDER.iterdir()}
    assert files == {f"{game}-{rules}" for game, rules in POOLS}
    assert sum(file.stat().st_size for file in pool_maker.FOLDER.iterdir()) < 2_500_000


@of_every_pool
def test_stored_lines_win(game: str, rules: str) -> None:
    for number in Random(f"{game}/{rules}").sample(list(pool.numbers(game, rules)), 40):
        assert wins(Record(game, rules, str(number), pool.line(game, rules, number)))


@pytest.mark.slow
@of_every_pool
def test_all_stored_lines_win(game: str, rules: str) -> None:
    for text in (pool_maker.FOLDER / f"{game}-{rules}.tsv").read_text("ascii").splitlines():
        number, packed = text.split("\t")
        assert wins(Record(game, rules, number, pool.unpack(Record(game, rules, number), packed)))


@of_every_pool
def test_a_line_is_short_enough_to_be_shown(game: str, rules: str) -> None:
    """It is shown as an animation; no line has ten times as many moves as there are cards."""
    for text in (pool_maker.FOLDER / f"{game}-{rules}.tsv").read_text("ascii").splitlines():
        assert len(text.partition("\t")[2]) < 520, text


def test_rules_without_a_pool_have_no_numbers() -> None:
    assert len(pool.numbers("acesup", "cell+pairs")) == 0
    assert len(pool.numbers("no-such-game", "d1")) == 0


def test_a_deal_that_is_not_in_a_pool_has_no_line() -> None:
    missing = next(n for n in range(1, 9_999) if n not in pool.numbers("acesup", "aces"))
    with pytest.raises(LookupError, match=f"acesup/aces/{missing}"):
        pool.line("acesup", "aces", missing)


@pytest.mark.parametrize(
    "code", ["acesup/standard/1", "acesup/cell+pairs/7", "klondike/d3p2r/24", "klondike/d1/x"]
)
def test_unpacking_is_the_inverse_of_packing(code: str) -> None:
    rng = Random(code)
    deal = Record.parse(code)
    game, state = GAMES[deal.game], replay(deal)
    moves: list[Move] = []
    while len(moves) < 120 and (legal := list(game.legal_moves(state))):
        moves.append(rng.choice(legal))
        state = game.apply(state, moves[-1])
    packed = pool.pack(deal, moves)
    assert len(packed) == len(moves) > 20
    assert pool.unpack(deal, packed) == tuple(moves)


def test_packing_does_not_depend_on_the_order_in_which_legal_moves_come(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    number = pool.numbers("acesup", "pairs")[0]
    line = pool.line("acesup", "pairs", number)
    game = GAMES["acesup"]
    forward = type(game).legal_moves
    monkeypatch.setattr(type(game), "legal_moves", lambda self, state: iter([*forward(self, state)][::-1]))
    assert pool.line("acesup", "pairs", number) == line


def test_a_move_that_is_not_legal_can_be_neither_packed_nor_unpacked() -> None:
    deal = Record.parse("acesup/standard/1")
    with pytest.raises(ValueError, match="not in list"):
        pool.pack(deal, [Move("1", "d")])
    with pytest.raises(ValueError, match="no move 'Z' after 1 moves"):
        pool.unpack(deal, pool.pack(deal, [Move("2", "d")]) + "Z")
    with pytest.raises(ValueError, match="substring not found"):
        pool.unpack(deal, "-")


def test_a_pool_starts_with_the_first_deals_that_are_won(tmp_path: Path) -> None:
    made = list(pool_maker.make("acesup", "cell", 3, budget_s=30))
    assert [number for number, _ in made] == list(pool.numbers("acesup", "cell"))[:3]
    for number, packed in made:
        deal = Record("acesup", "cell", str(number))
        assert wins(deal.play(*pool.unpack(deal, packed)))


def test_a_pool_is_written_where_it_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool_maker, "FOLDER", tmp_path)
    pool_maker.main(["acesup", "cell+pairs", "2", "--first", "5", "--budget", "30"])
    lines = (tmp_path / "acesup-cell+pairs.tsv").read_text("ascii").splitlines()
    assert len(lines) == 2
    assert int(lines[0].partition("\t")[0]) >= 5


def test_a_win_is_found_where_there_is_one() -> None:
    assert jobs.find("acesup/standard/3", 5) is None
    line = jobs.find("acesup/cell/3", 30)
    assert line is not None
    assert wins(Record.parse(f"acesup/cell/3 {line}"))


def test_a_win_that_the_engine_does_not_confirm_does_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    par = jobs.best("acesup/cell/3", 30)
    assert par is not None
    short = par.line[:-1]
    monkeypatch.setattr(jobs, "best", lambda _deal, _budget: type(par)(48, 48, short, 1))
    assert jobs.find("acesup/cell/3", 30) is None


def test_nothing_is_found_without_a_solver(monkeypatch: pytest.MonkeyPatch) -> None:
    assert jobs.can_find("acesup")
    monkeypatch.setitem(SOLVERS, "acesup", Solvers())
    assert not jobs.can_find("acesup")
    assert jobs.find("acesup/cell/3", 30) is None


def test_a_klondike_that_can_be_won_is_worth_the_full_score() -> None:
    par = jobs.best("klondike/d1/1", 30)
    assert par is not None
    assert (par.score, par.proven) == (52, True)
    assert wins(Record.parse("klondike/d1/1").play(*par.line))


def test_a_lost_klondike_is_worth_its_score_and_less_than_the_full_score() -> None:
    deal = Record.parse("klondike/d3/7")
    game, state, rng = GAMES["klondike"], replay(deal), Random(1)
    moves: list[Move] = []
    while not game.score(state):
        moves.append(rng.choice(list(game.legal_moves(state))))
        state = game.apply(state, moves[-1])
    par = jobs.best(str(deal.play(*moves)), 30)
    assert par is not None
    assert (par.score, par.upper_bound, par.line) == (1, 51, ())
