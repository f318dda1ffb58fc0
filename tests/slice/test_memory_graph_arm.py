"""The arm of the recall: what lies near the hits, against a naive reference, and what it must never bring back."""

from contextlib import suppress

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from frasier.kernel.errors import InvalidInput
from frasier.kernel.ids import new_id
from frasier.memory import MemoryKind, NewMemory, save_memories
from frasier.memory.graph.recall_arm import HOP_DECAY, RELATION_WEIGHTS, SEEDS_MAX, graph_neighbours
from frasier.memory.graph.types import Relation

SCOPES = ("agent:alice", "shared")
KINDS = frozenset(MemoryKind)
NODES = 8
FOREIGN = NODES - 1
DEPRECATED = NODES - 2


class _RollBackError(Exception):
    pass


async def nodes(tx, count=NODES, foreign=()):
    """Ids and numbers of new memories."""
    ids = await save_memories(
        tx,
        [
            NewMemory(
                kind=MemoryKind.OBSERVATION,
                scope="agent:eve" if node in foreign else "agent:alice",
                content=f"node {node} near the seeds",
            )
            for node in range(count)
        ],
    )
    cursor = await tx.execute("select id, num from memory_items where id = any(%s)", [ids])
    nums = {row["id"]: row["num"] for row in await cursor.fetchall()}
    return ids, [nums[memory_id] for memory_id in ids]


async def draw(tx, ids, source, target, relation, strength=1.0):
    await tx.execute(
        "insert into memory_edges (id, source_id, target_id, relation, strength, origin)"
        " values (%s, %s, %s, %s, %s, 'manual')",
        [new_id(), ids[source], ids[target], relation, strength],
    )


async def near(tx, seeds, **asked):
    return await graph_neighbours(tx, seeds, **{"scopes": SCOPES, "kinds": KINDS, "limit": 100} | asked)


def naive(drawn, seeds):
    """The best score of every node within two hops, one path at a time."""
    best = {}

    def go(node, score, left):
        if left == 0:
            return
        for source, target, relation, strength in drawn:
            for here, far, weight in zip(
                (source, target), (target, source), RELATION_WEIGHTS[Relation(relation)], strict=True
            ):
                if here == node and FOREIGN not in {here, far}:
                    onward = score * strength * weight * HOP_DECAY
                    best[far] = max(best.get(far, 0), onward)
                    go(far, onward, left - 1)

    for node, score in seeds.items():
        if node != FOREIGN:
            go(node, score, 2)
    return best


drawn_edges = st.lists(
    st.tuples(
        st.integers(0, NODES - 1),
        st.integers(0, NODES - 1),
        st.sampled_from(sorted(Relation)),
        st.sampled_from([1.0, 0.5, 0.25]),
    ).filter(lambda edge: edge[0] != edge[1]),
    max_size=14,
    unique_by=lambda edge: edge[:3],
)


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    drawn=drawn_edges,
    seeds=st.dictionaries(st.integers(0, NODES - 1), st.floats(0.01, 1), min_size=1, max_size=4),
)
async def test_the_arm_finds_what_a_naive_search_finds(board, drawn, seeds):
    with suppress(_RollBackError):
        async with board.transaction() as tx:
            ids, nums = await nodes(tx, foreign={FOREIGN})
            await tx.execute("update memory_items set tier = 'deprecated' where id = %s", [ids[DEPRECATED]])
            for edge in drawn:
                await draw(tx, ids, *edge)
            given_seeds = {nums[node]: score for node, score in seeds.items()}
            found = await near(tx, given_seeds)
            expected = {
                nums[node]: score
                for node, score in naive(drawn, seeds).items()
                if node != DEPRECATED and node not in seeds
            }
            assert found == pytest.approx(expected)
            assert list(found.values()) == sorted(found.values(), reverse=True)
            raise _RollBackError


async def test_a_superseded_memory_pulls_its_successor_more_than_the_other_way_round(db):
    async with db.transaction() as tx:
        ids, nums = await nodes(tx, 3)
        await draw(tx, ids, 1, 0, "supersedes")
        await draw(tx, ids, 0, 2, "caused")
        from_the_old = await near(tx, {nums[0]: 1.0})
        from_the_new = await near(tx, {nums[1]: 1.0})
    assert list(from_the_old) == [nums[1], nums[2]]
    assert from_the_old[nums[1]] == 0.5
    assert from_the_new[nums[0]] == 0.5 / 4


async def test_a_deprecated_memory_leads_to_its_successor_and_is_not_returned(db):
    async with db.transaction() as tx:
        ids, nums = await nodes(tx, 3)
        await draw(tx, ids, 1, 0, "caused")
        await draw(tx, ids, 2, 1, "supersedes")
        await tx.execute("update memory_items set tier = 'deprecated' where id = %s", [ids[1]])
        found = await near(tx, {nums[0]: 1.0})
    assert list(found) == [nums[2]]


@pytest.mark.parametrize(
    "state", ["archived_at = now()", "tier = 'deprecated'", "expires_at = now() - interval '1 second'"]
)
async def test_what_is_not_recallable_is_not_returned(db, state):
    async with db.transaction() as tx:
        ids, nums = await nodes(tx, 2)
        await draw(tx, ids, 0, 1, "caused")
        assert len(await near(tx, {nums[0]: 1.0})) == 1
        await tx.execute(f"update memory_items set {state} where id = %s", [ids[1]])
        assert await near(tx, {nums[0]: 1.0}) == {}


async def test_only_the_kinds_asked_for_and_never_a_foreign_scope(db):
    async with db.transaction() as tx:
        ids, nums = await nodes(tx, 4, foreign={2})
        await draw(tx, ids, 0, 1, "caused")
        await draw(tx, ids, 0, 2, "caused")
        await draw(tx, ids, 2, 3, "caused")
        assert list(await near(tx, {nums[0]: 1.0})) == [nums[1]]
        assert await near(tx, {nums[0]: 1.0}, kinds={MemoryKind.DECISION}) == {}
        assert await near(tx, {nums[2]: 1.0}) == {}, "a seed that the scopes do not hold leads nowhere"


async def test_fault_9_a_cycle_ends_and_a_hub_does_not_fill_the_arm(db):
    async with db.transaction() as tx:
        ids, nums = await nodes(tx, 62)
        for number in range(2, 62):
            await draw(tx, ids, 0, number, "caused", strength=number / 100)
            await draw(tx, ids, number, 0, "caused", strength=number / 100)
        await draw(tx, ids, 1, 0, "supports")
        found = await near(tx, {nums[0]: 1.0})
        limited = await near(tx, {nums[0]: 1.0}, limit=3)
    assert len(found) <= 20
    assert {nums[61], nums[60], nums[1]} <= found.keys()
    assert nums[2] not in found
    assert list(limited) == list(found)[:3]


async def test_no_seeds_is_no_question_and_too_many_are_refused(db):
    async with db.transaction() as tx:
        assert await near(tx, {}) == {}
        with pytest.raises(InvalidInput):
            await near(tx, {1: 1.0}, limit=0)
        with pytest.raises(InvalidInput):
            await near(tx, dict.fromkeys(range(SEEDS_MAX + 1), 1.0))


def test_no_weight_lets_a_way_grow_stronger_by_being_longer():
    assert RELATION_WEIGHTS.keys() == set(Relation)
    assert all(0 < weight <= 1 for pair in RELATION_WEIGHTS.values() for weight in pair)
