"""Before the cap of a day or a month is used up the founder is warned: once a period, wherever news are read."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from frasier.llm import Caps
from frasier.org.conversation import warn_before_caps
from frasier.store import Database
from support.cli import FrasierProgram
from support.cli_states import new_mission
from support.database_clock import offset_clock


@pytest.mark.parametrize(("spent", "warned"), [(7.9, False), (8.1, True)])
async def test_four_fifths_of_a_cap_are_announced_once_and_shown_until_the_day_is_over(
    db: Database, owner_url: str, frasier: FrasierProgram, home: Path, spent: float, *, warned: bool
) -> None:
    offset_clock(owner_url, timedelta(0))
    settings = {"FRASIER_LLM__CAPS__DAY_USD": "10", "FRASIER_LLM__CAPS__MONTH_USD": "100"}
    async with db.transaction() as tx:
        await new_mission(tx, home, "Write about tea")
        await tx.execute(
            "insert into llm_spend (scope_kind, scope_key, spent_usd_micros, calls)"
            " values ('day', to_char(frasier_now() at time zone 'UTC', 'YYYY-MM-DD'), %s, 3)",
            (round(spent * 1_000_000),),
        )
    for _ in range(2):
        await db.in_transaction(warn_before_caps, Caps(day_usd=Decimal(10), month_usd=Decimal(100)))

    def announced() -> list[dict[str, Any]]:
        found = frasier.json("inbox", **settings)["announcements"]
        return [one for one in found if one["kind"] == "cap"]

    assert [one["text"].partition(")")[2].partition(". ")[0] for one in announced()] == (
        [" are spent: $8.10 of $10.00"] if warned else []
    )
    assert ("nearly used up" in frasier("status", **settings).out) is warned
    assert frasier.json("status", **settings)["spend"]["day"]["nearly_used_up"] is warned
    async with db.transaction() as tx:
        counted = await (
            await tx.execute("select count(*) from store_effects where kind = 'announce'")
        ).fetchone()
    assert counted == {"count": int(warned)}
    offset_clock(owner_url, timedelta(days=1))
    assert announced() == []
