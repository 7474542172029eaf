"""Days follow one another without a gap, whatever the clocks do."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.service.daily.calendar import Calendar, days_later, monday_of

# Zones whose clocks change at midnight or just after it, or that once left out a whole day.
ZONES = [
    "UTC",
    "Europe/Oslo",
    "America/New_York",
    "America/Sao_Paulo",
    "Africa/Cairo",
    "Asia/Beirut",
    "Atlantic/Azores",
    "America/St_Johns",
    "Pacific/Apia",
    "Pacific/Kiritimati",
    "Asia/Kathmandu",
]


def ms(*when: int, zone: str = "UTC", fold: int = 0) -> int:
    return int(datetime(*when, tzinfo=ZoneInfo(zone), fold=fold).timestamp() * 1000)  # type: ignore[misc,arg-type]


def test_a_day_begins_at_midnight_and_not_a_moment_earlier() -> None:
    calendar = Calendar(ZoneInfo("Europe/Oslo"))
    midnight = ms(2026, 11, 30, 23)  # in UTC
    assert calendar.day_at(midnight) == "2026-12-01"
    assert calendar.day_at(midnight - 1) == "2026-11-30"
    assert calendar.start_ms("2026-12-01") == calendar.end_ms("2026-11-30") == midnight


def test_two_players_in_different_zones_have_one_day() -> None:
    now = ms(2026, 11, 30, 23, 30)
    assert Calendar().day_at(now) == "2026-11-30"
    assert Calendar(ZoneInfo("Europe/Oslo")).day_at(now) == "2026-12-01"


@pytest.mark.parametrize(("day", "hours"), [("2026-03-29", 23), ("2026-10-25", 25), ("2026-06-01", 24)])
def test_the_day_of_a_clock_change_is_shorter_or_longer(day: str, hours: int) -> None:
    calendar = Calendar(ZoneInfo("Europe/Oslo"))
    assert calendar.end_ms(day) - calendar.start_ms(day) == hours * 3_600_000


def test_a_midnight_that_is_left_out_is_the_first_instant_after_it() -> None:
    calendar = Calendar(ZoneInfo("Africa/Cairo"))  # 2023-04-28: from 00:00 straight to 01:00
    start = calendar.start_ms("2023-04-28")
    assert start == ms(2023, 4, 28, 1, zone="Africa/Cairo")
    assert calendar.day_at(start) == "2023-04-28"
    assert calendar.day_at(start - 1) == "2023-04-27"


def test_a_midnight_that_comes_twice_begins_one_day_once() -> None:
    zone = "America/St_Johns"  # 2010-11-07: at 00:01 back to 23:01 of the day before
    calendar = Calendar(ZoneInfo(zone))
    first = ms(2010, 11, 7, 0, 0, zone=zone)
    assert calendar.start_ms("2010-11-07") == first
    instants = [first - 1] + [first + minute * 60_000 for minute in range(0, 180, 5)]
    days = [calendar.day_at(now) for now in instants]
    assert days == ["2010-11-06"] + ["2010-11-07"] * (len(days) - 1)


@pytest.mark.parametrize("zone", ZONES)
def test_every_instant_lies_within_its_day_and_days_never_go_back(zone: str) -> None:
    calendar = Calendar(ZoneInfo(zone))
    earlier = ""
    for number in range(0, 366 * 24 * 4, 3):
        now = ms(2011, 1, 1) + number * 900_000
        day = calendar.day_at(now)
        assert calendar.start_ms(day) <= now < calendar.end_ms(day)
        assert day >= earlier
        earlier = day


@given(st.dates(date(2000, 1, 1), date(2100, 1, 1)), st.sampled_from(ZONES))
def test_a_day_ends_where_the_next_begins(day: date, zone: str) -> None:
    calendar = Calendar(ZoneInfo(zone))
    following = (day + timedelta(days=1)).isoformat()
    assert calendar.end_ms(day.isoformat()) == calendar.start_ms(following)


def test_days_are_counted_over_ends_of_months_and_years() -> None:
    assert days_later("2026-12-31", 1) == "2027-01-01"
    assert days_later("2028-03-01", -1) == "2028-02-29"
    assert monday_of("2026-12-06") == "2026-11-30" == monday_of("2026-11-30")


def test_the_calendar_of_utc_needs_no_zone() -> None:
    assert Calendar().start_ms("1970-01-02") == 86_400_000
    assert Calendar(UTC).day_at(0) == "1970-01-01"
