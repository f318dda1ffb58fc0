"""Hires at once: one colleague for a trade, one name for each, and a policy that bounds them."""

from __future__ import annotations

import asyncio
from uuid import UUID

import pytest

from frasier.org.governance import HiringRules
from frasier.org.people import Agent, Role
from frasier.org.staffing import WantedColleague, found, hire
from frasier.org.staffing.hires import reason_to_ask
from frasier.store import Database

AT_ONCE = 8


def wanted(title: str, usd: float = 0.05) -> WantedColleague:
    return WantedColleague(
        title=title, role=Role.RESEARCH, reason="Nobody has it", expected_usd_micros=round(usd * 1_000_000)
    )


async def hire_one(db: Database, title: str) -> Agent:
    async with db.transaction() as tx:
        return await hire(tx, wanted(title), mission_id=None)


@pytest.fixture
async def founded(db: Database) -> Database:
    async with db.transaction() as tx:
        await found(tx)
    return db


async def test_all_who_want_one_trade_at_once_get_the_same_colleague(founded: Database):
    titles = ["Tax advisor for German SMEs", "German SMEs' tax adviser"] * (AT_ONCE // 2)
    hires = await asyncio.gather(*(hire_one(founded, title) for title in titles))
    assert len({agent.id for agent in hires}) == 1


async def test_those_who_hire_for_several_trades_at_once_give_each_colleague_a_name_of_their_own(
    founded: Database,
):
    trades = ("Nurse", "Plumber", "Notary", "Glazier", "Baker", "Pilot", "Weaver", "Sailor")
    hires = await asyncio.gather(*(hire_one(founded, trade) for trade in trades))
    ids: set[UUID] = {agent.id for agent in hires}
    assert len(ids) == len({agent.name for agent in hires}) == len({agent.key for agent in hires}) == AT_ONCE


@pytest.mark.parametrize(
    ("rules", "usd", "of_mission", "of_month", "asks"),
    [
        (HiringRules(), 0.05, 0, 0, ""),
        (HiringRules(automatic=False), 0.05, 0, 0, "asks the founder about every hire"),
        (HiringRules(automatic_up_to_usd=0.04), 0.05, 0, 0, "expected to cost"),
        (HiringRules(automatic_up_to_usd=0.05), 0.05, 0, 0, ""),
        (HiringRules(per_mission=2), 0.05, 1, 0, ""),
        (HiringRules(per_mission=2), 0.05, 2, 0, "has hired 2 already"),
        (HiringRules(per_month=4), 0.05, 0, 4, "within 30 days"),
    ],
)
def test_the_policy_says_who_decides(
    rules: HiringRules, usd: float, of_mission: int, of_month: int, asks: str
):
    why = reason_to_ask(rules, wanted("Nurse", usd), of_mission=of_mission, of_month=of_month)
    assert (asks in why) if asks else (why == "")
