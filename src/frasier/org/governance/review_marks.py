"""Marks of reviews: whether later judgements of the same content agree with them. They dismiss nobody (D-007)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID

from frasier.org.governance.reviews import Review
from frasier.store import Statements, Tx

_sql = Statements("frasier.org.governance")


class MarkCause(StrEnum):
    """A later judgement: the founder's verdict, a colleague's, or a correction of what the review approved."""

    FOUNDER = "founder"
    COLLEAGUE = "colleague"
    CORRECTION = "correction"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewRecord:
    """The number of verdicts that an agent gave, of those that were marked, and of those with which all marks agree."""

    given: int = 0
    marked: int = 0
    agreed: int = 0

    @property
    def agreement(self) -> float | None:
        """The share of the marked reviews that later judgements agree with; None before the first."""
        return self.agreed / self.marked if self.marked else None


async def mark_review(
    tx: Tx, review: Review, cause: MarkCause, *, digest: str, agrees: bool, actor: str, detail: str = ""
) -> None:
    """Mark a review; a later judgement of the same kind takes the place of the one before."""
    await _sql.run(
        tx,
        "mark_review",
        review_id=review.id,
        cause=cause,
        digest=digest,
        agrees=agrees,
        detail=detail,
        actor=actor,
    )


async def review_records(tx: Tx, agent_ids: Sequence[UUID]) -> dict[UUID, ReviewRecord]:
    """Return what became of the reviews of the agents; whoever gave none is missing."""
    rows = await _sql.all(tx, "review_records", agent_ids=list(agent_ids))
    return {
        row["reviewer"]: ReviewRecord(given=row["given"], marked=row["marked"], agreed=row["agreed"])
        for row in rows
    }
