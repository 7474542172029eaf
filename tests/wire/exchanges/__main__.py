from __future__ import annotations
import asyncio, json, sqlite3, sys, tempfile
from contextlib import closing
from pathlib import Path
from tests.wire.exchanges.players import furnish
from tests.wire.exchanges.stage import Stage, virtual_runner
from tests.wire.exchanges.canonical import in_order
from tests.wire.standin import StandIn
from tests.wire.exchanges import script

def rows_of(path):
    with closing(sqlite3.connect(path)) as db:
        db.row_factory = sqlite3.Row
        names = [n for (n,) in db.execute("SELECT name FROM sqlite_master WHERE type='table' AND name NOT LIKE 'sqlite_%' AND name <> 'migrations'")]
        return {n: [dict(r) for r in db.execute(f"SELECT * FROM {n}")] for n in names}

KEPT = []
async def main(out):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "games.sqlite3"
        async def read(): return rows_of(path)
        async with StandIn() as standin:
            with standin.client_settings():
                stage = Stage(standin, f"sqlite:///{path}", read)
                stage.watch = lambda e: print(e["n"], e["title"], len(e["requests"]))
                KEPT.append(stage); furnish(stage)
                await stage.start()
                await script.play(stage)
                await stage.stop()
            standin.check()
    Path(out).write_text("".join(in_order(e) + "\n" for e in stage.exchanges))

import os, traceback
with virtual_runner() as r:
    try:
        r.run(main(sys.argv[1]))
    except BaseException:
        Path(sys.argv[1]).write_text("".join(in_order(e) + "\n" for e in KEPT[0].exchanges))
        traceback.print_exc()
        sys.stderr.flush()
        os._exit(1)
