"""``python -m bot verify``: replays every game on the leaderboards and compares the scores."""

from __future__ import annotations

import sys

from bot.app import open_services
from bot.config import Config
from bot.operations.exit_codes import FAILED
from bot.service.daily.verification import prove


async def verify(config: Config) -> int:
    """Verify every stored result, print what is wrong, and return the exit code.

    :raises ConfigError: when the configuration names no store that can be opened.
    :raises StoreError: when the store can't be opened.
    """
    async with open_services(config) as (store, services):
        proof = await prove(store, services.daily)
    for problem in proof.problems:
        print(problem, file=sys.stderr)
    verified = proof.results - proof.forgotten - len(proof.problems)
    print(
        f"{proof.results} results: {verified} verified, {proof.forgotten} of players who deleted their data,"
        f" {len(proof.problems)} wrong"
    )
    return FAILED if proof.problems else 0
