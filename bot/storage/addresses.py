"""Where a store is: ``sqlite:///games.sqlite3`` or ``postgresql://user:password@host/database``."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import unquote, urlsplit

_IN_QUERY = re.compile(r"(?<=[?&]password=)[^&]*")


def is_postgres(url: str) -> bool:
    """Return whether an address is that of a PostgreSQL database."""
    return url.partition("://")[0] in ("postgresql", "postgres")


def sqlite_path(url: str) -> Path:
    """Return the file that an address names.

    :raises ValueError: when it names none.
    """
    scheme, _, path = url.partition(":///")
    if scheme == "sqlite" and path:
        return Path(path)
    if is_postgres(url):
        raise ValueError(f"{shown(url)} is a PostgreSQL database, and no file")
    raise ValueError(
        f"DATABASE_URL {shown(url)!r} is not understood; write sqlite:///path/to/file.sqlite3 or "
        "postgresql://user:password@host/database"
    )


def shown(url: str) -> str:
    """Return an address as it may be shown: without a password."""
    before, at, after = url.rpartition("@")
    scheme, separator, user = before.partition("://")
    if at and separator and ":" in user:
        url = f"{scheme}://{user.partition(':')[0]}@{after}"
    return _IN_QUERY.sub("…", url)


def passwords(url: str) -> tuple[str, ...]:
    """Return what is secret in an address, as it stands there and as it is sent."""
    if not is_postgres(url):
        return ()
    try:
        found = [urlsplit(url).password or "", *_IN_QUERY.findall(url)]
    except ValueError:  # no address at all; whoever uses it says so
        return ()
    return tuple({text for password in found if password for text in (password, unquote(password))})
