"""People at work: what each agent does now, what came of its work, and how reviewers judged it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from frasier.store import Statements, Tx, from_row

_sql = Statements("frasier.overview")


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkNow:
    """A task that an agent works on, since a moment; `activity` is the newest line about it.

    `mission` and `step` are None for work outside missions, `step` for what is no step, such as a review.
    """

    agent: UUID
    task: UUID
    process: str
    slug: str
    title: str
    since: datetime
    mission: UUID | None
    mission_title: str | None
    step: str | None
    activity: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentRecord:
    """The record of an agent's work: accepted steps, versions sent back, and the mean of its `reviews` from 1 to 5.

    `cost_usd` is that of all its calls.
    """

    agent: UUID
    accepted: int
    rejected: int
    reviews: int
    score: float | None
    cost_usd: float


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenReview:
    """A review of a step: who did the step, and who judged it; `reviewer` is empty for the policy and the founder."""

    mission: UUID
    step: str
    title: str
    mission_title: str
    kind: str
    state: str
    overall: float | None
    feedback: str | None
    reviewed_at: datetime
    author: str
    reviewer: str


async def read_work_now(tx: Tx) -> tuple[WorkNow, ...]:
    """Read what the agents work on at this moment, the oldest first."""
    return tuple([from_row(WorkNow, row) for row in await _sql.all(tx, "work_now")])


async def read_agent_records(tx: Tx) -> dict[UUID, AgentRecord]:
    """Read what came of each agent's work."""
    return {
        row["agent"]: AgentRecord(
            agent=row["agent"],
            accepted=row["accepted"],
            rejected=row["rejected"],
            reviews=row["reviews"],
            score=row["score"],
            cost_usd=row["usd_micros"] / 1_000_000,
        )
        for row in await _sql.all(tx, "agent_records")
    }


async def read_reviews_received(tx: Tx, agent: UUID, *, limit: int) -> tuple[GivenReview, ...]:
    """Read the newest reviews of an agent's steps."""
    rows = await _sql.all(tx, "reviews_received", agent=agent, limit=limit)
    return tuple([from_row(GivenReview, row) for row in rows])


async def read_reviews_given(tx: Tx, agent: UUID, *, limit: int) -> tuple[GivenReview, ...]:
    """Read the newest reviews that an agent gave."""
    rows = await _sql.all(tx, "reviews_given", agent=agent, limit=limit)
    return tuple([from_row(GivenReview, row) for row in rows])
