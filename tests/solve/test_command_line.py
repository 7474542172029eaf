"""``python -m solve``: what it prints, writes and rejects, and what is left after Ctrl-C."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from PIL import Image

from engine import GAMES, Record, replay
from solve.__main__ import FAILED, INTERRUPTED, USAGE, main
from solve.measuring import commands, figures, survey, trial
from solve.measuring.chances import mean, percentile, share
from solve.measuring.results import read
from solve.measuring.survey import Survey, run
from solve.measuring.trial import FORCED, HINTS, PHASES, SOLVE, Plan, Trial, is_possible, run_trial
from tests.engine.positions import ACESUP

Capture = pytest.CaptureFixture[str]


def out_of(capture: Capture) -> str:
    return capture.readouterr().out


def error_of(capture: Capture, *arguments: str, code: int = USAGE) -> str:
    """Return the error message of a command that fails."""
    assert main(arguments) == code
    out, err = capture.readouterr()
    assert not out
    assert "Traceback" not in err
    return err


# -- deal


@pytest.mark.parametrize(
    "words",
    [
        ("acesup/standard/24", "1-d", "s-t"),
        ("acesup/standard/24 1-d s-t",),
        ("'acesup/standard/24 1-d s-t'",),
    ],
)
def test_the_printed_moves_reach_the_printed_score(capsys: Capture, words: tuple[str, ...]) -> None:
    assert main(["deal", *words]) == 0
    out = out_of(capsys)
    best = re.search(r"^best   (\d+), proven$", out, re.MULTILINE)
    line = re.search(r"^moves  (.+)$", out, re.MULTILINE)
    assert best
    assert line
    state = replay(Record.parse(f"acesup/standard/24 1-d s-t {line[1]}"))
    assert ACESUP.score(state) == int(best[1])


def test_an_undecided_game_is_printed_with_both_bounds(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("solve.games.acesup.solver._SLICE", 1)  # checks the clock after each position
    assert main(["deal", "acesup/standard/10", "--seconds", "1e-9"]) == 0
    assert re.search(
        r"^best   at least \d+, at most \d+: not decided in 1e-09 s$", out_of(capsys), re.MULTILINE
    )


@pytest.mark.parametrize(("seed", "answer"), [("7", "can't be won, proven"), ("8", "can be won")])
def test_klondike_can_be_won_or_lost(capsys: Capture, seed: str, answer: str) -> None:
    assert main(["deal", f"klondike/d3/{seed}"]) == 0
    assert answer in out_of(capsys).splitlines()


def test_a_hint_is_a_legal_move(capsys: Capture) -> None:
    for game in ("acesup/cell/7 s-t", "klondike/d3/8 s-w"):
        assert main(["deal", game, "--hint"]) == 0
        hint = re.search(r"^hint   (\S+)$", out_of(capsys), re.MULTILINE)
        assert hint
        assert replay(Record.parse(f"{game} {hint[1]}")) != replay(Record.parse(game))


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("acesup",), "a record starts with game/rules/seed"),
        (("chess/standard/1",), "the games are"),
        (("acesup/nonsense/1",), "write standard"),
        (("acesup/standard/1", "3-5x"), "'3-5x'"),
        (("acesup/standard/1", "1-2"), "pile-taken"),
    ],
)
def test_a_bad_record_gives_an_error_message(capsys: Capture, words: tuple[str, ...], sentence: str) -> None:
    assert sentence in error_of(capsys, "deal", *words)


# -- survey


def test_a_survey_prints_a_table_and_writes_a_line_for_each_deal(capsys: Capture, tmp_path: Path) -> None:
    tsv = tmp_path / "results.tsv"
    ask = ["survey", "acesup", "aces", "1", "6", "--processes", "1", "--tsv", str(tsv)]
    assert main(ask) == 0
    out = out_of(capsys)
    assert "6 (numbers 1 … 6)" in out
    assert "mean best score" in out
    plan, trials = read(tsv)
    assert str(plan) == "acesup aces solve 10"
    assert [one.number for one in trials] == [1, 2, 3, 4, 5, 6]
    for one in trials:
        assert replace(run_trial(plan, one.number), ms=one.ms) == one


def test_resume_measures_only_what_is_missing(
    capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tsv = tmp_path / "results.tsv"
    ask = ["survey", "acesup", "aces", "1", "4", "--forced", "--processes", "1", "--tsv", str(tsv)]
    assert main(ask) == 0
    whole = tsv.read_text(encoding="utf-8")
    lines = whole.splitlines(keepends=True)
    tsv.write_text("".join(lines[:4]) + lines[4][:5], encoding="utf-8")  # the third result is cut off
    out_of(capsys)

    asked = []

    def counted(plan: Plan, number: int) -> Trial:
        asked.append(number)
        return run_trial(plan, number)

    monkeypatch.setattr(survey, "run_trial", counted)
    assert main([*ask, "--resume"]) == 0
    assert asked == [3, 4]
    assert "4 (numbers 1 … 4)" in out_of(capsys)
    without_time = [line.rsplit("\t", 1)[0] for line in tsv.read_text(encoding="utf-8").splitlines()]
    assert without_time == [line.rsplit("\t", 1)[0] for line in whole.splitlines()]


def test_results_are_never_overwritten_and_never_mixed(capsys: Capture, tmp_path: Path) -> None:
    tsv = tmp_path / "results.tsv"
    ask = ["survey", "acesup", "aces", "1", "2", "--phases", "--processes", "1", "--tsv", str(tsv)]
    assert main(ask) == 0
    out_of(capsys)
    before = tsv.read_bytes()
    assert "--resume" in error_of(capsys, *ask, code=FAILED)
    other = [word.replace("phases", "forced") for word in ask]
    assert "has results of “acesup aces phases”" in error_of(capsys, *other, "--resume", code=FAILED)
    assert tsv.read_bytes() == before


@pytest.mark.parametrize(
    "content",
    ["", "x\n", "# a b c d\n", "# acesup aces phases\nnumber\n", "\x00\n", "# acesup aces phases\n"],
)
def test_a_file_without_results_is_not_touched(capsys: Capture, tmp_path: Path, content: str) -> None:
    tsv = tmp_path / "notes.txt"
    tsv.write_text(content, encoding="utf-8")
    ask = [
        "survey",
        "acesup",
        "aces",
        "1",
        "1",
        "--phases",
        "--processes",
        "1",
        "--resume",
        "--tsv",
        str(tsv),
    ]
    if content:
        assert "is not a result file" in error_of(capsys, *ask, code=FAILED)
        assert tsv.read_text(encoding="utf-8") == content
    else:
        assert main(ask) == 0


@pytest.mark.parametrize("words", [("acesup", "pairs"), ("klondike", "d3p1")])
def test_a_survey_can_follow_the_hints(capsys: Capture, words: tuple[str, str]) -> None:
    assert main(["survey", *words, "2", "3", "--hints", "--processes", "1"]) == 0
    out = out_of(capsys)
    assert re.search(r"won +│ \d = ", out)
    assert re.search(r"mean score +│ \d", out)


def test_a_survey_in_several_processes_has_the_same_results() -> None:
    plan = Plan("acesup", "aces", PHASES, 0)
    seen: list[Trial] = []
    several = run(plan, range(1, 9), processes=2, seen=seen.append)
    assert sorted(seen, key=lambda one: one.number) == list(several.trials)
    assert [replace(one, ms=0) for one in several.trials] == [
        replace(run_trial(plan, number), ms=0) for number in range(1, 9)
    ]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("acesup", "standard", "2", "1"), "2 … 1 is not a range"),
        (("acesup", "standard", "1", "100000000"), "is not a range of 1 to 10,000,000 numbers"),
        (("acesup", "d1", "1", "2"), "write standard"),
        (("chess", "d1", "1", "2"), "the games are"),
        (("acesup", "cell", "1", "2", "--phases"), "acesup cell has no “phases”"),
        (("klondike", "d1", "1", "2", "--forced"), "klondike d1 has no “forced”"),
        (("acesup", "aces", "1", "2", "--resume"), "--tsv"),
        (("acesup", "aces", "1", "2", "--plot", "plot.gif"), "a plot is a file in .png or .svg"),
        (("acesup", "aces", "1", "2", "--plot", "nowhere/plot.png"), "can't be written"),
    ],
)
def test_a_survey_that_makes_no_sense_gives_an_error_message(
    capsys: Capture, words: tuple[str, ...], sentence: str
) -> None:
    assert sentence in error_of(capsys, "survey", *words)


@pytest.mark.parametrize(
    "words",
    [
        (),
        ("solve",),
        ("survey", "acesup", "aces", "0", "2"),
        ("survey", "acesup", "aces", "1", "x"),
        ("survey", "acesup", "aces", "1", "2", "--seconds", "nan"),
        ("survey", "acesup", "aces", "1", "2", "--seconds", "soon"),
        ("survey", "acesup", "aces", "1", "2", "--processes", "0"),
        ("survey", "acesup", "aces", "1", "2", "--hints", "--forced"),
        ("figures", "--deals", "-1"),
    ],
)
def test_wrong_arguments_have_the_exit_code_of_wrong_usage(capsys: Capture, words: tuple[str, ...]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(words)
    assert stopped.value.code == USAGE
    assert "usage:" in capsys.readouterr().err


def test_a_file_that_cannot_be_written_gives_an_error_message(capsys: Capture, tmp_path: Path) -> None:
    ask = ["survey", "acesup", "aces", "1", "2", "--phases", "--processes", "1", "--tsv"]
    assert "No such file" in error_of(capsys, *ask, str(tmp_path / "nowhere" / "x.tsv"), code=FAILED)
    in_the_way = tmp_path / "file"
    in_the_way.touch()
    assert error_of(capsys, "figures", "--tsv-dir", str(in_the_way / "folder"), code=FAILED)


def test_a_missing_package_is_reported_before_anything_is_measured(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(commands, "find_spec", lambda name: None)
    assert "needs rich: " in error_of(capsys, "survey", "acesup", "aces", "1", "2")
    assert "needs rich and matplotlib: " in error_of(capsys, "figures", "--plot", "x.png")
    assert main(["deal", "acesup/aces/1"]) == 0


# -- Ctrl-C


@pytest.fixture
def interrupt(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Press Ctrl-C after that number of deals."""

    def after(deals: int) -> None:
        left = iter(range(deals))

        def ask(plan: Plan, number: int) -> Trial:
            if next(left, None) is None:
                raise KeyboardInterrupt
            return run_trial(plan, number)

        monkeypatch.setattr(survey, "run_trial", ask)

    return after


def test_ctrl_c_keeps_and_prints_what_was_done(
    capsys: Capture, tmp_path: Path, interrupt: Callable[[int], None]
) -> None:
    interrupt(3)
    tsv = tmp_path / "results.tsv"
    ask = ["survey", "acesup", "aces", "1", "9", "--phases", "--processes", "1", "--tsv", str(tsv)]
    assert main(ask) == INTERRUPTED
    out, err = capsys.readouterr()
    assert "3 (numbers 1 … 3)" in out
    assert f"interrupted after 3 of 9 deals; they are in {tsv}, and --resume continues it" in err
    assert len(read(tsv)[1]) == 3


def test_ctrl_c_before_the_first_deal_is_done(capsys: Capture, interrupt: Callable[[int], None]) -> None:
    interrupt(0)
    assert main(["survey", "acesup", "aces", "1", "9", "--phases", "--processes", "1"]) == INTERRUPTED
    assert "interrupted after 0 of 9 deals" in capsys.readouterr().err


def test_ctrl_c_leaves_the_rows_that_are_done(capsys: Capture, interrupt: Callable[[int], None]) -> None:
    interrupt(5)
    assert main(["figures", "--deals", "2", "--processes", "1", "--markdown"]) == INTERRUPTED
    out, err = capsys.readouterr()
    assert "1 in 270" in out
    assert "48.4 %" in out
    assert "5.8 %" not in out
    assert "interrupted: the last row is short" in err


@pytest.mark.skipif(sys.platform == "win32", reason="sends SIGINT")
def test_a_real_ctrl_c_ends_all_processes(tmp_path: Path) -> None:
    tsv = tmp_path / "results.tsv"
    ask = ["survey", "acesup", "standard", "1", "9000000", "--phases", "--processes", "2", "--tsv", str(tsv)]
    with subprocess.Popen(
        [sys.executable, "-m", "solve", *ask], stderr=subprocess.PIPE, text=True
    ) as process:
        while not (tsv.exists() and tsv.read_text(encoding="utf-8").count("\n") > 2):
            assert process.poll() is None
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        assert process.stderr
        err = process.stderr.read()  # to its end, when no process has it open any more
        assert process.wait(30) == INTERRUPTED
    assert "interrupted after " in err
    assert "Traceback" not in err
    assert read(tsv)[1]


# -- plots and figures


def titles(svg: Path) -> list[str]:
    """Return the comments that matplotlib writes for the texts it draws."""
    return re.findall(r"<!-- (.*?) -->", svg.read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("words", "panels"),
    [
        (("acesup", "aces", "1", "3"), ("Best score", "Proven within a time")),
        (("acesup", "aces", "1", "3", "--phases"), ("Score reached", "Time for a game")),
        (("klondike", "d3", "7", "8"), ("Can it be won?", "Proven within a time")),
    ],
)
def test_a_survey_is_plotted_as_png_and_svg(
    capsys: Capture, tmp_path: Path, words: tuple[str, ...], panels: tuple[str, str]
) -> None:
    for kind in ("png", "svg"):
        assert main(["survey", *words, "--processes", "1", "--plot", str(tmp_path / f"plot.{kind}")]) == 0
    with Image.open(tmp_path / "plot.png") as picture:
        picture.verify()
        assert picture.width > picture.height > 400
    ET.parse(tmp_path / "plot.svg")
    assert set(panels) <= set(titles(tmp_path / "plot.svg"))


def test_a_plot_that_cannot_be_written_gives_an_error_message(
    capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plot = tmp_path / "plot.png"
    plot.mkdir()
    assert (
        main(["survey", "acesup", "aces", "1", "2", "--phases", "--processes", "1", "--plot", str(plot)]) == 1
    )
    out, err = capsys.readouterr()
    assert "mean score" in out
    assert f"{plot}: Is a directory" in err


@pytest.fixture
def few_rows(monkeypatch: pytest.MonkeyPatch) -> tuple[figures.Row, ...]:
    """The rows that take no time."""
    rows = tuple(
        row
        for row in figures.ROWS
        if row.plan.how in (PHASES, FORCED) or row.plan.rules in ("aces", "d3r", "d1r")
    )
    monkeypatch.setattr(figures, "ROWS", rows)
    return rows


def test_figures_are_printed_beside_the_published_ones(
    capsys: Capture, tmp_path: Path, few_rows: tuple[figures.Row, ...]
) -> None:
    plot = tmp_path / "figures.svg"
    ask = ["figures", "--deals", "2", "--processes", "1", "--tsv-dir", str(tmp_path / "results")]
    assert main([*ask, "--plot", str(plot), "--markdown"]) == 0
    lines = out_of(capsys).splitlines()
    table = [line.strip("| ").split(" | ") for line in lines if line.startswith("| ")]
    assert table[0] == list(figures.HEADS)
    assert len(table) == 2 + len(few_rows)
    assert {len(cells) for cells in table} == {len(figures.HEADS)}
    published = " ".join(cells[2] for cells in table)
    for figure in ("1 in 35", "1 in 270", "48.4 %", "44.65", "5.8 %", "81.945 % ± 0.084 %", "about 91 %"):
        assert figure in published
        assert any(line.startswith("- ") and figure in line for line in lines)
    panels = {
        "Aces Up, standard: how far it goes",
        "Proven within a time",
        "Aces Up: games won",
        "Klondike: games won",
    }
    assert panels <= set(titles(plot))


def test_figures_count_what_was_measured_before(
    capsys: Capture, tmp_path: Path, few_rows: tuple[figures.Row, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(figures, "ROWS", few_rows[:1])
    tsv = tmp_path / "acesup-standard-phases.tsv"
    ask = ["survey", "acesup", "standard", "2", "5", "--phases", "--processes", "1", "--tsv", str(tsv)]
    assert main(ask) == 0
    out_of(capsys)
    ask = ["figures", "--deals", "2", "--processes", "1", "--tsv-dir", str(tmp_path)]
    assert main(ask) == 0
    assert " 5 " in next(line for line in out_of(capsys).splitlines() if "1 in 35.9" in line)
    assert [one.number for one in read(tsv)[1]] == [1, 2, 3, 4, 5]


def test_every_row_can_be_measured_and_every_source_is_named() -> None:
    assert all(is_possible(row.plan) for row in figures.ROWS)
    assert {published.source for row in figures.ROWS for published in row.published} == set(figures.SOURCES)
    measured = {(row.plan.game, row.plan.rules, row.plan.how) for row in figures.ROWS}
    for game in GAMES.values():
        for preset in game.presets:
            assert {(game.key, preset, SOLVE), (game.key, preset, HINTS)} <= measured


def test_a_survey_distinguishes_won_lost_and_unknown() -> None:
    trials = tuple(
        Trial(number, score, bound, score, 1, 1, 5.0)
        for number, (score, bound) in enumerate([(48, 48), (40, 47), (40, 48), (48, 48)], 1)
    )
    found = Survey(Plan("acesup", "standard", SOLVE, 10), trials)
    assert (found.won, found.lost, found.unknown) == (2, 1, 1)
    assert found.chance.value == 0.5
    assert found.chance.low == share(2, 4).low
    assert found.chance.high == share(3, 4).high
    assert found.times_ms() == [5.0, 5.0, float("inf"), float("inf")]
    assert found.mean_score.low < 44 < 45.75 < found.mean_score.high


def test_a_line_that_reaches_another_score_is_detected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trial, "score_after", lambda game, line: 1)
    for plan in (Plan("acesup", "aces", SOLVE, 1), Plan("klondike", "d3", SOLVE, 1)):
        with pytest.raises(trial.WrongLine):
            run_trial(plan, 8)


# -- shares, means


@pytest.mark.parametrize(
    ("hits", "of", "low", "high"),
    [(0, 10, 0.0, 0.2775), (10, 10, 0.7225, 1.0), (1, 4, 0.0456, 0.6994), (81, 263, 0.2553, 0.3662)],
)
def test_intervals_of_shares_are_wilsons(hits: int, of: int, low: float, high: float) -> None:
    """The last is Newcombe's (1998) example."""
    found = share(hits, of)
    assert found.low == pytest.approx(low, abs=5e-5)
    assert found.high == pytest.approx(high, abs=5e-5)
    assert [found.place(value) for value in (low - 0.01, hits / of, high + 0.01)] == [
        "below",
        "inside",
        "above",
    ]


def test_undecided_deals_widen_the_interval() -> None:
    assert share(10, 100, perhaps=5).low == share(10, 100).low
    assert share(10, 100, perhaps=5).high == share(15, 100).high


def test_means_and_percentiles() -> None:
    found = mean([1, 2, 3, 4])
    assert found.value == 2.5
    assert found.high - found.value == pytest.approx(1.959964 * (5 / 3 / 4) ** 0.5)
    assert mean([7]).value == 7
    assert percentile(range(1, 101), 99) == 100
    assert percentile([3, 1, 2], 50) == 2
