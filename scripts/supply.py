"""What scripts/supply.toml says: the licences that packages may have, and the exceptions."""

from __future__ import annotations

import datetime as dt
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scripts import install

FILE = Path(__file__).with_name("supply.toml")

SKIPPED = 77
"""The exit code of a check that could not be made here; its one line says why. (Automake's convention.)"""


class SupplyError(Exception):
    """supply.toml can't be used as it stands; the text says why."""


@dataclass(frozen=True, slots=True)
class Exemption:
    """An advisory that is let through, for a reason, up to and including a day."""

    id: str
    package: str
    reason: str
    expires: dt.date


@dataclass(frozen=True, slots=True)
class Policy:
    """The whole file. ``spelled``: what packages write → SPDX identifier; ``exceptions``: name → reason."""

    allowed: frozenset[str]
    spelled: Mapping[str, str]
    exceptions: Mapping[str, str]
    exemptions: tuple[Exemption, ...]


def read(file: Path = FILE) -> Policy:
    """Read the policy.

    :raises SupplyError: an exception lacks its package, its reason or its last day, or has something else.
    """
    return parse(file.read_text("utf-8"))


def parse(text: str) -> Policy:
    """Read the policy from the text of its file.

    :raises SupplyError: as for `read`.
    """
    facts = tomllib.loads(text)
    licences = facts["licences"]
    exceptions = [_entry(entry, "package", "reason") for entry in licences.get("exceptions", [])]
    return Policy(
        frozenset(licences["allowed"]),
        licences["spelled"],
        {install.normal(entry["package"]): entry["reason"] for entry in exceptions},
        tuple(_exemption(entry) for entry in facts.get("advisories", [])),
    )


def _entry(entry: dict[str, Any], *texts: str) -> dict[str, Any]:
    for text in texts:
        if not isinstance(entry.get(text), str) or not entry[text].strip():
            raise SupplyError(f"{FILE.name}: an exception has no {text}: {entry}")
    return entry


def _exemption(entry: dict[str, Any]) -> Exemption:
    _entry(entry, "id", "package", "reason")
    # A datetime is a date too, and would not compare with one.
    if type(entry.get("expires")) is not dt.date:
        raise SupplyError(f"{FILE.name}: {entry['id']} has no day on which it expires, such as 2027-01-31")
    return Exemption(entry["id"], install.normal(entry["package"]), entry["reason"], entry["expires"])


def pinned(*sets: str) -> dict[str, str]:
    """Name → version of the pins in these sections of constraints.txt: "play", "fast", "postgres", "dev"."""
    sections = install.pins()
    pairs = (line.split("==") for name in sets for line in sections[name])
    return {install.normal(name): version for name, version in pairs}


def run_set() -> dict[str, str]:
    """Name → version of the pins that may run the bot, its local chat and PostgreSQL included."""
    return pinned("play", install.FAST, "postgres")
