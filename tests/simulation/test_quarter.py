"""A quarter of an organisation: missions, hires, routines, colleagues who rest, come back and leave, while months go by.

The models are scripted, the days pass by the offset of the database's clock, and everything is drawn from one seed.
"""

from __future__ import annotations

import asyncio
import random
import threading
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any, LiteralString

import pytest

from frasier.interfaces.services import Services
from frasier.kernel.errors import Refused
from frasier.llm import Caps, LlmSettings
from frasier.llm.settings import ModelPrice
from frasier.org.execution import hold_stand_up, rest_agent, retire_agent, wake_agent
from frasier.org.governance import set_policy
from frasier.org.improvement import end_overdue_trials, upskill_by_founder
from frasier.org.missions import MissionStatus
from frasier.org.people import AgentKind, roster
from frasier.org.people.capabilities import declared_capabilities
from frasier.org.staffing import open_trial_of
from frasier.overview import read_agent
from frasier.store import Tx
from frasier.workflow import FOUNDER
from support.database_clock import offset_clock
from support.model_responder import CompetentModel, Prompt, plan_of, read_prompt, reviewed, write
from support.model_server import ModelServer, ScriptedAnswer
from support.organisation import carry_out, organisation, write_documents
from support.planted_personas import doubtful_critique

SEED = 20_261_127
DAYS = 91
CONTEXT_TOKENS = 32_000
_PAUSE_S = 0.1
ROUTINE_BUDGET_USD = 0.15
"""For 30 days: less than a stand-up on each day costs."""
PRICES = {model: ModelPrice(input=Decimal(10), output=Decimal(20)) for model in ("m1", "m2", "m3")}
POLICIES: dict[str, dict[str, Any]] = {
    "hiring": {"automatic": True, "per_month": 1_000, "automatic_up_to_usd": 1_000},
    "trials": {"cap_usd": 50},
    "routines": {"budget_usd": ROUTINE_BUDGET_USD, "each_up_to_usd": 0.1, "share_of_mission": 0.5},
}
_DEEP_EVERY = 8
_REJECTED = 0.08
_SCORES = (3, 3.5, 4, 4, 4.5, 5)
TRADES = (
    "Beekeeper", "Naval architect", "Patent attorney", "Pastry chef", "Railway signaller", "Forest ranger",
    "Marine biologist", "Court interpreter", "Wind turbine technician", "Wine sommelier", "Piano tuner",
    "Volcanologist", "Glass blower", "Customs broker", "Epidemiologist", "Harbour pilot", "Saddle maker",
    "Lift mechanic", "Meteorologist", "Coffee roaster", "Veterinary surgeon", "Bridge inspector", "Perfumer",
    "Falconer", "Crop agronomist", "Watch repairer", "Avalanche warden", "Choir conductor", "Tea taster", "Dairy hygienist",
)  # fmt: skip


@dataclass
class Quarter:
    """What happens within the quarter, and what did."""

    missions: int
    hires: int
    upskillings: int
    random: random.Random = field(default_factory=lambda: random.Random(SEED))
    trade: str = ""
    written: threading.Event = field(default_factory=threading.Event)
    statuses: Counter[MissionStatus] = field(default_factory=Counter)
    changes: Counter[str] = field(default_factory=Counter)
    trials: Counter[str] = field(default_factory=Counter)
    routines: Counter[str] = field(default_factory=Counter)
    trends: int = 0

    def plan(self, _: Prompt) -> ScriptedAnswer:
        """Plan two steps and a final one; the first is for the trade of the day, if there is one."""
        plan = plan_of(3)
        if self.trade:
            plan["steps"][0] |= {"expert": self.trade, "expert_reason": "Nobody here knows the trade"}
        return ScriptedAnswer.json(plan)

    def write(self, prompt: Prompt) -> ScriptedAnswer:
        """Write a step's text, and let the staff change now that there is work."""
        self.written.set()
        return write(prompt)

    def review(self, prompt: Prompt) -> ScriptedAnswer:
        """Score a version, by chance of its task and reviewer, and send a few first ones back."""
        about = prompt.sections["The founder's directive"] + prompt.sections["What the author had to do"]
        reviewer = prompt.body["messages"][0]["content"]
        drawn = random.Random(f"{SEED}{about}{reviewer}")
        first = not any(title.startswith("What changed since") for title in prompt.sections)
        if first and drawn.random() < _REJECTED:
            return reviewed(prompt, approves=False, feedback="Its prices are missing.")
        return reviewed(prompt, approves=True, feedback="It holds.", score=drawn.choice(_SCORES))

    async def pass_by(self, services: Services, owner_url: str, documents: Path, out: Path) -> None:
        """Carry out the missions, one after the other, with the days between them."""
        for number in range(self.missions):
            offset_clock(owner_url, timedelta(days=DAYS) * number / self.missions)
            self.trade = self._trade_of(number)
            self.written.clear()
            work = asyncio.create_task(
                carry_out(services, documents, out=out / str(number), directive=_directive(number))
            )
            await self._change_staff(services)
            await self._make(services, hold_stand_up, "")
            await self._upskill(services, number)
            self.statuses[(await work).status] += 1

    def _trade_of(self, number: int) -> str:
        """Return a new trade as often as hires are due, and else one that was asked for before, or none."""
        due = self.hires * (number + 1) // self.missions
        known = self.hires * number // self.missions
        if due > known:
            return TRADES[known]
        return self.random.choice(("", *TRADES[:known]))

    async def _change_staff(self, services: Services) -> None:
        """Have a colleague rest, come back or leave, while a mission is under way."""
        change = self.random.choice((None, None, rest_agent, wake_agent, wake_agent, retire_agent))
        await asyncio.to_thread(self.written.wait, 60)
        async with services.board.database.transaction() as tx:
            hired = [one for one in await roster(tx, active_only=False) if one.title in TRADES]
        if change is None or not hired:
            return
        await self._make(services, change, self.random.choice(hired).key)

    async def _upskill(self, services: Services, number: int) -> None:
        """Have so many personas revised as are due; an agent whose persona is being tried waits for the end of that.

        Trials whose days are over end first, as an hourly job has it: its hours are not those of the database's clock.
        """
        due = self.upskillings * (number + 1) // self.missions - self.changes[upskill_by_founder.__name__]
        async with services.board.database.transaction() as tx:
            await end_overdue_trials(tx)
            free = [
                one
                for one in await roster(tx)
                if one.kind is not AgentKind.CHIEF_OF_STAFF and not await open_trial_of(tx, one.id)
            ]
        for agent in self.random.sample(free, min(due, len(free))):
            await self._make(services, upskill_by_founder, agent.key)

    async def _make(self, services: Services, change: Callable[[Tx, str], Awaitable[Any]], whom: str) -> None:
        try:
            async with services.board.database.transaction() as tx:
                await change(tx, whom)
        except Refused:
            self.changes[f"{change.__name__} refused"] += 1
        else:
            self.changes[change.__name__] += 1


def _directive(number: int) -> str:
    deep = ": a comprehensive market analysis" if number % _DEEP_EVERY == 1 else ""
    return f"Question {number} of the drinks{deep}"


_NEVER = {
    "two active agents have one name": "select name from org_agents where status = 'active' group by name"
    " having count(*) > 1",
    "two active agents have one key": "select key from org_agents group by key having count(*) > 1",
    "a trade was hired twice at once": "select title_key from org_hires where state in ('proposed', 'made')"
    " group by title_key having count(*) > 1",
    "work is open": "select slug from workflow_tasks where ended_at is null",
    "work is leased": "select slug from workflow_tasks where lease_owner is not null",
    "open work belongs to somebody who left": "select t.slug from workflow_tasks t join org_agents a"
    " on a.id = t.assignee where t.ended_at is null and a.status <> 'active'",
    "a pair waits for a trial that has ended": "select p.task_id from org_trial_pairs p join org_trials t on t.id = p.trial_id"
    " where p.state = 'open' and t.ended_at is not null",
    "a routine goes on": "select task_id from org_routines where ended_at is null and began_at is not null",
    "a cap holds a reservation": "select * from llm_spend where reserved_usd_micros > 0 or reserved_tokens > 0",
    "an agent has not one persona in force": "select a.key from org_agents a left join org_personas p"
    " on p.agent_id = a.id and p.version = a.persona_version where p.agent_id is null",
}


async def _finish(services: Services) -> None:
    """Work until nothing is open: trials go on after the last mission."""
    async with services.running(), asyncio.timeout(300):
        while await _rows(services, "select 1 from workflow_tasks where ended_at is null limit 1"):
            await asyncio.sleep(_PAUSE_S)


async def _rows(services: Services, query: LiteralString) -> list[Any]:
    async with services.board.database.transaction() as tx:
        return await (await tx.execute(query)).fetchall()


async def _pass_quarter(database_url: str, owner_url: str, tmp_path: Path, quarter: Quarter) -> ModelServer:
    documents = write_documents(tmp_path / "drinks")
    offset_clock(owner_url, timedelta(0))
    answers = {
        "plan": quarter.plan,
        "synthesize": quarter.write,
        "critique": doubtful_critique,
        "review": quarter.review,
    }
    with ModelServer(CompetentModel(**answers)) as server:
        llm = LlmSettings(
            base_url=server.base_url,
            t1_model="m1",
            t2_model="m2",
            t3_model="m3",
            prices=PRICES,
            caps=Caps(day_usd=Decimal(1_000), month_usd=Decimal(1_000)),
            **{f"t{tier}_context_tokens": CONTEXT_TOKENS for tier in (1, 2, 3)},
        )
        async with organisation(database_url, tmp_path / "home", llm=llm) as services:
            async with services.board.database.transaction() as tx:
                for subject, rules in POLICIES.items():
                    await set_policy(tx, subject, rules, actor=FOUNDER)
            await quarter.pass_by(services, owner_url, documents, tmp_path / "out")
            await _finish(services)
            for wrong, query in _NEVER.items():
                assert not await _rows(services, query), wrong
            quarter.trials.update(
                {
                    row["state"]: row["n"]
                    for row in await _rows(
                        services,
                        "select state, count(*) as n from org_trials where trigger = 'founder' group by state",
                    )
                }
            )
            await _check_routines(services, quarter)
            await _check_trends(services, quarter)
        return server


async def _check_routines(services: Services, quarter: Quarter) -> None:
    """Check that the routines of no thirty days cost more than their budget."""
    held = await _rows(
        services,
        "select r.kind, r.created_at, (select coalesce(sum(c.cost_usd_micros), 0) from llm_calls c"
        " where c.task_id = r.task_id) as usd_micros from org_routines r order by r.created_at",
    )
    quarter.routines.update(row["kind"] for row in held)
    assert sum(row["usd_micros"] for row in held) > 0
    for last in held:
        since = last["created_at"] - timedelta(days=30)
        cost = sum(row["usd_micros"] for row in held if since < row["created_at"] <= last["created_at"])
        assert cost <= ROUTINE_BUDGET_USD * 1_000_000


async def _check_trends(services: Services, quarter: Quarter) -> None:
    """Check that whoever has eight scored versions has a trend with an interval, and nobody else."""
    capabilities = declared_capabilities()
    async with services.board.database.transaction() as tx:
        for agent in await roster(tx, active_only=False):
            trend = (await read_agent(tx, agent.key, capabilities=capabilities)).score_trend
            for mean in (trend.newest, trend.before):
                assert mean.is_enough == (mean.n >= 8)
                if mean.value is not None and mean.low is not None and mean.high is not None:
                    assert 1 <= mean.low <= mean.value <= mean.high <= 5
                    quarter.trends += 1


def _check_prompts(server: ModelServer) -> None:
    """Check that no prompt is larger than its context, however many colleagues and months there are."""
    tokens = [read_prompt(request.body).tokens for request in server.log]
    assert max(tokens) <= CONTEXT_TOKENS


async def test_in_a_short_quarter_nobody_is_doubled_and_no_work_is_lost(
    database_url: str, owner_url: str, tmp_path: Path
) -> None:
    quarter = Quarter(missions=4, hires=2, upskillings=2)
    server = await _pass_quarter(database_url, owner_url, tmp_path, quarter)
    print(quarter)
    assert quarter.routines["stand_up"]
    assert quarter.trends
    assert quarter.statuses == {MissionStatus.DELIVERED: quarter.missions}
    assert sum(quarter.trials.values()) == quarter.changes["upskill_by_founder"]
    _check_prompts(server)


@pytest.mark.slow
@pytest.mark.timeout(3_600)
async def test_in_a_quarter_of_two_hundred_missions_nobody_is_doubled_and_no_work_is_lost(
    database_url: str, owner_url: str, tmp_path: Path
) -> None:
    quarter = Quarter(missions=200, hires=30, upskillings=60)
    server = await _pass_quarter(database_url, owner_url, tmp_path, quarter)
    print(quarter)
    assert quarter.routines.keys() == {"stand_up", "brainstorm", "debate", "mentoring"}
    assert quarter.changes["hold_stand_up refused"], "the budget was used up now and then"
    assert quarter.trends >= 5
    assert quarter.changes["upskill_by_founder"] == quarter.upskillings
    assert quarter.statuses == {MissionStatus.DELIVERED: quarter.missions}
    assert sum(quarter.trials.values()) == quarter.changes["upskill_by_founder"]
    _check_prompts(server)
