"""Rules about dependency graphs. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping
from graphlib import CycleError, TopologicalSorter
from typing import TypeVar

Node = TypeVar("Node", bound=Hashable)


def find_cycle(edges: Mapping[Node, Iterable[Node]]) -> list[Node]:
    """Some cycle in `edges` (node → what it depends on), each node before the one that it needs, or an empty list."""
    try:
        TopologicalSorter(edges).prepare()
    except CycleError as error:
        closed: list[Node] = error.args[1]  # needed before needing, the first node again at the end
        return closed[:0:-1]
    return []


def levels(edges: Mapping[Node, Iterable[Node]]) -> dict[Node, int]:
    """For every node of an acyclic graph the length of its longest way from a root (roots are 0).

    What is needed but is no node of the graph does not count. Raises ValueError where there is a cycle.
    """
    within = {node: [needed for needed in needs if needed in edges] for node, needs in edges.items()}
    level: dict[Node, int] = {}
    for node in TopologicalSorter(within).static_order():
        level[node] = 1 + max((level[needed] for needed in within[node]), default=-1)
    return level


def width(edges: Mapping[Node, Iterable[Node]]) -> int:
    """How many nodes the widest level of an acyclic graph holds."""
    return max(Counter(levels(edges).values()).values(), default=0)
