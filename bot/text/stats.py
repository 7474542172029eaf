"""Statistics in words."""

from __future__ import annotations

from collections.abc import Sequence

from bot.service import GroupStats, PlayerStats
from bot.text import Texts
from bot.text.names import game_name, plain, rules_name

MOST_GROUPS = 12  # in one message, which may have 4000 characters


def stats_title(texts: Texts, name: str) -> str:
    """Return the heading: whose statistics these are. It is the same in every language."""
    return texts("stats-title", name=plain(name))


def stats_text(texts: Texts, stats: PlayerStats, chosen: GroupStats) -> str:
    """Return the daily streak and the groups; of many, those most played, and always ``chosen``."""
    lines = []
    if stats.longest_daily_streak:
        lines += [
            texts("stats-daily", streak=stats.daily_streak, longest=stats.longest_daily_streak),
            "",
        ]
    shown = _shown(stats.groups, chosen)
    for group in shown:
        lines += _group(texts, group)
    if len(shown) < len(stats.groups):
        lines += ["", texts("stats-more", count=len(stats.groups) - len(shown))]
    return "\n".join(lines)


def spread_text(texts: Texts, group: GroupStats) -> str:
    """Return how often each score came."""
    return texts("stats-spread", scores=_spread(texts, group))


def spread_alt_text(texts: Texts, group: GroupStats) -> str:
    """Return what a picture of the scores shows; some games of the group must have ended."""
    average, latest = round(group.average or 0.0, 1), group.latest or 0
    words = _names(texts, group)
    return texts("stats-alt", average=average, latest=latest, scores=_spread(texts, group), **words)


def group_name(texts: Texts, group: GroupStats) -> str:
    """Return a group's game and rules."""
    return texts("stats-picture-title", **_names(texts, group))


def _shown(groups: Sequence[GroupStats], chosen: GroupStats) -> list[GroupStats]:
    first = sorted(groups, key=lambda group: (group is not chosen, -group.played))[:MOST_GROUPS]
    return [group for group in groups if group in first]


def _group(texts: Texts, group: GroupStats) -> list[str]:
    """Return a group in two or three lines."""
    rate = round(100 * group.win_rate, 1)
    counts = [texts("stats-counts", played=group.played, won=group.won, rate=rate)]
    if group.in_progress:
        counts.append(texts("stats-going", count=group.in_progress))
    lines = [texts("stats-group", **_names(texts, group)), " · ".join(counts)]
    if group.average is not None and group.best is not None:
        average = round(group.average, 1)
        streaks = {"streak": group.streak, "longest": group.longest_streak}
        lines.append("-# " + texts("stats-scores", average=average, best=group.best, **streaks))
    return lines


def _names(texts: Texts, group: GroupStats) -> dict[str, str]:
    return {"game": game_name(texts, group.game), "rules": rules_name(texts, group.game, group.rules)}


def _spread(texts: Texts, group: GroupStats) -> str:
    counted = sorted(group.scores.items())
    return ", ".join(texts("stats-spread-score", score=score, count=count) for score, count in counted)
