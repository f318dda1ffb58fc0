"""The verdict of a review. Pure. An unreadable reply is no verdict, and never an approval."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from frasier.llm import Citations
    from frasier.llm.reply_schemas import ReviewReply

OVERALL_MIN = 3.0


@dataclass(frozen=True, slots=True)
class Verdict:
    """A verdict. `feedback` goes to the author when the work comes back."""

    approved: bool
    overall: float
    scores: dict[str, float]
    feedback: str


def judge(reply: ReviewReply, citations: Citations) -> Verdict:
    """Derive the verdict from a reply: the reviewer may reject, but not approve against the numbers."""
    refusals = []
    if reply.overall < OVERALL_MIN or reply.lowest < OVERALL_MIN:
        refusals.append(f"A score is below {OVERALL_MIN:.0f}.")
    refusals += computed_refusals(citations)
    approved = reply.verdict == "approve" and not refusals
    scores = reply.model_dump(
        include={"relevance", "depth", "actionability", "accuracy", "executive_quality"}
    )
    feedback = " ".join([reply.feedback, *refusals]) if not approved else reply.feedback
    return Verdict(approved=approved, overall=round(reply.overall, 2), scores=scores, feedback=feedback)


def computed_refusals(citations: Citations) -> list[str]:
    """Return why no reviewer may approve a version, whatever they think of it; a sentence for each reason."""
    refusals = []
    if citations.unknown:
        numbers = ", ".join(f"[{number}]" for number in citations.unknown)
        refusals.append(f"It cites {numbers}, which are no sources of this mission.")
    if citations.quotable and not citations.cited:
        sources = "its one source" if citations.quotable == 1 else f"any of its {citations.quotable} sources"
        refusals.append(f"It does not cite {sources}.")
    return refusals
