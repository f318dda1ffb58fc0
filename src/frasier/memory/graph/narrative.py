"""An answer to "why" as a person reads it: indented lines of plain text. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from uuid import UUID

from frasier.kernel.text import shorten
from frasier.memory.graph.types import LinkedMemory, Role, Standing, Step, Why

_LABEL_CHARS = 100
_EVIDENCE_CHARS = 160

_CAUSES = {
    Role.CAUSED_BY: "caused by",
    Role.ENABLED_BY: "made possible by",
    Role.SUPPORTED_BY: "supported by",
    Role.DERIVED_FROM: "derived from",
    Role.SUPERSEDES: "in the place of",
}
_EFFECTS = {
    Role.LED_TO: "led to",
    Role.ENABLES: "made possible",
    Role.SUPPORTS: "supports",
    Role.DERIVATIVES: "the ground of",
    Role.SUPERSEDED_BY: "replaced by",
}


def narrate(why: Why) -> str:
    """The causes, effects and contradictions of a memory as indented lines, then the hints that name no action."""
    lines = [_named(why.memory)]
    for heading, words in (("Why:", _CAUSES), ("What came of it:", _EFFECTS)):
        told = list(_told(why, words))
        if told:
            lines += [heading, *told]
    contradictions = [step for step in why.steps if step.role is Role.CONTRADICTS]
    if contradictions:
        lines.append("Contradictions:")
        lines += [f"  {line}" for step in contradictions for line in _contradiction(step, why)]
    return "\n".join([*lines, *(hint for hint in why.hints if isinstance(hint, str))])


def _told(why: Why, words: Mapping[Role, str]) -> Iterator[str]:
    """Each step once, below the memory that it goes out from, where that is told first."""
    going_out: dict[UUID, list[Step]] = defaultdict(list)
    for step in why.steps:
        if step.role in words:
            going_out[step.path[-2]].append(step)
    told: set[UUID] = {why.memory.id}
    waiting = [(step, 1) for step in reversed(going_out[why.memory.id])]
    while waiting:
        step, indent = waiting.pop()
        yield f"{'  ' * indent}{words[step.role]} {_named(step.memory)}{_remarks(step)}"
        if step.memory.id not in told:
            told.add(step.memory.id)
            waiting += [(further, indent + 1) for further in reversed(going_out[step.memory.id])]


def _contradiction(step: Step, why: Why) -> Iterable[str]:
    names = {memory.id: memory for memory in (why.memory, *why.related())}
    yield f"{_named(names[step.path[-2]])} and {_named(step.memory)}{_remarks(step)}"


def _named(memory: LinkedMemory) -> str:
    name = f"“{shorten(memory.label, _LABEL_CHARS)}”"
    return name if memory.standing is Standing.LIVE else f"{name} [{memory.standing}]"


def _remarks(step: Step) -> str:
    remarks = [f"strength {step.edge.strength:.2g}"]
    if len(step.path) > 2:
        remarks.append(f"path {step.path_strength:.2g}")
    if step.closes_cycle:
        remarks.append("a cycle")
    evidence = shorten(" ".join(step.edge.evidence.split()), _EVIDENCE_CHARS)
    return f" ({', '.join(remarks)}){f': {evidence}' if evidence else ''}"
