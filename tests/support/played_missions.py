"""Missions that are carried out by use cases, with drawn times, scores and verdicts, and planted faults among them.

Three authors write, three others review, and the founder judges two of three results. The clock of the database is set
forward for each run, so that nothing waits.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from uuid import UUID

import psycopg

from frasier.kernel.evaluation_scale import Clarity, Usefulness
from frasier.org.execution import apply_verdict, deliver_step
from frasier.org.execution.founder_verdict import approve_step, reject_step
from frasier.org.governance import (
    AutonomySettings,
    EvaluatedVersion,
    NewEvaluation,
    QuotedRemark,
    ReviewKind,
    Verdict,
    review_of_task,
    store_member_evaluation,
)
from frasier.org.missions import Draft, MissionStep, get_deliverable, get_mission
from frasier.org.people import Agent, roster
from frasier.org.staffing import ReviewerChoice
from frasier.store import Database, Tx
from frasier.work.run_log import begin_runs, end_run
from frasier.work.run_outcomes import Done
from frasier.workflow import Task, claim
from support.cli_states import ACTOR, TEXT, WORKER, Planned, planned_mission, rehearsed_draft

_ALL_REVIEWED = AutonomySettings(enabled=False)
_GOOD = 3.2


@dataclass(frozen=True, kw_only=True)
class Faults:
    """The places of planted faults: authors and reviewers by number, the mission in which a step takes too long."""

    bad_author: int | None = None
    flatterer: int | None = None
    contrary: int | None = None
    slow_mission: int | None = None


@dataclass
class PlayedOrganisation:
    """An organisation whose missions are played one after the other."""

    database: Database
    owner_url: str
    destination: Path
    seed: int
    faults: Faults = field(default_factory=Faults)
    wrote: frozenset[UUID] = frozenset()

    def __post_init__(self) -> None:
        self._chance = random.Random(self.seed)
        self._played = 0
        self._now = timedelta(0)
        self._owner: psycopg.Connection | None = None
        self.authors: list[Agent] = []
        self.reviewers: list[Agent] = []

    async def of(self, _tx: Tx, _step: MissionStep) -> PlayedOrganisation:
        """Stand in for the search of the reviewers of a step."""
        return self

    async def play(self, missions: int) -> list[UUID]:
        """Play some missions to their end, and return them."""
        with psycopg.connect(self.owner_url, autocommit=True) as self._owner:
            if not self.authors:
                self._owner.execute("select mark_test_database()")
            return [await self._play_one() for _ in range(missions)]

    async def evaluate(
        self, mission: UUID, member: str, *, usefulness: int, missing: Sequence[str] = ()
    ) -> None:
        """Have a member evaluate the result of a mission, with a usefulness from 1 to 5."""
        async with self.database.transaction() as tx:
            final = await get_deliverable(tx, (await get_mission(tx, mission)).final_deliverable)
            await store_member_evaluation(
                tx,
                member,
                EvaluatedVersion(
                    deliverable_id=final.id,
                    mission_id=mission,
                    digest=final.digest,
                    content=final.content,
                    producer=final.author,
                ),
                NewEvaluation(
                    evidence=(QuotedRemark(quotation=TEXT.split(".")[0], remark="It says so."),),
                    useful=(),
                    missing=tuple(missing),
                    unused=(),
                    inaccuracies=(),
                    effect="",
                    usefulness=list(Usefulness)[usefulness - 1],
                    clarity=Clarity.CLEAR,
                ),
            )

    def _pass(self, seconds: float) -> None:
        assert self._owner is not None
        self._now += timedelta(seconds=seconds)
        self._owner.execute("select offset_test_clock(%s)", (self._now,))

    async def _play_one(self) -> UUID:
        planned = await self.database.in_transaction(planned_mission, self.destination)
        if not self.authors:
            agents = sorted(await self.database.in_transaction(roster), key=lambda agent: agent.name)
            self.authors, self.reviewers = agents[:3], agents[3:6]
        for step in range(3):
            await self._carry_out(planned, is_last=step == 2)
        self._played += 1
        return planned.mission.id

    async def _carry_out(self, planned: Planned, *, is_last: bool) -> None:
        """Deliver steps until one is accepted; what comes after a rejection is good."""
        best = 0.0
        while True:
            author = self._chance.randrange(3)
            quality = self._chance.gauss(3.7, 0.5) - (1.4 if author == self.faults.bad_author else 0.0)
            quality, best = max(quality, best), _GOOD + 0.1
            step = await self._deliver(planned, author, quality)
            await self._review(step, quality, alone=not is_last)
            if is_last:
                await self._review(step, quality, alone=False)
                return
            if await self._judge(step, quality):
                return

    async def _deliver(self, planned: Planned, author: int, quality: float) -> MissionStep:
        self._pass(self._chance.uniform(1, 3))
        async with self.database.transaction() as tx:
            task = await self._claim(tx, "mission_step")
        step = next(step for step in planned.steps.values() if step.task_id == task.id)
        is_slow = self._played == self.faults.slow_mission and step.key == "report"
        self._pass(20 * self._chance.lognormvariate(0, 0.3) * (60 if is_slow else 1))
        async with self.database.transaction() as tx:
            await deliver_step(
                tx,
                step,
                _draft(step.title, quality),
                attempt=task.attempt,
                actor=ACTOR,
                autonomy=_ALL_REVIEWED,
                author=self.authors[author].id,
            )
            await end_run(tx, task, Done())
        return step

    def choose(self, kind: ReviewKind, *, taken: Collection[UUID] = ()) -> ReviewerChoice:
        """Choose a reviewer by lot, in place of the search."""
        free = [agent for agent in self.reviewers if agent.id not in taken]
        chosen = None if kind is ReviewKind.COHERENCE else self._chance.choice(free)
        return ReviewerChoice(reviewer=chosen, why="by lot")

    async def _claim(self, tx: Tx, process: str) -> Task:
        (task,) = await claim(tx, worker=WORKER, names=[process], lease_s=100_000)
        await begin_runs(tx, [task], worker=WORKER)
        return task

    async def _review(self, step: MissionStep, quality: float, *, alone: bool) -> None:
        """Have one of the reviewers give a verdict: an approval, unless it stands `alone` beside the founder's."""
        self._pass(self._chance.uniform(0.5, 1))
        async with self.database.transaction() as tx:
            task = await self._claim(tx, "review")
        self._pass(5 * self._chance.lognormvariate(0, 0.3))
        async with self.database.transaction() as tx:
            review = await review_of_task(tx, task.id)
            rater = [agent.id for agent in self.reviewers].index(review.reviewer)
            verdict = self._verdict(rater, quality, alone=alone)
            await apply_verdict(
                tx, step, review, verdict, attempt=task.attempt, worker=ACTOR, autonomy=_ALL_REVIEWED
            )
            await end_run(tx, task, Done())

    def _verdict(self, rater: int, quality: float, *, alone: bool) -> Verdict:
        flattery = 1.2 if rater == self.faults.flatterer else 0.0
        overall = round(min(max(quality + self._chance.gauss(0, 0.3) + flattery, 1), 5), 1)
        approved = (quality >= _GOOD) != (rater == self.faults.contrary) if alone else True
        return Verdict(approved=approved, overall=overall, scores={"depth": overall}, feedback="As it is.")

    async def _judge(self, step: MissionStep, quality: float) -> bool:
        """Give the founder's verdict, by quality; return whether it approves."""
        self._pass(self._chance.uniform(0.5, 1))
        async with self.database.transaction() as tx:
            if quality >= _GOOD:
                await approve_step(tx, str(step.task_id))
                return True
            await reject_step(tx, str(step.task_id), reason="It does not say enough.")
            return False


def _draft(title: str, quality: float) -> Draft:
    score = round(min(max(quality, 1), 5), 2)
    return rehearsed_draft(f"# {title}\n\n{TEXT}{random.random()}\n", score)
