"""``python -m tests.wire.exchanges``: holds the present code against the recording, or helps with what changed.

    replay      play the script with the present code and the old words; say what differs
    rewordings  write the list of sentences that read otherwise than when it was recorded
    record      play the script with the code as it is, and write a recording: for the code it was made with
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from tests.wire.exchanges import words
from tests.wire.exchanges.recording import KEPT, ROOT, Recording, differences, record, replay
from tests.wire.exchanges.script import play


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.wire.exchanges", description=__doc__.split("\n")[0])
    parser.add_argument("what", choices=("replay", "rewordings", "record"))
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
    found = differences(Recording.read(given.file), replay(given.database))
    print("\n\n".join(found) or "all is as it was")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
