"""The life of a mission: begun, given a budget, paused, resumed and cancelled."""

from __future__ import annotations

import re
from dataclasses import dataclass
from uuid import UUID

from frasier.kernel.advice import Advice
from frasier.kernel.deliverable_kind import DeliverableKind
from frasier.kernel.errors import InvalidInput, Stale
from frasier.kernel.humanize import plural
from frasier.kernel.ids import new_id
from frasier.kernel.limits import DIRECTIVE_CHARS_MAX, DIRECTIVE_CHARS_MIN
from frasier.kernel.mission_depth import MissionDepth
from frasier.kernel.text import shorten, strip_control, strip_deceiving
from frasier.llm import book_unknown, set_mission_budget
from frasier.org.governance import withdraw_questions, withdraw_reviews
from frasier.org.people import chief_of_staff
from frasier.org.planning.conversation import save_outcome
from frasier.org.planning.missions import Mission, MissionStatus
from frasier.store import Statements, Tx, append_event, from_row, parameters_of
from frasier.workflow import FOUNDER, Actor, Dependency, NewTask, cancel_group, create_tasks, hold

_sql = Statements("frasier.org.planning")


@dataclass(frozen=True, slots=True, kw_only=True)
class NewMission:
    """A mission to start.

    `destination` is the folder that will hold the deliverable's folder. `budget_usd_micros` overrides the cap.
    `skipped_sources` are the unreadable sources, with reasons. `kind` and `depth` leave the planner no choice.
    `with_earlier` makes results of earlier missions sources beside the documents; without documents they always are.
    With `asks_plan` the plan waits for the founder's approval; with `may_ask` the planner may ask one question.
    """

    id: UUID
    directive: str
    destination: str
    rehearsal: bool
    web_search: bool = False
    source_count: int = 0
    skipped_sources: tuple[str, ...] = ()
    budget_usd_micros: int | None = None
    kind: DeliverableKind | None = None
    depth: MissionDepth | None = None
    with_earlier: bool = False
    asks_plan: bool = False
    may_ask: bool = True


def check_directive(text: str) -> str:
    """Validate a directive; return it as it will be stored, or raise InvalidInput."""
    directive = strip_control(text).strip()
    if len(directive) < DIRECTIVE_CHARS_MIN or not re.search(r"\w{2,}", directive):
        raise InvalidInput(
            f"The directive has {plural(len(directive), 'character')}; that is too short to work on.",
            kept="Nothing was started.",
            hint="Describe the result that you want in a sentence.",
        )
    if len(directive) > DIRECTIVE_CHARS_MAX:
        raise InvalidInput(
            f"The directive has {len(directive):,} characters; the most is {DIRECTIVE_CHARS_MAX:,}.",
            kept="Nothing was started.",
            hint="Put the material into files, and name their folder as a source.",
            advice=Advice("mission.start", to="name it", sources="DIR"),
        )
    return directive


def title_of(directive: str) -> str:
    """Derive a directive's title: its first sentence without links, at most 120 characters, capitalised."""
    plain = strip_deceiving(re.sub(r"https?://\S+", "", directive))
    plain = re.sub(r"\s+", " ", plain).strip(" -–—:;,")
    first = re.split(r"(?<=[.!?])(?<!\d\.)\s", plain, maxsplit=1)[0]  # "bis zum 1. Juni"
    chosen = (first if len(first) > 10 else plain).rstrip(".!") or "Untitled mission"
    return shorten(chosen[0].upper() + chosen[1:], 120)


async def start_mission(tx: Tx, new: NewMission, *, actor: Actor = FOUNDER) -> Mission:
    """Store the mission and give the chief of staff the task of planning it."""
    mission = await insert_mission(tx, new, actor=actor)
    await create_planning(tx, mission, actor=actor)
    return mission


async def create_planning(tx: Tx, mission: Mission, *, actor: Actor) -> None:
    """Give the chief of staff the task of planning a mission, after a brainstorm where there is one."""
    from frasier.org.planning.routine_starts import start_brainstorm  # noqa: PLC0415 (views hold no routines)

    chief = await chief_of_staff(tx)
    brainstorm = await start_brainstorm(tx, mission)
    planning = NewTask(
        id=new_id(),
        process="planning",
        slug="plan",
        title=f"Plan: {mission.title}",
        group_id=mission.id,
        assignee=chief.id,
        priority=10,
        depends_on=(Dependency(depends_on=brainstorm),) if brainstorm else (),
    )
    await create_tasks(tx, [planning], actor=actor)


async def insert_mission(tx: Tx, new: NewMission, *, actor: Actor) -> Mission:
    """Store a mission that is not planned yet."""
    directive = check_directive(new.directive)
    row = await _sql.one(
        tx,
        "insert_mission",
        title=title_of(directive),
        **parameters_of(new) | {"directive": directive, "skipped_sources": list(new.skipped_sources)},
    )
    mission = from_row(Mission, row)
    if new.budget_usd_micros is not None:
        await set_mission_budget(tx, mission.id, new.budget_usd_micros)
    await append_event(
        tx,
        stream=mission.id,
        kind="mission.started",
        actor=str(actor),
        payload={"title": mission.title, "sources": mission.source_count, "rehearsal": mission.rehearsal},
    )
    return mission


async def set_status(
    tx: Tx, mission: Mission, status: MissionStatus, *, actor: Actor, reason: str = ""
) -> Mission:
    """Move a mission from its known status; raise Stale if it was changed meanwhile."""
    row = await _sql.maybe(
        tx,
        "set_status",
        id=mission.id,
        expected=mission.status,
        status=status,
        failure=reason if status is MissionStatus.FAILED else None,
    )
    if row is None:
        raise Stale(f"The mission {mission.title!r} was changed by somebody else first.")
    await append_event(
        tx, stream=mission.id, kind=f"mission.{status}", actor=str(actor), payload={"reason": reason}
    )
    return from_row(Mission, row)


async def restore_result(tx: Tx, mission: Mission, *, actor: Actor, reason: str) -> Mission:
    """Return a mission to the version that it had before a new one was asked for."""
    status = MissionStatus.DELIVERED if mission.delivered_path else MissionStatus.COMPLETED
    return await set_status(tx, mission, status, actor=actor, reason=reason)


async def give_budget(tx: Tx, mission: Mission, usd_micros: int) -> None:
    """Give a mission a budget of its own, in place of the previous one, larger or smaller."""
    await set_mission_budget(tx, mission.id, usd_micros)
    await append_event(
        tx, stream=mission.id, kind="mission.budget", actor=str(FOUNDER), payload={"usd_micros": usd_micros}
    )


async def pause_mission(tx: Tx, mission: Mission, *, reason: str = "") -> Mission:
    """Pause a mission: its steps are not claimed; a running step stops at its next checkpoint and loses nothing."""
    if mission.status not in {MissionStatus.PLANNING, MissionStatus.IN_PROGRESS}:
        raise InvalidInput(f"The mission is {mission.status}; there is nothing to pause.")
    await hold(tx, mission.id, held=True, actor=FOUNDER)
    return await set_status(tx, mission, MissionStatus.PAUSED, actor=FOUNDER, reason=reason)


async def resume_mission(tx: Tx, mission: Mission) -> Mission:
    """Resume a mission exactly where it was paused; return one that is not paused as it is."""
    if mission.status is not MissionStatus.PAUSED:
        return mission
    await hold(tx, mission.id, held=False, actor=FOUNDER)
    return await set_status(tx, mission, MissionStatus(mission.status_before_pause or ""), actor=FOUNDER)


async def cancel_mission(tx: Tx, mission: Mission, *, actor: Actor = FOUNDER, reason: str) -> Mission:
    """Cancel a mission. What it delivered before stands."""
    if mission.status.ended or mission.status is MissionStatus.COMPLETED:
        raise InvalidInput(f"The mission is {mission.status} already.", kept="Nothing was changed.")
    await cancel_work(tx, mission, actor=actor, reason=reason)
    if mission.final_deliverable is not None:
        ended = await restore_result(tx, mission, actor=actor, reason=reason)
    else:
        ended = await set_status(tx, mission, MissionStatus.CANCELLED, actor=actor, reason=reason)
    await save_outcome(tx, mission, f"The mission {mission.title!r} was cancelled: {reason}")
    return ended


async def cancel_work(tx: Tx, mission: Mission, *, actor: Actor, reason: str) -> None:
    """Cancel all tasks of a mission that have not ended; their reviews and questions are withdrawn."""
    for task in await cancel_group(tx, mission.id, actor=actor, reason=reason):
        # No run returns to a call that is in flight now, and it may be billed.
        await book_unknown(tx, task_id=task.id, before_attempt=task.attempt + 1)
        await withdraw_reviews(tx, task.id)
    await withdraw_questions(tx, mission_id=mission.id)
