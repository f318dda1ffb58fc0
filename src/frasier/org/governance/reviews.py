"""Stored reviews: one verdict of one reviewer on one version of a deliverable."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from psycopg.types.json import Jsonb

from frasier.kernel.errors import NotFound, Stale
from frasier.kernel.humanize import ended
from frasier.kernel.ids import new_id
from frasier.org.governance.autonomy import ReviewKind
from frasier.org.governance.verdict import Verdict
from frasier.org.people import Agent, AgentStatus, Role
from frasier.store import Statements, Tx, from_row

_sql = Statements("frasier.org.governance")

WAIVED = "waived"
ALONE = "Reviewed by QA alone"
NOT_READ = "Read as a whole by nobody"
HIRED_FOR_REVIEWS = "hired for reviews"
BY_LOWER_TIER = ", by a lower tier than was asked for"
"""The beginnings of the notes that QA alone judged a work and that nobody read it as a whole, and what is said of an
expert who was hired for it.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Review:
    """A review. `state` is pending, approved, rejected, withdrawn, set_aside, or waived where nobody can give it;
    the feedback then says why. `overall` is 1 to 5.

    `choice` is why this reviewer was chosen, `passages` what is quoted, each with a remark, `invented` how many
    quotations were dropped because they are not in the text, and `changes` what changed since the version before.
    A `degraded` one was given by a lower tier than was asked for.
    """

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
    choice: str = ""
    passages: list[dict[str, str]] = field(default_factory=list)
    invented: int = 0
    changes: str = ""
    degraded: bool = False

    @property
    def has_verdict(self) -> bool:
        """Whether an agent gave it, and it approves or rejects."""
        return self.reviewer is not None and self.state in {"approved", "rejected"}

    @property
    def by_whom(self) -> str:
        """The name of the policy, the founder or nobody, where no agent gave it."""
        return "nobody" if self.state == WAIVED else str(self.kind)


async def ask_for_review(
    tx: Tx,
    *,
    deliverable_id: UUID,
    step_id: UUID,
    review_task: UUID,
    kind: ReviewKind,
    reviewer: UUID,
    tier: str,
    choice: str,
) -> UUID:
    """Store a request for a review, with the reason of the choice; return its id."""
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
        choice=choice,
    )
    return review_id


async def record_waived(
    tx: Tx, *, deliverable_id: UUID, step_id: UUID, kind: ReviewKind, reason: str
) -> None:
    """Store that a review of a version is not given, because nobody in the house can give it."""
    await _sql.run(
        tx,
        "insert_waived_review",
        id=new_id(),
        deliverable_id=deliverable_id,
        step_id=step_id,
        kind=kind,
        reason=reason,
    )


def waiver(kind: ReviewKind, why: str) -> str:
    """Say that a review is not given, because nobody can: QA alone decides where it is the other review."""
    return f"{NOT_READ if kind is ReviewKind.COHERENCE else ALONE}: {ended(why)}"


async def waive_review(tx: Tx, review_id: UUID, *, reason: str) -> None:
    """Waive a review that was asked for and is not given."""
    await _sql.run(tx, "waive_review", id=review_id, reason=reason)


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
        passages=Jsonb([{"quotation": one.quotation, "remark": one.remark} for one in verdict.passages]),
        invented=verdict.invented,
        changes=verdict.changes,
        degraded=verdict.degraded,
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
    return await _sql.all_as(Review, tx, "reviews_of_steps", step_ids=step_ids)


async def reviews_of_version(tx: Tx, step_id: UUID, deliverable_id: UUID) -> list[Review]:
    """Return the reviews of one version of a step, oldest first."""
    return [
        review for review in await reviews_of_steps(tx, [step_id]) if review.deliverable_id == deliverable_id
    ]


async def pending_reviews_of(tx: Tx, reviewer: UUID) -> list[Review]:
    """Return the reviews that a reviewer has not given yet, oldest first."""
    return await _sql.all_as(Review, tx, "pending_reviews_of", reviewer=reviewer)


async def give_review(tx: Tx, review_id: UUID, reviewer: UUID, *, choice: str) -> None:
    """Give a review that nobody has given yet to another reviewer, with the reason of the choice."""
    await _sql.run(tx, "give_review", id=review_id, reviewer=reviewer, choice=choice)


async def set_review_aside(tx: Tx, review_id: UUID) -> None:
    """Let a verdict not count any more, because the reviewers of its version agreed on another; it is kept."""
    await _sql.run(tx, "set_review_aside", id=review_id)


async def withdraw_reviews(tx: Tx, step_id: UUID) -> None:
    """Withdraw the pending reviews of a step whose deliverable needs no verdict any more."""
    await _sql.run(tx, "withdraw_reviews", step_id=step_id)


def review_note(reviews: Sequence[Review], names: Mapping[UUID, str], *, version: UUID) -> str:
    """Say who reviewed a version and why they were chosen, or why QA alone decided; empty before a verdict."""
    of_version = [review for review in reviews if review.deliverable_id == version]
    if waived := [review.feedback or "" for review in of_version if review.state == WAIVED]:
        readers = [
            f"Read as a whole by {names.get(review.reviewer, 'somebody')}."
            for review in of_version
            if review.has_verdict and review.reviewer and review.kind is ReviewKind.COHERENCE
        ]
        return " ".join([*waived, *readers])
    given = [
        f"{names.get(review.reviewer, 'somebody')} ({review.kind}{BY_LOWER_TIER * review.degraded}"
        f"{': ' + review.choice if review.choice else ''})"
        for review in of_version
        if review.has_verdict and review.reviewer
    ]
    return f"Reviewed by {' and '.join(given)}." if given else ""


def feedback_of(reviews: Sequence[Review]) -> str:
    """Join what the reviewers of one version say: who rejects first, nothing of one is lost by the other's word, and
    what several say alike stands once.
    """
    ended = sorted(
        (review for review in reviews if review.feedback and review.state != WAIVED),
        key=lambda review: review.state != "rejected",
    )
    if len(ended) == 1:
        return ended[0].feedback or ""
    alike: dict[tuple[str, str], list[str]] = {}
    for review in ended:
        alike.setdefault((review.state, review.feedback or ""), []).append(review.kind)
    return " ".join(
        f"The {' and '.join(kinds)} review{'s' if len(kinds) > 1 else ''} {state} it: {feedback}"
        for (state, feedback), kinds in alike.items()
    )


def may_review(agent: Agent, *, wrote: Collection[UUID]) -> bool:
    """Whether an agent may judge what those with the ids `wrote` made: active, no test identity, and none of them."""
    return agent.status is AgentStatus.ACTIVE and not agent.is_test and agent.id not in wrote


def review_scope(reviewer: Agent, role: Role) -> str:
    """Return "technical" if QA reviews work outside engineering (D-033): the craft, not the domain."""
    if reviewer.role is Role.QA and role not in {Role.ENGINEERING, Role.QA}:
        return "technical"
    return "full"
