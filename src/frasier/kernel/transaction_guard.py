"""A guard against network calls inside an open transaction."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from frasier.kernel.errors import InvariantBroken

_open_transactions: ContextVar[int] = ContextVar("open_transactions", default=0)


@contextmanager
def transaction_open() -> Iterator[None]:
    """Mark the body as running inside a transaction."""
    token = _open_transactions.set(_open_transactions.get() + 1)
    try:
        yield
    finally:
        _open_transactions.reset(token)


def forbid_open_transaction(what: str) -> None:
    """Raise InvariantBroken if a transaction is open; `what` names the slow outside call that is about to start."""
    if _open_transactions.get():
        raise InvariantBroken(f"{what} was tried while a transaction is open")
