"""Team routines: stand-ups, brainstorms, debates and mentoring, each with a transcript, a cap and one outcome."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from frasier.kernel.advice import Advice
from frasier.kernel.errors import NotFound
from frasier.kernel.ids import parse_id
from frasier.llm import spend_of_tasks
from frasier.org.governance.policy_rules import RoutineRules
from frasier.org.governance.routine_budget import HeldMoney, allowance_usd_micros
from frasier.store import Statements, Tx, append_event, find_row, from_row
from frasier.workflow import SYSTEM, get_task

_sql = Statements("frasier.org.governance")
_BUDGET_DAYS = 30


class RoutineKind(StrEnum):
    """The kind of a routine, by which its rule is named in the policy."""

    STAND_UP = "stand_up"
    BRAINSTORM = "brainstorm"
    DEBATE = "debate"
    MENTORING = "mentoring"


class RoutineOutcome(StrEnum):
    """The kind of an outcome. NONE: the routine came to nothing, and `result` says why."""

    LESSON = "lesson"
    DECISION = "decision"
    PROPOSAL = "proposal"
    BLOCKER = "blocker"
    NONE = "none"


OUTCOMES_OF = {
    RoutineKind.STAND_UP: frozenset({RoutineOutcome.PROPOSAL, RoutineOutcome.BLOCKER}),
    RoutineKind.BRAINSTORM: frozenset({RoutineOutcome.PROPOSAL}),
    RoutineKind.DEBATE: frozenset({RoutineOutcome.DECISION}),
    RoutineKind.MENTORING: frozenset({RoutineOutcome.LESSON}),
}
"""The outcomes that a routine of each kind can have."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Routine:
    """A routine; `task_id` names it and its task. `deliverable_id` is the version that it is about, `team` that of a
    stand-up, empty for everybody's.

    `result` is the outcome in words, or why there is none, and `effect` what became of it.
    """

    task_id: UUID
    kind: RoutineKind
    subject: str
    mission_id: UUID | None
    deliverable_id: UUID | None
    team: str
    created_at: datetime
    began_at: datetime | None
    cap_usd_micros: int | None
    ended_at: datetime | None
    outcome: RoutineOutcome | None
    result: str
    effect: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RoutineTurn:
    """The words of an agent in a routine."""

    number: int
    agent_id: UUID
    said: str
    at: datetime


async def insert_routine(
    tx: Tx,
    kind: RoutineKind,
    *,
    task_id: UUID,
    subject: str,
    mission_id: UUID | None = None,
    deliverable_id: UUID | None = None,
    team: str = "",
) -> Routine | None:
    """Store a routine for its task, which exists; None if it is held, or was held, before."""
    return await _sql.maybe_as(
        Routine,
        tx,
        "insert_routine",
        task_id=task_id,
        kind=kind,
        subject=subject,
        mission_id=mission_id,
        deliverable_id=deliverable_id,
        team=team,
    )


async def get_routine(tx: Tx, task_id: UUID) -> Routine:
    """Return the routine of a task; raise NotFound."""
    row = await _sql.maybe(tx, "get_routine", task_id=task_id)
    if row is None:
        raise NotFound(f"There is no routine {task_id}.")
    return from_row(Routine, row)


async def find_routine(tx: Tx, text: str) -> Routine:
    """Find a routine by its id, or a unique end or beginning of it; "last" means the newest."""
    if (exact := parse_id(text)) is not None:
        return await get_routine(tx, exact)
    row = await find_row(
        tx,
        _sql,
        "routines_like",
        text,
        what="routines",
        label=lambda row: f"{row['task_id']} ({row['subject']})",
    )
    if row is None:
        raise NotFound(
            f"There is no routine {text[:60]!r}.",
            advice=Advice("routine.list", to="see those that there are"),
        )
    return from_row(Routine, row)


async def list_routines(tx: Tx, *, mission_id: UUID | None = None, limit: int = 50) -> list[Routine]:
    """Return the newest routines, of one mission or of all."""
    return await _sql.all_as(Routine, tx, "list_routines", mission_id=mission_id, limit=limit)


async def todays_stand_up(tx: Tx, team: str) -> Routine | None:
    """Return the stand-up of a team on this day (UTC), unless it came to nothing."""
    return await _sql.maybe_as(Routine, tx, "todays_stand_up", team=team)


async def last_stand_up(tx: Tx, team: str, *, before: datetime | None = None) -> Routine | None:
    """Return the last stand-up of a team that came to something, or the last one before a moment."""
    return await _sql.maybe_as(Routine, tx, "last_stand_up", team=team, before=before)


async def debate_decisions(tx: Tx, deliverable_ids: Sequence[UUID]) -> dict[UUID, str]:
    """Return what debates decided about some versions, in words."""
    rows = await _sql.all(tx, "debate_decisions", deliverable_ids=list(deliverable_ids))
    return {row["deliverable_id"]: row["result"] for row in rows}


async def money_for_routine(
    tx: Tx, rules: RoutineRules, *, mission_id: UUID | None = None, mission_usd_micros: int = 0
) -> int:
    """Return what the next routine may spend in micro-dollars, of a mission with that budget or of none; 0 for nothing.

    Let no other routine begin until the transaction ends.
    """
    await _sql.run(tx, "lock_routine_budget")
    rows = await _sql.all(tx, "begun_routines", days=_BUDGET_DAYS, mission_id=mission_id)
    spent = await spend_of_tasks(tx, [row["task_id"] for row in rows])
    held = [
        (
            row,
            HeldMoney(
                cap_usd_micros=row["cap_usd_micros"],
                spent_usd_micros=spent.get(row["task_id"], 0),
                # A task that was cancelled holds nothing any more.
                ended=row["ended"] or (await get_task(tx, row["task_id"])).terminal,
            ),
        )
        for row in rows
    ]
    return allowance_usd_micros(
        rules,
        recent=[money for row, money in held if row["is_recent"] or not money.ended],
        of_mission=[money for row, money in held if row["mission_id"] == mission_id]
        if mission_id is not None
        else None,
        mission_usd_micros=mission_usd_micros,
    )


async def begin_routine(tx: Tx, task_id: UUID, *, cap_usd_micros: int, minutes: float) -> Routine:
    """Begin a routine with its cap and its time limit, once; return it as it began."""
    begun = await _sql.run(
        tx, "begin_routine", task_id=task_id, cap_usd_micros=cap_usd_micros, seconds=minutes * 60
    )
    routine = await get_routine(tx, task_id)
    if begun:
        await _note(tx, routine, "routine.began")
    return routine


async def seconds_left(tx: Tx, task_id: UUID) -> float:
    """Return the seconds until a routine that has begun must have ended; below 0 where they are over."""
    seconds: float = (await _sql.one(tx, "seconds_left", task_id=task_id))["seconds"]
    return seconds


async def end_routine(tx: Tx, routine: Routine, outcome: RoutineOutcome, result: str, *, effect: str) -> None:
    """End a routine with its outcome, once."""
    ended = await _sql.run(
        tx, "end_routine", task_id=routine.task_id, outcome=outcome, result=result, effect=effect
    )
    if ended:
        await _note(tx, await get_routine(tx, routine.task_id), "routine.ended")


async def add_turn(tx: Tx, task_id: UUID, number: int, agent_id: UUID, words: str) -> None:
    """Store the words of an agent, once."""
    await _sql.run(tx, "insert_turn", task_id=task_id, number=number, agent_id=agent_id, said=words)


async def turns_of(tx: Tx, task_id: UUID) -> list[RoutineTurn]:
    """Return the transcript of a routine."""
    return await _sql.all_as(RoutineTurn, tx, "turns_of", task_id=task_id)


async def _note(tx: Tx, routine: Routine, kind: str) -> None:
    ended = {"outcome": routine.outcome, "result": routine.result, "effect": routine.effect}
    await append_event(
        tx,
        stream=routine.mission_id or routine.task_id,
        kind=kind,
        actor=str(SYSTEM),
        payload={"routine": str(routine.task_id), "kind": routine.kind, "subject": routine.subject}
        | (ended if routine.outcome else {}),
    )
