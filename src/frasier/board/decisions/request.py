"""Ask the founder for a decision, once, and remind of it; waiting has no other effect."""

from __future__ import annotations

from uuid import UUID

from psycopg.types.json import Jsonb

from frasier.board.decisions.approval import DecisionQuestion
from frasier.board.decisions.lists import Decision, decision_of
from frasier.kernel.fault_points import fault_point
from frasier.kernel.ids import new_id
from frasier.store import Statements, Tx, append_event
from frasier.workflow import SYSTEM, Actor, get_task, lock_task, stale_task

_sql = Statements("frasier.board.decisions")

FIRST_REMINDER_DAYS, REMINDER_DAYS = 3, 7
"""The days after which the founder is reminded of what waits, and those from one reminder to the next."""


async def ask_decision(tx: Tx, question: DecisionQuestion, *, actor: Actor) -> UUID:
    """Ask for the decision and return its id; that of the existing one if the same was asked before. Open requests
    about the same move of the task are withdrawn: the founder decides on the newest.

    Raises Stale if the task is at another version by now: nobody could answer the question.
    """
    await lock_task(tx, question.task_id)
    task = await get_task(tx, question.task_id)
    if task.version != question.version:
        raise stale_task(task.slug)
    row = await _sql.maybe(
        tx,
        "ask",
        id=new_id(),
        **question.key,
        shown=Jsonb(dict(question.shown)),
        by=str(actor),
    )
    if row is None:
        existing = await _sql.one(
            tx,
            "existing_decision",
            **question.key,
        )
        return UUID(str(existing["id"]))
    decision_id: UUID = row["id"]
    fault_point("decision.asked")
    await append_event(
        tx,
        stream=question.task_id,
        kind="task.decision_asked",
        actor=str(actor),
        payload={
            "decision": str(decision_id),
            "transition": question.transition,
            "version": question.version,
        },
    )
    await _withdraw_others(tx, question, decision_id)
    return decision_id


async def _withdraw_others(tx: Tx, question: DecisionQuestion, decision_id: UUID) -> None:
    rows = await _sql.all(
        tx, "withdraw_others", task_id=question.task_id, transition=question.transition, id=decision_id
    )
    for row in rows:
        await append_event(
            tx,
            stream=question.task_id,
            kind="task.decision_withdrawn",
            actor=str(SYSTEM),
            payload={
                "decision": str(row["id"]),
                "transition": question.transition,
                "version": row["version"],
                "replaced_by": str(decision_id),
            },
        )


async def decisions_to_remind(tx: Tx) -> list[Decision]:
    """Return the open decisions of which a reminder is due, and mark them as reminded of now."""
    rows = await _sql.all(tx, "remind", first_days=FIRST_REMINDER_DAYS, days=REMINDER_DAYS)
    decisions = [decision_of(row) for row in rows]
    for decision in decisions:
        await append_event(
            tx,
            stream=decision.task_id,
            kind="task.decision_reminded",
            actor=str(SYSTEM),
            payload={
                "decision": str(decision.id),
                "transition": decision.transition,
                "version": decision.version,
            },
        )
    return decisions
