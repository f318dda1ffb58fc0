"""Asking the founder for a decision, once, and reminding of it; nobody is punished for waiting."""

from __future__ import annotations

from uuid import UUID

from psycopg.types.json import Jsonb

from frasier.board.decisions.approval import Wanted
from frasier.board.decisions.lists import Decision, decision_of
from frasier.kernel.fault_points import fault_point
from frasier.kernel.ids import new_id
from frasier.store import Statements, Tx, append_event
from frasier.workflow import SYSTEM, Actor

_sql = Statements("frasier.board.decisions")

REMIND_AFTER_H = 24


async def ask_decision(tx: Tx, wanted: Wanted, *, actor: Actor) -> UUID:
    """The id of the decision that was asked for; of the one that is there, where the same was asked before."""
    row = await _sql.maybe(
        tx,
        "ask",
        id=new_id(),
        **wanted.exactly,
        shown=Jsonb(dict(wanted.shown)),
        by=str(actor),
    )
    if row is None:
        standing = await _sql.one(
            tx,
            "standing_decision",
            **wanted.exactly,
        )
        return UUID(str(standing["id"]))
    decision_id: UUID = row["id"]
    fault_point("decision.asked")
    await append_event(
        tx,
        stream=wanted.task_id,
        kind="task.decision_asked",
        actor=str(actor),
        payload={"decision": str(decision_id), "transition": wanted.transition, "version": wanted.version},
    )
    return decision_id


async def decisions_to_remind(tx: Tx) -> list[Decision]:
    """The open decisions that were asked for, or reminded of, a day ago; they count as reminded of from now on."""
    rows = await _sql.all(tx, "remind", hours=REMIND_AFTER_H)
    found = [decision_of(row) for row in rows]
    for decision in found:
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
    return found
