"""The versions of skills: each is kept, one is in force, and the catalogue never takes the place of what was written since."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from types import MappingProxyType

import psycopg
import pytest

from frasier.kernel.errors import InvalidInput, NotFound, Stale
from frasier.org.skills import method_catalog
from frasier.org.skills.method_catalog import catalogue_methods
from frasier.org.skills.skill_versions import (
    SkillOrigin,
    SkillProvenance,
    add_skill_version,
    put_version_in_force,
    skill_in_force,
    skill_stream,
    skill_versions,
    skills_in_force,
)
from frasier.org.staffing import found
from frasier.store import Database, Tx, events_of
from frasier.workflow import FOUNDER, SYSTEM

TASK = SkillProvenance(origin=SkillOrigin.UPSKILL, source="the task", digest="d1")
WHY = "Reviewers missed the dates of figures"


@pytest.fixture
async def house(db: Database) -> Database:
    async with db.transaction() as tx:
        await found(tx)
    return db


async def add(tx: Tx, skill: str = "deep_research", text: str = "Date each figure."):
    return await add_skill_version(tx, skill, text, f"{text} Then check it.", TASK, SYSTEM, WHY)


async def test_the_organisation_is_founded_with_a_method_for_each_skill(house):
    async with house.transaction() as tx:
        in_force = {one.skill: one for one in await skills_in_force(tx)}
        (stored,) = await events_of(tx, skill_stream("catalogue"))
    assert in_force.keys() == catalogue_methods().keys()
    assert {(one.version, one.origin, one.in_force) for one in in_force.values()} == {
        (1, SkillOrigin.CATALOGUE, True)
    }
    research = in_force["deep_research"]
    assert research.source == "methods/deep_research.md"
    assert research.long == catalogue_methods()["deep_research"].long
    assert stored.payload["versions"].keys() == in_force.keys()


async def test_founding_at_once_and_again_stores_each_method_once(db):
    async def found_whole() -> None:
        async with db.transaction() as tx:
            await found(tx)

    await asyncio.gather(*(found_whole() for _ in range(4)))
    await found_whole()
    async with db.transaction() as tx:
        assert {one.version for one in await skills_in_force(tx)} == {1}
        assert len(await events_of(tx, skill_stream("catalogue"))) == 1


async def test_a_new_version_waits_until_it_is_put_in_force_and_can_be_taken_back(house):
    async with house.transaction() as tx:
        added = await add(tx)
        assert (added.version, added.in_force, added.source_digest, added.why) == (2, False, "d1", WHY)
        assert (await skill_in_force(tx, "deep_research")).version == 1
        await put_version_in_force(tx, "deep_research", 2, actor=SYSTEM, why="It helps", expected_version=1)
        assert (await skill_in_force(tx, "deep_research")).short == "Date each figure."
        with pytest.raises(Stale):
            await put_version_in_force(
                tx, "deep_research", 1, actor=FOUNDER, why="It harms", expected_version=1
            )
        await put_version_in_force(tx, "deep_research", 1, actor=FOUNDER, why="It harms")
        await put_version_in_force(tx, "deep_research", 1, actor=FOUNDER, why="Once more changes nothing")
        assert [(one.version, one.in_force) for one in await skill_versions(tx, "deep_research")] == [
            (2, False),
            (1, True),
        ]
        events = await events_of(tx, skill_stream("deep_research"))
    assert [(event.kind, event.payload["version"], event.actor) for event in events] == [
        ("skill.version_added", 2, "system:frasier"),
        ("skill.version_in_force", 2, "system:frasier"),
        ("skill.version_in_force", 1, "founder:founder"),
    ]
    assert events[2].payload["before"] == 2


async def test_two_who_add_a_version_at_once_add_two(house):
    async def add_one() -> int:
        async with house.transaction() as tx:
            return (await add(tx)).version

    assert sorted(await asyncio.gather(*(add_one() for _ in range(4)))) == [2, 3, 4, 5]


async def test_a_newer_catalogue_is_a_new_version_but_never_replaces_what_was_written_since(
    house, monkeypatch
):
    newer = {
        name: replace(one, short=f"Newer. {one.short}", digest=f"newer {name}")
        for name, one in catalogue_methods().items()
    }
    async with house.transaction() as tx:
        await add(tx, "debugging")
        await put_version_in_force(tx, "debugging", 2, actor=SYSTEM, why="It helps")
        monkeypatch.setattr(method_catalog, "catalogue_methods", lambda: MappingProxyType(newer))
        await found(tx)
        assert (await skill_in_force(tx, "tdd")).short.startswith("Newer. ")
        assert (await skill_in_force(tx, "tdd")).version == 2
        assert (await skill_in_force(tx, "debugging")).origin is SkillOrigin.UPSKILL
        assert [one.version for one in await skill_versions(tx, "debugging")] == [3, 2, 1]
        stored = (await events_of(tx, skill_stream("catalogue")))[-1]
    assert stored.payload["not_in_force"] == ["debugging"]


@pytest.mark.parametrize(
    ("skill", "short", "long", "why"),
    [
        ("Deep research", "Short.", "Long.", WHY),
        ("deep_research", " ", "Long.", WHY),
        ("deep_research", "x" * 601, "Long.", WHY),
        ("deep_research", "Short.", "\x00\n", WHY),
        ("deep_research", "Short.", "x" * 20_001, WHY),
        ("deep_research", "Short.", "Long.", " "),
    ],
)
async def test_what_cannot_be_a_version_is_refused(house, skill, short, long, why):
    async with house.transaction() as tx:
        with pytest.raises(InvalidInput):
            await add_skill_version(tx, skill, short, long, TASK, SYSTEM, why)


async def test_unknown_skills_and_versions_are_named(house):
    async with house.transaction() as tx:
        for call in (
            skill_in_force(tx, "alchemy"),
            skill_versions(tx, "alchemy"),
            put_version_in_force(tx, "tdd", 9, actor=SYSTEM, why=WHY),
        ):
            with pytest.raises(NotFound):
                await call


@pytest.mark.parametrize(
    "statement", ["update org_skill_versions set short = 'x'", "delete from org_skill_versions"]
)
async def test_a_version_is_never_changed(house, statement):
    with pytest.raises(psycopg.Error):
        async with house.transaction() as tx:
            await tx.execute(statement)
