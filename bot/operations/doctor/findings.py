"""What ``python -m bot doctor`` finds: how something is, and what to do about it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Finding:
    """What was looked at, how it is, and what to do where something is wrong."""

    what: str
    how: str
    cure: str = ""
    is_wrong: bool = False

    def __str__(self) -> str:
        mark = "WRONG" if self.is_wrong else "note " if self.cure else "ok   "
        return f"{mark}  {self.what}: {self.how}" + (f"\n       {self.cure}" if self.cure else "")


def wrong(what: str, how: str, cure: str) -> list[Finding]:
    """Return what has to be mended before the bot can do all that it should."""
    return [Finding(what, how, cure, is_wrong=True)]


def named(error: BaseException) -> str:
    """Return what an error says, or what it is where it says nothing."""
    return str(error) or type(error).__name__
