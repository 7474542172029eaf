"""The log: one event a line, findable, and without anything that must not be in it."""

from __future__ import annotations

import asyncio
import io
import json
import logging
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import aiohttp
import pytest
import structlog
from yarl import URL

from bot.config import Config, LogFormat
from bot.discord_app.tables.controls import Action
from bot.operations.logs import formatter, set_up_logging
from bot.service import BadDay, BadMoveInCode
from bot.telemetry.redaction import (
    EXCEPTION_MAX_CHARACTERS,
    SECRET,
    TEXT_MAX_CHARACTERS,
    TYPED,
    Redactor,
    shortened,
)
from bot.telemetry.trace import Trace, begin
from engine import IllegalMove, Move, MoveSyntaxError, Reason, Record, RecordSyntaxError
from tests.discord_app.pressing import Wire, action_id, open_wire
from tests.wire.payloads import Message

# Made up, in the shapes of Discord's.
BOT_TOKEN = "MTE0NjkzMjQ4MDMyNzg1NDA4.GhIjKl.abcdefghijklmnopqrstuvwxyz0123456789AB"
WEBHOOK_TOKEN = "aB3" + "x7Yz_-Q" * 9 + "Kl0"
INTERACTION_TOKEN = "aW50ZXJhY3Rpb246MTIzNDU2Nzg5MDEyMzQ1Njc4OmFiY2RlZg" * 3
SHORT_TOKEN = "token-12"
DAILY_SECRET = "the stars of november 1987"
WEBHOOK_URL = f"https://discord.com/api/v10/webhooks/123456789/{WEBHOOK_TOKEN}/messages/42"
CALLBACK_URL = f"https://discord.com/api/v10/interactions/123456789/{INTERACTION_TOKEN}/callback"
SECRETS = (BOT_TOKEN, WEBHOOK_TOKEN, INTERACTION_TOKEN, SHORT_TOKEN, DAILY_SECRET)

log = logging.getLogger("bot.tests")


class Lines:
    """What the log wrote."""

    def __init__(self, stream: io.StringIO) -> None:
        self._stream = stream

    @property
    def text(self) -> str:
        return self._stream.getvalue()

    @property
    def events(self) -> list[dict[str, Any]]:
        """Each line as JSON."""
        return [json.loads(line) for line in self.text.splitlines()]

    @property
    def event(self) -> dict[str, Any]:
        [event] = self.events
        return event


@contextmanager
def logging_to(config: Config) -> Iterator[Lines]:
    """The process's log, as `python -m bot` sets it up; afterwards it is as before."""
    root, own = logging.getLogger(), [logging.getLogger(name) for name in ("bot", "engine", "solve")]
    before = root.handlers[:], root.level, [logger.level for logger in own]
    stream = io.StringIO()
    set_up_logging(config, stream)
    try:
        yield Lines(stream)
    finally:
        logging.captureWarnings(capture=False)
        structlog.reset_defaults()
        root.handlers[:], level, levels = before
        root.setLevel(level)
        for logger, old in zip(own, levels, strict=True):
            logger.setLevel(old)


def config_of(log_format: LogFormat = LogFormat.JSON, level: str = "INFO") -> Config:
    return Config(token=BOT_TOKEN, daily_secret=DAILY_SECRET, log_level=level, log_format=log_format)


@pytest.fixture(params=LogFormat, ids=lambda log_format: log_format.value)
def any_lines(request: pytest.FixtureRequest) -> Iterator[Lines]:
    with logging_to(config_of(request.param)) as lines:
        yield lines


@pytest.fixture
def lines() -> Iterator[Lines]:
    """JSON, since that can be looked into."""
    with logging_to(config_of()) as lines:
        yield lines


@pytest.fixture(autouse=True)
def own_context() -> Iterator[None]:
    """No test finds the request of another one."""
    yield
    begin(None)  # type: ignore[arg-type]


def raised(error: BaseException) -> BaseException:
    """The exception with a traceback."""
    try:
        raise error
    except BaseException as caught:  # noqa: BLE001
        return caught


# One line is one event


def test_an_event_has_time_level_logger_and_words(lines: Lines) -> None:
    log.warning("the %s is %d", "deck", 52)
    event = lines.event
    assert list(event) == ["time", "level", "logger", "event"]
    assert (event["level"], event["logger"], event["event"]) == ("warning", "bot.tests", "the deck is 52")
    assert event["time"].endswith("+00:00")


def test_a_traceback_stands_in_the_line_of_its_event(lines: Lines) -> None:
    try:
        try:
            raise OSError("the disk is full")
        except OSError as error:
            raise RuntimeError("no game was kept") from error
    except RuntimeError:
        log.exception("first\nsecond", extra={"error_id": "abc123"})
    event = lines.event
    assert event["event"] == "first\nsecond"
    assert event["error_id"] == "abc123"
    trail = event["exception"]
    assert trail.index("OSError: the disk is full") < trail.index("direct cause")
    assert trail.endswith("RuntimeError: no game was kept")
    assert 'raise OSError("the disk is full")' in trail


def test_for_people_an_event_stays_on_its_line_whatever_is_in_it() -> None:
    with logging_to(config_of(LogFormat.HUMAN)) as lines:
        log.info("one\ntwo\x1b[31m\rthree", extra={"error_id": "a\nb"})
    [line] = lines.text.splitlines()
    assert r"one\ntwo\x1b[31m\rthree" in line
    assert "\x1b" not in line


def test_for_people_the_traceback_is_below_and_tells_a_terminal_nothing() -> None:
    with logging_to(config_of(LogFormat.HUMAN)) as lines:
        log.error("no", exc_info=raised(RuntimeError("red \x1b[31m")))
    first, *rest = lines.text.splitlines()
    assert " no" in first
    assert rest[0] == "Traceback (most recent call last):"
    assert rest[-1] == r"RuntimeError: red \x1b[31m"


def test_all_loggers_and_structlogs_own_go_the_same_way(lines: Lines) -> None:
    logging.getLogger("discord.client").info("logging in")
    logging.getLogger("asyncio").warning("slow")
    structlog.get_logger("bot.somewhere").warning("hello", error_id="abc123", token=BOT_TOKEN)
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        logging.captureWarnings(capture=False)
        logging.captureWarnings(capture=True)  # pytest has put another one in its place
        warnings.warn("old", DeprecationWarning, stacklevel=1)
    loggers = [event["logger"] for event in lines.events]
    assert loggers == ["discord.client", "asyncio", "bot.somewhere", "py.warnings"]
    assert lines.events[2]["error_id"] == "abc123"
    assert BOT_TOKEN not in lines.text


def test_what_other_libraries_add_to_a_record_is_left_out(lines: Lines) -> None:
    logging.getLogger("aiohttp.client").info("x", extra={"payload": "mormor", "request": "mormor"})
    assert "mormor" not in lines.text


def test_a_level_is_kept_to_and_others_never_show_their_payloads() -> None:
    with logging_to(config_of(level="DEBUG")) as lines:
        log.debug("own")
        for name in ("discord.http", "discord.gateway", "aiosqlite", "asyncio"):
            logging.getLogger(name).debug("a whole payload")
    assert [event["event"] for event in lines.events] == ["own"]
    with logging_to(config_of(level="ERROR")) as lines:
        log.warning("own")
        logging.getLogger("discord.http").warning("theirs")
    assert lines.text == ""


def test_a_line_says_whose_request_it_is_about(lines: Lines) -> None:
    trace = Trace("move", 77)
    begin(trace)
    log.info("first")
    trace.game_id = 5
    log.info("second")
    first, second = lines.events
    assert (first["command"], first["user"], "game" in first) == ("move", 77, False)
    assert second["game"] == 5


async def test_what_a_request_began_says_so_too(lines: Lines) -> None:
    begin(Trace("move", 77))
    await asyncio.gather(asyncio.to_thread(log.info, "thread"), asyncio.create_task(say("task")))
    assert {(event["event"], event["user"]) for event in lines.events} == {("thread", 77), ("task", 77)}


async def say(what: str) -> None:
    log.info(what)


# Never a secret


def http_error() -> BaseException:
    """What discord.py raises, as it writes it, with the address of a webhook in it."""
    import discord  # noqa: PLC0415

    response: Any = type("Response", (), {"status": 404, "reason": f"Not Found for {WEBHOOK_URL}"})
    return raised(discord.NotFound(response, {"code": 10008, "message": f"see {CALLBACK_URL}?wait=true"}))


def connection_error() -> BaseException:
    """What aiohttp raises, with an address in its message and in its arguments."""
    info: Any = type("Info", (), {"real_url": URL(WEBHOOK_URL), "headers": {"Authorization": BOT_TOKEN}})
    return raised(aiohttp.ClientResponseError(info, (), status=502, message=f"GET {CALLBACK_URL}"))


FORGED = {
    "discord.py": http_error,
    "aiohttp": connection_error,
    "invalid url": lambda: raised(aiohttp.InvalidURL(URL(WEBHOOK_URL))),
    "header": lambda: raised(RuntimeError(f"Authorization: Bot {BOT_TOKEN}")),
    "short": lambda: raised(OSError(f"/webhooks/1/{SHORT_TOKEN}, /interactions/2/{SHORT_TOKEN}/callback")),
    "bare": lambda: raised(RuntimeError(f"{INTERACTION_TOKEN} {WEBHOOK_TOKEN}")),
    "secret": lambda: raised(KeyError(DAILY_SECRET)),
    "note": lambda: noted(raised(RuntimeError("no")), WEBHOOK_URL),
}


def noted(error: BaseException, note: str) -> BaseException:
    error.add_note(note)
    return error


@pytest.mark.parametrize("forged", FORGED.values(), ids=FORGED)
@pytest.mark.parametrize("way", ["raised", "chained", "grouped", "said", "shown", "pending"])
async def test_no_secret_comes_into_the_log(any_lines: Lines, forged: Any, way: str) -> None:
    error = forged()
    if way == "raised":
        log.error("no", exc_info=error)
    elif way == "chained":
        outer = RuntimeError("outer")
        outer.__context__ = error
        log.error("no", exc_info=raised(outer))
    elif way == "grouped":
        log.error("no", exc_info=raised(BaseExceptionGroup("many", [error, ValueError("x")])))
    elif way == "said":
        log.error("no: %s, and %r", error, error)
    elif way == "shown":
        log.error(f"no: {error} {error!r}", extra={"error_id": str(error)})  # noqa: G004
    else:
        never_looked_at(error)
    assert any_lines.text
    assert [secret for secret in SECRETS if secret in any_lines.text] == []


def never_looked_at(error: BaseException) -> None:
    """What asyncio says of a task that failed and that nobody waited for."""
    context = {"message": "Task exception was never retrieved", "exception": error, "future": Future(error)}
    asyncio.get_running_loop().default_exception_handler(context)


class Future:
    """Shows itself as asyncio's tasks do."""

    def __init__(self, error: BaseException) -> None:
        self._error = error

    def __repr__(self) -> str:
        return f"<Task finished name='Task-1' coro=<x() done, defined at y.py:1> exception={self._error!r}>"


def test_what_stands_around_a_token_is_kept(lines: Lines) -> None:
    log.warning("We are being rate limited. POST %s responded with 429.", CALLBACK_URL)
    said = lines.event["event"]
    assert said == (
        f"We are being rate limited. POST https://discord.com/api/v10/interactions/123456789/{SECRET}/callback"
        " responded with 429."
    )


def test_ids_names_and_numbers_are_no_secrets() -> None:
    for text in (
        "game 123456789012345678 of user 876543210987654321",
        "could_not_bring_the_card_of_a_challenge_up_to_date_because_of_something_else",
        "sha256 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        "/webhooks/123456789 is gone",
    ):
        assert Redactor().text(text) == text


# Never what players type

SEED = "Mormors hemmelige frø"


def parsed(text: str) -> BaseException:
    """What the engine raises about a text."""
    try:
        Record.parse(text)
    except Exception as error:  # noqa: BLE001
        return error
    raise AssertionError("it is a record")


PLAYERS = {
    "move": lambda: raised(MoveSyntaxError(SEED)),
    "record": lambda: raised(RecordSyntaxError(f"klondike/d1/{SEED}/x", "no")),
    "parsed": lambda: parsed(f"klondike/{SEED}"),
    "illegal": lambda: raised(IllegalMove(Reason.NO_SUCH_PILE, Move("9", "1"), pile=SEED)),
    "code": lambda: raised(BadMoveInCode(3, SEED, MoveSyntaxError(SEED))),
    "key": lambda: raised(KeyError(SEED)),
    "number": lambda: raised(ValueError(f"invalid literal for int() with base 10: {SEED!r}")),
    "value": lambda: raised(ValueError(f"{SEED} is not the deal of {SEED}")),
    "unicode": lambda: raised(UnicodeEncodeError("ascii", SEED, 19, 20, SEED)),
    "kept record": lambda: raised(RuntimeError(f"klondike/d1/{SEED} s-w is broken")),
}


@pytest.mark.parametrize("error_of", PLAYERS.values(), ids=PLAYERS)
@pytest.mark.parametrize("way", ["raised", "chained", "said", "pending"])
async def test_no_text_of_a_player_comes_into_the_log_even_out_of_its_request(
    any_lines: Lines, error_of: Any, way: str
) -> None:
    """As from a stored game: nobody knows any more that somebody typed it."""
    error = error_of()
    if way == "raised":
        log.error("no", exc_info=error)
    elif way == "chained":
        log.error("no", exc_info=raised(chained(error)))
    elif way == "said":
        log.error("no: %s", error)
    else:
        never_looked_at(error)
    assert type(error).__name__ in any_lines.text
    told = any_lines.text.casefold()
    assert [word for word in ("mormor", "hemmelige", r"fr\xf8", r"fr\u00f8", "frø") if word in told] == []


def chained(error: BaseException) -> BaseException:
    outer = RuntimeError("outer")
    outer.__cause__ = error
    return outer


@pytest.mark.parametrize(
    "typed",
    [
        SEED,
        "mormor",
        "a\nb\x00c",
        "[x](y) .*",
        "💥💥💥",
        "it's",
        "36000",
        "a\ud800b",
        " padded ",
        "x" * 6_000,
    ],
    ids=lambda typed: ascii(typed)[:12],
)
def test_what_came_with_a_request_is_taken_out_wherever_it_is(
    any_lines: Lines, typed: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = logging.getLogger("tests.typed")
    monkeypatch.setattr(log, "propagate", False)  # pytest could not tell what half a character is
    monkeypatch.setattr(log, "handlers", logging.getLogger().handlers[:1])
    begin(Trace("new", 77, typed=(typed,)))
    stripped = typed.strip()
    said = f"{'so long before it that it is cut ' * 30}{stripped} here"
    log.error("about %s and %r", stripped, stripped, exc_info=raised(RuntimeError(said)))
    for form in (stripped[:20], repr(stripped)[1:-1], ascii(stripped)[1:-1]):
        assert form not in any_lines.text
    assert TYPED in any_lines.text


def test_why_a_move_is_illegal_is_told_and_what_was_meant_for_whom_is_not(lines: Lines) -> None:
    log.error("no", exc_info=raised(IllegalMove(Reason.NO_SUCH_PILE, Move("9", "1"), pile="9")))
    assert lines.event["exception"].endswith(f"IllegalMove: {Reason.NO_SUCH_PILE}")


def test_a_faults_class_is_told(lines: Lines) -> None:
    log.info("nothing more was said about a turn: %s", BadDay("mormor"))
    assert lines.event["event"].endswith(": bot.service.errors.BadDay")


def test_what_helps_is_kept(lines: Lines) -> None:
    for error in (
        AttributeError("'NoneType' object has no attribute 'id'"),
        OSError(28, "No space left on device", "/data/games.sqlite3"),
        AssertionError("3 != 4"),
    ):
        log.error("no", exc_info=raised(error))
        assert lines.events[-1]["exception"].endswith(f"{type(error).__name__}: {error}")


class Unspeakable(Exception):
    def __str__(self) -> str:
        raise ZeroDivisionError


def test_an_exception_that_can_not_say_what_it_is_is_logged_all_the_same(lines: Lines) -> None:
    log.error("no", exc_info=raised(Unspeakable()))
    assert lines.event["exception"].endswith("Unspeakable")


# Bounded


def deep(levels: int) -> None:
    if not levels:
        raise RuntimeError("x" * 100_000)
    try:
        deep(levels - 1)
    except RuntimeError as error:
        raise RuntimeError("y" * 100_000) from error


def test_no_line_is_long(lines: Lines) -> None:
    log.info("%s", "ø" * 1_000_000, extra={"error_id": "z" * 1_000_000})
    with pytest.raises(RuntimeError) as caught:
        deep(200)
    log.error("no", exc_info=caught.value)
    group = ExceptionGroup("many", [ValueError("v" * 10_000)] * 1_000)
    log.error("no", exc_info=raised(group))
    first, second, third = lines.events
    assert len(first["event"]) <= TEXT_MAX_CHARACTERS
    assert len(first["error_id"]) <= TEXT_MAX_CHARACTERS
    for event in (second, third):
        assert 0 < len(event["exception"]) <= EXCEPTION_MAX_CHARACTERS


def test_endless_recursion_is_told_with_its_last_frames(lines: Lines) -> None:
    def endless() -> None:
        endless()

    with pytest.raises(RecursionError) as caught:
        endless()
    log.error("no", exc_info=caught.value)
    assert "RecursionError" in lines.event["exception"]
    assert len(lines.event["exception"]) <= EXCEPTION_MAX_CHARACTERS


@pytest.mark.parametrize("length", [0, 9, 10, 11, 100])
def test_a_shortened_text_has_its_beginning_and_its_end(length: int) -> None:
    text = "".join(chr(ord("a") + i % 26) for i in range(length))
    short = shortened(text, 10)
    assert len(short) <= 10
    assert short[:3] == text[:3]
    assert short[-3:] == text[-3:]
    assert (short == text) is (length <= 10)


@pytest.mark.parametrize("log_format", LogFormat)
@pytest.mark.parametrize(
    "value",
    [None, "\ud800", b"\xff", object(), {"a": [1, {2}]}, float("nan"), 10**5_000, Unspeakable()],
    ids=lambda value: type(value).__name__,
)
def test_there_is_a_line_for_whatever_is_logged(log_format: LogFormat, value: object) -> None:
    record = logging.makeLogRecord({"msg": "x", "levelname": "WARNING", "error_id": value})
    assert formatter(config_of(log_format)).format(record).count("warning") == 1


@pytest.mark.parametrize("log_format", LogFormat)
def test_a_line_that_can_not_be_written_says_where_it_is_from_and_no_more(log_format: LogFormat) -> None:
    """The logging module would print the arguments as they are."""
    record = logging.LogRecord("bot", logging.ERROR, "play.py", 7, "%d cards", ("mormor",), None)
    line = formatter(config_of(log_format)).format(record)
    assert "a log record from play.py:7 can't be formatted" in line
    assert "mormor" not in line


async def test_a_real_client_in_trouble_logs_neither_tokens_nor_seeds(tmp_path: Path) -> None:
    with logging_to(config_of(level="DEBUG")) as lines:
        async with open_wire(tmp_path) as wire:
            limited = {"retry_after": 0.01, "message": "You are being rate limited.", "global": False}
            via = {"Via": "1.1 google"}
            table = await wire.table("klondike", "mormor")
            for status, body in ((429, limited), (500, {}), (400, {"code": 50035, "message": "token?"})):
                wire.standin.answer_with("POST", "/callback", status, body, via)
                await wire.standin.press(table, table_action(table))
            wire.standin.drop("POST", "/callback")
            await wire.standin.interact("new", {"game": "acesup", "seed": "farmors frø"}, guild_id=100)
            await wire.standin.interact("new", {"code": "acesup/standard/besta x-y"}, guild_id=100)
            await wire.until(lambda: answered(wire) == 6, timeout_s=60)
            tokens = [interaction.token for interaction in wire.standin.interactions.values()]
    assert len(tokens) == 6
    said = lines.text.casefold()
    assert any("error_id" in event for event in lines.events)
    assert [word for word in (*tokens, "mormor", "farmor", "besta") if word.casefold() in said] == []


async def test_an_option_that_discord_py_refuses_is_logged_without_what_was_typed(tmp_path: Path) -> None:
    """It is refused before any handler of ours is called; only a forged interaction gets that far."""
    with logging_to(config_of()) as lines:
        async with open_wire(tmp_path) as wire:
            asked = await wire.standin.interact("help", guild_id=100)
            await asked.shown()
            payload = json.loads(json.dumps(asked.payload))
            option = {"type": 3, "name": "game", "value": "mormors kabal"}
            payload["id"] = str(int(payload["id"]) + 1)
            payload["data"] |= {"name": "new", "options": [option]}
            await wire.standin.gateway.dispatch("INTERACTION_CREATE", payload)
            await wire.until(lambda: "another version" in lines.text)
    event = next(event for event in lines.events if "another version" in event["event"])
    assert (event["command"], event["user"]) == ("new", int(asked.payload["member"]["user"]["id"]))
    assert "mormor" not in lines.text


def table_action(table: Message) -> str:
    return action_id(table, Action.DRAW)


def answered(wire: Wire) -> float | None:
    registry = wire.client.metrics.registry
    return registry.get_sample_value("solitaire_phase_seconds_count", {"phase": "total"})
