"""What the organisation asks the memory engine for, and whose memories it is given."""

from __future__ import annotations

from uuid import uuid4

import pytest

from frasier.memory import (
    EmbeddingSettings,
    MemoryKind,
    MemorySettings,
    NewMemory,
    agent_scope,
    open_engine,
    save_lesson,
    save_memories,
    save_memory,
)
from frasier.org.missions import REHEARSAL
from frasier.work.research.mission_sources import find_passages, source_scope
from frasier.work.run_memory import approaches_to, lessons_for, remember

AGENT = uuid4()
OTHER = uuid4()
LESSONS = frozenset({MemoryKind.LESSON})


@pytest.fixture
async def by_words(db):
    async with open_engine(db, MemorySettings(embedding=EmbeddingSettings(provider="none"))) as engine:
        yield engine


@pytest.fixture
async def by_meaning(db):
    async with open_engine(db, MemorySettings()) as engine:
        yield engine


async def learn(db, lesson, *, agent_id=AGENT, importance=5, context="", tags=(), provenance=None):
    async with db.transaction() as tx:
        return await save_lesson(
            tx,
            agent_id=agent_id,
            lesson=lesson,
            context=context,
            importance=importance,
            tags=tags,
            provenance=provenance or {},
        )


async def note(db, content, *, scope, kind):
    async with db.transaction() as tx:
        return await save_memory(tx, NewMemory(kind=kind, scope=scope, content=content))


async def test_a_lesson_is_found_by_what_was_learned_and_by_its_situation(db, by_words):
    lesson_id = await learn(
        db,
        "Cite the vendor's own figures.",
        context="Comparing embedded databases",
        importance=7,
        tags=("review",),
    )
    for text in ("figures by vendors", "an embedded database", "reviewing"):
        [lesson] = await lessons_for(by_words, AGENT, text, rehearsal=False)
        assert lesson.id == lesson_id
    assert lesson.content == "Cite the vendor's own figures."
    assert lesson.provenance == {"context": "Comparing embedded databases"}


async def test_the_lesson_of_a_rehearsal_reaches_rehearsals_alone(db, by_words):
    rehearsed = await learn(db, "Quote the sources of the figures.", provenance={REHEARSAL: True})
    paid = await learn(db, "Quote the sources of the years.", provenance={REHEARSAL: False})
    about = "quote the sources"
    assert [one.id for one in await lessons_for(by_words, AGENT, about, rehearsal=False)] == [paid]
    assert {one.id for one in await lessons_for(by_words, AGENT, about, rehearsal=True)} == {rehearsed, paid}


async def test_lessons_are_the_agents_own_and_the_shared_ones_weightiest_first(db, by_words):
    for importance in (3, 9, 6):
        await learn(db, f"Quote sources {importance}", importance=importance)
    await learn(db, "Quote nothing", agent_id=OTHER, importance=10)
    await note(db, "Quote sources in a task", scope=agent_scope(AGENT), kind=MemoryKind.TASK)
    await note(db, "Quote the sources fully", scope="shared", kind=MemoryKind.LESSON)
    lessons = await lessons_for(by_words, AGENT, "how to quote a source " + "x " * 20_000, rehearsal=False)
    assert [lesson.importance for lesson in lessons if lesson.scope != "shared"] == [9, 6, 3]
    assert {lesson.content for lesson in lessons} >= {"Quote the sources fully"}
    assert len(lessons) == 4
    assert len(await lessons_for(by_words, AGENT, "quote", limit=2, rehearsal=False)) == 2
    assert await lessons_for(by_words, AGENT, "unrelated", rehearsal=False) == []


async def test_approaches_are_the_agents_own_only(db, by_words):
    for scope in (agent_scope(AGENT), agent_scope(OTHER), "shared"):
        await note(db, f"Asked the harbour master; noted in {scope}", scope=scope, kind=MemoryKind.APPROACH)
    [approach] = await approaches_to(by_words, AGENT, "the harbour", rehearsal=False)
    assert approach.scope == agent_scope(AGENT)


async def test_a_lesson_is_found_by_its_meaning_once_its_vector_is_made(db, by_meaning):
    await learn(db, "Physicians want the dose in milligrams")
    await learn(db, "Harbour fees are listed in euros")
    about = "Write a leaflet for doctors about how much of the medicine to give"
    assert await lessons_for(by_meaning, AGENT, about, rehearsal=False) == []
    assert await by_meaning.embed_due() == 2
    first, *_ = await lessons_for(by_meaning, AGENT, about, rehearsal=False)
    assert first.content == "Physicians want the dose in milligrams"


async def test_what_binds_everybody_is_a_hit_like_any_other(db, by_words):
    held = await note(db, "Quote the sources", scope="shared", kind=MemoryKind.LESSON)
    async with db.transaction() as tx:
        await tx.execute("update memory_items set tier = 'constitutional' where id = %s", [held])
    [lesson] = await lessons_for(by_words, AGENT, "quote", rehearsal=False)
    assert lesson.id == held


async def test_a_text_without_a_character_asks_for_nothing(db, by_words):
    await note(db, "Quote the sources", scope="shared", kind=MemoryKind.LESSON)
    assert await remember(by_words, " \n", scopes=("shared",), kinds=LESSONS, limit=5) == []


async def test_a_passage_is_found_by_its_meaning_among_the_sources_that_are_meant(db, by_meaning):
    mission, other = uuid4(), uuid4()

    def passage(number, text, of=mission):
        return NewMemory(
            kind=MemoryKind.PASSAGE,
            scope=source_scope(of),
            content=text,
            provenance={"source": number, "title": f"Source {number}"},
        )

    async with db.transaction() as tx:
        await save_memories(
            tx,
            [
                passage(1, "The physician prescribes two tablets in the evening."),
                passage(2, "Ships pay for each day at the quay."),
                passage(3, "Doctors advise rest after taking medication."),
                passage(4, "The physician prescribes nothing.", of=other),
            ],
        )
    await by_meaning.embed_due()
    query = "how much medicine a doctor gives"
    found = await find_passages(by_meaning, mission, query, limit=10)
    assert {hit.number for hit in found[:2]} == {1, 3}
    assert {hit.number for hit in found} <= {1, 2, 3}
    [only] = await find_passages(by_meaning, mission, query, limit=1, only=[1])
    assert (only.number, only.title) == (1, "Source 1")
    async with db.transaction() as tx:
        used = await (await tx.execute("select count(*) as used from memory_strengths")).fetchone()
    assert not used["used"], "whoever searches next finds the same"
