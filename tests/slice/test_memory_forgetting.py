"""Forgetting on the real database: use, reviews, archiving and bringing back."""

import asyncio
import math
from uuid import uuid4

import pytest

from frasier.kernel.errors import InvalidInput, NotAllowed, NotFound
from frasier.memory import (
    ImportanceTier,
    MemoryKind,
    NewMemory,
    Query,
    recall_by_words,
    save_directive,
    save_memory,
)
from frasier.memory.access import Caller
from frasier.memory.cache_invalidation import unchanged_since
from frasier.memory.forgetting.archive import archive_faded, expire, restore_archived
from frasier.memory.forgetting.ranking_boost import ranking_boost
from frasier.memory.forgetting.retrievability import FADING_TYPES, retrievability
from frasier.memory.forgetting.review_grades import Grade
from frasier.memory.forgetting.reviews import mark_cited, review_memory
from frasier.memory.forgetting.states import MemoryState
from frasier.memory.forgetting.usage_stats import load_usage_stats
from frasier.memory.strength.adjustments import strength_of
from frasier.memory.strength.half_lives import HALF_LIFE_DAYS, initial_stability
from frasier.memory.strength.usage import mark_used
from frasier.memory.types import MemoryType
from support.recall_snapshot import snapshot

CALLER = Caller(name="agent", scopes=("shared", "mission:m"))
STRANGER = Caller(name="stranger", scopes=("mission:other",))
FOUNDER = Caller(name="founder", scopes=("shared", "founder"), founder=True)


async def remember(db, content="The nightly build failed.", *, founder=False, **fields):
    given = {
        "kind": MemoryKind.OBSERVATION,
        "scope": "shared",
        "content": content,
        "memory_type": MemoryType.EPISODIC,
    }
    async with db.transaction() as tx:
        return await save_memory(tx, NewMemory(**given | fields), founder=founder)


async def set_back(db, memory_id, days):
    """As if the memory were older by some days."""
    async with db.transaction() as tx:
        await tx.execute(
            "update memory_items set last_seen_at = last_seen_at - %(days)s * interval '1 day',"
            " created_at = created_at - %(days)s * interval '1 day' where id = %(id)s",
            {"days": days, "id": memory_id},
        )
        await tx.execute(
            "update memory_strengths set reviewed_at = reviewed_at - %(days)s * interval '1 day',"
            " accessed_at = accessed_at - %(days)s * interval '1 day',"
            " cited_at = cited_at - %(days)s * interval '1 day' where memory_id = %(id)s",
            {"days": days, "id": memory_id},
        )


async def strength(db, memory_id):
    async with db.transaction() as tx:
        return await strength_of(tx, memory_id)


async def standing(db, memory_id):
    async with db.transaction() as tx:
        cursor = await tx.execute("select num from memory_items where id = %s", (memory_id,))
        num = (await cursor.fetchone())["num"]
        return (await load_usage_stats(tx, [num]))[num]


async def archived(db):
    async with db.transaction() as tx:
        cursor = await tx.execute("select id from memory_items where archived_at is not null order by num")
        return [row["id"] for row in await cursor.fetchall()]


async def found(db, text="nightly build"):
    async with db.transaction() as tx:
        return [
            hit.memory.id
            for hit in await recall_by_words(tx, Query(text=text, scopes=("shared", "mission:m")))
        ]


async def graded(db, memory_id, grade=Grade.GOOD, *, caller=CALLER, session_id=None):
    async with db.transaction() as tx:
        return await review_memory(tx, caller, memory_id, grade, session_id)


async def session(db, session_id, scope="shared"):
    async with db.transaction() as tx:
        await tx.execute(
            "insert into memory_sessions (id, scope, owner) values (%s, %s, 'test')", (session_id, scope)
        )


async def run(db, use_case, *arguments, **named):
    async with db.transaction() as tx:
        return await use_case(tx, *arguments, **named)


async def seen(db):
    async with db.transaction() as tx:
        return await snapshot(tx)


async def unchanged(db, since, scope="shared"):
    async with db.transaction() as tx:
        return await unchanged_since(tx, [scope], since)


class TestStanding:
    @pytest.mark.parametrize("memory_type", sorted(FADING_TYPES))
    async def test_fault_14_half_is_left_of_a_memory_that_is_one_half_life_old(self, db, memory_type):
        memory_id = await remember(db, memory_type=memory_type)
        await set_back(db, memory_id, HALF_LIFE_DAYS[memory_type])
        assert (await standing(db, memory_id)).retrievability == pytest.approx(0.5, abs=1e-4)

    async def test_fault_16_every_age_is_in_days_and_known_from_the_start(self, db):
        memory_id = await remember(db)
        fresh = await standing(db, memory_id)
        assert 0 <= fresh.age_days == fresh.idle_days < 0.01
        assert fresh.cited_days is None
        await run(db, mark_cited, CALLER, [memory_id])
        await set_back(db, memory_id, 20)
        aged = await standing(db, memory_id)
        assert (aged.age_days, aged.idle_days, aged.cited_days) == pytest.approx((20, 20, 20), abs=0.01)

    async def test_a_clock_that_was_ahead_makes_no_memory_worth_more(self, db):
        memory_id = await remember(db)
        await set_back(db, memory_id, -5)
        ahead = await standing(db, memory_id)
        assert ahead.retrievability == 1.0
        assert ahead.state is MemoryState.HOT

    async def test_saving_the_same_again_makes_it_fresh(self, db):
        memory_id = await remember(db)
        await set_back(db, memory_id, 30)
        assert await remember(db) == memory_id
        assert (await standing(db, memory_id)).retrievability == pytest.approx(1.0, abs=1e-3)

    async def test_what_is_gone_has_no_standing(self, db):
        async with db.transaction() as tx:
            assert await load_usage_stats(tx, [4711]) == {}
            assert await load_usage_stats(tx, []) == {}


class TestUse:
    async def test_fault_15_reading_a_hundred_times_makes_nothing_stronger(self, db):
        for memory_type in MemoryType:
            memory_id = await remember(db, content=memory_type, memory_type=memory_type)
            for _ in range(100):
                await run(db, mark_used, [memory_id])
            used = await strength(db, memory_id)
            assert (used.stability, used.difficulty, used.review_count) == (
                initial_stability(memory_type),
                5,
                0,
            )
            assert used.use_count == 100
            assert (await standing(db, memory_id)).stability is None

    async def test_fault_15_uses_at_the_same_time_are_counted_exactly(self, db):
        ids = [await remember(db, content=f"number {number}") for number in range(3)]
        await asyncio.gather(*(run(db, mark_used, order) for _ in range(8) for order in (ids, ids[::-1])))
        assert [(await strength(db, memory_id)).use_count for memory_id in ids] == [16, 16, 16]

    async def test_a_memory_named_twice_was_used_once(self, db):
        memory_id = await remember(db)
        assert await run(db, mark_used, [memory_id, memory_id, uuid4()]) == 1
        assert (await strength(db, memory_id)).use_count == 1
        assert await run(db, mark_used, []) == 0

    async def test_use_counts_in_the_worth_and_keeps_a_memory_from_the_archive(self, db):
        memory_id = await remember(db)
        await set_back(db, memory_id, 100)
        await run(db, mark_used, [memory_id])
        used = await standing(db, memory_id)
        assert ranking_boost(used).usage == pytest.approx(1.002)
        assert used.age_days == pytest.approx(100, abs=0.01)
        assert used.idle_days < 0.01
        assert used.state is MemoryState.COLD

    async def test_use_leaves_cached_answers_valid(self, db):
        memory_id = await remember(db)
        since = await seen(db)
        await run(db, mark_used, [memory_id])
        assert await unchanged(db, since)

    async def test_a_citation_counts_as_a_use(self, db):
        memory_id = await remember(db)
        assert await run(db, mark_cited, CALLER, [memory_id, memory_id]) == 1
        cited = await strength(db, memory_id)
        assert cited.use_count == 1
        assert cited.cited_at == cited.accessed_at == cited.used_at
        assert ranking_boost(await standing(db, memory_id)).citation == pytest.approx(1.004)

    async def test_what_a_stranger_cites_is_not_there_for_it_and_nothing_is_recorded(self, db):
        mine = await remember(db, scope="mission:other")
        hidden = await remember(db)
        with pytest.raises(NotFound) as missing:
            await run(db, mark_cited, STRANGER, [mine, hidden])
        assert missing.value.number == "E080"
        assert (await strength(db, mine)).cited_at is None


class TestReview:
    async def test_a_good_review_of_something_half_forgotten_makes_it_stabler(self, db):
        memory_id = await remember(db)
        await set_back(db, memory_id, 7)
        before = await strength(db, memory_id)
        reviewed = await graded(db, memory_id)
        assert (reviewed.counted, reviewed.reason) == (True, "")
        assert reviewed.retrievability == pytest.approx(0.5, abs=1e-4)
        assert reviewed.strength.stability == pytest.approx(before.stability * 1.5 * 1.05 * 1.25, rel=1e-3)
        assert reviewed.strength.review_count == 1
        assert reviewed.strength.reviewed_at is not None
        assert reviewed.strength == await strength(db, memory_id)
        assert (await standing(db, memory_id)).age_days < 0.01

    async def test_a_failed_review_makes_it_less_stable_and_more_difficult(self, db):
        memory_id = await remember(db)
        reviewed = await graded(db, memory_id, Grade.AGAIN)
        assert reviewed.strength.stability == pytest.approx(
            initial_stability(MemoryType.EPISODIC) * 0.5 * 1.05
        )
        assert reviewed.strength.difficulty == 6

    async def test_fault_15_a_second_review_within_a_day_does_not_count(self, db):
        memory_id = await remember(db)
        await set_back(db, memory_id, 7)
        first = await graded(db, memory_id)
        for grade in Grade:
            again = await graded(db, memory_id, grade)
            assert (again.counted, again.reason) == (False, "already counted within a day")
            assert again.strength == first.strength
        await set_back(db, memory_id, 1.01)
        assert (await graded(db, memory_id)).counted

    async def test_fault_15_reviews_at_the_same_time_count_once(self, db):
        memory_id = await remember(db)
        await set_back(db, memory_id, 7)
        reviews = await asyncio.gather(*(graded(db, memory_id) for _ in range(6)))
        assert sorted(reviewed.counted for reviewed in reviews) == [False] * 5 + [True]
        assert (await strength(db, memory_id)).review_count == 1

    async def test_fault_15_a_session_of_several_days_counts_one_review(self, db):
        memory_id = await remember(db)
        await session(db, "s1")
        await session(db, "s2")
        async with db.transaction() as tx:
            await tx.execute(
                "update memory_sessions set created_at = now() - interval '9 days' where id = 's1'"
            )
        assert (await graded(db, memory_id, session_id="s1")).counted
        await set_back(db, memory_id, 2)
        again = await graded(db, memory_id, session_id="s1")
        assert (again.counted, again.reason) == (False, "already counted in this session")
        assert (await graded(db, memory_id, session_id="s2")).counted

    async def test_a_review_is_on_record_and_changes_what_a_recall_finds(self, db):
        memory_id = await remember(db)
        since = await seen(db)
        await graded(db, memory_id, Grade.HARD)
        assert not await unchanged(db, since)
        async with db.transaction() as tx:
            cursor = await tx.execute("select cause, quantity, operation from memory_adjustments order by id")
            rows = [tuple(row.values()) for row in await cursor.fetchall()]
        assert rows == [("review", "stability", "multiply"), ("review", "difficulty", "add")]

    async def test_a_stabler_memory_is_remembered_longer(self, db):
        kept, left = [
            await remember(db, content=f"The build failed in {place}.") for place in ("Ulm", "Bern")
        ]
        for memory_id in (kept, left):
            await set_back(db, memory_id, 7)
        await graded(db, kept, Grade.EASY)
        await set_back(db, kept, 14)
        await set_back(db, left, 7)  # as long ago as the review
        assert (await standing(db, kept)).retrievability > (await standing(db, left)).retrievability

    async def test_memories_and_sessions_of_others_are_not_there(self, db):
        memory_id = await remember(db)
        await session(db, "theirs", scope="mission:other")
        for arguments in ({"caller": STRANGER}, {"session_id": "theirs"}, {"session_id": "never was"}):
            with pytest.raises(NotFound):
                await graded(db, memory_id, **arguments)
        with pytest.raises(NotFound):
            await graded(db, uuid4())
        assert (await strength(db, memory_id)).review_count == 0


class TestArchiving:
    async def test_what_nobody_touched_for_ninety_days_is_archived_and_no_longer_recalled(self, db):
        old, used, fresh = [await remember(db, content=f"Nightly build {n} failed.") for n in range(3)]
        await set_back(db, old, 91)
        await set_back(db, used, 91)
        await run(db, mark_used, [used])
        since = await seen(db)
        assert await run(db, archive_faded) == [old]
        assert sorted(await found(db)) == sorted([used, fresh])
        assert not await unchanged(db, since)
        assert await run(db, archive_faded) == []

    async def test_what_does_not_fade_stays_however_old_it_is(self, db):
        kept = [
            await remember(db, content=f"Nightly build: {memory_type}", memory_type=memory_type)
            for memory_type in MemoryType
            if memory_type not in FADING_TYPES
        ]
        kept += [
            await remember(db, content=f"Nightly build: {tier}", tier=ImportanceTier(tier), founder=True)
            for tier in ("constitutional", "critical", "important")
        ]
        kept += [
            await remember(db, content=f"Nightly build: {kind}", kind=MemoryKind(kind))
            for kind in ("passage", "marker")
        ]
        kept.append(await run(db, save_directive, "Build nightly.", provenance={}))
        for memory_id in kept:
            await set_back(db, memory_id, 5000)
        assert await run(db, archive_faded) == []
        assert await archived(db) == []

    @pytest.mark.parametrize("memory_type", sorted(FADING_TYPES))
    async def test_every_type_that_fades_is_archived_in_the_end(self, db, memory_type):
        memory_id = await remember(db, memory_type=memory_type)
        await set_back(db, memory_id, 90.01)
        assert await run(db, archive_faded) == [memory_id]

    async def test_a_run_archives_the_oldest_up_to_its_limit_and_the_next_goes_on(self, db):
        ids = [await remember(db, content=f"Nightly build {number} failed.") for number in range(5)]
        for memory_id in ids:
            await set_back(db, memory_id, 100)
        assert await run(db, archive_faded, limit=3) == ids[:3]
        assert await run(db, archive_faded, limit=3) == ids[3:]

    async def test_old_memories_that_are_still_used_do_not_hide_those_behind_them(self, db, monkeypatch):
        monkeypatch.setattr("frasier.memory.forgetting.archive._WALKED_AT_ONCE", 2)
        ids = [await remember(db, content=f"Nightly build {number} failed.") for number in range(6)]
        for memory_id in ids:
            await set_back(db, memory_id, 100)
        await run(db, mark_used, ids[:5])
        assert await run(db, archive_faded) == [ids[5]]

    async def test_two_jobs_at_once_archive_each_memory_once(self, db):
        ids = [await remember(db, content=f"Nightly build {number} failed.") for number in range(6)]
        for memory_id in ids:
            await set_back(db, memory_id, 100)
        both = await asyncio.gather(run(db, archive_faded), run(db, archive_faded))
        assert sorted(both[0] + both[1]) == sorted(ids)

    async def test_what_has_expired_is_archived_and_what_has_not_is_not(self, db):
        over, lasting = [
            await remember(db, content=f"Nightly build {n}.", tier=ImportanceTier.TEMPORARY) for n in range(2)
        ]
        await remember(db, content="Nightly build for ever.")
        async with db.transaction() as tx:
            await tx.execute(
                "update memory_items set expires_at = now() - interval '1 minute' where id = %s", (over,)
            )
        since = await seen(db)
        assert await run(db, expire) == [over]
        assert not await unchanged(db, since)
        assert await run(db, expire) == []
        assert await archived(db) == [over]
        assert lasting in await found(db)


class TestRestoring:
    async def faded(self, db, **fields):
        memory_id = await remember(db, **fields)
        await set_back(db, memory_id, 100)
        await run(db, archive_faded)
        return memory_id

    async def test_what_is_brought_back_is_recalled_and_stays(self, db):
        memory_id = await self.faded(db)
        assert await found(db) == []
        since = await seen(db)
        assert await run(db, restore_archived, CALLER, memory_id) is True
        assert await found(db) == [memory_id]
        assert not await unchanged(db, since)
        assert await run(db, archive_faded) == []

    async def test_what_is_not_archived_is_left_as_it_is(self, db):
        memory_id = await remember(db)
        await set_back(db, memory_id, 10)
        assert await run(db, restore_archived, CALLER, memory_id) is False
        assert (await standing(db, memory_id)).age_days == pytest.approx(10, abs=0.01)

    async def test_an_expired_memory_comes_back_without_expiring_at_once(self, db):
        memory_id = await remember(db, tier=ImportanceTier.TEMPORARY)
        async with db.transaction() as tx:
            await tx.execute("update memory_items set expires_at = now() - interval '1 minute'")
        await run(db, expire)
        assert await run(db, restore_archived, CALLER, memory_id) is True
        assert await found(db) == [memory_id]
        assert await run(db, expire) == []

    async def test_what_was_saved_again_meanwhile_is_refused_and_nothing_else_is_lost(self, db):
        memory_id = await self.faded(db)
        again = await remember(db)
        assert again != memory_id
        async with db.transaction() as tx:
            with pytest.raises(InvalidInput) as refused:
                await restore_archived(tx, CALLER, memory_id)
            await tx.execute("update memory_items set title = 'still open' where id = %s", (again,))
        assert refused.value.number == "E084"
        assert await archived(db) == [memory_id]
        assert await found(db) == [again]

    async def test_a_memory_of_others_is_not_there(self, db):
        memory_id = await self.faded(db)
        for caller, asked in ((STRANGER, memory_id), (CALLER, uuid4())):
            with pytest.raises(NotFound):
                await run(db, restore_archived, caller, asked)
        assert await archived(db) == [memory_id]

    async def test_only_the_founder_brings_back_what_binds_everybody(self, db):
        memory_id = await remember(db, tier=ImportanceTier.CRITICAL, founder=True)
        async with db.transaction() as tx:
            await tx.execute("update memory_items set archived_at = now() where id = %s", (memory_id,))
        with pytest.raises(NotAllowed):
            await run(db, restore_archived, CALLER, memory_id)
        assert await run(db, restore_archived, FOUNDER, memory_id) is True


async def test_a_meta_cognitive_memory_is_as_stable_as_anything_can_be(db):
    memory_id = await remember(db, memory_type=MemoryType.META_COGNITIVE)
    await set_back(db, memory_id, 1000)
    assert math.isinf((await strength(db, memory_id)).stability)
    reviewed = await graded(db, memory_id, Grade.HARD)
    assert reviewed.retrievability == retrievability(1000, math.inf) == 1.0
    assert reviewed.strength.stability == 3650
