"""Stored reviews: one verdict of one reviewer on one version of a deliverable."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from psycopg.types.json import Jsonb

from frasier.kernel.errors import NotFound, Stale
from frasier.kernel.humanize import ended
from frasier.kernel.ids import new_id
from frasier.org.governance.autonomy import ReviewKind
from frasier.org.governance.verdict import Verdict
from frasier.store import Statements, Tx, from_row

_sql = Statements("frasier.org.governance")


@dataclass(frozen=True, slots=True, kw_only=True)
class Review:
    """A review. `state` is pending, approved, rejected, withdrawn or set_aside. `overall` is 1 to 5."""

    id: UUID
    deliverable_id: UUID
    step_id: UUID
    review_task: UUID | None
    kind: ReviewKind
    reviewer: UUID | None
    tier: str | None
    state: str
    scores: dict[str, Any] | None
    overall: float | None
    feedback: str | None
    created_at: datetime
    reviewed_at: datetime | None


async def ask_for_review(
    tx: Tx,
    *,
    deliverable_id: UUID,
    step_id: UUID,
    review_task: UUID,
    kind: ReviewKind,
    reviewer: UUID,
    tier: str,
) -> UUID:
    """Store a request for a review; return its id."""
    review_id = new_id()
    await _sql.run(
        tx,
        "insert_review",
        id=review_id,
        deliverable_id=deliverable_id,
        step_id=step_id,
        review_task=review_task,
        kind=kind,
        reviewer=reviewer,
        tier=tier,
    )
    return review_id


async def approve_by_policy(
    tx: Tx, *, deliverable_id: UUID, step_id: UUID, reason: str, scores: dict[str, float], overall: float
) -> None:
    """Store the approval of the stated policy, with the computed scores that it rests on."""
    await _sql.run(
        tx,
        "insert_policy_approval",
        id=new_id(),
        deliverable_id=deliverable_id,
        step_id=step_id,
        feedback=f"Approved by policy: {ended(reason)}",
        scores=Jsonb(scores),
        overall=overall,
    )


async def store_founder_verdict(
    tx: Tx, *, deliverable_id: UUID, step_id: UUID, approved: bool, feedback: str
) -> None:
    """Store the founder's own verdict on a version."""
    await _sql.run(
        tx,
        "insert_founder_verdict",
        id=new_id(),
        deliverable_id=deliverable_id,
        step_id=step_id,
        state="approved" if approved else "rejected",
        feedback=feedback,
    )


async def store_verdict(tx: Tx, review_id: UUID, verdict: Verdict) -> None:
    """Store a verdict once; a second one for the same review is Stale."""
    touched = await _sql.run(
        tx,
        "store_verdict",
        id=review_id,
        state="approved" if verdict.approved else "rejected",
        scores=Jsonb(verdict.scores),
        overall=verdict.overall,
        feedback=verdict.feedback,
    )
    if not touched:
        raise Stale(f"Review {review_id} has a verdict already.")


async def review_of_task(tx: Tx, review_task: UUID) -> Review:
    """Return the review of a task of the review process."""
    row = await _sql.maybe(tx, "review_of_task", review_task=review_task)
    if row is None:
        raise NotFound(f"There is no review for task {review_task}.")
    return from_row(Review, row)


async def reviews_of_steps(tx: Tx, step_ids: list[UUID]) -> list[Review]:
    """Return every review of the given steps, oldest first."""
    return [from_row(Review, row) for row in await _sql.all(tx, "reviews_of_steps", step_ids=step_ids)]


async def reviews_of_version(tx: Tx, step_id: UUID, deliverable_id: UUID) -> list[Review]:
    """Return the reviews of one version of a step, oldest first."""
    return [
        review for review in await reviews_of_steps(tx, [step_id]) if review.deliverable_id == deliverable_id
    ]


async def pending_reviews_of(tx: Tx, reviewer: UUID) -> list[Review]:
    """Return the reviews that a reviewer has not given yet, oldest first."""
    return [from_row(Review, row) for row in await _sql.all(tx, "pending_reviews_of", reviewer=reviewer)]


async def give_review(tx: Tx, review_id: UUID, reviewer: UUID) -> None:
    """Give a review that nobody has given yet to another reviewer."""
    await _sql.run(tx, "give_review", id=review_id, reviewer=reviewer)


async def set_review_aside(tx: Tx, review_id: UUID) -> None:
    """Let a verdict not count any more, because the reviewers of its version agreed on another; it is kept."""
    await _sql.run(tx, "set_review_aside", id=review_id)


async def withdraw_reviews(tx: Tx, step_id: UUID) -> None:
    """Withdraw the pending reviews of a step whose deliverable needs no verdict any more."""
    await _sql.run(tx, "withdraw_reviews", step_id=step_id)


def feedback_of(reviews: Sequence[Review]) -> str:
    """Join what the reviewers of one version say: who rejects first, and nothing of one is lost by the other's word."""
    ended = sorted(
        (review for review in reviews if review.feedback), key=lambda review: review.state != "rejected"
    )
    if len(ended) == 1:
        return ended[0].feedback or ""
    return " ".join(f"The {review.kind} review {review.state} it: {review.feedback}" for review in ended)
