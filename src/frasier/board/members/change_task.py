"""Change the title, the priority or the dependencies of a task of a board, by whoever may create such tasks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from frasier.board.boards import Board
from frasier.board.members.add_task import check_title, ids_of_slugs
from frasier.kernel.errors import TransitionRefused
from frasier.store import Tx
from frasier.workflow import Actor, ActorKind, PlanChange, Task, change_plan


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskChange:
    """The changes of a task of `board`; None leaves a part as it is. `needs` are the names of all tasks that it waits
    for from now on.
    """

    board: Board
    title: str | None = None
    priority: int | None = None
    needs: Sequence[str] | None = None

    @property
    def parts(self) -> list[str]:
        """The names of the parts that change."""
        return [name for name in ("title", "priority", "needs") if getattr(self, name) is not None]


async def change_task(
    tx: Tx, task: Task, change: TaskChange, *, actor: Actor, version: int | None = None
) -> Task:
    """Change the task.

    Raises TransitionRefused if the actor may not create such tasks or the task has ended, NotFound for a task that the
    board does not have, InvalidInput for a circle or one that has ended, and Stale if the task is not at `version`.
    """
    kept = f"{task.slug} is unchanged."
    creators = task.definition.creation.actors
    if actor.kind is not ActorKind.FOUNDER and not actor.is_among(creators, ""):
        raise TransitionRefused(
            f"{actor.person} may not change the title, the priority or the dependencies of {task.slug}.",
            kept=kept,
            hint=f"It can be done by: {', '.join(sorted({*creators, ActorKind.FOUNDER.value}))}.",
        )
    if task.terminal:
        raise TransitionRefused(
            f"{task.slug} is {task.status}: an ended task cannot be edited.",
            kept=kept,
            hint="Reopen it, if it has to be changed.",
        )
    title = None if change.title is None else " ".join(change.title.split())
    if title is not None:
        check_title(title, preserved=kept)
    needs = (
        None if change.needs is None else await ids_of_slugs(tx, change.board, change.needs, preserved=kept)
    )
    planned = PlanChange(title=title, priority=change.priority, needs=needs)
    return await change_plan(tx, task.id, planned, actor=actor, version=version)
