"""The numbered scripts that bring a store's schema up to date."""

from __future__ import annotations

import re
from importlib import resources


def scripts(package: str) -> dict[int, str]:
    """Return the scripts in the folder ``migrations`` of a package, in order: 1, 2, 3 … without a gap."""
    found = {}
    for entry in sorted((resources.files(package) / "migrations").iterdir(), key=lambda entry: entry.name):
        number = re.fullmatch(r"(\d{4})_\w+\.sql", entry.name)
        if number:
            found[int(number[1])] = entry.read_text("utf-8")
    return found
