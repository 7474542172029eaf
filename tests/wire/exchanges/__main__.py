"""Records, replays and compares: ``python -m tests.wire.exchanges COMMAND``.

    replay      run the script with the present code and the old sentences; print every difference
    rewordings  rewrite the list of sentences that differ from those at the time of the recording
    record      run the script with the code as it is, and write a recording
    leave       play an evening with the code as it is; keep the database and the messages
    go-on       run the present code on that database; print what was tried and every problem

`record` and `leave` produce the reference data, and belong to the commit that is named in the files.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from tests.wire.exchanges import play_for_later, words
from tests.wire.exchanges.going_on import go_on
from tests.wire.exchanges.left import Left
from tests.wire.exchanges.recording import (
    KEPT,
    ROOT,
    Recording,
    differences,
    new_database,
    open_stage,
    record,
    replay,
    run,
)
from tests.wire.exchanges.script import play


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.wire.exchanges", description=__doc__.split("\n")[0]
    )
    parser.add_argument("what", choices=("replay", "rewordings", "record", "leave", "go-on"))
    parser.add_argument("file", type=Path, nargs="?", default=KEPT, help="the recording")
    parser.add_argument("--database", choices=("sqlite", "postgres"), default="sqlite")
    parser.add_argument("--verbose", action="store_true", help="tell each exchange as it is played")
    given = parser.parse_args(arguments)
    if given.what == "rewordings":
        lines = [str(one) for one in words.rewordings(ROOT)]
        words.REWORDED.write_text("".join(line + "\n" for line in lines), "utf-8")
        _say(f"{len(lines)} sentences read otherwise")
        return 0
    if given.what == "record":
        watch = (lambda one: _say(f"{one['n']} {one['title']}")) if given.verbose else (lambda _: None)
        recording = record(play, given.database, watch)
        recording.write(given.file)
        _say(f"{len(recording.exchanges)} exchanges")
        return 0
    if given.what == "leave":
        left = run(leave(given.database))
        left.write(given.database)
        _say(f"{len(left.messages)} messages")
        return 0
    if given.what == "go-on":
        report = run(go_on(given.database))
        _say(json.dumps(report, indent=1))
        return bool(report["problems"])
    found = differences(Recording.read(given.file), replay(given.database))
    _say("\n\n".join(found) or "all is as it was")
    return bool(found)


def _say(text: str) -> None:
    print(text, flush=True)  # noqa: T201 - a command


async def leave(kind: str) -> Left:
    """Play the evening, and return what it leaves."""
    with new_database(kind) as database:
        async with open_stage(database) as stage:
            await stage.start(thinks=True)
            await play_for_later.play(stage)
            await stage.stop()
            return Left.of(stage)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
