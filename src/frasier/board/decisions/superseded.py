"""The fate of a decision that cannot be made any more: who decided it, or who changed its task, and when."""

from __future__ import annotations

from frasier.board.decisions.lists import Decision
from frasier.kernel.advice import Advice
from frasier.kernel.errors import Stale
from frasier.kernel.humanize import ended, moment, person
from frasier.store import Tx, events_of

_LOOK = Advice("task.decisions", to="see what still waits")


async def check_open(tx: Tx, decision: Decision) -> None:
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
