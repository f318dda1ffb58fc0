"""Rules about dependency graphs. Pure."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import TypeVar

Node = TypeVar("Node", bound=Hashable)


def find_cycle(edges: Mapping[Node, Iterable[Node]]) -> list[Node]:
    """Some cycle in `edges` (node → what it depends on), in order, or an empty list."""
    done: set[Node] = set()
    for start in edges:
        path: list[Node] = []
        on_path: set[Node] = set()
        stack: list[tuple[Node, bool]] = [(start, False)]
        while stack:
            node, leaving = stack.pop()
            if leaving:
                path.pop()
                on_path.discard(node)
                done.add(node)
                continue
            if node in on_path:
                return path[path.index(node) :]
            if node in done:
                continue
            path.append(node)
            on_path.add(node)
            stack.append((node, True))
            stack.extend((needed, False) for needed in edges.get(node, ()))
    return []


def levels(edges: Mapping[Node, Iterable[Node]]) -> dict[Node, int]:
    """For every node of an acyclic graph the length of its longest way from a root (roots are 0)."""
    level: dict[Node, int] = {}
    waiting = {node: set(needs) for node, needs in edges.items()}
    depth = 0
    while waiting:
        free = [node for node, needs in waiting.items() if not needs & waiting.keys()]
        if not free:
            raise ValueError("the graph has a cycle")
        for node in free:
            level[node] = depth
            del waiting[node]
        depth += 1
    return level


def width(edges: Mapping[Node, Iterable[Node]]) -> int:
    """How many nodes the widest level of an acyclic graph holds."""
    counts: dict[int, int] = {}
    for depth in levels(edges).values():
        counts[depth] = counts.get(depth, 0) + 1
    return max(counts.values(), default=0)
