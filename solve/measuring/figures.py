"""Published figures on these games, beside those measured here, in one table.

The deals of each row are PySolFC's numbers from 1 on. A published share or mean is ``inside`` when it is in
the 95 % interval of ours, else ``below`` or ``above`` it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

from solve.measuring.facts import one_in, percent
from solve.measuring.survey import Survey
from solve.measuring.trial import FILLS, FORCED, HINTS, PHASES, SOLVE, Plan

SECONDS = 10.0  # of processor time for each deal that is solved


class Quantity(Enum):
    """What a figure measures."""

    WON = "won"
    MEAN = "mean score"


@dataclass(frozen=True, slots=True)
class Published:
    """A published figure: as text, as a number, and its source (a key of ``SOURCES``)."""

    text: str
    value: float
    source: str


SOURCES = {
    "rules": "the Norwegian page that the rules come from",
    "rules measured": "400,000 random deals, measured with another program before this one was written",
    "search measured": "25,000 (`standard`) and 200,000 (`aces`) random deals, measured in the same way",
    "sampling": "a crude Monte-Carlo player over sampled stocks, measured in the same way",
    "Blake and Gent": "C. Blake and I. P. Gent, The Winnability of Klondike Solitaire and Many Other Patience"
    " Games, arXiv 1906.12314",
    "about": "the figure usually given; cards may come back from the foundations",
    "Bjarnason et al.": "R. Bjarnason, A. Fern and P. Tadepalli, Lower Bounding Klondike Solitaire with"
    " Monte-Carlo Planning, 2009",
    "lonelybot": "what the program lonelybot claims; unverified",
}


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table; ``deals`` is how many are measured by default."""

    plan: Plan
    quantity: Quantity
    deals: int
    published: tuple[Published, ...] = ()


def _row(
    game: str, rules: str, how: str, deals: int, *published: Published, quantity: Quantity = Quantity.WON
) -> Row:
    seconds = SECONDS if how in (SOLVE, FORCED) else 0
    return Row(Plan(game, rules, how, seconds), quantity, deals, published)


_ONE_IN_35 = Published("1 in 35", 1 / 35, "rules")
_ONE_IN_270 = Published("1 in 270", 1 / 270, "rules")
_PHASES = Published("1 in 35.9", 1 / 35.9, "rules measured")
_PHASES_MEAN = Published("37.82", 37.82, "rules measured")
_FILLS = Published("1 in 267", 1 / 267.2, "rules measured")
_FORCED = Published("48.4 %", 0.48418, "search measured")
_FORCED_MEAN = Published("44.65", 44.654, "search measured")
_FORCED_ACES = Published("5.8 %", 0.05819, "search measured")
_SAMPLING = Published("1 in 26", 1 / 26, "sampling")
_DRAW_THREE = Published("81.945 % ± 0.084 %", 0.81945, "Blake and Gent")
_DRAW_ONE = Published("about 91 %", 0.91, "about")
_PLAN = Published("35 %", 0.35, "Bjarnason et al.")
_LONELYBOT = Published("47.6 %", 0.476, "lonelybot")

ROWS = (
    _row("acesup", "standard", PHASES, 50_000, _ONE_IN_35, _PHASES),
    _row("acesup", "standard", PHASES, 50_000, _PHASES_MEAN, quantity=Quantity.MEAN),
    _row("acesup", "aces", FILLS, 50_000, _ONE_IN_270, _FILLS),
    _row("acesup", "standard", FORCED, 2_000, _FORCED),
    _row("acesup", "standard", FORCED, 2_000, _FORCED_MEAN, quantity=Quantity.MEAN),
    _row("acesup", "aces", FORCED, 2_000, _FORCED_ACES),
    _row("acesup", "standard", SOLVE, 300),
    _row("acesup", "standard", SOLVE, 300, quantity=Quantity.MEAN),
    _row("acesup", "aces", SOLVE, 1_000),
    _row("acesup", "cell", SOLVE, 1_000),
    _row("acesup", "pairs", SOLVE, 1_000),
    _row("acesup", "standard", HINTS, 1_000, _ONE_IN_35, _SAMPLING),
    _row("acesup", "aces", HINTS, 1_000, _ONE_IN_270),
    _row("acesup", "cell", HINTS, 200),
    _row("acesup", "pairs", HINTS, 500),
    _row("klondike", "d3r", SOLVE, 500, _DRAW_THREE),
    _row("klondike", "d1r", SOLVE, 500, _DRAW_ONE),
    _row("klondike", "d1", SOLVE, 500),
    _row("klondike", "d3", SOLVE, 500),
    _row("klondike", "d1p3", SOLVE, 200),
    _row("klondike", "d1p1", SOLVE, 300),
    _row("klondike", "d3p1", SOLVE, 500),
    _row("klondike", "d1", HINTS, 100),
    _row("klondike", "d3", HINTS, 200, _PLAN, _LONELYBOT),
    _row("klondike", "d1p3", HINTS, 100),
    _row("klondike", "d1p1", HINTS, 100),
    _row("klondike", "d3p1", HINTS, 100),
)

_DONE = {
    PHASES: "stock unknown: the most discards before each deal",
    FILLS: "stock unknown: fills whenever possible",
    FORCED: "all cards known, every discard forced",
    SOLVE: "all cards known",
    HINTS: "stock unknown: every hint followed",
}

_RARE = 0.15  # smaller shares of players are written as one in so many

HEADS = ("game", "played", "published", "ours", "95 %", "deals", "published is")


def cells(row: Row, survey: Survey) -> tuple[str, ...]:
    """Return a line of the table under ``HEADS``."""
    is_share = row.quantity is Quantity.WON
    ours = survey.chance if is_share else survey.mean_score
    as_text = _as_mean
    if is_share:
        as_text = one_in if not row.plan.is_solving and ours.value < _RARE else percent
    ends = [as_text(end) for end in (ours.low, ours.high)]
    if as_text is one_in:
        ends.reverse()
    undecided = f", {survey.unknown} of them undecided" if survey.unknown and is_share else ""
    return (
        f"{row.plan.game} {row.plan.rules}",
        _DONE[row.plan.how] + ("" if is_share else "; mean score"),
        "; ".join(published.text for published in row.published) or "–",
        as_text(ours.value),
        " … ".join(ends),
        f"{len(survey.trials):,}{undecided}",
        "; ".join(dict.fromkeys(ours.place(published.value) for published in row.published)) or "–",
    )


def _as_mean(value: float) -> str:
    return f"{value:.2f}"


def markdown(rows: Sequence[Row], surveys: Mapping[Plan, Survey]) -> str:
    """Return the table for a README, with the sources below it."""
    lines = [HEADS, ("---",) * len(HEADS), *(cells(row, surveys[row.plan]) for row in rows)]
    table = "\n".join("| " + " | ".join(line) + " |" for line in lines)
    return f"{table}\n\n" + "\n".join(f"- {line}" for line in sources(rows))


def sources(rows: Sequence[Row]) -> list[str]:
    """Return who published what, a line for each source."""
    texts_of: dict[str, list[str]] = {}
    for row in rows:
        for published in row.published:
            texts = texts_of.setdefault(published.source, [])
            if published.text not in texts:
                texts.append(published.text)
    return [f"{', '.join(texts)}: {SOURCES[source]}" for source, texts in texts_of.items()]
