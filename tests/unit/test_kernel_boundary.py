"""Nothing slow and outside while a transaction is open."""

from __future__ import annotations

import asyncio

import pytest

from frasier.kernel.errors import InvariantBroken
from frasier.kernel.transaction_guard import forbid_open_transaction, transaction_open


def test_inside_it_is_our_defect_at_any_depth_and_afterwards_it_is_allowed_again() -> None:
    with transaction_open():
        with transaction_open():
            pass
        with pytest.raises(InvariantBroken, match="a call was tried while a transaction is open"):
            forbid_open_transaction("a call")
    forbid_open_transaction("a call")


def test_an_error_inside_ends_it_too() -> None:
    with pytest.raises(ZeroDivisionError), transaction_open():
        raise ZeroDivisionError
    forbid_open_transaction("a call")


async def test_tasks_that_run_beside_it_are_free_and_those_begun_inside_are_not() -> None:
    async def call() -> str:
        try:
            forbid_open_transaction("a call")
        except InvariantBroken:
            return "refused"
        return "allowed"

    beside = asyncio.create_task(call())
    with transaction_open():
        inside = asyncio.create_task(call())
        assert await asyncio.gather(beside, inside) == ["allowed", "refused"]
