"""The configuration: what is read, what is refused, and that no secret is shown."""

from __future__ import annotations

from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from bot.config import Config, ConfigError


def test_nothing_need_be_set() -> None:
    assert Config.from_env({}) == Config()


def test_every_setting_of_the_example_file_is_read() -> None:
    lines = (Path(__file__).parents[1] / ".env.example").read_text("utf-8").splitlines()
    names = [line.split("=")[0] for line in lines if line and not line.startswith("#")]
    values = {
        "DISCORD_TOKEN": "t",
        "DATABASE_URL": "sqlite:///x.sqlite3",
        "LOG_LEVEL": "DEBUG",
        "LOG_FORMAT": "json",
        "METRICS_PORT": "9464",
        "RETENTION_DAYS": "365",
        "DAILY_TIMEZONE": "Europe/Oslo",
        "DAILY_SECRET": "s" * 16,
    }
    assert set(names) == set(values)
    for name in names:
        assert Config.from_env({name: values[name]}) != Config(), name
    assert Config.from_env(dict.fromkeys(names, "")) == Config()


@pytest.mark.parametrize(
    "zone", ["Mars/Olympus", "../../etc/passwd", "/etc/localtime", "Europe", "💥", "Oslo"]
)
def test_a_zone_that_there_is_not_is_refused_with_an_example(zone: str) -> None:
    with pytest.raises(ConfigError, match=r"DAILY_TIMEZONE.*Europe/Oslo"):
        Config.from_env({"DAILY_TIMEZONE": zone})


def test_the_zone_is_that_of_its_name() -> None:
    assert Config.from_env({"DAILY_TIMEZONE": " Europe/Oslo "}).daily_zone == ZoneInfo("Europe/Oslo")


def test_a_secret_that_can_be_guessed_is_refused_and_not_repeated() -> None:
    with pytest.raises(ConfigError, match="DAILY_SECRET") as caught:
        Config.from_env({"DAILY_SECRET": "hunter2"})
    assert "hunter2" not in str(caught.value)


def test_a_level_that_there_is_not_is_refused() -> None:
    with pytest.raises(ConfigError, match="LOG_LEVEL"):
        Config.from_env({"LOG_LEVEL": "LOUD"})


def test_a_format_that_there_is_not_is_refused_with_those_that_there_are() -> None:
    with pytest.raises(ConfigError, match=r"LOG_FORMAT.*human or json"):
        Config.from_env({"LOG_FORMAT": "xml"})


@pytest.mark.parametrize("port", ["0", "65536", "-1", "9464x", "१२३", "127.0.0.1:9464", "9" * 5_000])
def test_a_port_that_can_not_be_is_refused_with_an_example(port: str) -> None:
    with pytest.raises(ConfigError, match=r"METRICS_PORT.*9464"):
        Config.from_env({"METRICS_PORT": port})


@pytest.mark.parametrize("days", ["0", "36501", "-1", "1.5", "365d", "१२३", "for ever", "9" * 5_000])
def test_days_that_can_not_be_are_refused_with_an_example(days: str) -> None:
    with pytest.raises(ConfigError, match=r"RETENTION_DAYS.*365.*leave it out"):
        Config.from_env({"RETENTION_DAYS": days})


@pytest.mark.parametrize(("text", "days"), [("1", 1), (" 36500 ", 36_500), ("", None)])
def test_unfinished_games_are_kept_for_so_many_days_or_for_ever(text: str, days: int | None) -> None:
    assert Config.from_env({"RETENTION_DAYS": text}).retention_days == days


def test_no_secret_is_in_the_repr() -> None:
    config = Config.from_env({"DISCORD_TOKEN": "the-token", "DAILY_SECRET": "the-secret-of-the-days"})
    assert "the-token" not in repr(config)
    assert "the-secret" not in repr(config)
