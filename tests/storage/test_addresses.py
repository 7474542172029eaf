"""Where a store is, and what of that may be shown."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from bot.config import Config
from bot.operations.logs import formatter
from bot.storage import SqliteStore, is_postgres, open_store, passwords, shown, sqlite_path

SECRET = [
    "postgresql://bot:h%40sh@db.example/games",
    "postgres://bot:h%40sh@db.example:5433/games?sslmode=require",
    "postgresql://bot@db.example/games?password=h%40sh&search_path=solitaire",
    "postgresql://bot:h%40sh@one.example,two.example/games",
]


@pytest.mark.parametrize("url", SECRET)
def test_an_address_is_shown_without_its_password(url: str) -> None:
    assert "sh" not in shown(url).replace("sslmode", "").replace("search_path", "")
    assert "bot" in shown(url)
    assert "example" in shown(url)


@pytest.mark.parametrize(
    ("url", "is_shown_as"),
    [
        ("postgresql://bot:hu@sh@host:5433/games", "postgresql://bot@host:5433/games"),
        ("postgresql://bot:hu?sh@host/games", "postgresql://bot@host/games"),
        ("postgresql://bot:hu/sh@host/games", "postgresql://bot@host/games"),
        (
            "postgresql://host/games?sslpassword=hush&search_path=s",
            "postgresql://host/games?sslpassword=…&search_path=s",
        ),
        ("postgresql://bot:hush", "postgresql://bot"),
        ("postgresql://bot:hush/games", "postgresql://bot/games"),
        ("postgresql://one:1,two:2/games", "postgresql://one:1,two:2/games"),
        ("postgresql://[::1]:5432/games", "postgresql://[::1]:5432/games"),
    ],
)
def test_nor_is_any_part_of_one_that_was_typed_wrongly(url: str, is_shown_as: str) -> None:
    assert shown(url) == is_shown_as


@pytest.mark.parametrize(
    "url", ["sqlite:///a@b:c.sqlite3", "postgresql://bot@/games?host=/run/postgresql", "postgresql:///games"]
)
def test_an_address_without_one_is_shown_as_it_is(url: str) -> None:
    assert shown(url) == url
    assert passwords(url) == ()


@pytest.mark.parametrize("url", SECRET)
def test_a_password_is_known_as_it_stands_and_as_it_is_sent(url: str) -> None:
    assert "h@sh" in passwords(url)


@pytest.mark.parametrize("url", SECRET)
def test_no_setting_and_no_log_has_a_password(url: str) -> None:
    config = Config(database_url=url)
    assert "h%40sh" not in repr(config)
    assert "h@sh" not in repr(config)
    record = logging.LogRecord("bot", logging.ERROR, "", 0, "can't reach %s with h@sh", (url,), None)
    line = formatter(config).format(record)
    assert "h@sh" not in line
    assert "h%40sh" not in line


def test_the_two_kinds_are_told_apart() -> None:
    assert is_postgres("postgresql://x/y")
    assert is_postgres("postgres://x/y")
    assert not is_postgres("sqlite:///x")
    assert isinstance(open_store("sqlite:///x"), SqliteStore)
    assert sqlite_path("sqlite:////var/x") == Path("/var/x")


@pytest.mark.parametrize("url", ["", "mysql://bot:hush@host/games", "postgresql:/x", "sqlite:///"])
def test_another_address_is_refused_with_two_that_work(url: str) -> None:
    with pytest.raises(ValueError, match=r"sqlite:///path.*postgresql://user") as caught:
        open_store(url)
    assert "hush" not in str(caught.value)
