"""Marks of reviews: the founder's verdict, a colleague's, or a correction shows whether a review was right."""

from __future__ import annotations

from collections.abc import Sequence

from frasier.kernel.text import shorten
from frasier.org.governance import (
    MarkCause,
    Review,
    ReviewKind,
    mark_review,
    reviews_of_steps,
    reviews_of_version,
)
from frasier.org.missions import Deliverable, Mission, MissionStep, deliverables_of, get_deliverable
from frasier.store import Tx
from frasier.workflow import FOUNDER, SYSTEM

_DETAIL_CHARS = 300


async def mark_by_founder(
    tx: Tx, step: MissionStep, judged: Deliverable, *, approved: bool, reason: str
) -> None:
    """Mark every review of the same content, also of an earlier version that came back unchanged, by the founder's
    verdict on it.
    """
    same = {one.id for one in await deliverables_of(tx, [step.task_id]) if one.digest == judged.digest}
    for review in await reviews_of_steps(tx, [step.task_id]):
        if review.deliverable_id in same and review.has_verdict:
            await mark_review(
                tx,
                review,
                MarkCause.FOUNDER,
                digest=judged.digest,
                agrees=(review.state == "approved") == approved,
                actor=str(FOUNDER),
                detail=shorten(reason, _DETAIL_CHARS),
            )


async def mark_by_colleagues(tx: Tx, judged: Deliverable, reviews: Sequence[Review]) -> None:
    """Mark the reviews of a version by each other: who approves what another rejects has missed something.

    A rejection that a colleague does not share is not marked: the other may have missed it. Nor is who reads the whole
    compared with those who judge the parts.
    """
    given = [review for review in reviews if review.has_verdict and review.kind is not ReviewKind.COHERENCE]
    rejected = [review for review in given if review.state == "rejected"]
    for review in given:
        others = [one for one in given if one.id != review.id]
        against = [one for one in rejected if one.id != review.id]
        if not others or (review.state == "rejected" and not against):
            continue
        await mark_review(
            tx,
            review,
            MarkCause.COLLEAGUE,
            digest=judged.digest,
            agrees=not (review.state == "approved" and against),
            actor=str(SYSTEM),
            detail=shorten(against[0].feedback or "", _DETAIL_CHARS) if against else "",
        )


async def mark_corrected(tx: Tx, mission: Mission, wish: str) -> None:
    """Mark the approvals of a delivered result of which the founder wants a corrected version."""
    if mission.final_deliverable is None:
        return
    final = await get_deliverable(tx, mission.final_deliverable)
    for review in await reviews_of_version(tx, final.task_id, final.id):
        if review.has_verdict and review.state == "approved":
            await mark_review(
                tx,
                review,
                MarkCause.CORRECTION,
                digest=final.digest,
                agrees=False,
                actor=str(FOUNDER),
                detail=shorten(wish, _DETAIL_CHARS),
            )
