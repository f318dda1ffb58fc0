"""Pure functions on dependency graphs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping
from graphlib import CycleError, TopologicalSorter
from typing import TypeVar

Node = TypeVar("Node", bound=Hashable)


def find_cycle(edges: Mapping[Node, Iterable[Node]]) -> list[Node]:
    """Return some cycle in `edges` (node → the nodes that it depends on), each node before the one that it needs;
    empty if there is none.
    """
    try:
        TopologicalSorter(edges).prepare()
    except CycleError as error:
        # Each node stands before the one that depends on it; the first is repeated at the end.
        closed: list[Node] = error.args[1]
        return closed[:0:-1]
    return []


def levels(edges: Mapping[Node, Iterable[Node]]) -> dict[Node, int]:
    """Return the length of the longest path from a root to each node of an acyclic graph (roots have 0).

    Dependencies that are not nodes of the graph are ignored. Raises ValueError for a cycle.
    """
    within = {node: [needed for needed in needs if needed in edges] for node, needs in edges.items()}
    level: dict[Node, int] = {}
    for node in TopologicalSorter(within).static_order():
        level[node] = 1 + max((level[needed] for needed in within[node]), default=-1)
    return level


def path_lengths(
    lengths: Mapping[Node, int], edges: Mapping[Node, Iterable[Node]], behind: Mapping[Node, int]
) -> dict[Node, int]:
    """Return the length of the longest path that begins with each node of an acyclic graph and goes on to those that
    depend on it. A node has the length `lengths`, and at least `behind` follows it. Raises ValueError for a cycle.
    """
    longest = dict(behind)
    within = {node: [needed for needed in needs if needed in edges] for node, needs in edges.items()}
    for node in reversed(list(TopologicalSorter(within).static_order())):
        longest[node] += lengths[node]
        for needed in within[node]:
            longest[needed] = max(longest[needed], longest[node])
    return longest


def width(edges: Mapping[Node, Iterable[Node]]) -> int:
    """Return the number of nodes in the widest level of an acyclic graph."""
    return max(Counter(levels(edges).values()).values(), default=0)
