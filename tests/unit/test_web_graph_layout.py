"""The layout of a graph: nothing overlaps, edges lead to the right, and the same graph is drawn alike."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from frasier.interfaces.web.graph_layout import NODE_HEIGHT, NODE_WIDTH, GraphLayout, lay_out

Graph = tuple[list[str], list[tuple[str, str]]]


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    """A graph without cycles: an edge leads to a node with a higher number, in any order of nodes."""
    count = draw(st.integers(0, 25))
    nodes = [f"step-{number}" for number in range(count)]
    numbers = st.integers(0, max(count - 1, 0))
    pairs = draw(st.lists(st.tuples(numbers, numbers), max_size=60)) if count else []
    edges = [(nodes[min(pair)], nodes[max(pair)]) for pair in pairs if pair[0] != pair[1]]
    return draw(st.permutations(nodes)), edges


def mission(count: int, seed: int = 7) -> Graph:
    """A graph like that of a long mission: layers of 4 to 12 steps, and some edges over several of them."""
    chance = random.Random(seed)
    nodes = [f"s{number}" for number in range(count)]
    layers, start = [], 0
    while start < count:
        width = chance.randint(4, 12)
        layers.append(nodes[start : start + width])
        start += width
    edges = {
        (source, target)
        for before, layer in pairwise(layers)
        for target in layer
        for source in chance.sample(before, min(len(before), chance.choice([1, 1, 2])))
    }
    for _ in range(count // 10):
        first, last = sorted(chance.sample(range(len(layers)), 2))
        edges.add((chance.choice(layers[first]), chance.choice(layers[last])))
    return nodes, sorted(edges)


def assert_readable(layout: GraphLayout, graph: Graph) -> None:
    nodes, edges = graph
    assert set(layout.places) == set(nodes)
    for one in nodes:
        at = layout.places[one]
        assert NODE_WIDTH / 2 <= at.x <= layout.width - NODE_WIDTH / 2
        assert NODE_HEIGHT / 2 - 0.1 <= at.y <= layout.height - NODE_HEIGHT / 2 + 0.1
        for other in nodes:
            if one < other:
                beside = abs(layout.places[other].x - at.x) >= NODE_WIDTH
                below = abs(layout.places[other].y - at.y) >= NODE_HEIGHT - 0.2
                assert beside or below, f"{one} and {other} overlap"
    assert {(wire.source, wire.target) for wire in layout.wires} == set(edges)
    for wire in layout.wires:
        assert wire.places[0] == layout.places[wire.source]
        assert wire.places[-1] == layout.places[wire.target]
        assert all(one.x < other.x for one, other in pairwise(wire.places)), "a wire leads to the right"


@given(graphs())
@settings(deadline=None, max_examples=200)
def test_nodes_never_overlap_and_edges_lead_to_the_right(graph: Graph):
    assert_readable(lay_out(*graph), graph)


@given(graphs())
@settings(deadline=None, max_examples=50)
def test_the_same_graph_is_laid_out_alike(graph: Graph):
    nodes, edges = graph
    assert lay_out(nodes, edges) == lay_out(list(nodes), [*edges, *edges])


def test_a_long_mission_is_readable():
    graph = mission(200)
    assert_readable(lay_out(*graph), graph)


def test_wires_of_a_graph_that_can_be_drawn_without_crossings_do_not_cross():
    """Two trees whose nodes come mixed up."""
    nodes = [f"{tree}{number}" for number in (3, 1, 4, 2, 6, 5) for tree in "ba"]
    edges = [(f"{tree}{(number + 1) // 2}", f"{tree}{number + 1}") for tree in "ab" for number in range(1, 6)]
    assert lay_out(nodes, edges).crossings == 0


def test_crossings_are_counted_as_the_drawing_has_them():
    """Of a complete graph between two columns of three, any order has nine crossings."""
    nodes = [*"abc", *"xyz"]
    assert lay_out(nodes, [(one, other) for one in "abc" for other in "xyz"]).crossings == 9


def test_few_wires_of_a_long_mission_cross():
    """Plain median sweeps leave over 300 crossings of 276 edges; `dot` 216 of straight lines."""
    assert lay_out(*mission(200)).crossings <= 160


def test_a_cycle_is_refused():
    with pytest.raises(ValueError, match="cycle"):
        lay_out(["a", "b"], [("a", "b"), ("b", "a")])


def test_an_empty_graph_has_no_size():
    assert (lay_out([], []).width, lay_out([], []).height) == (0, 0)
