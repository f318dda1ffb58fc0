"""The inbox: everything that waits for the founder, and the latest announcements."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from frasier.board import Brief, Outage, blocked_tasks, open_outages
from frasier.llm import cap_periods
from frasier.memory import TierProposal, UnreadEdit
from frasier.org.conversation import (
    CAP_WARNING,
    REMINDER,
    announcement_digest,
    cap_warning_key,
    standing_announcements,
)
from frasier.org.governance import open_questions
from frasier.overview.model_troubles import read_model_troubles
from frasier.overview.questions import WaitingQuestion, waiting_questions
from frasier.overview.skill_packages import PackageSummary, read_waiting_packages
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
from frasier.store import Tx, open_effects

_ANNOUNCEMENTS = 10
_DIGEST_DAYS = 7
_DIGEST_NEWEST = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Announcement:
    """Something that the founder was told: what, of which mission, and the advice that goes with it, as `announce`
    stores it in `payload`.
    """

    at: datetime
    payload: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class AnnouncementDigest:
    """The announcements of one kind of the last `days` that ask nothing of the founder: how many, and the newest."""

    kind: str
    days: int
    announcements: int
    last_at: datetime
    newest: tuple[Mapping[str, Any], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Inbox:
    """Everything that waits for the founder, each kind oldest first. `blocked` holds also what others must act on;
    `skills` are those of third parties that wait for a review.

    `digest` groups what is not urgent; the `announcements` are the newest of all kinds.
    """

    questions: tuple[WaitingQuestion, ...]
    decisions: tuple[Brief, ...]
    files: tuple[TierProposal, ...]
    unread_files: tuple[UnreadEdit, ...]
    skills: tuple[PackageSummary, ...]
    blocked: tuple[PausedTask, ...]
    interrupted: tuple[InterruptedMission, ...]
    outages: tuple[Outage, ...]
    effects: tuple[UnsettledEffect, ...]
    announcements: tuple[Announcement, ...]
    digest: tuple[AnnouncementDigest, ...]


async def read_inbox(tx: Tx) -> Inbox:
    """Read the inbox. Announcements of what passes are left out once it has passed."""
    questions, blocked = await open_questions(tx), await blocked_tasks(tx)
    decisions, outages = await waiting_decisions(tx), await open_outages(tx)
    files, unread_files = await waiting_files(tx)
    asked = {key for question in questions for key in (question.id, question.entry_key)}
    waiting: dict[str, Collection[object]] = {
        "decision": {brief.decision.id for brief in decisions},
        "blocked": {one.id for one in blocked} | asked,
        REMINDER: asked,
        CAP_WARNING: {cap_warning_key(scope, key) for scope, key in (await cap_periods(tx)).items()},
        "outage": {one.id for one in outages}
        | {f"service:{one.provider}" for one in await read_model_troubles(tx)},
    }
    return Inbox(
        questions=waiting_questions(questions),
        decisions=decisions,
        files=files,
        unread_files=unread_files,
        skills=await read_waiting_packages(tx),
        blocked=tuple(pause_of(one) for one in blocked),
        interrupted=await interrupted_missions(tx),
        outages=(*outages, *await read_outages_of_subscriptions(tx)),
        effects=tuple(effect_of(effect) for effect in await open_effects(tx)),
        announcements=tuple(
            Announcement(at=effect.created_at, payload=effect.payload)
            for effect in await standing_announcements(tx, waiting, limit=_ANNOUNCEMENTS)
        ),
        digest=await _read_digest(tx),
    )


async def _read_digest(tx: Tx) -> tuple[AnnouncementDigest, ...]:
    counts = await announcement_digest(tx, days=_DIGEST_DAYS, newest=_DIGEST_NEWEST)
    return tuple(
        AnnouncementDigest(
            kind=kind,
            days=_DIGEST_DAYS,
            announcements=count.effects,
            last_at=count.last_at,
            newest=tuple(count.newest),
        )
        for kind, count in counts.items()
    )
