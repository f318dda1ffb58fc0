"""The graph of a mission: its steps as nodes, those that belong together as one where there are too many. Pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from frasier.interfaces.web.graph_layout import NODE_HEIGHT, NODE_WIDTH, GraphPoint, GraphWire, lay_out
from frasier.overview import StepProgress

NODES_MAX = 60
"""A graph with more steps is shown with groups."""

_GROUP_MIN = 3
# The most urgent first: a group is shown with the most urgent status that it has.
_URGENCY = ("failed", "blocked", "lost", "active", "in_review", "pending", "cancelled", "completed")
_NUMBER_AT_END = re.compile(r"[\s#.:–-]*\d+$")


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphNode:
    """A step, or several as a group, with the corner where it is drawn."""

    key: str
    title: str
    steps: tuple[StepProgress, ...]
    x: float
    y: float

    @property
    def step(self) -> StepProgress | None:
        """The step, unless this is a group."""
        return self.steps[0] if len(self.steps) == 1 else None

    @property
    def status(self) -> str:
        """The most urgent status of its steps."""
        return min((step.status for step in self.steps), key=_urgency)

    @property
    def counts(self) -> tuple[tuple[str, int], ...]:
        """The number of its steps in each status, the most urgent first."""
        counts = Counter(step.status for step in self.steps)
        return tuple(sorted(counts.items(), key=lambda item: _urgency(item[0])))

    @property
    def cost_usd(self) -> float:
        return sum(step.work.cost_usd for step in self.steps)


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnWire:
    """An edge as the path of an SVG. It is `travelled` once what it leads from is completed."""

    path: str
    travelled: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphDrawing:
    """A drawing of this size, its nodes in the order of the work. `grouped` says that some stand for several steps."""

    nodes: tuple[GraphNode, ...]
    wires: tuple[DrawnWire, ...]
    width: float
    height: float
    grouped: bool


def draw_graph(steps: Sequence[StepProgress], *, whole: bool = False) -> GraphDrawing:
    """Draw the steps of a mission; the `whole` graph has no groups. Before the plan it is the planning alone."""
    shown = [step for step in steps if step.level] or list(steps)
    # What was planned first stands first where nothing else decides.
    groups = [[step] for step in sorted(shown, key=lambda step: (step.level, step.key))]
    if not whole:
        for fold in (_fold_finished, *_FOLDS):
            if len(groups) > NODES_MAX:
                groups = fold(groups)
    owner = {step.key: group[0].key for group in groups for step in group}
    edges = {
        (owner[needed], owner[step.key]): None
        for group in groups
        for step in group
        for needed in step.needs
        if needed in owner and owner[needed] != owner[step.key]
    }
    layout = lay_out([group[0].key for group in groups], list(edges))
    nodes = tuple(_node(group, layout.places[group[0].key]) for group in groups)
    status = {node.key: node.status for node in nodes}
    return GraphDrawing(
        nodes=nodes,
        wires=tuple(
            DrawnWire(path=_path(wire), travelled=status[wire.source] == "completed") for wire in layout.wires
        ),
        width=layout.width,
        height=layout.height,
        grouped=len(groups) < len(shown),
    )


def _urgency(status: str) -> int:
    return _URGENCY.index(status) if status in _URGENCY else len(_URGENCY)


Groups = list[list[StepProgress]]


def _fold_finished(groups: Groups) -> Groups:
    """Make one group of the first levels, as far as every step of them is completed; the last level stays."""
    levels = sorted({group[0].level for group in groups})
    open_levels = {step.level for group in groups for step in group if step.status != "completed"}
    first_open = min([*open_levels, levels[-1]])
    finished = [step for group in groups for step in group if step.level < first_open]
    others = [group for group in groups if group[0].level >= first_open]
    return [finished, *others] if finished else others


def _fold_by(key_of: Callable[[StepProgress], str]) -> Callable[[Groups], Groups]:
    """Make one group of the single steps of a level with the same key, if there are enough."""

    def fold(groups: Groups) -> Groups:
        alike: dict[tuple[int, str], list[StepProgress]] = {}
        for group in groups:
            if len(group) == 1:
                alike.setdefault((group[0].level, key_of(group[0])), []).append(group[0])
        folded: Groups = [group for group in groups if len(group) > 1]
        for members in alike.values():
            folded += [members] if len(members) >= _GROUP_MIN else [[step] for step in members]
        return sorted(folded, key=lambda group: (group[0].level, group[0].key))

    return fold


def _stem(step: StepProgress) -> str:
    """Return what the titles of similar steps have in common: what stands before a colon or a number."""
    return _NUMBER_AT_END.sub("", step.title.partition(":")[0]).strip() or step.title


def _agent(step: StepProgress) -> str:
    return step.agent


def _nothing(_step: StepProgress) -> str:
    return ""


_FOLDS = (_fold_by(_stem), _fold_by(_agent), _fold_by(_nothing))
"""Ways to make groups, the most telling first; the next is tried while there are too many."""


def _node(group: Sequence[StepProgress], at: GraphPoint) -> GraphNode:
    return GraphNode(
        key=group[0].key,
        title=_title(group),
        steps=tuple(group),
        x=at.x - NODE_WIDTH / 2,
        y=at.y - NODE_HEIGHT / 2,
    )


def _title(group: Sequence[StepProgress]) -> str:
    if len(group) == 1:
        return group[0].title
    if len({step.level for step in group}) > 1:
        return f"{len(group)} finished steps"
    for name in (_stem, _agent):
        names = {name(step) for step in group}
        if len(names) == 1:
            return f"{names.pop()} ×{len(group)}"
    return f"{len(group)} steps"


def _path(wire: GraphWire) -> str:
    """Return a wire as curves between columns, straight across those that it only passes."""
    first, *others = wire.places
    x, y = first.x + NODE_WIDTH / 2, first.y
    parts = [f"M{x:.1f} {y:.1f}"]
    for place in others:
        left, middle = place.x - NODE_WIDTH / 2, (x + place.x - NODE_WIDTH / 2) / 2
        parts.append(f"C{middle:.1f} {y:.1f} {middle:.1f} {place.y:.1f} {left:.1f} {place.y:.1f}")
        if place is not wire.places[-1]:
            parts.append(f"H{place.x + NODE_WIDTH / 2:.1f}")
        x, y = place.x + NODE_WIDTH / 2, place.y
    return "".join(parts)
