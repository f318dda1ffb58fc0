"""The founder answers: by the founder's own credential, once, for exactly what was shown."""

from __future__ import annotations

from uuid import UUID

from frasier.kernel.errors import NotAllowed, Stale
from frasier.kernel.faults import fault_point
from frasier.store import Statements, Tx, append_event, notify
from frasier.workflow.create import READY_CHANNEL
from frasier.workflow.decisions.reading import Decision, decision_of, find_decision
from frasier.workflow.lookup import take_task
from frasier.workflow.process import Actor, ActorKind

_sql = Statements("frasier.workflow.decisions")

_LOOK = "What still waits is shown by `frasier task decisions`."


async def answer_decision(
    tx: Tx, decision_id: UUID, *, approve: bool, comment: str = "", actor: Actor
) -> Decision:
    """Approves or rejects. Only the founder may: no credential of a member makes a decision.

    Raises NotFound, and Stale where it was answered before, or the task has changed since it was asked for.
    """
    if actor.kind is not ActorKind.FOUNDER:
        raise NotAllowed(
            f"{actor} cannot decide.",
            kept="Nothing was decided.",
            hint="Only the founder decides: by the command line, or with a founder's token.",
        )
    decision = await find_decision(tx, decision_id)
    task = await take_task(tx, decision.task_id)
    if decision.answer is not None:
        raise Stale(
            f"It is decided already: {decision.answer} by {decision.answered_by}.",
            kept="That answer stands.",
            hint=_LOOK,
        )
    if task.version != decision.version:
        raise Stale(
            f"{task.slug} was changed since this was asked: it is at version {task.version}, not {decision.version}.",
            kept="Nothing was decided.",
            hint="What is asked for now is shown by `frasier task decisions`.",
        )
    answer = "approved" if approve else "rejected"
    row = await _sql.maybe(
        tx, "answer", id=decision.id, answer=answer, comment=comment.strip(), by=str(actor)
    )
    if row is None:
        raise Stale("It was decided by somebody else first.", kept="That answer stands.", hint=_LOOK)
    fault_point("decision.answered")
    await append_event(
        tx,
        stream=task.id,
        kind=f"task.decision_{answer}",
        actor=str(actor),
        payload={
            "decision": str(decision.id),
            "transition": decision.transition,
            "version": decision.version,
            "digest": decision.digest,
            "comment": comment.strip()[:2_000],
        },
    )
    await notify(tx, READY_CHANNEL)
    return decision_of(row)
