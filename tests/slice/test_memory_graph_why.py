"""Why: against a naive reference over random graphs, and case by case where a fault once was."""

from collections import Counter
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from frasier.kernel.advice import Advice
from frasier.kernel.errors import InvalidInput, NotFound
from frasier.kernel.ids import new_id
from frasier.memory import MemoryKind, NewMemory, save_memories, save_memory
from frasier.memory.access import Caller
from frasier.memory.graph.link import link_memories
from frasier.memory.graph.narrative import narrate
from frasier.memory.graph.traversal import HUB_EDGES_MAX
from frasier.memory.graph.types import Direction, LinkRole, RecallStatus, Relation
from frasier.memory.graph.why import DEPTH_MAX, why

ALICE = Caller(name="alice", scopes=("agent:alice", "shared"))
NODES = 7
FOREIGN = NODES - 1  # the last node of a random graph is in a scope that alice does not see

# What the far end of an edge is, seen from its near end: the contract once more, spelled out by hand.
AT_TARGET = {
    "caused": ("causes", "caused_by"),
    "enabled": ("causes", "enabled_by"),
    "supports": ("causes", "supported_by"),
    "derived_from": ("effects", "derivatives"),
    "supersedes": ("effects", "superseded_by"),
}
AT_SOURCE = {
    "caused": ("effects", "led_to"),
    "enabled": ("effects", "enables"),
    "supports": ("effects", "supports"),
    "derived_from": ("causes", "derived_from"),
    "supersedes": ("causes", "supersedes"),
}
MUTUAL = {"contradicts", "resembles"}


async def remember(tx, content, scope="agent:alice", **fields):
    new = NewMemory(kind=MemoryKind.DECISION, scope=scope, content=content, title=content, **fields)
    return await save_memory(tx, new)


async def chain(tx, count, relation="caused"):
    """The first led to the second, and so on."""
    ids = [await remember(tx, f"memory {number}") for number in range(count)]
    for source, target in pairwise(ids):
        await link_memories(tx, ALICE, source, target, relation)
    return ids


@dataclass(frozen=True)
class Drawn:
    source: int
    target: int
    relation: str
    strength: float


@dataclass
class Expected:
    role: str
    far: int
    depth: int
    strength: float


def naive(drawn, root, side, depth, min_strength, relations):
    """Every path without a memory twice (but for a last step that closes a cycle), one by one."""
    met = {}

    def steps(near):
        for number, edge in enumerate(drawn):
            if edge.relation not in relations or FOREIGN in {edge.source, edge.target}:
                continue
            for end, far, sides in (
                (edge.target, edge.source, AT_TARGET),
                (edge.source, edge.target, AT_SOURCE),
            ):
                if end == near and edge.relation in MUTUAL:
                    yield number, edge, far, edge.relation
                elif end == near and sides[edge.relation][0] == side:
                    yield number, edge, far, sides[edge.relation][1]

    def go(near, path, strength, hops):
        if hops == depth:
            return
        for number, edge, far, role in steps(near):
            product = strength * edge.strength
            if product < min_strength:
                continue
            known = met.setdefault((number, far), Expected(role, far, hops + 1, product))
            known.depth = min(known.depth, hops + 1)
            known.strength = max(known.strength, product)
            if role not in MUTUAL and far not in path:
                go(far, (*path, far), product, hops + 1)

    go(root, (root,), 1.0, 0)
    return met


def naive_both(drawn, root, sides, *parameters):
    """role and edge to what is expected; a contradiction counts once, from the end that is nearest."""
    found = {}
    for side in sides:
        for (number, _), met in naive(drawn, root, side, *parameters).items():
            known = found.setdefault((met.role, number), met)
            found[met.role, number] = min(known, met, key=lambda m: (m.depth, -m.strength, m.far))
    return found


graphs = st.lists(
    st.builds(
        Drawn,
        st.integers(0, NODES - 1),
        st.integers(0, NODES - 1),
        st.sampled_from(sorted(Relation)),
        st.sampled_from([1.0, 0.75, 0.5, 0.25]),
    ).filter(lambda edge: edge.source != edge.target),
    max_size=16,
    unique_by=lambda edge: (edge.source, edge.target, edge.relation),
)


class _RollBackError(Exception):
    pass


@settings(
    max_examples=250,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(
    drawn=graphs,
    depth=st.integers(1, 5),
    direction=st.sampled_from(Direction),
    min_strength=st.sampled_from([0.0, 0.0, 0.2, 0.5]),
    relations=st.none() | st.sets(st.sampled_from(sorted(Relation)), min_size=1),
)
async def test_why_finds_what_a_naive_search_finds(board, drawn, depth, direction, min_strength, relations):
    with suppress(_RollBackError):
        async with board.transaction() as tx:
            *mine, foreign = await save_memories(
                tx,
                [
                    NewMemory(
                        kind=MemoryKind.OBSERVATION,
                        scope="agent:eve" if node == FOREIGN else "agent:alice",
                        content=f"node {node} of a random graph",
                    )
                    for node in range(NODES)
                ],
            )
            ids = [*sorted(mine), foreign]  # equal ends of a contradiction are told apart by their ids
            edge_ids = [new_id() for _ in drawn]
            for edge_id, edge in zip(edge_ids, drawn, strict=True):
                await tx.execute(
                    "insert into memory_edges (id, source_id, target_id, relation, strength, origin)"
                    " values (%s, %s, %s, %s, %s, 'manual')",
                    [edge_id, ids[edge.source], ids[edge.target], edge.relation, edge.strength],
                )
            answer = await why(
                tx,
                ALICE,
                ids[0],
                depth=depth,
                direction=direction,
                relations=relations,
                min_strength=min_strength,
            )
            check(answer, ids, edge_ids, drawn, depth, direction, min_strength, relations or set(Relation))
            raise _RollBackError


def check(answer, ids, edge_ids, drawn, depth, direction, min_strength, relations):
    sides = ["causes", "effects"] if direction == "both" else [direction]
    expected = naive_both(drawn, 0, sides, depth, min_strength, relations)
    found = {(step.role.value, edge_ids.index(step.edge.id)): step for step in answer.steps}
    assert len(found) == len(answer.steps), "an edge stands twice"
    assert found.keys() == expected.keys()
    for key, step in found.items():
        wanted = expected[key]
        assert step.memory.id == ids[wanted.far]
        assert (step.depth, step.path_strength) == (wanted.depth, wanted.strength)
        check_path(step, ids, drawn, depth)
    assert answer.depth_limit_reached == any(
        numbers_of(naive(drawn, 0, side, depth, min_strength, relations))
        != numbers_of(naive(drawn, 0, side, depth + 1, min_strength, relations))
        for side in sides
    )
    assert not answer.truncated
    assert Counter(edge.id for edge in answer.edges()).keys() == {edge_ids[number] for _, number in expected}
    assert ids[FOREIGN] not in {memory.id for memory in answer.related()}
    assert len(narrate(answer).splitlines()) >= 1 + len(answer.steps)


def numbers_of(met):
    return {number for number, _ in met}


def check_path(step, ids, drawn, depth):
    """The path is one: from the root to the memory, over edges that are there, as strong as it says."""
    nodes = [ids.index(node) for node in step.path]
    assert (nodes[0], step.path[-1]) == (0, step.memory.id)
    assert step.depth <= len(nodes) - 1 <= depth
    assert len(set(nodes[:-1])) == len(nodes) - 1
    assert step.closes_cycle == (nodes[-1] in nodes[:-1] and step.role not in MUTUAL)
    products = {1.0}
    for near, far in pairwise(nodes):
        strengths = {edge.strength for edge in drawn if {edge.source, edge.target} == {near, far}}
        products = {product * strength for product in products for strength in strengths}
    assert step.path_strength in products


@pytest.mark.parametrize("depth", [1, 2, 3, 10])
async def test_fault_31_the_depth_is_exactly_the_hops_asked_for(db, depth):
    async with db.transaction() as tx:
        ids = await chain(tx, 12)
        causes = await why(tx, ALICE, ids[-1], depth=depth)
        effects = await why(tx, ALICE, ids[0], depth=depth)
    assert [step.memory.id for step in causes.steps] == ids[-2 : -2 - depth : -1]
    assert [step.memory.id for step in effects.steps] == ids[1 : 1 + depth]
    assert [step.depth for step in causes.steps] == list(range(1, depth + 1))
    assert causes.depth_limit_reached
    assert any("more edges beyond" in hint for hint in causes.hints)


async def test_the_end_of_a_chain_is_no_limit_of_depth(db):
    async with db.transaction() as tx:
        ids = await chain(tx, 4)
        answer = await why(tx, ALICE, ids[-1], depth=3)
    assert len(answer.steps) == 3
    assert not answer.depth_limit_reached
    assert answer.hints == ()


async def test_fault_31_a_diamond_keeps_both_arms(db):
    """top led to bottom by left and by right: four edges, each once, and the stronger arm is the path."""
    async with db.transaction() as tx:
        top, left, right, bottom = [await remember(tx, name) for name in ("top", "left", "right", "bottom")]
        await link_memories(tx, ALICE, top, left, "caused", strength=0.5)
        await link_memories(tx, ALICE, top, right, "caused", strength=1.0)
        await link_memories(tx, ALICE, left, bottom, "caused", strength=0.75)
        await link_memories(tx, ALICE, right, bottom, "enabled", strength=1.0)
        answer = await why(tx, ALICE, bottom)
    assert [(s.memory.title, s.role, s.depth, s.path_strength) for s in answer.steps] == [
        ("right", LinkRole.ENABLED_BY, 1, 1.0),
        ("left", LinkRole.CAUSED_BY, 1, 0.75),
        ("top", LinkRole.CAUSED_BY, 2, 1.0),
        ("top", LinkRole.CAUSED_BY, 2, 0.375),
    ]
    assert [memory.title for memory in answer.related()] == ["right", "left", "top"]


async def test_fault_31_a_longer_and_stronger_way_is_kept_and_a_nearer_one_is_not_lost(db):
    async with db.transaction() as tx:
        root, far, middle, beyond = [await remember(tx, n) for n in ("root", "far", "middle", "beyond")]
        await link_memories(tx, ALICE, far, root, "caused", strength=0.25)
        await link_memories(tx, ALICE, middle, root, "caused", strength=1.0)
        await link_memories(tx, ALICE, far, middle, "caused", strength=1.0)
        await link_memories(tx, ALICE, beyond, far, "caused", strength=1.0)
        three = {step.path[-2:]: step for step in (await why(tx, ALICE, root, depth=3)).steps}
        two = {step.path[-2:]: step for step in (await why(tx, ALICE, root, depth=2)).steps}
        strong = await why(tx, ALICE, root, depth=3, min_strength=0.5)
        short = await why(tx, ALICE, root, depth=2, min_strength=0.5)
    assert (three[far, beyond].depth, three[far, beyond].path_strength) == (2, 1.0)
    assert three[far, beyond].path == (root, middle, far, beyond)
    assert (two[far, beyond].depth, two[far, beyond].path) == (2, (root, far, beyond))
    assert [step.memory.title for step in strong.steps] == ["middle", "far", "beyond"]
    assert [step.memory.title for step in short.steps] == ["middle", "far"]


async def test_fault_9_a_cycle_is_walked_once_and_told(db):
    async with db.transaction() as tx:
        ids = await chain(tx, 3)
        await link_memories(tx, ALICE, ids[-1], ids[0], "caused")
        answer = await why(tx, ALICE, ids[0], depth=10)
    causes = answer.grouped()[LinkRole.CAUSED_BY]
    effects = answer.grouped()[LinkRole.LED_TO]
    assert [step.memory.id for step in causes] == [ids[2], ids[1], ids[0]]
    assert [step.memory.id for step in effects] == [ids[1], ids[2], ids[0]]
    assert [step.closes_cycle for step in causes] == [False, False, True]
    assert len(answer.edges()) == 3
    assert any("cycle" in hint for hint in answer.hints)
    assert not answer.depth_limit_reached


async def test_causes_and_effects_are_apart(db):
    pairs = [
        ("caused", LinkRole.CAUSED_BY, LinkRole.LED_TO),
        ("enabled", LinkRole.ENABLED_BY, LinkRole.ENABLES),
    ]
    pairs += [("supports", LinkRole.SUPPORTED_BY, LinkRole.SUPPORTS)]
    pairs += [("derived_from", LinkRole.DERIVATIVES, LinkRole.DERIVED_FROM)]
    pairs += [("supersedes", LinkRole.SUPERSEDED_BY, LinkRole.SUPERSEDES)]
    pairs += [("contradicts", LinkRole.CONTRADICTS, LinkRole.CONTRADICTS)]
    pairs += [("resembles", LinkRole.RESEMBLES, LinkRole.RESEMBLES)]
    async with db.transaction() as tx:
        asked = await remember(tx, "asked")
        for relation, *_ in pairs:
            before, after = [await remember(tx, f"{relation} {side}") for side in ("in", "out")]
            await link_memories(tx, ALICE, before, asked, relation)
            await link_memories(tx, ALICE, asked, after, relation)
        both = await why(tx, ALICE, asked)
        causes = await why(tx, ALICE, asked, direction=Direction.CAUSES)
        effects = await why(tx, ALICE, asked, direction=Direction.EFFECTS)
    told = {step.memory.title: step.role for step in both.steps}
    assert told == {
        f"{relation} {side}": role
        for relation, incoming, outgoing in pairs
        for side, role in (("in", incoming), ("out", outgoing))
    }
    titles = {step.memory.title for step in causes.steps if not step.role.is_mutual}
    assert titles == {"caused in", "enabled in", "supports in", "derived_from out", "supersedes out"}
    assert len(causes.steps) + len(effects.steps) == len(both.steps) + 4  # both know what is mutual
    assert any("Contradictions" in hint for hint in both.hints)


async def test_what_contradicts_a_cause_is_told_and_not_followed(db):
    async with db.transaction() as tx:
        ids = await chain(tx, 2)
        against = await remember(tx, "against")
        beyond = await remember(tx, "beyond")
        await link_memories(tx, ALICE, against, ids[0], "contradicts")
        await link_memories(tx, ALICE, beyond, against, "caused")
        answer = await why(tx, ALICE, ids[1], depth=5)
        near = await why(tx, ALICE, ids[1], depth=1)
    assert {step.memory.title: step.depth for step in answer.steps} == {"memory 0": 1, "against": 2}
    assert near.depth_limit_reached


async def test_a_foreign_scope_is_neither_shown_nor_walked_through(db):
    async with db.transaction() as tx:
        asked = await remember(tx, "asked")
        foreign = await remember(tx, "foreign", "agent:bob")
        beyond = await remember(tx, "beyond", "shared")
        both = Caller(name="founder", scopes=("agent:alice", "agent:bob", "shared"))
        await link_memories(tx, both, foreign, asked, "caused")
        await link_memories(tx, both, beyond, foreign, "caused")
        answer = await why(tx, ALICE, asked)
        assert answer.steps == ()
        assert not answer.truncated
        assert not answer.depth_limit_reached
        assert len((await why(tx, both, asked)).steps) == 2
        for memory_id in (foreign, uuid4()):
            with pytest.raises(NotFound) as refusal:
                await why(tx, ALICE, memory_id)
            assert refusal.value.number == "E080"


async def test_foreign_edges_do_not_crowd_out_those_that_the_caller_sees(db):
    async with db.transaction() as tx:
        asked = await remember(tx, "asked")
        mine = await remember(tx, "mine")
        both = Caller(name="founder", scopes=("agent:alice", "agent:bob"))
        for number in range(HUB_EDGES_MAX + 1):
            await link_memories(tx, both, await remember(tx, f"f {number}", "agent:bob"), asked, "caused")
        await link_memories(tx, ALICE, mine, asked, "caused", strength=0.1)
        answer = await why(tx, ALICE, asked)
    assert [step.memory.id for step in answer.steps] == [mine]
    assert not answer.truncated


async def test_fault_9_a_hub_is_capped_by_strength_and_says_so(db):
    async with db.transaction() as tx:
        hub = await remember(tx, "hub")
        for number in range(HUB_EDGES_MAX + 5):
            strength = 0.1 + 0.01 * number
            await link_memories(
                tx, ALICE, await remember(tx, f"m {number}"), hub, "caused", strength=strength
            )
        answer = await why(tx, ALICE, hub)
    assert answer.truncated
    assert [step.memory.title for step in answer.steps] == [f"m {n}" for n in range(HUB_EDGES_MAX + 4, 4, -1)]
    assert any("Some edges are missing" in hint for hint in answer.hints)


async def test_the_limit_keeps_the_nearest_and_strongest_and_says_so(db):
    async with db.transaction() as tx:
        ids = await chain(tx, 3)
        weak = await remember(tx, "weak")
        await link_memories(tx, ALICE, weak, ids[2], "caused", strength=0.5)
        one = await why(tx, ALICE, ids[2], limit=1)
        two = await why(tx, ALICE, ids[2], limit=2)
        three = await why(tx, ALICE, ids[2], limit=3)
    assert [step.memory.id for step in one.steps] == [ids[1]]
    assert [step.memory.id for step in two.steps] == [ids[1], weak]
    assert (one.truncated, two.truncated, three.truncated) == (True, True, False)
    assert len(three.steps) == 3


async def test_a_memory_without_links_says_how_to_link_it(db):
    async with db.transaction() as tx:
        answer = await why(tx, ALICE, await remember(tx, "alone"))
    assert answer.steps == ()
    assert answer.hints[1] == Advice("memory.link", to="link what led to it")
    assert set(answer.grouped()) == set(LinkRole)


async def test_each_memory_says_how_it_stands(db):
    set_back = {
        RecallStatus.ARCHIVED: "archived_at = now()",
        RecallStatus.DEPRECATED: "tier = 'deprecated'",
        RecallStatus.EXPIRED: "expires_at = now() - interval '1 day'",
        RecallStatus.OUTDATED: "valid_until = now() - interval '1 day'",
    }
    async with db.transaction() as tx:
        asked = await remember(tx, "asked")
        for standing in RecallStatus:
            other = await remember(tx, standing)
            await link_memories(tx, ALICE, other, asked, "caused")
            if standing in set_back:
                await tx.execute(f"update memory_items set {set_back[standing]} where id = %s", [other])
        answer = await why(tx, ALICE, asked)
    assert {step.memory.title: step.memory.standing for step in answer.steps} == {s: s for s in RecallStatus}


@pytest.mark.parametrize(
    "wrong",
    [
        {"depth": 0},
        {"depth": DEPTH_MAX + 1},
        {"min_strength": -0.1},
        {"min_strength": float("nan")},
        {"limit": 0},
    ],
)
async def test_a_number_out_of_range_is_refused(db, wrong):
    async with db.transaction() as tx:
        asked = await remember(tx, "asked")
        with pytest.raises(InvalidInput) as refusal:
            await why(tx, ALICE, asked, **wrong)
    assert refusal.value.number == "E032"


async def test_an_unknown_relation_is_refused(db):
    async with db.transaction() as tx:
        asked = await remember(tx, "asked")
        with pytest.raises(InvalidInput) as refusal:
            await why(tx, ALICE, asked, relations=["caused", "%"])
    assert refusal.value.number == "E102"
