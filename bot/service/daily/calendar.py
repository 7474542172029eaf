"""Days as the daily game counts them: from midnight to midnight in one zone.

A day is an ISO date such as ``2026-12-24``. It begins at the first instant whose wall clock shows its
midnight, also where a change of the clocks skips or repeats that midnight, so that days follow one another
without a gap and none comes twice.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta, tzinfo

DAY = timedelta(days=1)


class Calendar:
    """The days of one zone."""

    def __init__(self, zone: tzinfo = UTC) -> None:
        self._zone = zone

    def day_at(self, now_ms: int) -> str:
        """Return the day of an instant, in milliseconds since 1970 in UTC."""
        day = datetime.fromtimestamp(now_ms / 1000, self._zone).date()
        # The wall clock can show a date once more, or already, around a change of the clocks at midnight.
        while now_ms >= self._midnight_ms(day + DAY):
            day += DAY
        while now_ms < self._midnight_ms(day):
            day -= DAY
        return day.isoformat()

    def start_ms(self, day: str) -> int:
        """Return when a day begins, in milliseconds since 1970 in UTC."""
        return self._midnight_ms(date.fromisoformat(day))

    def end_ms(self, day: str) -> int:
        """Return when a day is over, which is when the next one begins."""
        return self._midnight_ms(date.fromisoformat(day) + DAY)

    def _midnight_ms(self, day: date) -> int:
        return int(datetime.combine(day, time.min, self._zone).timestamp()) * 1000


def days_later(day: str, days: int) -> str:
    """Return the day so many days after ``day``, or before it where ``days`` is negative."""
    return (date.fromisoformat(day) + days * DAY).isoformat()


def monday_of(day: str) -> str:
    """Return the Monday of the week of ``day``."""
    return days_later(day, -date.fromisoformat(day).weekday())
