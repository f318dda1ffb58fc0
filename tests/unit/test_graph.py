"""Dependency graphs: cycles are found, levels are the longest ways, and depth is no obstacle."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from frasier.workflow import find_cycle, levels, width

NODES = st.integers(0, 7)
GRAPHS = st.dictionaries(NODES, st.lists(NODES, max_size=4), max_size=8)


@st.composite
def acyclic_graphs(draw: st.DrawFn) -> dict[int, list[int]]:
    """Every node needs only smaller ones; told in any order."""
    size = draw(st.integers(0, 9))
    graph = {
        node: draw(st.lists(st.sampled_from(range(node)), max_size=4)) if node else [] for node in range(size)
    }
    return dict(draw(st.permutations(list(graph.items()))))


def reachable(graph: dict[int, list[int]], start: int) -> set[int]:
    reached: set[int] = set()
    ahead = list(graph.get(start, ()))
    while ahead:
        node = ahead.pop()
        if node not in reached:
            reached.add(node)
            ahead += graph.get(node, ())
    return reached


@given(GRAPHS)
def test_a_cycle_is_found_exactly_where_some_node_needs_itself(graph: dict[int, list[int]]) -> None:
    assert bool(find_cycle(graph)) is any(node in reachable(graph, node) for node in graph)


@given(GRAPHS)
def test_what_is_found_is_a_cycle_in_the_direction_of_need(graph: dict[int, list[int]]) -> None:
    cycle = find_cycle(graph)
    assert len(set(cycle)) == len(cycle)
    for node, needed in zip(cycle, cycle[1:] + cycle[:1], strict=True):
        assert needed in graph[node]


@given(acyclic_graphs())
def test_a_level_is_the_longest_way_from_a_root(graph: dict[int, list[int]]) -> None:
    found = levels(graph)
    assert found.keys() == graph.keys()
    for node, needs in graph.items():
        assert found[node] == (1 + max(found[needed] for needed in needs) if needs else 0)


@given(acyclic_graphs())
def test_the_width_counts_the_fullest_level(graph: dict[int, list[int]]) -> None:
    found = list(levels(graph).values())
    assert width(graph) == max((found.count(level) for level in found), default=0)


def test_needs_outside_the_graph_do_not_count_for_levels() -> None:
    assert levels({"a": ["elsewhere"], "b": ["a", "elsewhere"]}) == {"a": 0, "b": 1}


def test_a_cycle_has_no_levels() -> None:
    with pytest.raises(ValueError, match="cycle"):
        levels({"a": ["b"], "b": ["a"]})


def test_a_chain_of_twenty_thousand_is_walked_in_no_time() -> None:
    chain = {n: [n - 1] if n else [] for n in range(20_000)}
    assert find_cycle(chain) == []
    assert levels(chain)[19_999] == 19_999
    assert width(chain) == 1
    assert len(find_cycle({**chain, 0: [19_999]})) == 20_000
