"""``python -m tests.wire.exchanges``: holds the present code against the recording, or helps with what changed.

replay      play the script with the present code and the old words; say what differs
rewordings  write the list of sentences that read otherwise than when it was recorded
record      play the script with the code as it is, and write a recording: for the code it was made with
leave       play an evening with the code as it is, and keep the database and the messages that it leaves
go-on       go on with what was left then, with the present code; say what was done, and what was wrong
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
        print(f"{len(lines)} sentences read otherwise")
        return 0
    if given.what == "record":
        watch = (lambda one: print(one["n"], one["title"])) if given.verbose else (lambda _: None)
        recording = record(play, given.database, watch)
        recording.write(given.file)
        print(f"{len(recording.exchanges)} exchanges")
        return 0
    if given.what == "leave":
        left = run(leave(given.database))
        left.write(given.database)
        print(f"{len(left.messages)} messages")
        return 0
    if given.what == "go-on":
        report = run(go_on(given.database))
        print(json.dumps(report, indent=1))
        return bool(report["problems"])
    found = differences(Recording.read(given.file), replay(given.database))
    print("\n\n".join(found) or "all is as it was")
    return bool(found)


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
