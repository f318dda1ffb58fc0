"""Links as a tree: causes of a memory, its effects, contradictions, and likenesses, each apart."""

from __future__ import annotations

import shutil
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING
from uuid import UUID

from frasier.interfaces.cli.output import Cell, Page, short
from frasier.kernel.text import shorten
from frasier.memory import EdgeOrigin, LinkRole, RecallStatus

if TYPE_CHECKING:
    from frasier.interfaces.operations.memory.graph import LinkStep, WhyOutput

_CAUSES = {
    LinkRole.CAUSED_BY: "caused by",
    LinkRole.ENABLED_BY: "made possible by",
    LinkRole.SUPPORTED_BY: "supported by",
    LinkRole.DERIVED_FROM: "derived from",
    LinkRole.SUPERSEDES: "in the place of",
}
_EFFECTS = {
    LinkRole.LED_TO: "led to",
    LinkRole.ENABLES: "made possible",
    LinkRole.SUPPORTS: "supports",
    LinkRole.DERIVATIVES: "the ground of",
    LinkRole.SUPERSEDED_BY: "replaced by",
}
_CONTRADICTIONS = {LinkRole.CONTRADICTS: "contradicts"}
_LIKENESSES = {LinkRole.RESEMBLES: "resembles"}
_SIDES = (
    ("What led to it", _CAUSES),
    ("What came of it", _EFFECTS),
    ("What contradicts", _CONTRADICTIONS),
    ("What resembles it", _LIKENESSES),
)
_NAME_CHARS_MIN, _NAME_CHARS_MAX = 16, 100
_EVIDENCE_CHARS = 120


@dataclass(frozen=True, slots=True, kw_only=True)
class _Branch:
    """A link of the tree, with the words for its role."""

    words: str
    step: LinkStep


def every_step(links: WhyOutput) -> list[LinkStep]:
    """Return the steps of every role, each link once."""
    roles = (role for _, roles in _SIDES for role in roles)
    return list({step.edge_id: step for role in roles for step in links.steps(role)}.values())


def add_sides(page: Page, links: WhyOutput) -> None:
    """Put a tree for each side that has links on the page."""
    root = links.memory.id
    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else 1_000
    names = {step.id: shorten(step.title, _NAME_CHARS_MAX) for step in every_step(links)}
    for title, roles in _SIDES:
        outgoing = _outgoing(links, roles, root)
        if outgoing:
            page.heading(title)
            for line in _lines(outgoing, root, width, path="", expanded={root}):
                page.line(*line)
            # A contradiction may hang on a cause, which is on another side: its branches need a name as their root.
            reached = {branch.step.id for branches in outgoing.values() for branch in branches}
            for near in sorted(outgoing.keys() - reached - {root}):
                page.line(names.get(near, short(near)))
                for line in _lines(outgoing, near, width, path="", expanded={near}):
                    page.line(*line)


def _outgoing(links: WhyOutput, roles: Mapping[LinkRole, str], root: UUID) -> dict[UUID, list[_Branch]]:
    """Return the links of one side by the memory that they start from, the strongest path first."""
    outgoing: dict[UUID, list[_Branch]] = defaultdict(list)
    for role, words in roles.items():
        for step in links.steps(role):
            near = step.path[-2] if step.path else root
            outgoing[near].append(_Branch(words=words, step=step))
    for branches in outgoing.values():
        branches.sort(key=lambda branch: -branch.step.path_strength)
    return outgoing


def _lines(
    outgoing: Mapping[UUID, list[_Branch]], near: UUID, width: int, *, path: str, expanded: set[UUID]
) -> Iterator[list[Cell]]:
    """Yield each link once, and below it the links of its far end unless they were `expanded` before."""
    branches = outgoing.get(near, [])
    for place, branch in enumerate(branches, start=1):
        last = place == len(branches)
        below = path + ("   " if last else "│  ")
        yield _line(branch, path + ("└─ " if last else "├─ "), width)
        if evidence := branch.step.evidence:
            room = max(min(width - len(below) - 2, _EVIDENCE_CHARS), _NAME_CHARS_MIN)
            yield [(below, "dim"), (f"“{shorten(' '.join(evidence.split()), room - 2)}”", "dim italic")]
        if branch.step.id not in expanded:
            expanded.add(branch.step.id)
            yield from _lines(outgoing, branch.step.id, width, path=below, expanded=expanded)


def _line(branch: _Branch, lead: str, width: int) -> list[Cell]:
    step = branch.step
    strength = f"  {step.strength:.2f}"
    if step.path:
        strength += f" (path {step.path_strength:.2f})"
    remarks = "".join(
        f", {remark}"
        for remark in (
            step.standing if step.standing is not RecallStatus.LIVE else "",
            "automatic" if step.origin is EdgeOrigin.AUTO else "",
            "closes a circle" if step.closes_cycle else "",
        )
        if remark
    )
    identity = f"  {short(step.id)}"
    room = width - len(lead) - len(branch.words) - 1 - len(strength) - len(remarks) - len(identity)
    name = shorten(step.title, min(max(room, _NAME_CHARS_MIN), _NAME_CHARS_MAX))
    return [
        (lead, "dim"),
        (f"{branch.words} ", "cyan"),
        name,
        (strength, "green"),
        (remarks, "yellow"),
        (identity, "dim"),
    ]
