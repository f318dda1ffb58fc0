"""Answer a decision: with the founder's own credential, once, for exactly what was shown."""

from __future__ import annotations

from frasier.board.decisions.lists import Decision, decision_of, find_decision, named_decision
from frasier.board.decisions.superseded import check_open
from frasier.kernel.advice import Advice
from frasier.kernel.errors import InvalidInput, NotAllowed
from frasier.kernel.fault_points import fault_point
from frasier.store import Statements, Tx, append_event, notify
from frasier.workflow import READY_CHANNEL, Actor, ActorKind, load_to_change, stale_task

_sql = Statements("frasier.board.decisions")


async def answer_decision(tx: Tx, named: str, *, approve: bool, comment: str = "", actor: Actor) -> Decision:
    """Approve or reject the decision whose id is `named`, or ends with it. Only the founder may: no credential of a
    member makes a decision. A rejection needs a comment.

    Raises NotFound and InvalidInput as named_decision does, and Stale if it was answered before, or the task has
    changed since it was asked for.
    """
    if actor.kind is not ActorKind.FOUNDER:
        raise NotAllowed(
            f"{actor.person} cannot decide.",
            kept="Nothing was decided.",
            hint="Only the founder decides: by the command line, or with a founder's token.",
        )
    found = await named_decision(tx, named)
    task = await load_to_change(tx, found.task_id)
    decision = await find_decision(tx, found.id)  # as it is now that its task is locked
    await check_open(tx, decision)
    if not approve and not comment.strip():
        raise InvalidInput(
            "A rejection needs a reason: nothing else tells the member why.",
            kept="Nothing was decided.",
            advice=Advice("task.decide", to="say why", decision=str(decision.id), comment="WHY"),
        )
    answer = "approved" if approve else "rejected"
    row = await _sql.maybe(
        tx, "answer", id=decision.id, answer=answer, comment=comment.strip(), by=str(actor)
    )
    if row is None:
        await check_open(tx, await find_decision(tx, decision.id))
        raise stale_task(task.slug)
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
