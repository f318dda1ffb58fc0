"""Names of the phases of a run, as they are shown."""

from __future__ import annotations

_OPEN = {
    "context": "reading the task",
    "gaps": "research",
    "passages": "section",
    "assembly": "verification",
    "coherence": "critique",
    "extracted": "reading documents",
    "table": "reading documents",
    "removal": "removing what is doubtful",
    "version": "delivery",
}
"""Names of phases that have begun, for those that are not called by their own."""

_NUMBERED = frozenset({"passages", "section", "rewrite"})
"""Phases of which a step has several at a time."""


def name_phase(open_phase: str, *, strikes: int) -> str:
    """Return the name of a phase that has begun, with the version that it is about if it is not the first."""
    begun, _, number = open_phase.partition("-")
    phase = _OPEN.get(begun, begun) + (f" {number}" if begun in _NUMBERED else "")
    return f"{phase} (version {strikes + 1})" if strikes else phase
