"""Where a store is: ``sqlite:///games.sqlite3`` or ``postgresql://user:password@host/database``."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import unquote, urlsplit

_IN_QUERY = re.compile(r"(?<=password=)[^&]*")  # sslpassword too
_NO_PORT = re.compile(r":(?!\d*([,/]|$))[^,/]*")


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
    scheme, separator, rest = url.partition("://")
    if not separator or scheme == "sqlite":
        return url
    user, at, place = rest.rpartition("@")
    place, mark, query = place.partition("?")
    if "[" not in place:  # an IPv6 address
        place = _NO_PORT.sub("", place)  # where the host was forgotten, a password stands in its place
    return f"{scheme}://{user.partition(':')[0]}{at}{place}{mark}{_IN_QUERY.sub('…', query)}"


def passwords(url: str) -> tuple[str, ...]:
    """Return what is secret in an address, as it stands there and as it is sent."""
    if not is_postgres(url):
        return ()
    try:
        found = [urlsplit(url).password or "", *_IN_QUERY.findall(url)]
    except ValueError:  # no address at all; whoever uses it says so
        return ()
    return tuple({text for password in found if password for text in (password, unquote(password))})
