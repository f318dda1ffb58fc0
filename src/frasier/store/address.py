"""Where a database is, as text: checked before it is used, and without its password before it is shown."""

from __future__ import annotations

from typing import Any

import psycopg
from psycopg import AsyncConnection
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from frasier.kernel.errors import ConfigurationError
from frasier.kernel.log import mask_url

_STARS = "***"


def check_address(address: str, *, setting: str = "FRASIER_DATABASE_URL") -> str:
    """`address` where libpq can read it, else ConfigurationError. Its text is not shown: it may hold a password."""
    try:
        conninfo_to_dict(address)
    except psycopg.ProgrammingError:
        raise ConfigurationError(
            f"{setting} is no address of a PostgreSQL database.",
            hint="It is written postgresql://user:password@host:5432/database.",
        ) from None
    return address


def mask_address(address: str) -> str:
    """The address without its password, in whichever of libpq's two spellings it is written."""
    if conninfo_to_dict(check_address(address)).get("password") is None:
        return address
    masked = mask_url(address)
    if conninfo_to_dict(masked).get("password") == _STARS:
        return masked
    return make_conninfo(address, password=_STARS)


def place_of(address: str, connection: AsyncConnection[Any]) -> str:
    """Which database an address leads to, whoever it lets in and however.

    What an address leaves out is what libpq took for `connection`. What the server says of itself could be forged.
    """
    parts, found = conninfo_to_dict(check_address(address)), connection.info
    taken = {"host": found.host, "port": found.port, "dbname": found.dbname}
    return "\n".join(
        str(parts.get(name) or taken.get(name, "")) for name in ("host", "hostaddr", "port", "dbname")
    )
