"""Faults 30 to 34, of the causal graph: every edge is drawn, walked, counted and taken back by a tool."""

from __future__ import annotations

import asyncio
import itertools

import pytest

from frasier.kernel.errors import InvalidInput, NotFound
from support.memory_client import NO_VECTORS, open_memory_client

NOBODY = "01a20151-0000-7000-8000-000000000000"


@pytest.fixture
async def memory_client(database, root):
    async with open_memory_client(
        database, NO_VECTORS.model_copy(update={"roots": (root,)})
    ) as memory_client:
        yield memory_client


async def nodes(memory_client, count):
    return [await memory_client.save(f"Something happened, number {number}.") for number in range(count)]


async def caused(memory_client, source, target, **more):
    return (await memory_client("memory_link", source=source, target=target, relation="caused", **more))[
        "edge_id"
    ]


async def test_fault_30_no_edge_outlives_its_memories_or_is_counted_twice(memory_client):
    a, b, c, d = await nodes(memory_client, 4)
    for source, target in ((a, b), (b, c), (c, d)):
        await caused(memory_client, source, target)
    stats = await memory_client("memory_graph_stats")
    assert (stats["edges"], stats["orphans"], stats["coverage"]["percent"]) == (3, 0, 100)
    await memory_client("memory_delete", id=b)
    stats = await memory_client("memory_graph_stats")
    assert (stats["edges"], stats["orphans"]) == (1, 0)
    assert stats["coverage"]["percent"] == pytest.approx(66.7, abs=0.1)
    assert (await memory_client("memory_why", id=a))["total_edges"] == 0
    await memory_client("memory_bulk_delete", ids=[c, d], confirm=True)
    assert (await memory_client("memory_graph_stats"))["edges"] == 0
    [row] = await memory_client.rows(
        "select count(*) as n from memory_edges e where not exists"
        " (select from memory_items where id in (e.source_id, e.target_id))"
    )
    assert row["n"] == 0


async def test_fault_30_an_end_that_is_not_there_or_not_yours_is_refused(memory_client):
    here = await memory_client.save("Something happened here.")
    foreign = await memory_client.of("stranger", scopes=(f"{memory_client.home}x",)).save(
        "Something happened there."
    )
    for ends in ((here, NOBODY), (NOBODY, here), (here, foreign), (foreign, here)):
        with pytest.raises(NotFound) as refused:
            await caused(memory_client, *ends)
        assert refused.value.number == "E080"
    assert (await memory_client("memory_graph_stats"))["edges"] == 0


@pytest.mark.parametrize("depth", [1, 2, 3, 10])
async def test_fault_31_the_depth_is_exactly_the_hops_that_were_asked_for(memory_client, depth):
    chain = await nodes(memory_client, 5)
    for source, target in itertools.pairwise(chain):
        await caused(memory_client, source, target)
    found = await memory_client("memory_why", id=chain[-1], depth=depth)
    assert [step["id"] for step in found["caused_by"]] == chain[-2::-1][:depth]
    assert [step["depth"] for step in found["caused_by"]] == list(range(1, min(depth, 4) + 1))
    assert found["total_edges"] == min(depth, 4)
    assert found["depth_limit_reached"] == (depth < 4)


async def test_fault_31_a_diamond_keeps_both_arms_and_its_strongest_way(memory_client):
    top, left, right, bottom, above = await nodes(memory_client, 5)
    await caused(memory_client, above, top)
    for middle, strength in ((left, 0.5), (right, 0.9)):
        await caused(memory_client, top, middle)
        await caused(memory_client, middle, bottom, strength=strength)
    found = await memory_client("memory_why", id=bottom)
    steps = found["caused_by"]
    assert sorted(step["id"] for step in steps) == sorted([left, right, top, top, above])
    assert len({step["edge_id"] for step in steps}) == found["total_edges"] == 5
    [last] = [step for step in steps if step["id"] == above]
    assert last["path"] == [bottom, right, top, above]
    assert last["path_strength"] == pytest.approx(0.9)


async def test_fault_31_a_far_way_found_first_hides_no_near_one(memory_client):
    start, near, far, end, beyond = await nodes(memory_client, 5)
    await caused(memory_client, near, start, strength=0.2)
    await caused(memory_client, end, near, strength=0.2)
    await caused(memory_client, far, start)
    await caused(memory_client, near, far)
    await caused(memory_client, beyond, end)
    found = await memory_client("memory_why", id=start, depth=3)
    assert {step["id"]: step["depth"] for step in found["caused_by"]}[beyond] == 3


async def test_fault_31_a_cycle_ends_and_both_directions_tell_each_edge_once(memory_client):
    ring = await nodes(memory_client, 3)
    for source, target in zip(ring, [*ring[1:], ring[0]], strict=True):
        await caused(memory_client, source, target)
    found = await memory_client("memory_why", id=ring[0], depth=10, direction="both")
    assert found["total_edges"] == 3
    for side in ("caused_by", "led_to"):
        edges = [step["edge_id"] for step in found[side]]
        assert len(edges) == len(set(edges))


async def test_fault_32_nothing_is_linked_to_itself(memory_client):
    [one] = await nodes(memory_client, 1)
    for spelled in (one, one.upper()):
        with pytest.raises(InvalidInput) as refused:
            await caused(memory_client, one, spelled)
        assert refused.value.number == "E103"


async def test_fault_32_the_same_link_again_updates_it_and_says_so(memory_client):
    a, b = await nodes(memory_client, 2)
    first = await memory_client(
        "memory_link", source=a, target=b, relation="caused", strength=0.5, evidence="seen"
    )
    again = await memory_client("memory_link", source=a, target=b, relation="caused", strength=0.9)
    assert (first["created"], again["created"]) == (True, False)
    assert again["edge_id"] == first["edge_id"]
    assert (again["strength"], again["evidence"]) == (0.9, "seen")
    many = await asyncio.gather(*(caused(memory_client, b, a) for _ in range(5)))
    assert len(set(many)) == 1
    assert (await memory_client("memory_graph_stats"))["edges"] == 2


WILD = ["%", "_", "%crane%", "Crane repor_", "crane", "report", "*", ".*", "", " "]


@pytest.mark.parametrize("reference", WILD)
async def test_fault_33_a_name_in_a_file_is_matched_exactly_or_not_at_all(memory_client, root, reference):
    await memory_client.save("The crane is green, says the report.", title="Crane report")
    (root / "crane.md").write_text("# Crane file\n\nThe crane is green, says the file.\n")
    (root / "effect.md").write_text(
        f"---\ncausal_links:\n  caused_by: ['{reference}']\n---\n# Effect\n\nThe paint is gone.\n"
    )
    await memory_client("memory_index_scan")
    assert (await memory_client("memory_graph_stats"))["edges"] == 0


async def test_fault_33_what_two_memories_are_called_means_neither_and_is_told(memory_client, root):
    for number in range(2):
        await memory_client.save(f"The crane is green, number {number}.", title="Crane report")
    await memory_client.save("The newest memory of all.", title="Newest")
    (root / "effect.md").write_text(
        "---\ncausal_links:\n  caused_by: [Crane report]\n---\n# Effect\n\nThe paint is gone.\n"
    )
    saved = await memory_client("memory_save", file_path="effect.md")
    assert saved["unresolved"] == ["caused_by: Crane report"]
    assert (await memory_client("memory_graph_stats"))["edges"] == 0


@pytest.mark.parametrize("spelled", ["%%%%%%%%", "________", "last-one", "newest one", "0" * 8])
async def test_fault_33_no_tool_takes_the_latest_memory_for_one_it_does_not_know(memory_client, spelled):
    here = await memory_client.save("The crane is green.", title=spelled)
    for tool, arguments in {
        "memory_get": {"id": spelled},
        "memory_delete": {"id": spelled},
        "memory_why": {"id": spelled},
        "memory_link": {"source": here, "target": spelled, "relation": "caused"},
    }.items():
        with pytest.raises((InvalidInput, NotFound)):
            await memory_client(tool, **arguments)
    assert (await memory_client("memory_get", id=here))["title"] == spelled


async def edges_of(memory_client, memory_id):
    found = await memory_client("memory_why", id=memory_id, depth=1)
    steps = [step for side in found.values() if isinstance(side, list) for step in side]
    return {(step["relation"], step["id"]) for step in steps}


async def test_fault_34_undoing_a_correction_takes_back_its_own_edge_only(memory_client):
    wrong, right, cause = await nodes(memory_client, 3)
    await caused(memory_client, cause, wrong)
    before = await edges_of(memory_client, wrong)
    correction = await memory_client(
        "memory_correct", id=wrong, type="superseded", replacement_id=right, reason="newer"
    )
    assert ("supersedes", right) in await edges_of(memory_client, wrong)
    await memory_client("memory_correct_undo", correction_id=correction["correction_id"])
    assert await edges_of(memory_client, wrong) == before
    assert await memory_client.found("something happened number 0") != []


async def test_fault_34_an_edge_that_was_there_before_stays(memory_client):
    wrong, right = await nodes(memory_client, 2)
    drawn = await memory_client(
        "memory_link", source=right, target=wrong, relation="supersedes", evidence="we said so"
    )
    correction = await memory_client(
        "memory_correct", id=wrong, type="superseded", replacement_id=right, reason="newer"
    )
    await memory_client("memory_correct_undo", correction_id=correction["correction_id"])
    again = await memory_client("memory_correct_undo", correction_id=correction["correction_id"])
    assert again["tier"] == "normal"
    assert (await memory_client("memory_link", source=right, target=wrong, relation="supersedes"))[
        "edge_id"
    ] == drawn["edge_id"]
    assert await edges_of(memory_client, wrong) == {("supersedes", right)}


async def test_fault_34_corrections_are_undone_in_any_order(memory_client):
    wrong, first, second = await nodes(memory_client, 3)
    begun = await memory_client("memory_get", id=wrong)
    made = [
        (await memory_client("memory_correct", id=wrong, type=kind, replacement_id=to, reason="newer"))[
            "correction_id"
        ]
        for kind, to in (("refined", first), ("superseded", second))
    ]
    for correction in made:
        await memory_client("memory_correct_undo", correction_id=correction)
    ended = await memory_client("memory_get", id=wrong)
    assert (ended["tier"], ended["stability_days"]) == (begun["tier"], begun["stability_days"])
    assert await edges_of(memory_client, wrong) == set()
