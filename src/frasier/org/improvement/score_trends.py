"""The scores of an agent's work, version by version, and their trend with intervals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from frasier.kernel.statistics.estimate import seed_of
from frasier.org.governance import reviews_of_steps
from frasier.org.missions import newest_steps_of
from frasier.org.staffing import ScoreTrend, trend_of
from frasier.store import Tx

_STEPS_READ = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoredVersion:
    """A version of a deliverable with the mean of its reviewers' scores, and when the last of them was given."""

    at: datetime
    score: float


async def scored_versions(tx: Tx, steps: Sequence[UUID]) -> list[ScoredVersion]:
    """Return the versions of some steps that reviewers scored, in the order in which they were."""
    scores: dict[UUID, list[float]] = {}
    last: dict[UUID, datetime] = {}
    for review in await reviews_of_steps(tx, list(steps)):
        if review.overall is None or review.reviewer is None or review.reviewed_at is None:
            continue
        scores.setdefault(review.deliverable_id, []).append(review.overall)
        last[review.deliverable_id] = max(
            review.reviewed_at, last.get(review.deliverable_id, review.reviewed_at)
        )
    versions = [
        ScoredVersion(at=last[version], score=sum(given) / len(given)) for version, given in scores.items()
    ]
    return sorted(versions, key=lambda one: one.at)


async def scores_of_agent(tx: Tx, agent_id: UUID) -> list[ScoredVersion]:
    """Return the scored versions of an agent's newest steps, oldest first."""
    steps = await newest_steps_of(tx, agent_id, limit=_STEPS_READ)
    return await scored_versions(tx, [step.task_id for step in steps])


async def read_score_trend(tx: Tx, agent_id: UUID) -> ScoreTrend:
    """Read the trend of an agent's scores: the newest, and those before them."""
    scores = [one.score for one in await scores_of_agent(tx, agent_id)]
    return trend_of(scores, seed=seed_of(agent_id, "scores"))
