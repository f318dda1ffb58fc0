"""Render the causes and effects of a memory as indented lines of plain text. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from uuid import UUID

from frasier.kernel.text import shorten
from frasier.memory.graph.types import CausalStep, LinkedMemory, LinkRole, RecallStatus, Why

_LABEL_CHARS = 100
_EVIDENCE_CHARS = 160

_CAUSES = {
    LinkRole.CAUSED_BY: "caused by",
    LinkRole.ENABLED_BY: "made possible by",
    LinkRole.SUPPORTED_BY: "supported by",
    LinkRole.DERIVED_FROM: "derived from",
    LinkRole.SUPERSEDES: "replaces",
}
_EFFECTS = {
    LinkRole.LED_TO: "led to",
    LinkRole.ENABLES: "made possible",
    LinkRole.SUPPORTS: "supports",
    LinkRole.DERIVATIVES: "basis of",
    LinkRole.SUPERSEDED_BY: "replaced by",
}


def narrate(why: Why) -> str:
    """Render the causes, effects, contradictions and likenesses of a memory, then the hints that advise no action."""
    lines = [_label(why.memory)]
    for heading, words in (("Causes:", _CAUSES), ("Effects:", _EFFECTS)):
        rendered = list(_render_steps(why, words))
        if rendered:
            lines += [heading, *rendered]
    for heading, role in (("Contradictions:", LinkRole.CONTRADICTS), ("Likenesses:", LinkRole.RESEMBLES)):
        mutual = [step for step in why.steps if step.role is role]
        if mutual:
            lines += [heading, *(f"  {_pair(step, why)}" for step in mutual)]
    return "\n".join([*lines, *(hint for hint in why.hints if isinstance(hint, str))])


def _render_steps(why: Why, words: Mapping[LinkRole, str]) -> Iterator[str]:
    """Render each step once, below the first mention of the memory that it starts from."""
    outgoing: dict[UUID, list[CausalStep]] = defaultdict(list)
    for step in why.steps:
        if step.role in words:
            outgoing[step.path[-2]].append(step)
    rendered: set[UUID] = {why.memory.id}
    waiting = [(step, 1) for step in reversed(outgoing[why.memory.id])]
    while waiting:
        step, indent = waiting.pop()
        yield f"{'  ' * indent}{words[step.role]} {_label(step.memory)}{_remarks(step)}"
        if step.memory.id not in rendered:
            rendered.add(step.memory.id)
            waiting += [(further, indent + 1) for further in reversed(outgoing[step.memory.id])]


def _pair(step: CausalStep, why: Why) -> str:
    names = {memory.id: memory for memory in (why.memory, *why.related())}
    return f"{_label(names[step.path[-2]])} and {_label(step.memory)}{_remarks(step)}"


def _label(memory: LinkedMemory) -> str:
    name = f"“{shorten(memory.label, _LABEL_CHARS)}”"
    return name if memory.standing is RecallStatus.LIVE else f"{name} [{memory.standing}]"


def _remarks(step: CausalStep) -> str:
    remarks = [f"strength {step.edge.strength:.2g}"]
    if len(step.path) > 2:
        remarks.append(f"path {step.path_strength:.2g}")
    if step.closes_cycle:
        remarks.append("a cycle")
    evidence = shorten(" ".join(step.edge.evidence.split()), _EVIDENCE_CHARS)
    return f" ({', '.join(remarks)}){f': {evidence}' if evidence else ''}"
