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
        "SHARD_COUNT": "4",
        "SHARD_IDS": "0-1",
    }
    assert set(names) == set(values)
    for name in names:
        needed = {"SHARD_COUNT": values["SHARD_COUNT"]} if name == "SHARD_IDS" else {}
        assert Config.from_env({**needed, name: values[name]}) != Config.from_env(needed), name
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


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("0-15", tuple(range(16))),
        ("0,3,5-7", (0, 3, 5, 6, 7)),
        ("63", (63,)),
        (" 7 , 1 - 2 ", (1, 2, 7)),
        ("4-4", (4,)),
        ("", None),
    ],
)
def test_a_process_is_the_shards_that_are_named(text: str, ids: tuple[int, ...] | None) -> None:
    config = Config.from_env({"SHARD_COUNT": "64", "SHARD_IDS": text})
    assert (config.shard_count, config.shard_ids) == (64, ids)


@pytest.mark.parametrize("count", ["0", "-1", "4.0", "four", "1e3", "१२", "100001", "9" * 5_000])
def test_a_number_of_shards_that_can_not_be_is_refused(count: str) -> None:
    with pytest.raises(ConfigError, match=r"SHARD_COUNT.*leave it out"):
        Config.from_env({"SHARD_COUNT": count})


@pytest.mark.parametrize(
    ("ids", "why"),
    [
        ("4", "names shard 4.*of 4 .*the last is 3"),
        ("0-4", "names shard 4"),
        ("0-999999", "names shard 999999"),
        ("0,1,0", "shard 0 twice"),
        ("0-2,2-3", "shard 2 twice"),
        *((text, "such as 0-15") for text in ("3-1", "-1", "1-", "1,,2", ",", "1;2", "0-1-2", "all", "१")),
    ],
)
def test_shards_that_there_are_not_are_refused(ids: str, why: str) -> None:
    with pytest.raises(ConfigError, match=f"SHARD_IDS.*{why}"):
        Config.from_env({"SHARD_COUNT": "4", "SHARD_IDS": ids})


def test_which_shards_says_nothing_without_how_many() -> None:
    with pytest.raises(ConfigError, match="SHARD_COUNT"):
        Config.from_env({"SHARD_IDS": "0"})


def test_no_secret_is_in_the_repr() -> None:
    config = Config.from_env({"DISCORD_TOKEN": "the-token", "DAILY_SECRET": "the-secret-of-the-days"})
    assert "the-token" not in repr(config)
    assert "the-secret" not in repr(config)
