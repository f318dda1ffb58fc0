"""A condition on which a request changes something, checked in the same transaction as the change.

`Database.transaction` checks it in each transaction of the request that begins before the request itself has changed
what the condition is about. The check locks that, so nobody else changes it until the transaction ends.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from frasier.kernel.errors import FrasierError, NotFound
from frasier.store.deferred import Tx


@dataclass(slots=True, kw_only=True)
class Precondition:
    """A condition on a tag: `read_locked` locks what it is of and returns it, `error` is raised where it is wrong."""

    read_locked: Callable[[Tx], Awaitable[str]]
    holds: Callable[[str], bool]
    error: Callable[[], FrasierError]
    over: bool = False


_condition: ContextVar[Precondition | None] = ContextVar("precondition", default=None)
_joined: ContextVar[Tx | None] = ContextVar("joined_transaction", default=None)


@contextmanager
def on_condition(condition: Precondition) -> Iterator[None]:
    """Check the condition in the transactions of the body. A background task that outlives it checks nothing."""
    token = _condition.set(condition)
    try:
        yield
    finally:
        condition.over = True
        _condition.reset(token)


def joined_transaction() -> Tx | None:
    """Return the transaction in which a condition is being read; None outside of that."""
    return _joined.get()


async def begin_conditional(tx: Tx) -> str | None:
    """Raise the condition's error unless it holds; return the tag that it holds for, None where nothing is pending."""
    condition = _condition.get()
    if condition is None or condition.over:
        return None
    tag = await _tag(condition, tx)
    if not condition.holds(tag):
        raise condition.error()
    return tag


async def has_changed(tx: Tx, before: str | None) -> bool:
    """Return whether the transaction changed what the pending condition is about, whose tag was `before`."""
    condition = _condition.get()
    if condition is None or before is None:
        return False
    try:
        return await _tag(condition, tx) != before
    except NotFound:
        return True


def end_condition() -> None:
    """Check no more: the request itself has changed what the condition is about."""
    if (condition := _condition.get()) is not None:
        condition.over = True


async def _tag(condition: Precondition, tx: Tx) -> str:
    """Read the tag by operations that would open transactions of their own, all in this one."""
    token = _joined.set(tx)
    try:
        return await condition.read_locked(tx)
    finally:
        _joined.reset(token)
