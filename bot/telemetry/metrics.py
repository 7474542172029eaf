"""What is counted and measured for Prometheus. Labels have few values, and say nothing about a player."""

from __future__ import annotations

from collections.abc import Mapping

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    GCCollector,
    Histogram,
    PlatformCollector,
    ProcessCollector,
)

from bot.service import Turn
from bot.storage import Status
from bot.telemetry.trace import Trace

PLAYER, UNEXPECTED, DISCORD = "player", "unexpected", "discord"  # whose doing an error is

_PHASE_BUCKETS_S = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 3, 10)
_LAG_BUCKETS_S = (0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5)


class Metrics:
    """The numbers of one client, in a registry of their own."""

    def __init__(self) -> None:
        self.registry = registry = CollectorRegistry()
        self._turns = Counter(
            "solitaire_turns",
            "Turns that were played, by what was done.",
            ["game", "deed"],
            registry=registry,
        )
        self._phases = Histogram(
            "solitaire_phase_seconds",
            "How long requests took, in all (total) until the answer was sent, and in each phase.",
            ["phase"],
            buckets=_PHASE_BUCKETS_S,
            registry=registry,
        )
        self._errors = Counter(
            "solitaire_errors",
            "Errors: of a player (name: what was wrong), unexpected (name: the exception, with an id in the"
            " log), of Discord (name: its error code, or http- and the status).",
            ["kind", "name"],
            registry=registry,
        )
        self.in_flight = Gauge(
            "solitaire_requests_in_flight", "Requests that are being answered.", registry=registry
        )
        self.queue = Gauge(
            "solitaire_queue_depth",
            "What is being done or waits, by what does it.",
            ["queue"],
            registry=registry,
        )
        self.gateway_latency = Gauge(
            "solitaire_gateway_latency_seconds",
            "Between the last heartbeat of the slowest shard and Discord's answer; not a number while a shard"
            " has no connection.",
            registry=registry,
        )
        self.loop_lag = Histogram(
            "solitaire_loop_lag_seconds",
            "How much later than it should a task of the event loop got its turn, looked at each second.",
            buckets=_LAG_BUCKETS_S,
            registry=registry,
        )
        self._games = Gauge(
            "solitaire_games", "Games that are kept, counted now and then.", ["status"], registry=registry
        )
        for collector in (ProcessCollector, PlatformCollector, GCCollector):
            collector(registry=registry)

    def turn(self, turn: Turn) -> None:
        """Count a turn that was played."""
        self._turns.labels(turn.position.record.game, turn.action.value).inc()

    def answered(self, trace: Trace) -> None:
        """Note how long a request took."""
        self._phases.labels("total").observe(trace.total_s)
        for phase, seconds in trace.seconds.items():
            self._phases.labels(phase).observe(seconds)

    def error(self, kind: str, name: str) -> None:
        """Count an error. ``name`` comes from a class or a number of Discord's, never from a text."""
        self._errors.labels(kind, name).inc()

    def games(self, counts: Mapping[Status, int]) -> None:
        """Note how many games are kept."""
        for status in Status:
            self._games.labels(status.value).set(counts.get(status, 0))
