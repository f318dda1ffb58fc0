"""Names of the phases of a run, as they are shown."""

from __future__ import annotations

from collections.abc import Sequence

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

_AFTER = {
    "context": "decompose",
    "decompose": "research",
    "research": "synthesize",
    "gaps": "synthesize",
    "synthesize": "critique",
    "revise": "critique",
    "outline": "section",
    "section": "section",
    "assembly": "coherence",
    "coherence": "rewrite",
    "rewrite": "rewrite",
    "removal": "delivery",
}
"""The phase after each that has ended."""


def name_phase(open_phase: str, *, strikes: int) -> str:
    """Return the name of a phase that has begun, with the version that it is about if it is not the first."""
    begun, _, number = open_phase.partition("-")
    phase = _OPEN.get(begun, begun) + (f" {number}" if begun in _NUMBERED else "")
    return f"{phase} (version {strikes + 1})" if strikes else phase


def phase_after(reached: Sequence[str], *, strikes: int) -> str:
    """Return the name of the phase that follows those that a run has ended, with its version as in name_phase."""
    if not reached:
        return _OPEN["context"]
    latest, _, turn = reached[-1].partition("-")
    # A numbered round of research ends when its gaps are known, which may call for the next.
    phase = "research" if latest == "research" and turn else _AFTER.get(latest, "critique")
    if latest == "passages":
        phase = f"section {turn}"
    elif latest == "assembly" and turn:
        phase = _AFTER["removal"]
    return f"{phase} (version {strikes + 1})" if strikes else phase
