"""Layered layout of an acyclic graph, from left to right (Sugiyama). Pure, and the same for the same input.

1. A node stands in the column behind the last one that it needs.
2. A wire over several columns gets a joint in each, so that it bends around the nodes there. Wires to the same node
   share their joints.
3. Columns are ordered by the medians of their neighbours, back and forth, and neighbours change places while that
   removes crossings. The order with the fewest crossings counts.
4. Each node moves towards its neighbours, as far as the order and the gaps allow.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

NODE_WIDTH = 208.0
NODE_HEIGHT = 64.0
COLUMN_GAP = 52.0
NODE_GAP = 14.0
_JOINT_HEIGHT = 4.0
_SWEEPS = 8
_TRANSPOSE_ROUNDS = 4
_PLACING_SWEEPS = 10
# A wire between two joints is kept straight before one between nodes.
_STRAIGHT = 8.0


@dataclass(frozen=True, slots=True)
class GraphPoint:
    """The centre of a node, or a joint of a wire."""

    x: float
    y: float


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphWire:
    """An edge with the places that it passes: the centres of its nodes, and its joints between them."""

    source: str
    target: str
    places: tuple[GraphPoint, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphLayout:
    """The places of all nodes and wires in a drawing of this size, and how often wires cross."""

    places: Mapping[str, GraphPoint]
    wires: tuple[GraphWire, ...]
    width: float
    height: float
    crossings: int


def lay_out(nodes: Sequence[str], edges: Sequence[tuple[str, str]]) -> GraphLayout:
    """GraphPoint `nodes` so that each of the `edges` leads to the right. Raises ValueError where edges form a cycle."""
    graph = _Columns(nodes, edges)
    crossings = graph.order()
    y = graph.place()
    x = [column * (NODE_WIDTH + COLUMN_GAP) + NODE_WIDTH / 2 for column in graph.column]
    places = [GraphPoint(round(at, 1), round(level, 1)) for at, level in zip(x, y, strict=True)]
    return GraphLayout(
        places={node: places[index] for index, node in enumerate(nodes)},
        wires=tuple(
            GraphWire(
                source=nodes[chain[0]], target=nodes[chain[-1]], places=tuple(places[at] for at in chain)
            )
            for chain in graph.chains
        ),
        width=max((at + NODE_WIDTH / 2 for at in x), default=0.0),
        height=max((places[index].y + graph.height(index) / 2 for index in range(len(places))), default=0.0),
        crossings=crossings,
    )


class _Columns:
    """Nodes and joints by number; the first ones are the nodes."""

    def __init__(self, nodes: Sequence[str], edges: Sequence[tuple[str, str]]) -> None:
        self.real = len(nodes)
        numbers = {node: number for number, node in enumerate(nodes)}
        pairs = [(numbers[source], numbers[target]) for source, target in dict.fromkeys(edges)]
        self.column = _columns(self.real, pairs)
        self.layers: list[list[int]] = [[] for _ in range(max(self.column, default=-1) + 1)]
        for number in range(self.real):
            self.layers[self.column[number]].append(number)
        self.before: list[list[int]] = [[] for _ in nodes]
        self.behind: list[list[int]] = [[] for _ in nodes]
        self._joints: dict[tuple[int, int], int] = {}
        self.chains = [self._chain(source, target) for source, target in pairs]

    def _chain(self, source: int, target: int) -> list[int]:
        columns = range(self.column[source] + 1, self.column[target])
        chain = [source, *(self._joint(column, target) for column in columns), target]
        for one, other in pairwise(chain):
            if other not in self.behind[one]:
                self.behind[one].append(other)
                self.before[other].append(one)
        return chain

    def _joint(self, column: int, target: int) -> int:
        """Return the joint in a column of all wires to a node."""
        joint = self._joints.setdefault((column, target), len(self.column))
        if joint == len(self.column):
            self.column.append(column)
            self.layers[column].append(joint)
            self.before.append([])
            self.behind.append([])
        return joint

    def height(self, number: int) -> float:
        return NODE_HEIGHT if number < self.real else _JOINT_HEIGHT

    def order(self) -> int:
        """Order the columns; return the crossings that are left."""
        best, least = [list(layer) for layer in self.layers], self._crossings()
        for sweep in range(_SWEEPS):
            if not least:
                break
            columns = range(1, len(self.layers))
            for column in columns if sweep % 2 == 0 else reversed(range(len(self.layers) - 1)):
                self._sort_by_medians(column, from_left=sweep % 2 == 0)
            for column in range(len(self.layers)):
                self._transpose(column)
            crossings = self._crossings()
            if crossings < least:
                best, least = [list(layer) for layer in self.layers], crossings
        self.layers = best
        return least

    def _sort_by_medians(self, column: int, *, from_left: bool) -> None:
        layer = self.layers[column]
        at = self._positions(column - 1 if from_left else column + 1)
        near = self.before if from_left else self.behind
        medians: dict[int, float] = {}
        for index, number in enumerate(layer):
            places = sorted(at[other] for other in near[number])
            middle = len(places) // 2
            medians[number] = (places[middle] + places[~middle]) / 2 if places else index
        layer.sort(key=medians.__getitem__)

    def _transpose(self, column: int) -> None:
        """Swap neighbours while that removes crossings."""
        layer = self.layers[column]
        left, right = self._positions(column - 1), self._positions(column + 1)
        near = {
            number: (
                sorted(left[other] for other in self.before[number]),
                sorted(right[other] for other in self.behind[number]),
            )
            for number in layer
        }
        for _ in range(_TRANSPOSE_ROUNDS):
            swapped = False
            for index in range(len(layer) - 1):
                upper, lower = near[layer[index]], near[layer[index + 1]]
                if _crossed(upper, lower) > _crossed(lower, upper):
                    layer[index], layer[index + 1] = layer[index + 1], layer[index]
                    swapped = True
            if not swapped:
                return

    def _positions(self, column: int) -> dict[int, int]:
        if not 0 <= column < len(self.layers):
            return {}
        return {number: index for index, number in enumerate(self.layers[column])}

    def _crossings(self) -> int:
        total = 0
        for column in range(len(self.layers) - 1):
            at = self._positions(column + 1)
            ends: list[int] = []
            for number in self.layers[column]:
                for end in sorted(at[other] for other in self.behind[number]):
                    # Each wire crosses those that begin above it and end below.
                    place = bisect_left(ends, end + 1)
                    total += len(ends) - place
                    ends.insert(place, end)
        return total

    def place(self) -> list[float]:
        """Return how far down each node and joint stands."""
        y = [0.0] * len(self.column)
        for layer in self.layers:
            for number, offset in zip(layer, self._offsets(layer), strict=True):
                y[number] = offset
        for sweep in range(_PLACING_SWEEPS):
            near = self.behind if sweep % 2 else self.before
            for layer in reversed(self.layers) if sweep % 2 else self.layers:
                self._move(layer, near, y)
        top = min((y[number] - self.height(number) / 2 for number in range(len(y))), default=0.0)
        return [at - top for at in y]

    def _offsets(self, layer: Sequence[int]) -> list[float]:
        """Return the places of a column without any more room than the gaps."""
        offsets, at = [], 0.0
        for number in layer:
            at += self.height(number) / 2
            offsets.append(at)
            at += self.height(number) / 2 + NODE_GAP
        return offsets

    def _move(self, layer: Sequence[int], near: Sequence[Sequence[int]], y: list[float]) -> None:
        """Move a column to the places nearest to the wanted ones that keep its order and gaps.

        Where wanted places are too near, their nodes form a block at the weighted mean (pool adjacent violators).
        """
        offsets = self._offsets(layer)
        blocks: list[tuple[float, float, int]] = []
        for number, offset in zip(layer, offsets, strict=True):
            target, weight = self._nearest(number, near[number], y)
            block = (target - offset, weight, 1)
            while blocks and blocks[-1][0] > block[0]:
                other = blocks.pop()
                weight = other[1] + block[1]
                mean = (other[0] * other[1] + block[0] * block[1]) / weight
                block = (mean, weight, other[2] + block[2])
            blocks.append(block)
        index = 0
        for start, _, count in blocks:
            for at in range(index, index + count):
                y[layer[at]] = start + offsets[at]
            index += count

    def _nearest(self, number: int, neighbours: Sequence[int], y: Sequence[float]) -> tuple[float, float]:
        if not neighbours:
            return y[number], 0.01
        if number >= self.real:
            joints = [other for other in neighbours if other >= self.real]
            return (y[joints[0]], _STRAIGHT) if joints else (y[neighbours[0]], 0.5)
        # What leads on is not pulled aside by wires that only pass.
        nodes = [other for other in neighbours if other < self.real] or neighbours
        return sum(y[other] for other in nodes) / len(nodes), float(len(nodes))


def _columns(count: int, edges: Sequence[tuple[int, int]]) -> list[int]:
    """Return the column of each node: one behind the last that it needs."""
    behind: list[list[int]] = [[] for _ in range(count)]
    open_needs = [0] * count
    for source, target in edges:
        behind[source].append(target)
        open_needs[target] += 1
    column = [0] * count
    ready = [number for number in range(count) if not open_needs[number]]
    for number in ready:
        for other in behind[number]:
            column[other] = max(column[other], column[number] + 1)
            open_needs[other] -= 1
            if not open_needs[other]:
                ready.append(other)
    if len(ready) < count:
        raise ValueError("the edges form a cycle")
    return column


def _crossed(upper: tuple[list[int], list[int]], lower: tuple[list[int], list[int]]) -> int:
    """Count the crossings of the wires of two neighbours, of which `upper` stands above `lower`."""
    return sum(
        bisect_left(ends_below, end)
        for ends_above, ends_below in zip(upper, lower, strict=True)
        for end in ends_above
    )
