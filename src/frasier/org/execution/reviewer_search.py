"""The search for the reviewer of a step among all colleagues: what its subject is, who wrote a part of it, and what
speaks for each of them.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from uuid import UUID

from frasier.kernel.text import shorten
from frasier.org.governance import ReviewKind, ReviewRecord, review_records
from frasier.org.missions import (
    MissionStep,
    accepted_works,
    authors_of,
    built_from,
    get_mission,
    read_workload,
    steps_of,
)
from frasier.org.people import get_agent, roster
from frasier.org.skills import read_expertise
from frasier.org.staffing import (
    ReviewerCandidate,
    ReviewerChoice,
    Subject,
    choose_reviewer,
    subject_of_work,
)
from frasier.store import Tx

_WORKS_EACH = 30
_DIRECTIVE_CHARS = 1_000


class ReviewerSearch:
    """The search for the reviewers of one step, with everything read once."""

    def __init__(
        self,
        subject: Subject,
        candidates: Sequence[ReviewerCandidate],
        *,
        wrote: Collection[UUID],
        team: str | None,
    ) -> None:
        self.subject = subject
        self.wrote = frozenset(wrote)
        self._candidates = candidates
        self._team = team

    @classmethod
    async def of(cls, tx: Tx, step: MissionStep) -> ReviewerSearch:
        """Read the subject of a step, its authors, and all colleagues."""
        author = await get_agent(tx, step.agent_id)
        return cls(
            await subject_of(tx, step),
            await read_candidates(tx),
            wrote=await authors_of(tx, step),
            team=author.team,
        )

    def choose(self, kind: ReviewKind, *, taken: Collection[UUID] = ()) -> ReviewerChoice:
        """Choose who gives a review of this kind; those with the ids `taken` give another one.

        Where nobody else is there to read a work as a whole, QA does it beside its own review.
        """
        choice = self._choose(kind, taken)
        if kind is ReviewKind.COHERENCE and choice.reviewer is None:
            return self._choose(ReviewKind.QA, ())
        return choice

    def _choose(self, kind: ReviewKind, taken: Collection[UUID]) -> ReviewerChoice:
        return choose_reviewer(
            kind, self.subject, self._candidates, wrote=self.wrote, team=self._team, taken=taken
        )


async def subject_of(tx: Tx, step: MissionStep) -> Subject:
    """Return the subject of a step: the field that its plan names, else that which the steps it is built from name."""
    author = await get_agent(tx, step.agent_id)
    text = f"{step.title}\n{step.instruction}"
    if step.is_final:
        text += f"\n{shorten((await get_mission(tx, step.mission_id)).directive, _DIRECTIVE_CHARS)}"
    own = subject_of_work(text, named=step.subject, author=author, role=step.role)
    if own.name:
        return own
    below = await built_from(tx, step)
    named = {
        found.name
        for one in await steps_of(tx, step.mission_id)
        if one.task_id in below and one.task_id != step.task_id
        if (
            found := subject_of_work(
                "", named=one.subject, author=await get_agent(tx, one.agent_id), role=one.role
            )
        ).name
    }
    if len(named) != 1:
        return own
    return subject_of_work(text, named=named.pop(), author=author, role=step.role)


async def read_candidates(tx: Tx) -> list[ReviewerCandidate]:
    """Read what speaks for each colleague who is given work."""
    everybody = await roster(tx)
    ids = [agent.id for agent in everybody]
    works = await accepted_works(tx, ids, limit=_WORKS_EACH)
    records = await review_records(tx, ids)
    load = (await read_workload(tx)).open
    return [
        ReviewerCandidate(
            expertise=one,
            works=tuple(works.get(one.agent.id, ())),
            record=records.get(one.agent.id, ReviewRecord()),
            load=load.get(one.agent.id, 0),
        )
        for one in await read_expertise(tx, everybody)
    ]
