"""Two bots over one PostgreSQL: whatever dies, no turn is lost or done twice, and the other plays on."""

from __future__ import annotations

import logging
import signal
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.postgres import binaries
from tests.wire.bot_process import Nursery
from tests.wire.cluster import ClusterTally, cluster

SEED = 20_280_101

pytestmark = pytest.mark.skipif(binaries() is None, reason="PostgreSQL (no server of our own to be stopped)")


def check(tally: ClusterTally, outages: int) -> None:
    assert tally.faults == []
    # Turns were caught in every phase, and the database was away while some were under way, or this proves
    # little.
    assert all(tally.phases[phase] for phase in ("idle", "before", "after")), tally.phases
    assert tally.outages == outages
    assert tally.caught >= outages
    assert tally.survived > tally.lives // 3
    assert tally.acknowledged > 2 * tally.kills


async def test_kills_of_either_bot_and_an_outage_lose_and_double_no_turn(
    tmp_path: Path, nurseries: Sequence[Nursery]
) -> None:
    async with cluster(tmp_path, nurseries, players=48, servers=16, seats=8, seed=SEED) as both:
        tally = await both.run(10, [signal.SIGINT])
    check(tally, 1)


@pytest.mark.slow
@pytest.mark.timeout(1_200)
async def test_2000_players_in_400_servers_lose_and_double_no_turn(
    tmp_path: Path, nurseries: Sequence[Nursery]
) -> None:
    """Every one of them has played; most of them are idle at a time, while others are killed off."""
    async with cluster(tmp_path, nurseries, players=2_000, servers=400, seats=20, seed=SEED) as both:
        tally = await both.run(100, [signal.SIGINT, signal.SIGQUIT])
    logging.getLogger(__name__).info("%s", tally)
    check(tally, 2)
