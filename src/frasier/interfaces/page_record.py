"""The address at which a process of this home serves the page, for whoever makes links to it."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from frasier.interfaces.server_settings import page_address
from frasier.store import write_private

_NAME = "page-address"


@contextmanager
def record_page(home: Path, address: str) -> Iterator[None]:
    """Record the address while the page is served. Where the home cannot be written, nothing is recorded."""
    path = home / _NAME
    with suppress(OSError):
        fresh = path.with_name(f"{_NAME}.{secrets.token_hex(4)}")
        write_private(fresh, address.encode())
        fresh.replace(path)
    try:
        yield
    finally:
        with suppress(OSError):
            if path.read_bytes() == address.encode():  # not that of a process that began later
                path.unlink()


def recorded_page(home: Path) -> str | None:
    """Return the address that a process recorded last and did not take back; after a kill nobody need answer there."""
    with suppress(OSError, ValueError):
        return page_address((home / _NAME).read_text("ascii"))
    return None
