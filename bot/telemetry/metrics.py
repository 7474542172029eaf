"""Prometheus metrics. Labels have few values and say nothing about a player."""

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

from bot.telemetry.trace import Trace

PLAYER, UNEXPECTED, DISCORD = "player", "unexpected", "discord"  # who caused an error

_PHASE_BUCKETS_S = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 3, 10)
_LAG_BUCKETS_S = (0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5)


class Metrics:
    """The metrics of one client, in a registry of their own."""

    def __init__(self) -> None:
        self.registry = registry = CollectorRegistry()
        self._turns = Counter(
            "solitaire_turns",
            "Turns played, by action.",
            ["game", "deed"],
            registry=registry,
        )
        self._phases = Histogram(
            "solitaire_phase_seconds",
            "How long requests took until the answer was sent (total), and in each phase.",
            ["phase"],
            buckets=_PHASE_BUCKETS_S,
            registry=registry,
        )
        self._errors = Counter(
            "solitaire_errors",
            "Errors, by kind: player (name: what was wrong), unexpected (name: the exception, with an id in"
            " the log), discord (name: its error code, or http- and the status).",
            ["kind", "name"],
            registry=registry,
        )
        self.in_flight = Gauge("solitaire_requests_in_flight", "Requests being answered.", registry=registry)
        self.queue = Gauge(
            "solitaire_queue_depth",
            "Jobs running or waiting, by queue.",
            ["queue"],
            registry=registry,
        )
        self.gateway_latency = Gauge(
            "solitaire_gateway_latency_seconds",
            "From the last heartbeat of the slowest shard to Discord's answer; NaN while a shard has no"
            " connection.",
            registry=registry,
        )
        self.loop_lag = Histogram(
            "solitaire_loop_lag_seconds",
            "How late the event loop ran a task, sampled every second.",
            buckets=_LAG_BUCKETS_S,
            registry=registry,
        )
        self._games = Gauge(
            "solitaire_games", "Games stored, counted at most once a minute.", ["status"], registry=registry
        )
        for collector in (ProcessCollector, PlatformCollector, GCCollector):
            collector(registry=registry)

    def turn(self, game: str, action: str) -> None:
        """Count a turn by the game's key and what was done, such as ``klondike`` and ``moved``."""
        self._turns.labels(game, action).inc()

    def answered(self, trace: Trace) -> None:
        """Record how long a request took, in total and in each phase."""
        self._phases.labels("total").observe(trace.total_s)
        for phase, seconds in trace.seconds.items():
            self._phases.labels(phase).observe(seconds)

    def error(self, kind: str, name: str) -> None:
        """Count an error. ``name`` is a class or one of Discord's codes, never part of a text."""
        self._errors.labels(kind, name).inc()

    def games(self, counts: Mapping[str, int]) -> None:
        """Set how many games are stored, by status. A status that is left out keeps its last number."""
        for status, count in counts.items():
            self._games.labels(status).set(count)
