"""Skills on a real database: seeded once, grown by use, never set back; and the organisation founded whole."""

from __future__ import annotations

import asyncio

import psycopg
import pytest

from frasier.kernel.errors import NotFound
from frasier.kernel.ids import new_id
from frasier.org.people import Agent, Role, find_agent, roster
from frasier.org.skills import Skill, record_use, skills_of
from frasier.org.skills.catalog import skill_set
from frasier.org.staffing import choose_agent, found
from frasier.store import Database, Tx, events_of

DEBUGGING = "Debug the crash"


async def heron_of(db: Database) -> Agent:
    async with db.transaction() as tx:
        await found(tx)
        return await find_agent(tx, "heron")


async def skill_of(tx: Tx, agent: Agent, name: str) -> Skill | None:
    return next((skill for skill in await skills_of(tx, agent.id) if skill.name == name), None)


async def test_founding_gives_every_agent_the_skills_of_their_role_at_level_one(db):
    async with db.transaction() as tx:
        agents = await found(tx)
        assert len(agents) == 7
        for agent in agents:
            skills = await skills_of(tx, agent.id)
            assert {skill.name for skill in skills} == set(skill_set(agent.role))
            assert {(skill.level, skill.uses, skill.last_used) for skill in skills} == {(1, 0, None)}


async def test_founding_at_once_makes_each_agent_and_skill_once(db):
    async def found_whole() -> int:
        async with db.transaction() as tx:
            return len(await found(tx))

    assert await asyncio.gather(*(found_whole() for _ in range(4))) == [7] * 4
    async with db.transaction() as tx:
        agents = await roster(tx, active_only=False)
        assert len(agents) == 7
        for agent in agents:
            assert len(await skills_of(tx, agent.id)) == len(skill_set(agent.role))


async def test_founding_again_never_sets_a_skill_back(db):
    heron = await heron_of(db)
    async with db.transaction() as tx:
        for _ in range(6):
            await record_use(tx, heron.id, f"Research this. {DEBUGGING}")
        grown = await skills_of(tx, heron.id)
    async with db.transaction() as tx:
        await found(tx)
        after = {skill.name: skill for skill in await skills_of(tx, heron.id)}
    assert all(after[skill.name] == skill for skill in grown)
    assert (after["deep_research"].level, after["deep_research"].uses) == (2, 6)
    assert after.keys() == {skill.name for skill in grown}


async def test_a_use_counts_only_for_the_skills_that_the_text_names(db):
    heron = await heron_of(db)
    async with db.transaction() as tx:
        used = await record_use(tx, heron.id, "A comparison of competitors in the capital")
        skills = {skill.name: skill.uses for skill in await skills_of(tx, heron.id)}
    assert {skill.name for skill in used} == {"competitive_intel", "competitive_analysis"}
    assert {name for name, uses in skills.items() if uses} == {"competitive_intel", "competitive_analysis"}
    assert all(skill.uses == 1 and skill.last_used is not None for skill in used)


async def test_research_work_trains_nobody_in_search_engines(db):
    heron = await heron_of(db)
    async with db.transaction() as tx:
        for _ in range(30):
            await record_use(tx, heron.id, "Research: search rapid markets")
        assert await skill_of(tx, heron, "seo_optimization") is None
        assert await skill_of(tx, heron, "api_design") is None
        assert (await skill_of(tx, heron, "deep_research")).level == 4


async def test_work_in_another_trade_adds_its_skill_at_level_one(db):
    heron = await heron_of(db)
    async with db.transaction() as tx:
        assert await skill_of(tx, heron, "debugging") is None
        await record_use(tx, heron.id, DEBUGGING)
        added = await skill_of(tx, heron, "debugging")
    assert (added.level, added.uses) == (1, 1)


async def test_each_level_gained_is_an_event_of_the_agent(db):
    heron = await heron_of(db)
    async with db.transaction() as tx:
        levels = [(await record_use(tx, heron.id, DEBUGGING))[0].level for _ in range(12)]
        gained = [event for event in await events_of(tx, heron.id) if event.kind == "skill.level_up"]
    assert levels == [1] * 4 + [2] * 7 + [3]
    assert [event.payload for event in gained] == [
        {"skill": "debugging", "level": 2, "uses": 5},
        {"skill": "debugging", "level": 3, "uses": 12},
    ]


async def test_a_skill_far_behind_its_uses_climbs_one_level_a_use_and_ends_at_ten(db):
    heron = await heron_of(db)
    async with db.transaction() as tx:
        await tx.execute(
            "insert into org_skills (agent_id, skill, level, uses, last_used) values (%s, 'debugging', 8, 400, now())",
            (heron.id,),
        )
        levels = [(await record_use(tx, heron.id, DEBUGGING))[0].level for _ in range(4)]
    assert levels == [9, 10, 10, 10]


async def test_text_that_names_no_skill_counts_for_nothing(db):
    heron = await heron_of(db)
    async with db.transaction() as tx:
        before = await skills_of(tx, heron.id)
        assert await record_use(tx, heron.id, "Say hello.") == []
        assert await skills_of(tx, heron.id) == before


async def test_two_uses_at_once_both_count(db):
    heron = await heron_of(db)

    async def use(text: str) -> None:
        async with db.transaction() as tx:
            await record_use(tx, heron.id, text)

    await asyncio.gather(*(use("Debug the SEO of the API") for _ in range(9)))
    async with db.transaction() as tx:
        for name in ("debugging", "seo_optimization", "api_design"):
            assert (await skill_of(tx, heron, name)).uses == 9
        gained = [event for event in await events_of(tx, heron.id) if event.kind == "skill.level_up"]
    assert len(gained) == 3


async def test_skills_are_listed_best_first(db):
    heron = await heron_of(db)
    async with db.transaction() as tx:
        for text in [*["Debug it"] * 5, "A survey", "A survey", "A chart"]:
            await record_use(tx, heron.id, text)
        names = [skill.name for skill in await skills_of(tx, heron.id)]
    assert names[:4] == ["debugging", "research_methodology", "data_storytelling", "analytics_design"]


async def test_skills_of_nobody_are_refused(db):
    async with db.transaction() as tx:
        with pytest.raises(NotFound):
            await record_use(tx, new_id(), DEBUGGING)
        assert await skills_of(tx, new_id()) == []


@pytest.mark.parametrize(
    "change", ["level = 11", "level = 0", "uses = -1", "uses = 1, last_used = null", "skill = 'Not a skill'"]
)
async def test_the_schema_refuses_a_skill_that_cannot_be(db, change):
    heron = await heron_of(db)
    with pytest.raises(psycopg.errors.CheckViolation):
        async with db.transaction() as tx:
            await tx.execute(
                f"update org_skills set {change} where agent_id = %s and skill = 'deep_research'", (heron.id,)
            )


@pytest.mark.parametrize("role", Role)
async def test_the_founding_organisation_has_somebody_for_every_role(db, role):
    """The chief of staff plans and writes no deliverables, so that work of its role goes to a colleague."""
    async with db.transaction() as tx:
        await found(tx)
        chosen = choose_agent(await roster(tx), role, load={})
    assert (chosen.role is role) == (role is not Role.STRATEGY)
    assert chosen.role is not Role.STRATEGY
