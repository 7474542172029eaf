"""What the bot answers and stores is what it was when the exchanges were recorded.

`python -m tests.wire.exchanges` plays and compares by hand. Where a sentence was reworded on purpose,
`python -m tests.wire.exchanges rewordings` lists it anew.
"""

from __future__ import annotations

import pytest

from tests.postgres import binaries
from tests.wire.exchanges import words
from tests.wire.exchanges.recording import KEPT, ROOT, Recording, differences, replay

needs_postgres = pytest.mark.skipif(binaries() is None, reason="PostgreSQL (no server of our own)")


def test_there_are_hundreds_of_exchanges() -> None:
    assert len(Recording.read(KEPT).exchanges) >= 800


def test_every_rewording_is_listed() -> None:
    now = [str(one) for one in words.rewordings(ROOT)]
    assert words.listed() == now, "see: python -m tests.wire.exchanges rewordings"


def test_commands_and_their_options_are_called_what_they_were() -> None:
    assert [str(one) for one in words.rewordings(ROOT) if words.names_a_command(one.key)] == []


@pytest.mark.slow
@pytest.mark.parametrize("database", ["sqlite", pytest.param("postgres", marks=needs_postgres)])
def test_in_the_old_words_all_is_answered_and_stored_as_it_was(database: str) -> None:
    assert "\n\n".join(differences(Recording.read(KEPT), replay(database))) == ""
