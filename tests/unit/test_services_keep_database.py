"""The embedded database that cannot be started again: what stands beside it goes on, and it is tried again."""

from __future__ import annotations

import asyncio
import errno
import os
from dataclasses import fields
from typing import Any

import pytest
import structlog

from frasier.interfaces.services import Services
from frasier.kernel.errors import ConfigurationError, DatabaseUnreachable
from frasier.llm import Caps
from frasier.overview import Setup

OUR_OWN_SERVER = Setup(rehearsal=True, models={}, web_search=False, caps=Caps(), database_address=None)


def services(*outcomes: Exception | None) -> tuple[Services, list[Exception | None], asyncio.Event]:
    """Services whose database fares as told, what is left of that, and whether all of it has come to pass."""
    left, over = list(outcomes), asyncio.Event()
    loop = asyncio.get_running_loop()

    def ensure() -> None:
        outcome = left.pop(0) if left else None
        if not left:
            loop.call_soon_threadsafe(over.set)
        if outcome is not None:
            raise outcome

    async def in_transaction(*_: Any) -> None:
        """Find nothing new in the schema."""

    given: dict[str, Any] = dict.fromkeys(field.name for field in fields(Services))
    ours = {"ensure_database": ensure, "setup": OUR_OWN_SERVER, "in_transaction": in_transaction}
    return Services(**given | ours), left, over


@pytest.mark.parametrize(
    "error",
    [
        DatabaseUnreachable("PostgreSQL does not start.", hint="Look."),
        OSError(errno.EMFILE, "Too many open files"),
    ],
    ids=["it does not start", "no descriptor is left"],
)
async def test_a_database_that_does_not_start_is_tried_again(error: Exception) -> None:
    made, left, over = services(error, None)
    with structlog.testing.capture_logs() as logged:
        async with made.running(worker=False, housekeeping=False):
            await over.wait()
    assert left == []
    assert [(line["event"], bool(line["hint"])) for line in logged] == [("database.check_failed", True)]


@pytest.mark.parametrize(
    "error",
    [ConfigurationError("No such user."), OSError(errno.ENOENT, os.strerror(errno.ENOENT))],
    ids=["configuration", "file"],
)
async def test_what_never_passes_ends_what_stands_beside_it(error: Exception) -> None:
    made, *_ = services(error)
    with pytest.raises(type(error)):
        async with made.running(worker=False, housekeeping=False):
            await asyncio.Event().wait()
