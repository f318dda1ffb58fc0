"""The verdict of a review. Pure. An unreadable reply is no verdict, and never an approval."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from frasier.org.governance.quotations import check_quotations

if TYPE_CHECKING:
    from frasier.llm import Citations
    from frasier.llm.reply_schemas import ReviewedPassage, ReviewReply

OVERALL_MIN = 3.0


@dataclass(frozen=True, slots=True)
class Verdict:
    """A verdict. `feedback` goes to the author when the work comes back. `passages` are quoted from the text;
    `invented` quotations, which are not in it, are dropped. A `degraded` one comes of a lower tier than was asked for.
    """

    approved: bool
    overall: float
    scores: dict[str, float]
    feedback: str
    passages: tuple[ReviewedPassage, ...] = ()
    invented: int = 0
    changes: str = ""
    degraded: bool = False


def judge(reply: ReviewReply, citations: Citations, text: str) -> Verdict:
    """Derive the verdict on `text` from a reply: the reviewer may reject, but not approve against the numbers, nor
    without a quotation that is in the text.
    """
    quoted = check_quotations(reply.passages, text)
    refusals = []
    if not quoted.found and reply.verdict == "approve":
        refusals.append("The review quotes nothing of it.")
    if reply.overall < OVERALL_MIN or reply.lowest < OVERALL_MIN:
        refusals.append(f"A score is below {OVERALL_MIN:.0f}.")
    refusals += computed_refusals(citations)
    approved = reply.verdict == "approve" and not refusals
    scores = reply.model_dump(
        include={"relevance", "depth", "actionability", "accuracy", "executive_quality"}
    )
    feedback = " ".join([reply.feedback, *refusals]) if not approved else reply.feedback
    return Verdict(
        approved=approved,
        overall=round(reply.overall, 2),
        scores=scores,
        feedback=feedback,
        passages=quoted.found,
        invented=len(quoted.invented),
        changes=reply.changes.strip(),
    )


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
