"""Days in words. Discord's own dates would not do: each reader's zone can make another day of a midnight."""

from __future__ import annotations

from datetime import date

from bot.text import Texts


def date_text(texts: Texts, day: str) -> str:
    """Return an ISO date such as ``2026-12-24`` as the language writes it: "24 December 2026"."""
    when = date.fromisoformat(day)
    return texts("date", day=when.day, month=texts(f"month-{when.month}"), year=str(when.year))


def days_text(texts: Texts, first: str, last: str) -> str:
    """Return the days from one ISO date to another, the year only once where it is the same."""
    if first[:4] != last[:4]:
        return texts("board-days", first=date_text(texts, first), last=date_text(texts, last))
    when = date.fromisoformat(first)
    begin = texts("date-without-year", day=when.day, month=texts(f"month-{when.month}"))
    return texts("board-days", first=begin, last=date_text(texts, last))
