"""Shares, means and percentiles, with 95 % intervals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum, sqrt

_Z = 1.959964  # 95 % of a normal distribution are within this many standard deviations


@dataclass(frozen=True, slots=True)
class Estimate:
    """A measured value, and the interval that holds the true one with 95 % confidence."""

    value: float
    low: float
    high: float

    def place(self, value: float) -> str:
        """Return whether a value is ``inside`` the interval, ``below`` or ``above`` it."""
        return "below" if value < self.low else "above" if value > self.high else "inside"


def share(hits: int, of: int, *, perhaps: int = 0) -> Estimate:
    """Return the share of ``hits`` with Wilson's score interval (1927); ``perhaps`` more are undecided.

    The value counts those as misses; the interval covers every case from all misses to all hits.

    >>> chance = share(1, 4)
    >>> chance.value, round(chance.low, 3), round(chance.high, 3)
    (0.25, 0.046, 0.699)
    """
    return Estimate(hits / of, _wilson(hits, of)[0], _wilson(hits + perhaps, of)[1])


def _wilson(hits: int, of: int) -> tuple[float, float]:
    centre = hits + _Z**2 / 2
    half = _Z * sqrt(hits * (of - hits) / of + _Z**2 / 4)
    # Rounding must not push an end past 0 or 1.
    return max(0.0, (centre - half) / (of + _Z**2)), min(1.0, (centre + half) / (of + _Z**2))


def mean(values: Sequence[float]) -> Estimate:
    """Return the mean, with the interval of a normal distribution."""
    middle = fsum(values) / len(values)
    if len(values) < 2:
        return Estimate(middle, float("-inf"), float("inf"))
    variance = fsum((value - middle) ** 2 for value in values) / (len(values) - 1)
    half = _Z * sqrt(variance / len(values))
    return Estimate(middle, middle - half, middle + half)


def percentile(values: Sequence[float], percent: float) -> float:
    """Return the value that ``percent`` of all are below; it is one of the values.

    >>> percentile([3, 1, 2], 50)
    2
    """
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * percent / 100))]
