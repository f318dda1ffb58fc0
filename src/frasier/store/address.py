"""The address of a database: checked before it is used, shown without its password."""

from __future__ import annotations

from typing import Any

import psycopg
from psycopg import AsyncConnection
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from frasier.kernel.errors import ConfigurationError
from frasier.kernel.logging_setup import mask_url

_STARS = "***"


def check_address(address: str, *, setting: str = "FRASIER_DATABASE_URL") -> str:
    """Return `address` if libpq can parse it, else raise ConfigurationError.

    The error does not show the address, which may hold a password.
    """
    try:
        conninfo_to_dict(address)
    except psycopg.ProgrammingError:
        raise ConfigurationError(
            f"{setting} is not the address of a PostgreSQL database.",
            hint="Use the form postgresql://user:password@host:5432/database.",
        ) from None
    return address


def mask_address(address: str) -> str:
    """Replace the password of an address, in either of libpq's two notations, by stars."""
    if conninfo_to_dict(check_address(address)).get("password") is None:
        return address
    masked = mask_url(address)
    if conninfo_to_dict(masked).get("password") == _STARS:
        return masked
    return make_conninfo(address, password=_STARS)


def place_of(address: str, connection: AsyncConnection[Any]) -> str:
    """Return the host, port and database name of an address, regardless of its role.

    Parts that the address leaves out are taken from `connection`. The server's own word could be forged.
    """
    parts, info = conninfo_to_dict(check_address(address)), connection.info
    taken = {"host": info.host, "port": info.port, "dbname": info.dbname}
    return "\n".join(
        str(parts.get(name) or taken.get(name, "")) for name in ("host", "hostaddr", "port", "dbname")
    )
