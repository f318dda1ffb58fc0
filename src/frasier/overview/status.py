"""The state of everything: missions, tasks, what waits for the founder, what is spent, and who works."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from frasier.board import (
    Brief,
    BusyWorker,
    Outage,
    any_worker_is_up,
    blocked_tasks,
    busy_workers,
    open_outages,
)
from frasier.llm import Tier, caps_now
from frasier.memory import TierProposal, UnreadEdit
from frasier.org.governance import FounderQuestion, open_questions
from frasier.org.missions import MissionStatus, count_missions, degraded_missions, list_missions
from frasier.overview.board import OpenTasks, count_open_tasks
from frasier.overview.costs import Spend, spend_of
from frasier.overview.model_troubles import ModelTrouble, read_model_troubles
from frasier.overview.questions import WaitingQuestion, waiting_questions
from frasier.overview.setup import Setup
from frasier.overview.standing_rules import StandingRule, read_standing_rules
from frasier.overview.subscriptions import read_outages_of_subscriptions
from frasier.overview.waiting import (
    InterruptedMission,
    PausedTask,
    UnsettledEffect,
    effect_of,
    interrupted_missions,
    pause_of,
    waiting_decisions,
    waiting_files,
)
from frasier.store import Tx, lease_holders, open_effects

_LATEST = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class LatestMission:
    """A mission as a line; `folder` is where its deliverable is. An accepted step of a `degraded` one was made with
    less than was asked for.
    """

    mission: UUID
    title: str
    status: MissionStatus
    waits_for_founder: bool
    created_at: datetime
    folder: str | None
    degraded: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesInForce:
    """The number of standing rules in force, and those that find no room in prompts."""

    in_force: int
    left_out: tuple[StandingRule, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitingCounts:
    """The things that wait for a decision of the founder, and the tasks that wait for somebody to move them: those of
    the organisation for a worker, those on boards for a member. `attended` says that a worker is there.
    """

    decision: int
    worker: int
    member: int
    attended: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    """The state of everything. `effects` are the oldest of those in trouble, which are `effects_in_trouble` in all;
    `spend` is that of the "day" and of the "month".
    """

    rehearsal: bool
    models: Mapping[Tier, str]
    web_search: bool
    database: str
    missions: Mapping[MissionStatus, int]
    tasks: OpenTasks
    board_tasks: OpenTasks
    waiting_for_founder: tuple[WaitingQuestion, ...]
    decisions: tuple[Brief, ...]
    files: tuple[TierProposal, ...]
    unread_files: tuple[UnreadEdit, ...]
    blocked_for_founder: tuple[PausedTask, ...]
    interrupted: tuple[InterruptedMission, ...]
    effects_in_trouble: int
    effects: tuple[UnsettledEffect, ...]
    standing_rules: RulesInForce
    outages: tuple[Outage, ...]
    model_troubles: tuple[ModelTrouble, ...]
    spend: Mapping[str, Spend]
    workers: tuple[BusyWorker, ...]
    heartbeat: bool
    waits_for: WaitingCounts
    latest: tuple[LatestMission, ...]


async def read_status(tx: Tx, setup: Setup) -> Status:
    """Read the state of everything for a process with that setup."""
    questions = await open_questions(tx)
    entries = waiting_questions(questions)
    asked_about = {question.task_id for question in questions}
    blocked = [pause_of(one) for one in await blocked_tasks(tx) if one.id not in asked_about]
    effects = await open_effects(tx)
    files, unread_files = await waiting_files(tx)
    rules = await read_standing_rules(tx)
    decisions = await waiting_decisions(tx)
    own_blocks = tuple(one for one in blocked if one.is_the_founders)
    tasks, board_tasks = await count_open_tasks(tx)
    return Status(
        rehearsal=setup.rehearsal,
        models=setup.models,
        web_search=setup.web_search,
        database="embedded" if setup.database_address is None else "external",
        missions=await count_missions(tx),
        tasks=tasks,
        board_tasks=board_tasks,
        waiting_for_founder=entries,
        decisions=decisions,
        files=files,
        unread_files=unread_files,
        blocked_for_founder=own_blocks,
        interrupted=await interrupted_missions(tx),
        effects_in_trouble=len(effects),
        effects=tuple(effect_of(effect) for effect in effects[:_LATEST]),
        standing_rules=RulesInForce(
            in_force=len(rules), left_out=tuple(rule for rule in rules if not rule.in_prompts)
        ),
        outages=(*await open_outages(tx), *await read_outages_of_subscriptions(tx)),
        model_troubles=await read_model_troubles(tx),
        spend={use.scope: spend_of(use) for use in await caps_now(tx, setup.caps)},
        workers=tuple(worker for worker in await busy_workers(tx) if not worker.has_ended),
        heartbeat="heartbeat" in await lease_holders(tx),
        waits_for=WaitingCounts(
            decision=sum(map(len, (entries, decisions, files, unread_files, own_blocks))),
            worker=tasks.ready + tasks.retrying + tasks.lost,
            member=board_tasks.ready + board_tasks.to_be_moved,
            attended=await any_worker_is_up(tx),
        ),
        latest=await _latest_missions(tx, questions),
    )


async def _latest_missions(tx: Tx, questions: Sequence[FounderQuestion]) -> tuple[LatestMission, ...]:
    asked = {question.mission_id for question in questions}
    missions = await list_missions(tx, limit=_LATEST)
    degraded = await degraded_missions(tx, [mission.id for mission in missions])
    return tuple(
        LatestMission(
            mission=mission.id,
            title=mission.title,
            status=mission.status,
            waits_for_founder=mission.id in asked and mission.status.depends_on_answers,
            created_at=mission.created_at,
            folder=mission.delivered_path,
            degraded=mission.id in degraded,
        )
        for mission in missions
    )
