"""Upskilling at once: one of an agent at a time, whoever asks."""

from __future__ import annotations

import asyncio

from frasier.kernel.errors import Refused
from frasier.org.improvement import upskill_by_founder
from frasier.org.staffing import Trial, found, trials_of
from frasier.store import Database

AT_ONCE = 4


async def test_of_several_who_ask_at_once_one_begins_an_upskilling(db: Database) -> None:
    await db.in_transaction(found)
    ends = await asyncio.gather(
        *(db.in_transaction(upskill_by_founder, "heron") for _ in range(AT_ONCE)), return_exceptions=True
    )
    assert [type(end) for end in ends].count(Trial) == 1, ends
    assert [type(end) for end in ends].count(Refused) == AT_ONCE - 1, ends
    assert len(await db.in_transaction(trials_of, None, limit=9)) == 1
