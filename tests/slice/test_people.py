"""The agents, their teams and personas on a real database."""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from typing import Any
from uuid import UUID

import psycopg
import pytest

from frasier.kernel.errors import InvalidInput, NotFound
from frasier.kernel.ids import new_id
from frasier.org.people import (
    AgentKind,
    AgentStatus,
    Persona,
    Role,
    chief_of_staff,
    find_agent,
    found_organisation,
    get_agent,
    persona_of,
    render_persona,
    roster,
)
from frasier.org.people.personas import insert_persona
from frasier.store import Database, Tx, events_of

PARTS = ("identity", "soul", "method", "standards")
NEW = Persona(identity="A tester.", soul="Dry.", method="Looks twice.", standards="Holds.")


async def until_somebody_waits(db: Database) -> None:
    """Returns once another session of the database waits for a lock."""
    async with asyncio.timeout(20):
        while True:
            async with db.transaction() as tx:
                cursor = await tx.execute(
                    "select count(*) as waiting from pg_stat_activity"
                    " where datname = current_database() and wait_event_type = 'Lock'"
                )
                row = await cursor.fetchone()
            if row is not None and row["waiting"]:
                return


async def renew_persona(tx: Tx, agent_id: UUID) -> None:
    await tx.execute("update org_agents set persona_version = 2 where id = %s", (agent_id,))
    await insert_persona(tx, agent_id, 2, NEW, "tried out")


async def teams(tx: Tx) -> list[dict[str, Any]]:
    cursor = await tx.execute("select * from org_teams order by id")
    return await cursor.fetchall()


async def set_status(tx: Tx, key: str, status: str) -> None:
    await tx.execute("update org_agents set status = %s where key = %s", (status, key))


async def test_founding_makes_seven_agents_of_seven_roles_in_two_teams(db):
    async with db.transaction() as tx:
        agents = await found_organisation(tx)
        found_teams = {team["id"]: team for team in await teams(tx)}
        chief = await chief_of_staff(tx)
    assert sorted(agent.role for agent in agents) == sorted(Role)
    assert agents[0].key == "frasier"
    assert (chief.key, chief.name, chief.role, chief.team) == ("frasier", "Frasier", Role.STRATEGY, None)
    assert len({agent.name for agent in agents}) == 7
    by_role = {agent.role: agent for agent in agents}
    assert {agent.role for agent in agents if agent.team == "team-research"} == {
        Role.RESEARCH,
        Role.KNOWLEDGE,
    }
    assert {agent.role for agent in agents if agent.team == "team-execution"} == {
        Role.CONTENT,
        Role.ENGINEERING,
        Role.QA,
        Role.GROWTH,
    }
    assert found_teams.keys() == {"team-research", "team-execution"}
    assert found_teams["team-research"]["lead"] == by_role[Role.RESEARCH].id
    assert found_teams["team-execution"]["lead"] == by_role[Role.ENGINEERING].id
    assert {team["status"] for team in found_teams.values()} == {"active"}
    kinds = Counter(agent.kind for agent in agents)
    assert kinds == {
        AgentKind.CHIEF_OF_STAFF: 1,
        AgentKind.TEAM_LEAD: 2,
        AgentKind.QA: 1,
        AgentKind.SUB_AGENT: 3,
    }
    assert by_role[Role.QA].kind is AgentKind.QA
    assert {by_role[Role.RESEARCH].kind, by_role[Role.ENGINEERING].kind} == {AgentKind.TEAM_LEAD}


async def test_every_founding_agent_has_a_whole_persona_that_works_and_cites(db):
    async with db.transaction() as tx:
        personas = {agent.key: await persona_of(tx, agent.id) for agent in await found_organisation(tx)}
    for key, persona in personas.items():
        for part in PARTS:
            text = getattr(persona, part)
            assert 60 <= len(text.split()) <= 120, (key, part)
            assert "\n" not in text
        assert "never" in persona.identity + persona.method, key
        assert re.search(r"number\b.{0,30}, like \[\d\]", persona.standards), key
    every_part = [getattr(persona, part) for persona in personas.values() for part in PARTS]
    assert len(set(every_part)) == 28


async def test_each_founding_is_in_the_audit_trail_once(db):
    for _ in range(2):
        async with db.transaction() as tx:
            agents = await found_organisation(tx)
    async with db.transaction() as tx:
        for agent in agents:
            (event,) = await events_of(tx, agent.id)
            assert (event.kind, event.payload["key"]) == ("agent.founded", agent.key)


async def test_two_processes_that_found_at_once_make_seven_agents(db):
    async def found_too() -> list[str]:
        async with db.transaction() as tx:
            return [agent.key for agent in await found_organisation(tx)]

    async with db.transaction() as tx:
        mine = [agent.key for agent in await found_organisation(tx)]
        other = asyncio.create_task(found_too())
        await until_somebody_waits(db)
        assert not other.done()
    assert await other == mine
    async with db.transaction() as tx:
        assert [agent.key for agent in await roster(tx, active_only=False)].count("frasier") == 1
        assert len(await roster(tx)) == 7


async def test_a_founding_that_is_rolled_back_leaves_the_organisation_to_who_waited(db):
    async def found_too() -> int:
        async with db.transaction() as tx:
            return len(await found_organisation(tx))

    with pytest.raises(ZeroDivisionError):
        async with db.transaction() as tx:
            await found_organisation(tx)
            other = asyncio.create_task(found_too())
            await until_somebody_waits(db)
            raise ZeroDivisionError
    assert await other == 7


async def test_founding_again_changes_nothing_that_exists(db):
    async with db.transaction() as tx:
        agents = {agent.role: agent for agent in await found_organisation(tx)}
        await renew_persona(tx, agents[Role.CONTENT].id)
        await set_status(tx, agents[Role.GROWTH].key, "retired")
        await tx.execute(
            "update org_agents set name = 'Puffin' where key = %s", (agents[Role.KNOWLEDGE].key,)
        )
        await tx.execute("update org_teams set lead = null, status = 'dormant' where id = 'team-execution'")
        before = (await roster(tx, active_only=False), await teams(tx))
    async with db.transaction() as tx:
        again = {agent.role: agent for agent in await found_organisation(tx)}
        assert (await roster(tx, active_only=False), await teams(tx)) == before
        assert await persona_of(tx, agents[Role.CONTENT].id) == NEW
    assert again[Role.GROWTH].status is AgentStatus.RETIRED
    assert again[Role.KNOWLEDGE].name == "Puffin"


async def test_founding_fills_in_an_agent_who_is_missing(db, server, database_name):
    async with db.transaction() as tx:
        await found_organisation(tx)
        await renew_persona(tx, (await find_agent(tx, "frasier")).id)
    # Only the owner can get past the rule that personas are kept, as a restore of an old copy would.
    async with await psycopg.AsyncConnection.connect(server.url("frasier_owner", database_name)) as owner:
        await owner.execute("alter table org_personas disable trigger personas_are_kept")
        await owner.execute("alter table org_persona_acts disable trigger persona_acts_are_kept")
        await owner.execute(
            "with gone as (delete from org_agents where role = 'growth' returning id),"
            " acts as (delete from org_persona_acts where agent_id in (select id from gone))"
            " delete from org_personas where agent_id in (select id from gone)"
        )
    async with db.transaction() as tx:
        agents = await found_organisation(tx)
        assert len(agents) == 7
        assert await persona_of(tx, agents[0].id) == NEW


async def test_the_roster_shows_the_chief_first_then_teams_by_their_lead(db):
    async with db.transaction() as tx:
        await found_organisation(tx)
        await set_status(tx, "wren", "dormant")
        active = [agent.key for agent in await roster(tx)]
        everybody = [agent.key for agent in await roster(tx, active_only=False)]
    assert everybody == ["frasier", "kestrel", "osprey", "swift", "wren", "heron", "rook"]
    assert active == ["frasier", "kestrel", "osprey", "swift", "heron", "rook"]


async def test_who_is_not_there_is_not_found(db):
    async with db.transaction() as tx:
        for missing in (
            chief_of_staff(tx),
            get_agent(tx, new_id()),
            find_agent(tx, "frasier"),
            persona_of(tx, new_id()),
        ):
            with pytest.raises(NotFound):
                await missing


@pytest.mark.parametrize("text", ["heron", "HERON", " Heron ", "her", "H"])
async def test_an_agent_is_found_by_key_by_name_and_by_how_they_begin(db, text):
    async with db.transaction() as tx:
        await found_organisation(tx)
        assert (await find_agent(tx, text)).key == "heron"


async def test_an_agent_is_found_by_id_and_by_how_it_begins(db):
    async with db.transaction() as tx:
        await found_organisation(tx)
        heron = await find_agent(tx, "heron")
        assert await get_agent(tx, heron.id) == heron
        for text in (str(heron.id), heron.id.hex.upper(), str(heron.id)[:9]):
            assert await find_agent(tx, text) == heron


@pytest.mark.parametrize("text", ["", "  ", "heronx", "eron", "%", "00000000-0000-0000-0000-000000000000"])
async def test_what_names_nobody_finds_nobody_and_says_who_is_there(db, text):
    async with db.transaction() as tx:
        await found_organisation(tx)
        with pytest.raises(NotFound) as refused:
            await find_agent(tx, text)
    assert "Heron" in refused.value.hint


async def test_a_beginning_that_fits_two_agents_is_refused_and_a_full_name_is_not(db):
    async with db.transaction() as tx:
        await found_organisation(tx)
        await tx.execute("update org_agents set name = 'Heronsbill' where key = 'rook'")
        assert (await find_agent(tx, "heron")).key == "heron"
        with pytest.raises(InvalidInput) as refused:
            await find_agent(tx, "hero")
        assert "heron, rook" in refused.value.hint


async def test_a_retired_agent_is_found_but_not_in_place_of_one_who_is_here(db):
    async with db.transaction() as tx:
        await found_organisation(tx)
        await set_status(tx, "heron", "retired")
        assert (await find_agent(tx, "Heron")).status is AgentStatus.RETIRED
        # The name is free again, so somebody else may bear it.
        await tx.execute("update org_agents set name = 'Heron' where key = 'rook'")
        assert (await find_agent(tx, "her")).key == "rook"


@pytest.mark.parametrize(
    "statement",
    ["update org_personas set soul = 'meek'", "delete from org_personas"],
)
async def test_no_version_of_a_persona_can_be_changed_or_erased(db, statement):
    async with db.transaction() as tx:
        await found_organisation(tx)
    with pytest.raises(psycopg.errors.RaiseException, match="never changed"):
        async with db.transaction() as tx:
            await tx.execute(statement)


INSERT = (
    "insert into org_agents (id, key, name, role, title, team, kind, status, persona_version)"
    " values (%(id)s, %(key)s, %(name)s, %(role)s, 'Any', %(team)s, %(kind)s, %(status)s, 1)"
)
GOOD = {
    "key": "jay",
    "name": "Jay",
    "role": "content",
    "team": "team-execution",
    "kind": "sub_agent",
    "status": "active",
}


async def test_an_agent_without_a_persona_cannot_be_stored(db):
    async with db.transaction() as tx:
        await found_organisation(tx)
    with pytest.raises(psycopg.errors.ForeignKeyViolation, match="an_agent_has_a_persona"):
        async with db.transaction() as tx:
            await tx.execute(INSERT, {"id": new_id(), **GOOD})


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"role": "wizard"}, psycopg.errors.CheckViolation),
        ({"kind": "intern"}, psycopg.errors.CheckViolation),
        ({"status": "asleep"}, psycopg.errors.CheckViolation),
        ({"team": None}, psycopg.errors.CheckViolation),
        ({"team": "team-none"}, psycopg.errors.ForeignKeyViolation),
        ({"kind": "chief_of_staff"}, psycopg.errors.CheckViolation),
        ({"kind": "chief_of_staff", "team": None}, psycopg.errors.UniqueViolation),
        ({"name": "hERON"}, psycopg.errors.UniqueViolation),
        ({"key": "heron"}, psycopg.errors.UniqueViolation),
        ({"key": "Not a key"}, psycopg.errors.CheckViolation),
    ],
    ids=str,
)
async def test_the_schema_refuses_an_agent_that_cannot_be(db, change, error):
    async with db.transaction() as tx:
        await found_organisation(tx)
    with pytest.raises(error):
        async with db.transaction() as tx:
            await tx.execute(INSERT, {"id": new_id(), **GOOD, **change})


async def test_the_schema_knows_every_value_of_the_enums(db):
    async with db.transaction() as tx:
        await found_organisation(tx)
        heron = await find_agent(tx, "heron")
        for role in Role:
            await tx.execute("update org_agents set role = %s where id = %s", (role, heron.id))
            assert (await get_agent(tx, heron.id)).role is role
        for kind in set(AgentKind) - {AgentKind.CHIEF_OF_STAFF}:
            await tx.execute("update org_agents set kind = %s where id = %s", (kind, heron.id))
            assert (await get_agent(tx, heron.id)).kind is kind
        for status in AgentStatus:
            await set_status(tx, "heron", status)
            assert (await get_agent(tx, heron.id)).status is status
        for status in ("active", "dormant"):
            await tx.execute("update org_teams set status = %s", (status,))
            assert {team["status"] for team in await teams(tx)} == {status}


async def test_the_prompt_gives_the_persona_first_and_the_rules_last(db):
    async with db.transaction() as tx:
        await found_organisation(tx)
        heron = await find_agent(tx, "heron")
        persona = await persona_of(tx, heron.id)
    prompt = render_persona(heron, persona)
    assert prompt.startswith("You are Heron, Head of Research.")
    places = [prompt.index(getattr(persona, part)) for part in PARTS]
    assert places == sorted(places)
    rules = prompt[places[-1] + len(persona.standards) :]
    for rule in ("must never do", "<source> fence", "data", "[2]", "Never make up", "Do the work yourself"):
        assert rule in rules
