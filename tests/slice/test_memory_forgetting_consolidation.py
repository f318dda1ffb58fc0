"""Consolidation on the real database: what it would do, what it does, and that a second run finds nothing."""

import asyncio
from uuid import UUID, uuid4

import pytest

from frasier.kernel.errors import InvalidInput
from frasier.kernel.ids import new_id
from frasier.memory import ImportanceTier, MemoryKind, NewMemory, Query, recall_by_words, save_memory
from frasier.memory.access import Caller
from frasier.memory.cache_invalidation import unchanged_since
from frasier.memory.forgetting.archive import restore_archived
from frasier.memory.forgetting.consolidation import consolidate
from frasier.memory.graph.link import link_memories
from frasier.memory.graph.types import Relation
from frasier.memory.strength.adjustments import strength_of
from frasier.memory.strength.half_lives import initial_stability
from frasier.memory.strength.usage import mark_used
from frasier.memory.types import MemoryType
from support.recall_snapshot import snapshot

CALLER = Caller(name="keeper", scopes=("shared", "mission:m"))
BUILD = "The nightly build fails on the old runner."
REPORT = "The weekly report goes to the founder on Friday."


class Checkpoints:
    """Remembers what it was asked to keep, and how much was archived at that moment."""

    def __init__(self):
        self.made = []

    async def __call__(self, tx, name):
        cursor = await tx.execute("select count(archived_at) as gone, count(*) as held from memory_items")
        self.made.append((name, await cursor.fetchone()))
        return new_id()


async def remember(db, content, *, days=8, **fields):
    given = {
        "kind": MemoryKind.TASK,
        "scope": "shared",
        "content": content,
        "memory_type": MemoryType.EPISODIC,
        "agent_id": uuid4(),
    }
    async with db.transaction() as tx:
        memory_id = await save_memory(tx, NewMemory(**given | fields))
        await tx.execute(
            "update memory_items set created_at = created_at - %s * interval '1 day' where id = %s",
            (days, memory_id),
        )
    return memory_id


async def consolidated(db, *, apply=True, caller=CALLER, checkpoint=None):
    async with db.transaction() as tx:
        return await consolidate(tx, caller, apply=apply, checkpoint=checkpoint or Checkpoints())


async def rows(db, statement, *arguments):
    async with db.transaction() as tx:
        cursor = await tx.execute(statement, arguments)
        return await cursor.fetchall()


async def everything(db):
    """All that a consolidation may change."""
    return [
        await rows(db, f"select * from {table} order by {order}")
        for table, order in (
            ("memory_items", "num"),
            ("memory_edges", "source_id, target_id"),
            ("memory_adjustments", "id"),
            ("memory_strengths", "memory_id"),
            ("memory_changes", "scope, xid"),
        )
    ]


async def item(db, memory_id):
    [row] = await rows(db, "select * from memory_items where id = %s", memory_id)
    return row


async def test_without_applying_nothing_is_written_and_the_report_says_what_would_be(db):
    ids = [await remember(db, BUILD) for _ in range(2)]
    await remember(db, REPORT)
    before = await everything(db)
    async with db.transaction() as tx:
        report = await consolidate(tx, CALLER)
    assert await everything(db) == before
    assert (report.applied, report.replayed, report.checkpoint) == (False, 3, None)
    [fact] = report.facts
    assert (fact.scope, fact.content, fact.memory_id) == ("shared", BUILD, None)
    assert (fact.tier, sorted(fact.episodes)) == (ImportanceTier.IMPORTANT, sorted(ids))
    assert [episode.memory_id for episode in report.pruned] == ids


async def test_what_is_done_is_what_was_said(db):
    await remember(db, BUILD)
    await remember(db, f"{BUILD} {REPORT}")
    await remember(db, REPORT, scope="mission:m")
    used = await remember(db, "Something else entirely was seen.", days=0)
    for _ in range(5):
        async with db.transaction() as tx:
            await mark_used(tx, [used])
    said, done = await consolidated(db, apply=False), await consolidated(db)
    assert (said.applied, done.applied) == (False, True)
    assert [(fact.scope, fact.content, fact.strength, fact.episodes) for fact in done.facts] == [
        (fact.scope, fact.content, fact.strength, fact.episodes) for fact in said.facts
    ]
    assert (done.pruned, done.strengthened) == (said.pruned, said.strengthened)
    assert all(fact.memory_id for fact in done.facts)


async def test_a_fact_is_one_lasting_memory_derived_from_its_episodes(db):
    ids = [
        await remember(db, f"- {BUILD}", tags=("ci", f"t{number}"), importance=3 + number)
        for number in range(3)
    ]
    report = await consolidated(db)
    [fact] = report.facts
    made = await item(db, fact.memory_id)
    assert (made["kind"], made["scope"], made["content"]) == ("observation", "shared", BUILD)
    assert (made["memory_type"], made["tier"], made["importance"], made["tags"]) == (
        "semantic",
        "important",
        5,
        ["ci"],
    )
    assert made["provenance"]["consolidation"]["episodes"] == [str(memory_id) for memory_id in ids]
    edges = await rows(db, "select * from memory_edges order by target_id")
    assert [edge["target_id"] for edge in edges] == sorted(ids)
    assert {
        (edge["source_id"], edge["relation"], edge["origin"], edge["extractor"], edge["created_by"])
        for edge in edges
    } == {(fact.memory_id, "derived_from", "auto", "consolidation-1", "keeper")}


async def test_covered_episodes_are_archived_not_deleted_behind_a_checkpoint(db):
    ids = [await remember(db, BUILD) for _ in range(2)]
    checkpoints = Checkpoints()
    report = await consolidated(db, checkpoint=checkpoints)
    [(name, state)] = checkpoints.made
    assert name == "consolidation"
    assert state == {"gone": 0, "held": 2}, "the checkpoint is made before anything is written"
    assert isinstance(report.checkpoint, UUID)
    assert [(episode.memory_id, episode.coverage) for episode in report.pruned] == [(i, 1.0) for i in ids]
    assert all([(await item(db, memory_id))["archived_at"] is not None for memory_id in ids])
    async with db.transaction() as tx:
        found = await recall_by_words(tx, Query(text="nightly build runner", scopes=("shared",)))
        assert [hit.memory.id for hit in found] == [report.facts[0].memory_id]
        assert await restore_archived(tx, CALLER, ids[0])


async def test_an_episode_that_says_more_stays(db):
    await remember(db, BUILD)
    longer = await remember(db, f"{BUILD} {REPORT}")
    report = await consolidated(db)
    assert longer not in [episode.memory_id for episode in report.pruned]
    assert (await item(db, longer))["archived_at"] is None


async def test_a_second_run_finds_nothing_left_to_do(db):
    for number in range(4):
        await remember(db, f"{BUILD} It was seen by number {number}." if number % 2 else BUILD)
    used = await remember(db, REPORT, days=0)
    for _ in range(6):
        async with db.transaction() as tx:
            await mark_used(tx, [used])
    assert (await consolidated(db)).changes
    after = await everything(db)
    checkpoints = Checkpoints()
    again = await consolidated(db, checkpoint=checkpoints)
    assert not again.changes
    assert checkpoints.made == []
    assert await everything(db) == after


async def test_a_later_episode_joins_the_fact_that_is_known(db):
    for _ in range(2):
        await remember(db, BUILD)
    [fact] = (await consolidated(db)).facts
    later = await remember(db, "The nightly build fails on the old runner")
    report = await consolidated(db)
    assert [(known.memory_id, known.episodes) for known in report.facts] == [(fact.memory_id, (later,))]
    assert [episode.memory_id for episode in report.pruned] == [later]
    assert len(await rows(db, "select from memory_items where memory_type = 'semantic'")) == 1


async def test_what_was_deprecated_is_not_made_again(db):
    for _ in range(2):
        await remember(
            db, f"{BUILD} {REPORT} Nobody knows why the {uuid4().hex} was there, in the end, at all."
        )
    for fact in (await consolidated(db)).facts:
        async with db.transaction() as tx:
            await tx.execute("update memory_items set tier = 'deprecated' where id = %s", (fact.memory_id,))
    assert not (await consolidated(db)).changes


async def test_an_observation_that_is_itself_the_fact_becomes_it(db):
    bare = await remember(db, BUILD, kind=MemoryKind.OBSERVATION, agent_id=None)
    other = await remember(db, BUILD)
    report = await consolidated(db)
    assert [(fact.memory_id, fact.episodes) for fact in report.facts] == [(bare, (bare, other))]
    assert [episode.memory_id for episode in report.pruned] == [other]
    settled = await item(db, bare)
    assert (settled["memory_type"], settled["tier"], settled["archived_at"]) == (
        "semantic",
        "important",
        None,
    )
    assert not (await consolidated(db)).changes


@pytest.mark.parametrize(
    "fields",
    [
        {"days": 6},
        {"kind": MemoryKind.CONVERSATION},
        {"kind": MemoryKind.PASSAGE},
        {"kind": MemoryKind.MARKER},
        {"memory_type": MemoryType.DECLARATIVE},
        {"scope": "mission:other"},
        {"speaker": "Mira"},
    ],
)
async def test_what_is_young_or_no_episode_of_the_callers_is_not_replayed(db, fields):
    for _ in range(2):
        await remember(db, BUILD, **fields)
    report = await consolidated(db)
    assert (report.replayed, report.changes) == (0, False)


async def test_scopes_are_never_mixed(db):
    await remember(db, BUILD)
    await remember(db, BUILD, scope="mission:m")
    report = await consolidated(db)
    assert (report.replayed, report.changes) == (2, False)


async def test_an_episode_that_was_derived_from_the_fact_closes_no_circle(db):
    bare = await remember(db, BUILD, kind=MemoryKind.OBSERVATION, agent_id=None)
    built_on_it, other = await remember(db, BUILD), await remember(db, BUILD)
    async with db.transaction() as tx:
        await link_memories(tx, CALLER, built_on_it, bare, Relation.DERIVED_FROM)
    report = await consolidated(db)
    assert report.facts[0].memory_id == bare
    edges = await rows(db, "select source_id, target_id from memory_edges order by created_at, target_id")
    assert [tuple(edge.values()) for edge in edges] == [(built_on_it, bare), (bare, other)]
    async with db.transaction() as tx:
        await restore_archived(tx, CALLER, built_on_it)
    assert [fact.episodes for fact in (await consolidated(db)).facts] == []


async def test_important_episodes_are_evidence_but_stay(db):
    kept = await remember(db, BUILD, tier=ImportanceTier.IMPORTANT)
    faded = await remember(db, BUILD)
    report = await consolidated(db)
    assert report.facts[0].episodes == (kept, faded)
    assert [episode.memory_id for episode in report.pruned] == [faded]


async def test_at_most_a_hundred_episodes_are_replayed_the_newest_first(db):
    async with db.transaction() as tx:
        for number in range(101):
            await save_memory(
                tx,
                NewMemory(
                    kind=MemoryKind.TASK,
                    scope="shared",
                    content=f"Something that happened under number {number}." if number else BUILD,
                    memory_type=MemoryType.EPISODIC,
                ),
            )
        await tx.execute("update memory_items set created_at = now() - interval '8 days'")
    await remember(db, BUILD)
    report = await consolidated(db)
    assert (report.replayed, report.facts) == (100, ())


async def test_applying_without_a_checkpoint_is_refused(db):
    for _ in range(2):
        await remember(db, BUILD)
    before = await everything(db)
    with pytest.raises(InvalidInput):
        async with db.transaction() as tx:
            await consolidate(tx, CALLER, apply=True)
    assert await everything(db) == before


async def test_when_the_checkpoint_fails_nothing_is_changed(db):
    for _ in range(2):
        await remember(db, BUILD)
    before = await everything(db)

    async def broken(tx, name):
        raise InvalidInput("The checkpoint is too large.")

    with pytest.raises(InvalidInput):
        await consolidated(db, checkpoint=broken)
    assert await everything(db) == before


async def test_two_consolidations_at_once_make_each_fact_once(db):
    for _ in range(2):
        await remember(db, BUILD)
    reports = await asyncio.gather(consolidated(db), consolidated(db))
    assert sorted(len(report.facts) for report in reports) == [0, 1]
    assert len(await rows(db, "select from memory_items where memory_type = 'semantic'")) == 1


async def test_every_five_uses_strengthen_once_and_once_a_run(db):
    memory_id = await remember(db, REPORT, days=0)

    async def use(times):
        for _ in range(times):
            async with db.transaction() as tx:
                await mark_used(tx, [memory_id])

    async def stability():
        async with db.transaction() as tx:
            return (await strength_of(tx, memory_id)).stability

    initial = initial_stability(MemoryType.EPISODIC)
    await use(4)
    assert (await consolidated(db)).strengthened == ()
    await use(1)
    assert (await consolidated(db)).strengthened == (memory_id,)
    assert await stability() == pytest.approx(1.3 * initial)
    await use(3)
    assert (await consolidated(db)).strengthened == ()
    await use(7)
    assert (await consolidated(db)).strengthened == (memory_id,)
    assert (await consolidated(db)).strengthened == (memory_id,)
    assert (await consolidated(db)).strengthened == ()
    assert await stability() == pytest.approx(1.3**3 * initial)


async def test_a_consolidation_makes_cached_answers_stale_and_a_dry_run_does_not(db):
    for _ in range(2):
        await remember(db, BUILD)
    async with db.transaction() as tx:
        since = await snapshot(tx)
    await consolidated(db, apply=False)
    async with db.transaction() as tx:
        assert await unchanged_since(tx, ["shared"], since)
    await consolidated(db)
    async with db.transaction() as tx:
        assert not await unchanged_since(tx, ["shared"], since)
