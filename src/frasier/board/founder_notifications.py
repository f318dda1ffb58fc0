"""Notifications to the founder: decisions that wait, tasks paused for the founder, judgements cleared, outages."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias
from uuid import UUID

from frasier.board.decisions.lists import Decision
from frasier.kernel.advice import Advice
from frasier.kernel.humanize import ended, moment, person
from frasier.store import Tx
from frasier.workflow import Actor, Task, newly_owed


@dataclass(frozen=True, slots=True, kw_only=True)
class FounderNotification:
    """One notification. The same `kind` and `key` are sent once; `about` is the task, or the outage if it concerns no
    task; `advice` is what the founder can do.
    """

    kind: str
    key: str
    about: UUID
    text: str
    advice: tuple[Advice, ...] = ()


NotifyFounder: TypeAlias = Callable[[Tx, FounderNotification], Awaitable[None]]
"""Sends the notification when the transaction commits."""


def about_decision(decision: Decision) -> FounderNotification:
    """Return the notification that a decision was asked for; one that is asked for again is notified of again."""
    return FounderNotification(
        kind="decision",
        key=f"{decision.id}:{decision.asked_at}",
        about=decision.task_id,
        text=f"{person(decision.asked_by)} asks to {decision.transition} {decision.place} ({decision.title}), version"
        f" {decision.version}.",
        advice=_how_to_decide(decision),
    )


def about_reminder(decision: Decision) -> FounderNotification:
    """Return the reminder of a decision that still waits."""
    return FounderNotification(
        kind="decision",
        key=f"{decision.id}:{decision.reminded_at}",
        about=decision.task_id,
        text=f"Still waiting for you since {moment(decision.asked_at)}: {decision.transition} of {decision.place}"
        f" ({decision.title}), version {decision.version}.",
        advice=_how_to_decide(decision),
    )


def _how_to_decide(decision: Decision) -> tuple[Advice, ...]:
    return (
        Advice("task.decisions", to="see what it is about"),
        Advice("task.decide", to="approve it", decision=str(decision.id), answer="approve"),
        Advice("task.decide", to="reject it", decision=str(decision.id), answer="reject"),
    )


async def notify_cleared(
    tx: Tx, notify_founder: NotifyFounder, before: Task, after: Task, *, by: Actor
) -> None:
    """Notify the founder of the approvals and reviews that a change cleared, if any; `before` is at its place."""
    if moves := newly_owed(before, after):
        await notify_founder(tx, _about_cleared(after, moves, by=by))


def _about_cleared(task: Task, moves: Sequence[str], *, by: Actor) -> FounderNotification:
    return FounderNotification(
        kind="cleared",
        key=f"{task.id}:{task.version}",
        about=task.id,
        text=f"{by.person} changed {task.slug} ({task.title}) after {', '.join(moves)}, so"
        f" {'that does' if len(moves) == 1 else 'these do'} not count any more. The task goes on when"
        f" {'it is' if len(moves) == 1 else 'they are'} given again; you are asked where you have to decide.",
        advice=(Advice("task.history", to="see what was changed", task=task.place),),
    )


def about_outage(outage_id: UUID, task: Task, why: str) -> FounderNotification:
    """Return the notification that the external memory is down; `task` is the first that met the outage."""
    return FounderNotification(
        kind="outage",
        key=str(outage_id),
        about=task.id,
        text=f"The external memory cannot be told of moves: {ended(why)} Until it is back, no task is claimed or"
        f" moved on any board ({task.slug} was the first); pausing, restoring and reading go on.",
    )


def about_vectors(outage_id: UUID, why: str) -> FounderNotification:
    """Return the notification that the memory's encoder is down."""
    return FounderNotification(
        kind="outage",
        key=str(outage_id),
        about=outage_id,
        text=f"The memory's vectors cannot be made: {ended(why)} Until they can, it is searched by words alone;"
        " no move is refused, nothing is lost, and missing vectors are made afterwards.",
        advice=(Advice("memory.health", to="see its state"),),
    )


def about_block(task: Task, *, reason: str, action: str) -> FounderNotification:
    """Return the notification that a task is paused until the founder acts."""
    return FounderNotification(
        kind="blocked",
        key=f"{task.id}:{task.version}",
        about=task.id,
        text=f"{task.slug} ({task.title}) is paused: {ended(reason)} Please {ended(action)}",
    )
