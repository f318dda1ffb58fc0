"""The marker of a request: each transaction that writes something for it says so in the same transaction.

So it is known after a crash whether a request was begun only, or has changed something.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import LiteralString
from uuid import UUID

from frasier.store.deferred import Tx


@dataclass(slots=True, kw_only=True)
class WriteMarker:
    """The attempt of a request under an idempotency key. A background task that outlives the request marks nothing."""

    statement: LiteralString
    caller: str
    key: str
    attempt: UUID
    active: bool = True


_marker: ContextVar[WriteMarker | None] = ContextVar("write_marker", default=None)


@contextmanager
def marking_writes(marker: WriteMarker) -> Iterator[None]:
    """Mark the request in every transaction of the body that writes something."""
    token = _marker.set(marker)
    try:
        yield
    finally:
        marker.active = False
        _marker.reset(token)


def defer_mark(tx: Tx) -> None:
    """Mark the request that the transaction belongs to, if there is one, with COMMIT."""
    marker = _marker.get()
    if marker is not None and marker.active:
        tx.defer(marker.statement, {"caller": marker.caller, "key": marker.key, "attempt": marker.attempt})
