"""The result of one check of ``python -m bot doctor``."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Finding:
    """What was checked, what state it is in, and advice where something could be better or is wrong."""

    subject: str
    state: str
    advice: str = ""
    is_wrong: bool = False

    def __str__(self) -> str:
        mark = "WRONG" if self.is_wrong else "note " if self.advice else "ok   "
        return f"{mark}  {self.subject}: {self.state}" + (f"\n       {self.advice}" if self.advice else "")


def wrong(subject: str, state: str, advice: str) -> list[Finding]:
    """Return the finding for something that keeps the bot from working as it should."""
    return [Finding(subject, state, advice, is_wrong=True)]
