"""A step with everything that was made, judged and paid for it, and the text of one of its versions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from frasier.board import blocked_tasks
from frasier.kernel.advice import Advice
from frasier.kernel.copy_fields import copy_fields
from frasier.kernel.errors import InvalidInput, NotFound
from frasier.llm import CallRecord, Verification, calls_of_task
from frasier.memory import markers_of
from frasier.org.governance import Review, reviews_of_steps
from frasier.org.missions import (
    Deliverable,
    HandoverNotes,
    MissionStep,
    deliverables_of,
    find_mission_task,
    get_mission,
    get_step,
    handover_notes_of,
)
from frasier.org.people import roster
from frasier.org.skills import skills_used_by_task
from frasier.overview.lost_work import as_waiting, read_lost_leases
from frasier.overview.waiting import PausedTask, pause_of
from frasier.store import Tx
from frasier.work import OmittedRule, phases_of, rules_left_out, sources_of, with_sources
from frasier.workflow import Task, dependencies_of, tasks_of

_MARKERS = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class VersionReview:
    """A review of a version, by a reviewer, the policy or the founder; waived by nobody where nobody could give it.

    `choice` is why this reviewer was chosen, `passages` what is quoted of the
    version, each with a remark, `invented` how many quotations were dropped because they are not in it, and `changes`
    what the reviewer found changed since the version before. A `degraded` one was given by a lower tier than was asked
    for.
    """

    kind: str
    by: str
    verdict: str
    overall: float | None
    scores: Mapping[str, Any] | None
    feedback: str | None
    reviewed_at: datetime | None
    choice: str
    passages: tuple[Mapping[str, str], ...]
    invented: int
    changes: str
    degraded: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class StepVersion:
    """A version of a step's result, without its text. `handover` are the notes that go with an accepted one."""

    version: int
    created_at: datetime
    chars: int
    sha256: str
    critique_mean: float | None
    critique: Mapping[str, Any] | None
    citation_score: float
    verification: Verification
    cites: tuple[int, ...]
    unknown_citations: tuple[int, ...]
    tier_asked: str
    tier_served: str
    model: str
    degraded: bool
    rehearsal: bool
    reviews: tuple[VersionReview, ...]
    handover: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class StepMarker:
    """A memory that a transition of the step wrote."""

    marker: UUID
    at: datetime
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StepCall:
    """A call to a model on behalf of the step."""

    call: UUID
    attempt: int
    phase: str
    purpose: str
    tier_asked: str
    tier_served: str
    model: str
    state: str
    degraded: bool
    cost_usd: float
    prompt_version: int
    tokens_in: int
    tokens_out: int
    tokens_cached: int
    duration_ms: int | None
    error: str | None
    started_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class StepSkill:
    """A version of a skill that the prompts of a run were given; `in_full` if also its long text."""

    skill: str
    version: int
    in_full: bool
    agent: str
    attempt: int


@dataclass(frozen=True, slots=True, kw_only=True)
class StepPage:
    """A step: its task as it is now, the versions that it made, and the calls that they took.

    The final one has the `reader` of the deliverable, its length in `words` (0 if none is wanted), `format` and
    `language`.
    """

    step: UUID
    mission: UUID
    mission_title: str
    key: str
    title: str
    status: str
    agent: str
    role: str
    tier: str
    is_final: bool
    instruction: str
    acceptance: tuple[str, ...]
    reader: str
    words: int
    format: str
    language: str
    needs: tuple[str, ...]
    strikes: int
    attempt: int
    failed_runs: int
    failure: str | None
    worker: str | None
    block: PausedTask | None
    phases: tuple[str, ...]
    rules_left_out: tuple[OmittedRule, ...]
    markers: tuple[StepMarker, ...]
    skills: tuple[StepSkill, ...]
    versions: tuple[StepVersion, ...]
    calls: tuple[StepCall, ...]
    cost_usd: float


@dataclass(frozen=True, slots=True, kw_only=True)
class VersionText:
    """The text of one version of a step's result, with the sources that it cites."""

    step: UUID
    key: str
    version: int
    sha256: str
    rehearsal: bool
    degraded: bool
    text: str


async def read_version(tx: Tx, name: str, version: int) -> VersionText:
    """Read the text of a version of the step `name`; raises NotFound where there is none."""
    step, task = await _find_step(tx, name)
    versions = {made.version: made for made in await deliverables_of(tx, [task.id])}
    if version not in versions:
        known = ", ".join(map(str, versions)) or "none yet"
        raise NotFound(f"The step {step.key} has no version {version}.", hint=f"There is: {known}.")
    sources = [(source.number, source.name, source.uri) for source in await sources_of(tx, step.mission_id)]
    made = versions[version]
    return VersionText(
        step=step.task_id,
        key=step.key,
        version=version,
        sha256=made.digest,
        rehearsal=made.rehearsal,
        degraded=made.degraded,
        text=with_sources(made.content, sources),
    )


async def read_step(tx: Tx, name: str) -> StepPage:
    """Read the step that `name` names: MISSION/KEY, or its id or a part of it. Raises NotFound and InvalidInput."""
    step, task = await _find_step(tx, name)
    mission = await get_mission(tx, step.mission_id)
    names = {agent.id: agent.name for agent in await roster(tx, active_only=False)}
    keys = {other.id: other.slug for other in await tasks_of(tx, step.mission_id)}
    edges = (await dependencies_of(tx, step.mission_id)).get(task.id, ())
    reviews = await reviews_of_steps(tx, [task.id])
    calls = await calls_of_task(tx, task.id)
    made = await deliverables_of(tx, [task.id])
    notes = await handover_notes_of(tx, [one.id for one in made])
    blocks = [blocked for blocked in await blocked_tasks(tx, step.mission_id) if blocked.id == task.id]
    markers = [
        StepMarker(marker=marker.id, at=marker.created_at, text=marker.content)
        for marker in await markers_of(tx, task.id, limit=_MARKERS)
    ]
    return copy_fields(
        StepPage,
        step,
        step=task.id,
        mission=mission.id,
        mission_title=mission.title,
        status="lost" if await read_lost_leases(tx, [task]) else as_waiting(task).status,
        agent=names.get(step.agent_id, "?"),
        acceptance=tuple(step.acceptance),
        needs=tuple(sorted(keys[edge.depends_on] for edge in edges)),
        strikes=task.strikes,
        attempt=task.attempt,
        failed_runs=task.failures,
        failure=task.failure,
        worker=task.lease_owner,
        block=pause_of(blocks[0]) if blocks else None,
        phases=tuple((await phases_of(tx, [task.id])).get(task.id, ())),
        rules_left_out=tuple(await rules_left_out(tx, [task])),
        markers=tuple(reversed(markers)),
        skills=tuple(
            StepSkill(
                skill=used.skill,
                version=used.version,
                in_full=used.in_full,
                agent=names.get(used.agent_id, "?"),
                attempt=used.attempt,
            )
            for used in await skills_used_by_task(tx, task.id)
        ),
        versions=tuple(_version(one, reviews, names, notes.get(one.id)) for one in made),
        calls=tuple(_call(call) for call in calls),
        cost_usd=sum(call.cost_usd_micros for call in calls) / 1_000_000,
    )


async def _find_step(tx: Tx, name: str) -> tuple[MissionStep, Task]:
    task = await find_mission_task(tx, name)
    if task.process != "mission_step":
        raise InvalidInput(
            f"{task.slug} is not a step but a task of the process {task.process}.",
            advice=Advice("mission.show", to="see the steps of its mission", mission=str(task.group_id)[-8:]),
        )
    return await get_step(tx, task.id), task


def _version(
    made: Deliverable, reviews: list[Review], names: Mapping[UUID, str], notes: HandoverNotes | None
) -> StepVersion:
    return copy_fields(
        StepVersion,
        made,
        chars=len(made.content),
        sha256=made.digest,
        citation_score=round(made.citations.score, 3),
        cites=tuple(made.citations.cited),
        unknown_citations=tuple(made.citations.unknown),
        reviews=tuple(_review(review, names) for review in reviews if review.deliverable_id == made.id),
        handover=notes.lines if notes else (),
    )


def _review(review: Review, names: Mapping[UUID, str]) -> VersionReview:
    return copy_fields(
        VersionReview,
        review,
        by=names.get(review.reviewer, "?") if review.reviewer else review.by_whom,
        verdict=review.state,
        passages=tuple(review.passages),
    )


def _call(call: CallRecord) -> StepCall:
    return copy_fields(StepCall, call, call=call.id, cost_usd=call.cost_usd_micros / 1_000_000)
