"""Answer a decision: with the founder's own credential, once, for exactly what was shown."""

from __future__ import annotations

from frasier.board.decisions.lists import Decision, decision_of, find_decision, named_decision
from frasier.kernel.advice import Advice
from frasier.kernel.errors import InvalidInput, NotAllowed, Stale
from frasier.kernel.fault_points import fault_point
from frasier.kernel.humanize import ended, moment, person
from frasier.store import Statements, Tx, append_event, events_of, notify
from frasier.workflow import READY_CHANNEL, Actor, ActorKind, load_to_change, stale_task

_LOOK = Advice("task.decisions", to="see what still waits")
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
    await _check_open(tx, decision)
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
        await _check_open(tx, await find_decision(tx, decision.id))
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


async def _check_open(tx: Tx, decision: Decision) -> None:
    """Raise Stale, with what happened, if the decision was made or its task is not in the version shown any more."""
    if decision.answer is not None and decision.answered_at is not None:
        when = moment(decision.answered_at)
        because = f": {ended(decision.comment)}" if decision.comment else "."
        raise Stale(
            f"{decision.transition} of {decision.place} was {decision.answer} by"
            f" {person(decision.answered_by or '')} on {when}{because}{_used(decision)}",
            kept="That answer stands.",
            advice=_LOOK,
        )
    if decision.withdrawn_at is not None:
        raise Stale(
            f"{decision.transition} of {decision.place} was asked for again with other fields on"
            f" {moment(decision.withdrawn_at)}, which withdrew this request.",
            kept="Nothing was decided.",
            hint="Decide on the newest request.",
            advice=_LOOK,
        )
    if decision.task_version != decision.version:
        raise Stale(
            f"{decision.place} was changed since this was asked, which withdrew it: {await _change(tx, decision)}",
            kept="Nothing was decided.",
            hint="If it is still wanted, you will be asked again.",
            advice=_LOOK,
        )


def _used(decision: Decision) -> str:
    if decision.used_at is None:
        return ""
    return f" The move was made with it on {moment(decision.used_at)}."


async def _change(tx: Tx, decision: Decision) -> str:
    """Return the first change after the version that was shown, with its author and time."""
    versions = f"it is at version {decision.task_version}, not {decision.version}"
    for event in await events_of(tx, decision.task_id):
        if event.payload.get("version", 0) > decision.version:
            what = event.kind.removeprefix("task.")
            return f"{what} by {person(event.actor)} on {moment(event.at)}, so {versions}."
    return f"{versions}."
