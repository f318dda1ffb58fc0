"""Everything that waits for the founder, as several views show it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from frasier.board import (
    BlockedTask,
    Brief,
    anybody_works,
    blocked_tasks,
    briefs,
    is_refused_by_all,
    open_decisions,
)
from frasier.kernel.advice import Advice
from frasier.kernel.copy_fields import copy_fields
from frasier.memory import (
    FOUNDER_SCOPE,
    SHARED_SCOPE,
    Caller,
    TierProposal,
    UnreadEdit,
    tier_proposals,
    unread_edits,
)
from frasier.org.governance import open_questions
from frasier.org.missions import MissionStatus, list_missions
from frasier.overview.mission_progress import read_progress
from frasier.overview.questions import waiting_questions
from frasier.store import EffectState, Tx, effects_of, latest_effects

_MISSIONS = 50
_ID_CHARS = 8
_FOUNDER = Caller(name="founder", scopes=(SHARED_SCOPE, FOUNDER_SCOPE), founder=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class PausedTask:
    """A blocked task. `reasons` tell why, who must act, what they must do, and since when; `was` is the status that it
    goes back to, with `was_role`. `ends_with` is how the founder ends the pause.

    `mission` is None for a task of a board, `board` for one of a mission.
    """

    task: UUID
    slug: str
    title: str
    process: str
    mission: UUID | None
    board: str | None
    was: str
    was_role: str
    reasons: tuple[Mapping[str, Any], ...]
    blocked_at: datetime
    ends_with: Advice

    @property
    def is_the_founders(self) -> bool:
        """Whether it waits for the founder to act."""
        return any(reason["owner"] == "founder" for reason in self.reasons)


@dataclass(frozen=True, slots=True, kw_only=True)
class InterruptedMission:
    """A mission that could go on, and that nobody works on."""

    mission: UUID
    title: str
    status: MissionStatus
    goes_on_with: Advice


@dataclass(frozen=True, slots=True, kw_only=True)
class UnsettledEffect:
    """An effect outside the database, on behalf of `mission` or what else asked for it."""

    effect: UUID
    kind: str
    key: str
    state: str
    in_trouble: bool
    mission: UUID
    attempts: int
    error: str | None
    receipt: Mapping[str, Any] | None
    created_at: datetime
    settled_at: datetime | None


def pause_of(blocked: BlockedTask) -> PausedTask:
    """Return a blocked task as views show it."""
    on_board = blocked.board is not None
    return copy_fields(
        PausedTask,
        blocked,
        task=blocked.id,
        mission=None if on_board else blocked.group_id,
        reasons=tuple(blocked.reasons),
        ends_with=Advice("task.restore", task=f"{blocked.board}/{blocked.slug}")
        if on_board
        else Advice("mission.retry", mission=_end_of(blocked.id)),
    )


def effect_of(effect: EffectState) -> UnsettledEffect:
    """Return an effect as views show it."""
    return copy_fields(UnsettledEffect, effect, effect=effect.id, mission=effect.stream)


async def read_effects(tx: Tx, *, limit: int, sent: bool) -> tuple[UnsettledEffect, ...]:
    """Read the newest effects; those that were sent only where `sent`."""
    return tuple(effect_of(effect) for effect in await latest_effects(tx, limit=limit, sent=sent))


async def effects_by_id(tx: Tx, effects: Iterable[EffectState]) -> tuple[UnsettledEffect, ...]:
    """Read effects again, as they are now."""
    return tuple(
        [
            effect_of(now)
            for effect in effects
            for now in await effects_of(tx, effect.stream)
            if now.id == effect.id
        ]
    )


async def waiting_decisions(tx: Tx) -> tuple[Brief, ...]:
    """Read the moves on teams' boards that wait for the founder, each with what it is about."""
    return tuple(await briefs(tx, await open_decisions(tx)))


async def waiting_files(tx: Tx) -> tuple[tuple[TierProposal, ...], tuple[UnreadEdit, ...]]:
    """Read the memory files that wait for the founder: to confirm what they ask for, and to read what was changed."""
    return tuple(await tier_proposals(tx, _FOUNDER)), tuple(await unread_edits(tx, _FOUNDER))


async def count_waiting(tx: Tx) -> int:
    """Count what waits for a decision of the founder, as `read_status` does."""
    questions = await open_questions(tx)
    asked_about = {question.task_id for question in questions}
    blocked = [pause_of(one) for one in await blocked_tasks(tx) if one.id not in asked_about]
    files, unread_files = await waiting_files(tx)
    own_blocks = [one for one in blocked if one.is_the_founders]
    decisions = await open_decisions(tx)
    return sum(map(len, (waiting_questions(questions), decisions, files, unread_files, own_blocks)))


async def interrupted_missions(tx: Tx) -> tuple[InterruptedMission, ...]:
    """Read the missions that could go on, and that nobody works on: nobody at all, or nobody with their means."""
    newest = await list_missions(tx, limit=_MISSIONS)
    nobody_works = not await anybody_works(tx)
    refused = {
        one.id
        for one in newest
        if not one.status.ended and await is_refused_by_all(tx, one.id, rehearsal=one.rehearsal)
    }
    open_ones = [
        await read_progress(tx, one.id)
        for one in newest
        if not one.status.ended and (nobody_works or one.id in refused)
    ]
    return tuple(
        InterruptedMission(
            mission=one.mission_id,
            title=one.title,
            status=one.status,
            goes_on_with=Advice(
                "mission.resume",
                mission="last" if one.mission_id == newest[0].id else _end_of(one.mission_id),
            ),
        )
        for one in open_ones
        if not one.over and not one.waits_for_founder and not one.attended
    )


def _end_of(identity: UUID) -> str:
    """The end of an id, which is enough to name it."""
    return str(identity)[-_ID_CHARS:]
