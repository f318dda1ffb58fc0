"""The strength of a memory: recorded changes, exact undoing, nothing lost when two change it at once."""

import asyncio
import math
from uuid import uuid4

import psycopg
import pytest

from frasier.kernel.errors import InvalidInput, NotFound
from frasier.kernel.ids import new_id
from frasier.memory import MemoryKind, NewMemory, save_memory
from frasier.memory.strength.adjustments import Strength, adjust, lock_strength, strength_of, undo_adjustments
from frasier.memory.strength.half_lives import initial_stability
from frasier.memory.strength.replay import Cause, Quantity, StrengthOperation
from frasier.memory.types import MemoryType
from support.board import wait_for_lock


async def remember(db, content="The nightly build failed.", memory_type=MemoryType.EPISODIC):
    async with db.transaction() as tx:
        memory_id = await save_memory(
            tx,
            NewMemory(kind=MemoryKind.OBSERVATION, scope="shared", content=content, memory_type=memory_type),
        )
        await tx.execute("update memory_items set memory_type = %s where id = %s", (memory_type, memory_id))
    return memory_id


async def correction(db, memory_id):
    async with db.transaction() as tx:
        correction_id = new_id()
        await tx.execute(
            "insert into memory_corrections (id, original_id, correction_type, reason, corrected_by)"
            " values (%s, %s, 'refined', 'it was incomplete', 'test')",
            (correction_id, memory_id),
        )
    return correction_id


async def change(db, memory_id, quantity, operation, amount, correction_id=None):
    async with db.transaction() as tx:
        return await adjust(
            tx,
            memory_id,
            cause=Cause.CORRECTION if correction_id else Cause.OUTCOME,
            quantity=quantity,
            operation=operation,
            amount=amount,
            correction_id=correction_id,
        )


async def strength(db, memory_id):
    async with db.transaction() as tx:
        return await strength_of(tx, memory_id)


@pytest.mark.parametrize("memory_type", MemoryType)
async def test_a_memory_that_nobody_touched_is_as_strong_as_its_type(db, memory_type):
    memory_id = await remember(db, memory_type=memory_type)
    assert await strength(db, memory_id) == Strength(stability=initial_stability(memory_type))


async def test_an_adjustment_is_in_effect_and_on_record(db):
    memory_id = await remember(db)
    first = await change(db, memory_id, Quantity.STABILITY, StrengthOperation.MULTIPLY, 2.0)
    second = await change(db, memory_id, Quantity.DIFFICULTY, StrengthOperation.ADD, 1.0)
    third = await change(db, memory_id, Quantity.CONFIDENCE, StrengthOperation.ADD, 0.25)
    assert first < second < third
    adjusted = await strength(db, memory_id)
    assert adjusted.stability == pytest.approx(2 * initial_stability(MemoryType.EPISODIC))
    assert adjusted.difficulty == 6
    assert adjusted.confidence == 0.75
    async with db.transaction() as tx:
        cursor = await tx.execute(
            "select quantity, operation, amount, cause from memory_adjustments order by id"
        )
        rows = [tuple(row.values()) for row in await cursor.fetchall()]
    assert rows == [
        ("stability", "multiply", 2.0, "outcome"),
        ("difficulty", "add", 1.0, "outcome"),
        ("confidence", "add", 0.25, "outcome"),
    ]


async def test_the_bounds_of_the_schema_are_never_passed(db):
    memory_id = await remember(db)
    for quantity in Quantity:
        await change(db, memory_id, quantity, StrengthOperation.MULTIPLY, 1e6)
    top = await strength(db, memory_id)
    assert (top.stability, top.difficulty, top.confidence) == (3650, 10, 1)
    for quantity in Quantity:
        await change(db, memory_id, quantity, StrengthOperation.MULTIPLY, 1e-9)
    bottom = await strength(db, memory_id)
    assert (bottom.stability, bottom.difficulty, bottom.confidence) == pytest.approx((0.05, 1, 0.05))


async def test_undoing_a_correction_leaves_what_was_changed_before_and_after(db):
    memory_id = await remember(db)
    await change(db, memory_id, Quantity.STABILITY, StrengthOperation.MULTIPLY, 4.0)
    correction_id = await correction(db, memory_id)
    await change(db, memory_id, Quantity.STABILITY, StrengthOperation.MULTIPLY, 0.5, correction_id)
    await change(db, memory_id, Quantity.CONFIDENCE, StrengthOperation.MULTIPLY, 0.5, correction_id)
    await change(db, memory_id, Quantity.STABILITY, StrengthOperation.MULTIPLY, 1.5)
    async with db.transaction() as tx:
        assert await undo_adjustments(tx, correction_id) == 2
    after = await strength(db, memory_id)
    assert after.stability == pytest.approx(6 * initial_stability(MemoryType.EPISODIC))
    assert after.confidence == 0.5


async def test_undoing_the_only_adjustment_gives_back_exactly_what_was_there(db):
    for memory_type in MemoryType:
        memory_id = await remember(db, content=memory_type, memory_type=memory_type)
        before = await strength(db, memory_id)
        correction_id = await correction(db, memory_id)
        await change(db, memory_id, Quantity.STABILITY, StrengthOperation.MULTIPLY, 0.5, correction_id)
        assert (await strength(db, memory_id)).stability != before.stability
        async with db.transaction() as tx:
            assert await undo_adjustments(tx, correction_id) == 1
        assert await strength(db, memory_id) == before


async def test_undoing_twice_undoes_once(db):
    memory_id = await remember(db)
    correction_id = await correction(db, memory_id)
    await change(db, memory_id, Quantity.STABILITY, StrengthOperation.MULTIPLY, 0.5, correction_id)
    async with db.transaction() as tx:
        assert await undo_adjustments(tx, correction_id) == 1
        assert await undo_adjustments(tx, correction_id) == 0
        assert await undo_adjustments(tx, uuid4()) == 0


async def test_a_correction_of_several_memories_is_undone_in_all_of_them(db):
    ids = [await remember(db, content=f"number {number}") for number in range(3)]
    correction_id = await correction(db, ids[0])
    for memory_id in ids:
        await change(db, memory_id, Quantity.CONFIDENCE, StrengthOperation.MULTIPLY, 0.5, correction_id)
    async with db.transaction() as tx:
        assert await undo_adjustments(tx, correction_id) == 3
    assert [(await strength(db, memory_id)).confidence for memory_id in ids] == [0.5, 0.5, 0.5]


@pytest.mark.parametrize("known", [True, False])
async def test_two_who_adjust_at_once_lose_nothing(db, known):
    memory_id = await remember(db)
    if known:
        await change(db, memory_id, Quantity.CONFIDENCE, StrengthOperation.ADD, 0.1)
    async with db.transaction() as tx:
        await adjust(
            tx,
            memory_id,
            cause=Cause.OUTCOME,
            quantity=Quantity.STABILITY,
            operation=StrengthOperation.MULTIPLY,
            amount=2.0,
        )
        other = asyncio.create_task(
            change(db, memory_id, Quantity.STABILITY, StrengthOperation.MULTIPLY, 3.0)
        )
        await wait_for_lock(db)
    await other
    adjusted = await strength(db, memory_id)
    assert adjusted.stability == pytest.approx(6 * initial_stability(MemoryType.EPISODIC))


async def test_many_who_adjust_at_once_lose_nothing(db):
    memory_id = await remember(db)
    await asyncio.gather(
        *(change(db, memory_id, Quantity.STABILITY, StrengthOperation.MULTIPLY, 2.0) for _ in range(8)),
        *(change(db, memory_id, Quantity.DIFFICULTY, StrengthOperation.ADD, 0.5) for _ in range(8)),
    )
    adjusted = await strength(db, memory_id)
    assert adjusted.stability == pytest.approx(2**8 * initial_stability(MemoryType.EPISODIC))
    assert adjusted.difficulty == 9


async def test_who_locks_a_strength_sees_what_the_one_before_made_of_it(db):
    memory_id = await remember(db)
    await change(db, memory_id, Quantity.CONFIDENCE, StrengthOperation.ADD, 0.25)

    async def second():
        async with db.transaction() as tx:
            return await lock_strength(tx, memory_id)

    async with db.transaction() as tx:
        await lock_strength(tx, memory_id)
        waiting = asyncio.create_task(second())
        await wait_for_lock(db)
        await adjust(
            tx,
            memory_id,
            cause=Cause.OUTCOME,
            quantity=Quantity.CONFIDENCE,
            operation=StrengthOperation.ADD,
            amount=0.25,
        )
    assert (await waiting).confidence == 1.0


async def test_undoing_waits_for_an_adjustment_that_is_being_made(db):
    memory_id = await remember(db)
    correction_id = await correction(db, memory_id)
    await change(db, memory_id, Quantity.STABILITY, StrengthOperation.MULTIPLY, 0.5, correction_id)

    async def undo():
        async with db.transaction() as tx:
            return await undo_adjustments(tx, correction_id)

    async with db.transaction() as tx:
        await adjust(
            tx,
            memory_id,
            cause=Cause.OUTCOME,
            quantity=Quantity.STABILITY,
            operation=StrengthOperation.MULTIPLY,
            amount=4.0,
        )
        undoing = asyncio.create_task(undo())
        await wait_for_lock(db)
    assert await undoing == 1
    after = await strength(db, memory_id)
    assert after.stability == pytest.approx(4 * initial_stability(MemoryType.EPISODIC))


@pytest.mark.parametrize(
    ("operation", "amount"),
    [
        (StrengthOperation.ADD, math.nan),
        (StrengthOperation.ADD, math.inf),
        (StrengthOperation.MULTIPLY, math.nan),
        (StrengthOperation.MULTIPLY, 0.0),
        (StrengthOperation.MULTIPLY, -1.0),
    ],
)
async def test_an_amount_that_is_no_amount_changes_nothing(db, operation, amount):
    memory_id = await remember(db)
    with pytest.raises(InvalidInput) as refused:
        await change(db, memory_id, Quantity.STABILITY, operation, amount)
    assert refused.value.number == "E032"
    assert await strength(db, memory_id) == Strength(stability=initial_stability(MemoryType.EPISODIC))


async def test_fault_23_what_is_not_there_cannot_be_strengthened(db):
    with pytest.raises(NotFound) as missing:
        await strength(db, uuid4())
    assert missing.value.number == "E080"
    with pytest.raises(NotFound):
        await change(db, uuid4(), Quantity.STABILITY, StrengthOperation.MULTIPLY, 2.0)


async def test_an_adjustment_of_an_unknown_quantity_is_refused_by_the_schema(db):
    memory_id = await remember(db)
    with pytest.raises(psycopg.errors.CheckViolation):
        async with db.transaction() as tx:
            await tx.execute(
                "insert into memory_adjustments (memory_id, cause, quantity, operation, amount)"
                " values (%s, 'review', 'worth', 'add', 1)",
                (memory_id,),
            )
