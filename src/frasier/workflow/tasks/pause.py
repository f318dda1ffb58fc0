"""The stored pause of a task, and the error for whoever acts on a paused task."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from frasier.kernel.advice import Advice
from frasier.kernel.errors import TaskBlocked
from frasier.kernel.humanize import ended, moment, person
from frasier.kernel.text import shorten
from frasier.store import Statements, Tx
from frasier.workflow.processes.process import BLOCKED, ActorKind
from frasier.workflow.tasks.task import Task

_sql = Statements("frasier.workflow")

_REASON_CHARS = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class Pause:
    """The position at which a task is paused, and why. `lease_owner` held it, and holds it again afterwards."""

    status: str
    role: str
    lease_owner: str | None
    reasons: Sequence[dict[str, Any]]
    blocked_at: datetime


async def pause_of(tx: Tx, task: Task) -> Pause | None:
    """Fetch the pause of a task; None if there is none, or none any more."""
    row = await _sql.maybe(tx, "get_block", id=task.id)
    return None if row is None else Pause(**row)


async def as_before_pause(tx: Tx, task: Task) -> Task:
    """Return the task as it was at the beginning of its pause: with the role whose turn it is, and its holder."""
    pause = await pause_of(tx, task) if task.status == BLOCKED else None
    if pause is None:
        return task
    return replace(task, status=pause.status, role=pause.role, lease_owner=pause.lease_owner)


def task_blocked(task: Task, pause: Pause) -> TaskBlocked:
    """Return the error for an action on a paused task: since when, by whom and why, and what follows."""
    by = person(str(pause.reasons[0]["by"]))
    why = " ".join(_reason_text(reason) for reason in pause.reasons)
    may = " or ".join(sorted({ActorKind.FOUNDER.value, *task.definition.restorers}))
    place = f"{task.slug} keeps its place: {pause.status} with {pause.role}"
    after = ""
    if pause.lease_owner is not None:
        holder = person(pause.lease_owner)
        place += f", held by {holder} under attempt {task.attempt}"
        after = f" {holder} goes on under attempt {task.attempt} then."
    return TaskBlocked(
        f"{task.slug} has been blocked since {moment(pause.blocked_at)}, by {by}: {why}",
        kept=f"Nothing was written. {place}.",
        hint=f"When that is done, {may} can end the pause.{after}",
        advice=(
            Advice("task.restore", to="end the pause", task=task.place),
            Advice("task.wait", to="wait until it is over"),
        ),
    )


def _reason_text(reason: dict[str, Any]) -> str:
    why, action = (ended(shorten(str(reason[name]), _REASON_CHARS)) for name in ("reason", "action"))
    return f"{why} Now {reason['owner']} must {action}"
