"""The progress of a mission at one moment: its steps, their reviews, its spend, and what holds it up."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TypeVar
from uuid import UUID

from frasier.board import anybody_works, is_refused_by_all
from frasier.kernel.deliverable_kind import DeliverableKind
from frasier.llm import Verification, spend_of_mission, unanswered_calls
from frasier.memory import list_directives
from frasier.org.execution import unsettled_of
from frasier.org.governance import Review, open_questions, review_note, reviews_of_steps
from frasier.org.missions import (
    PUBLISH_FOLDER,
    Deliverable,
    MissionStatus,
    degradation_of,
    deliverables_of,
    get_mission,
    left_out_of,
    steps_of,
)
from frasier.org.people import roster
from frasier.overview.expected_end import seconds_left
from frasier.overview.lost_work import as_waiting, read_lost_leases
from frasier.overview.mission_ending import MissionEnding, ending_of
from frasier.overview.mission_plan import PlanView, read_plan
from frasier.overview.model_troubles import ModelTrouble, read_model_troubles
from frasier.overview.phase_names import name_phase, phase_after
from frasier.overview.present_moment import present_moment
from frasier.overview.questions import WaitingQuestion, seconds_of_waiting, waiting_questions
from frasier.overview.rest_time import MissionRest, rests_of, seconds_of_rest
from frasier.overview.step_work import NO_WORK, StepWork, read_work
from frasier.overview.version_change import read_change
from frasier.store import SENDER_GONE, Tx, effects_of
from frasier.work import OmittedRule, phases_of, rules_left_out
from frasier.workflow import BLOCKED, Task, dependencies_of, levels, tasks_of

_Item = TypeVar("_Item")

_ASIDE = {"hire": "hire", "routine": "talk", "replan": "planning anew"}
"""The processes whose tasks stand beside the steps, with what is done in them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewResult:
    """The outcome of a review of a `version` of a step, by a reviewer or by the policy; `choice` is why by them."""

    id: UUID
    version: int
    kind: str
    by: str
    verdict: str
    overall: float | None
    feedback: str | None
    choice: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class StepProgress:
    """A step as a row. Its `status` is that of its task, and "lost" while its worker has ended or fell silent.
    One that is not `planned` is planning itself, or what is done beside the steps of the plan, as a hire.
    `level` is how deep in the graph it stands; `needs` are the keys it waits for or waited for.
    The final one has the `kind` of the deliverable. `review_note` says who reviewed its newest version, and why.
    """

    key: str
    title: str
    agent: str
    status: str
    phase: str
    level: int
    needs: tuple[str, ...]
    version: int
    strikes: int
    failure: str | None
    reviews: tuple[ReviewResult, ...]
    citation_score: float | None
    verification: Verification | None
    degraded: bool
    kind: DeliverableKind | None = None
    work: StepWork = NO_WORK
    review_note: str = ""
    planned: bool = True

    @property
    def approvals(self) -> tuple[ReviewResult, ...]:
        """The approvals of the version that was approved last."""
        approved = [review for review in self.reviews if review.verdict == "approved"]
        latest = max((review.version for review in approved), default=0)
        return tuple(review for review in approved if review.version == latest)

    @property
    def score(self) -> float | None:
        """The mean of the reviewers' scores of the version that was approved last."""
        scores = [one.overall for one in self.approvals if one.overall]
        return round(sum(scores) / len(scores), 1) if scores else None

    @property
    def has_failed(self) -> bool:
        return self.status in {"failed", "cancelled"}


@dataclass(frozen=True, slots=True, kw_only=True)
class MissionProgress:
    """`waiting` is what only the founder can settle, `model_troubles` what may pass by itself. `attended` says that
    somebody works; `seconds_left` is an estimate, None while there is nothing to go by. `plan` is the one that it has,
    or that waits for the founder. `waited_s` are the seconds in which the plan waited for the founder; `seconds` are
    all others, without those in which it was paused, or had ended before it was taken up again. `left_out` says of
    each step that was left out why, `unsettled` what its result lacks or its last review found. Of ended missions
    alone are known `rules_left_out`, how many rules were `rules_unread` because a rehearsal understands none, what is
    `degraded` and why, and the `change` from the result before. `calls` leaves the `unanswered_calls` out, as caps do.
    """

    mission_id: UUID
    title: str
    status: MissionStatus
    rehearsal: bool
    seconds: float
    cost_usd: float
    budget_usd: float | None
    calls: int
    steps: tuple[StepProgress, ...]
    waiting: tuple[WaitingQuestion, ...]
    model_troubles: tuple[ModelTrouble, ...]
    stuck: bool
    path: str | None
    failure: str | None
    publication_error: str | None
    ended_at: datetime | None
    rules_left_out: tuple[OmittedRule, ...] = ()
    rules_unread: int = 0
    attended: bool = True
    seconds_left: float | None = None
    plan: PlanView | None = None
    waited_s: float = 0.0
    left_out: tuple[str, ...] = ()
    unsettled: tuple[str, ...] = ()
    degraded: str = ""
    change: str = ""
    unanswered_calls: int = 0

    @property
    def ending(self) -> MissionEnding | None:
        """The way in which the mission ended; None while it goes on."""
        return ending_of(
            self.status,
            has_gaps=bool(self.left_out or self.unsettled),
            keeps_earlier=self.revision_failure is not None,
            unpublished=self.publication_error is not None,
        )

    @property
    def kind(self) -> DeliverableKind | None:
        """The kind of the deliverable, once it is planned."""
        return next((step.kind for step in self.steps if step.kind), None)

    @property
    def revision_failure(self) -> str | None:
        """The reason why a delivered result has no new version, although one was asked for."""
        if self.status is not MissionStatus.DELIVERED:
            return None
        return next(
            (step.failure or step.status for step in self.steps if step.kind and step.has_failed), None
        )

    @property
    def trouble(self) -> str | None:
        """The reason why the mission or a new version of it failed, or why its folder cannot be written."""
        return self.failure or self.publication_error or self.revision_failure

    @property
    def over(self) -> bool:
        return self.status.ended or (
            self.status is MissionStatus.COMPLETED and self.publication_error is not None
        )

    @property
    def waits_for_founder(self) -> bool:
        """Nothing moves until the founder acts."""
        return self.stuck or self.status is MissionStatus.PAUSED


def _planned_seconds(plan: PlanView | None) -> float | None:
    return plan.estimate.seconds.expected if plan and plan.estimate else None


async def read_progress(tx: Tx, mission_id: UUID) -> MissionProgress:
    """Read a mission with its steps, spend and open questions."""
    mission = await get_mission(tx, mission_id)
    spend = await spend_of_mission(tx, mission_id)
    tasks = await tasks_of(tx, mission_id)
    questions = [question for question in await open_questions(tx) if question.mission_id == mission_id]
    publications = [one for one in await effects_of(tx, mission_id) if one.kind == PUBLISH_FOLDER]
    troubles = [one.error or one.state for one in publications if one.in_trouble and one.error != SENDER_GONE]
    open_tasks = [task for task in tasks if not task.terminal]
    movable = [task for task in open_tasks if _can_move(task, tasks)]
    is_held = any(task.lease_owner for task in open_tasks)
    attended = not open_tasks or (
        await anybody_works(tx, mission_id)
        and (is_held or not await is_refused_by_all(tx, mission_id, rehearsal=mission.rehearsal))
    )
    model_troubles = await read_model_troubles(tx, mission_id)
    causes = [told for trouble in model_troubles for told in (trouble.cause, trouble.provider)]
    present, rests = await present_moment(tx), await rests_of(tx, mission_id)
    shared = _Shared(causes=causes, present=present, rests=rests)
    steps = await _steps(tx, mission_id, tasks, attended=attended, shared=shared)
    plan = await read_plan(tx, mission)
    now = mission.ended_at or present
    waited = await seconds_of_waiting(tx, [task.id for task in tasks if task.process == "planning"], now)
    rested = seconds_of_rest(rests, mission.created_at, now)
    return MissionProgress(
        mission_id=mission.id,
        title=mission.title,
        status=mission.status,
        rehearsal=mission.rehearsal,
        seconds=max((now - mission.created_at).total_seconds() - waited - rested, 0.0),
        waited_s=waited,
        cost_usd=spend.spent_usd_micros / 1_000_000,
        budget_usd=spend.budget_usd,
        calls=spend.calls,
        unanswered_calls=await unanswered_calls(tx, mission_id),
        steps=steps,
        waiting=waiting_questions(questions),
        model_troubles=model_troubles,
        stuck=bool(open_tasks) and not movable,
        attended=attended,
        seconds_left=seconds_left(steps, planned=_planned_seconds(plan)) if open_tasks and attended else None,
        path=mission.delivered_path,
        left_out=tuple(step.sentence for step in await left_out_of(tx, mission_id)),
        unsettled=await unsettled_of(tx, mission),
        degraded=await degradation_of(tx, mission_id) if mission.status.ended else "",
        change=await read_change(tx, mission) if mission.status.ended else "",
        failure=mission.failure,
        publication_error=troubles[0] if troubles else None,
        plan=plan,
        ended_at=mission.ended_at,
        # Watchers read this several times a second, and this reads whole contexts: only at the end.
        rules_left_out=tuple(await rules_left_out(tx, tasks)) if mission.status.ended else (),
        rules_unread=len(await list_directives(tx)) if mission.rehearsal and mission.status.ended else 0,
    )


def _can_move(task: Task, tasks: list[Task]) -> bool:
    """Whether the organisation itself can carry on with a task: ready, running, or waiting for something that can."""
    if task.status == BLOCKED or task.held:
        return False
    if task.status == "in_review":
        return any(
            t.process in {"review", "routine"}
            and t.slug.startswith(f"{task.slug}-v")
            and not t.terminal
            and t.status != BLOCKED
            and t.pending_deps == 0
            for t in tasks
        )
    return task.pending_deps == 0


@dataclass(frozen=True, slots=True, kw_only=True)
class _Shared:
    """Facts that rows share: the `causes` told of the mission and their services, the present, and when it rested."""

    causes: Sequence[str]
    present: datetime
    rests: Sequence[MissionRest]


async def _steps(
    tx: Tx, mission_id: UUID, tasks: list[Task], *, attended: bool, shared: _Shared
) -> tuple[StepProgress, ...]:
    tasks = [as_waiting(task) for task in tasks]
    by_id = {task.id: task for task in tasks}
    # A plan may have been accepted since the tasks were read: its steps are shown next time.
    steps = [step for step in await steps_of(tx, mission_id) if step.task_id in by_id]
    ids = [step.task_id for step in steps]
    names = {agent.id: agent.name for agent in await roster(tx, active_only=False)}
    aside = [task for task in tasks if task.process in _ASIDE]
    talks = [task.slug for task in aside if task.process == "routine" and not task.terminal]
    keys = {step.task_id: step.key for step in steps} | {task.id: task.slug for task in aside}
    edges = await dependencies_of(tx, mission_id)
    needs: dict[UUID, list[UUID]] = {task.id: [] for task in aside}
    needs |= {
        step.task_id: [edge.depends_on for edge in edges.get(step.task_id, ()) if edge.depends_on in keys]
        for step in steps
    }
    depth = levels(needs)
    reached = await phases_of(tx, ids)
    leases = await read_lost_leases(tx, tasks)
    lost = {task_id: lease.text(attended=attended) for task_id, lease in leases.items()}
    works = await read_work(tx, mission_id, tasks, lost=lost, rests=shared.rests, now=shared.present)
    versions = _grouped(await deliverables_of(tx, ids), lambda made: made.task_id)
    reviews = _grouped(await reviews_of_steps(tx, ids), lambda review: review.step_id)
    rows = [
        _with_loss(_task_view(task, names, works[task.id], shared), [task.id], lost)
        for task in (*(one for one in tasks if one.process == "planning"), *aside)
    ]
    for step in sorted(steps, key=lambda step: (depth[step.task_id], step.key)):
        task = by_id[step.task_id]
        made = versions.get(step.task_id, [])
        judged = reviews.get(step.task_id, [])
        waits_for = [keys[needed] for needed in needs[step.task_id] if not by_id[needed].terminal]
        waits_for += [slug for slug in talks if slug.startswith(f"{task.slug}-v")]
        phase = _phase(
            task, reached.get(step.task_id, []), judged, names, open_phase=works[step.task_id].phase
        )
        row = StepProgress(
            key=step.key,
            title=step.title,
            agent=names.get(step.agent_id, "?"),
            status=task.status,
            phase=phase or _wait(task, waits_for, shared),
            level=depth[step.task_id] + 1,
            needs=tuple(keys[needed] for needed in needs[step.task_id]),
            version=len(made),
            strikes=task.strikes,
            failure=task.failure,
            reviews=_reviews(judged, made, names),
            citation_score=round(made[-1].citations.score, 3) if made else None,
            verification=made[-1].verification if made else None,
            degraded=bool(made) and made[-1].degraded,
            kind=step.kind,
            review_note=review_note(judged, names, version=made[-1].id) if made else "",
            work=_with_reviews(works, task, judged),
        )
        rows.append(_with_loss(row, [task.id, *_review_tasks(judged)], lost))
    return tuple(rows)


def _grouped(items: Iterable[_Item], key: Callable[[_Item], UUID]) -> dict[UUID, list[_Item]]:
    groups: dict[UUID, list[_Item]] = {}
    for item in items:
        groups.setdefault(key(item), []).append(item)
    return groups


def _review_tasks(reviews: list[Review]) -> list[UUID]:
    return [review.review_task for review in reviews if review.review_task]


def _with_loss(row: StepProgress, tasks: list[UUID], lost: Mapping[UUID, str]) -> StepProgress:
    """Say of work that nobody does any more that it is lost, and why; `tasks` are the step's own and its reviews'."""
    reasons = [lost[task_id] for task_id in tasks if task_id in lost]
    if not reasons:
        return row
    if tasks[0] in lost:
        return replace(row, status="lost", phase=reasons[0])
    return replace(row, phase=f"{row.phase}: {reasons[0]}")


def _with_reviews(works: Mapping[UUID, StepWork], task: Task, reviews: list[Review]) -> StepWork:
    """Return the work on a step and on its reviews, as one: what reviewers cost and do is the step's."""
    own = works[task.id]
    of_reviews = [works[task_id] for task_id in _review_tasks(reviews) if task_id in works]
    asking = [work for work in (own, *of_reviews) if work.asking]
    return replace(
        own,
        cost_usd=own.cost_usd + sum(work.cost_usd for work in of_reviews),
        calls=own.calls + sum(work.calls for work in of_reviews),
        asking=asking[0].asking if asking else None,
        asking_s=asking[0].asking_s if asking else None,
    )


def _name(names: dict[UUID, str], agent_id: UUID | None) -> str:
    return names.get(agent_id, "?") if agent_id else "?"


def _task_view(task: Task, names: dict[UUID, str], work: StepWork, shared: _Shared) -> StepProgress:
    """Return planning, a hire, a routine, or the new plan of a step as a row beside the steps."""
    plans = task.process == "planning"
    return StepProgress(
        key=task.slug,
        title="Plan the directive" if plans else task.title,
        agent=_name(names, task.assignee),
        status=task.status,
        phase=_ASIDE.get(task.process, "planning")
        if task.status == "active"
        else _wait(task, ["brainstorm"] if task.pending_deps else [], shared),
        level=0 if plans else 1,
        needs=(),
        version=0,
        strikes=0,
        failure=task.failure,
        reviews=(),
        citation_score=None,
        verification=None,
        degraded=False,
        work=work,
        planned=False,
    )


def _phase(
    task: Task, reached: list[str], reviews: list[Review], names: dict[UUID, str], *, open_phase: str
) -> str:
    if task.status == "in_review":
        pending = [review for review in reviews if review.state == "pending" and review.reviewer]
        named = [f"{review.kind} review by {_name(names, review.reviewer)}" for review in pending]
        return " · ".join(named) or "review"
    if task.status != "active":
        return task.failure or "" if task.status == "failed" else ""
    if open_phase:
        return name_phase(open_phase, strikes=task.strikes)
    return phase_after(reached, strikes=task.strikes)


def _wait(task: Task, needs: list[str], shared: _Shared) -> str:
    """Say what a pending step waits for; nothing of one that could not be worked on. The causes that are told of the
    mission are not repeated.
    """
    if task.status != "pending":
        return ""
    if needs:
        return f"after {', '.join(sorted(needs))}"
    if task.held:
        return "paused"
    seconds = (task.run_after - shared.present).total_seconds()
    if seconds > 0:
        reason = task.fields.get("reason", "")
        if any(cause in reason for cause in shared.causes):
            # Its service is tried sooner, by one of the tasks that wait for it; the others follow when it answers.
            return f"again in at most {seconds:.0f} s, or when the service answers"
        return f"again in {seconds:.0f} s" + (f": {reason}" if reason else "")
    return "waits for a worker"


def _reviews(
    reviews: list[Review], made: list[Deliverable], names: dict[UUID, str]
) -> tuple[ReviewResult, ...]:
    """Return the reviews of the versions that were made; those of one that was stored meanwhile are shown next time."""
    versions = {version.id: version.version for version in made}
    return tuple(
        ReviewResult(
            id=review.id,
            version=versions[review.deliverable_id],
            kind=str(review.kind),
            by=names.get(review.reviewer, "?") if review.reviewer else review.by_whom,
            verdict=review.state,
            overall=review.overall,
            feedback=review.feedback,
            choice=review.choice,
        )
        for review in reviews
        if review.deliverable_id in versions
    )
