"""No network call while a transaction is open: the rule of the house, asserted where it could break."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from frasier.kernel.errors import InvariantBroken

_open_transactions: ContextVar[int] = ContextVar("open_transactions", default=0)


@contextmanager
def transaction_open() -> Iterator[None]:
    """Marks the body as running inside a transaction."""
    token = _open_transactions.set(_open_transactions.get() + 1)
    try:
        yield
    finally:
        _open_transactions.reset(token)


def forbid_open_transaction(what: str) -> None:
    """Raises InvariantBroken where `what`, something slow and outside, is tried inside a transaction."""
    if _open_transactions.get():
        raise InvariantBroken(f"{what} was tried while a transaction is open")
