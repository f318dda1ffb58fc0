"""The boards that a caller may see, and the task that it names on one of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from frasier.board.boards import Project, get_project, list_projects
from frasier.board.members.members import actor_of
from frasier.board.overview import find_on_boards
from frasier.kernel.advice import Advice
from frasier.kernel.errors import InvalidInput, NotFound
from frasier.kernel.ids import CANDIDATES, ambiguous
from frasier.memory import Caller
from frasier.store import Tx
from frasier.workflow import Actor, Task


@dataclass(frozen=True, slots=True, kw_only=True)
class ResolvedTask:
    """A task that a caller names, on whose board it is, and who the caller is there."""

    task: Task
    project: Project
    actor: Actor


async def resolve_task(tx: Tx, caller: Caller, name: str, project: str | None = None) -> ResolvedTask:
    """Find the task that `name` is the name of, project/name, or the id, its beginning or its end: a name goes first.

    Raises NotFound, InvalidInput where several have that name, and NotAllowed for whoever is no member of its project.
    """
    board, _, slug = name.strip().rpartition("/")
    wanted = board or project or None
    found = await find_on_boards(tx, slug, project=wanted)
    allowed = await visible_projects(tx, caller)
    mine = [task for task in found if task.fields.get("project") in {one.name for one in allowed}]
    if not mine:
        raise NotFound(
            f"There is no task {name[:80]!r}{f' in {wanted}' if wanted else ''} for you.",
            advice=Advice("task.list", to="see those that there are"),
        )
    if len(mine) > 1 and mine[0].slug != slug:
        raise ambiguous(slug, "tasks", [f"{task.id} ({task.slug})" for task in mine[:CANDIDATES]])
    if len(mine) > 1:
        boards = ", ".join(sorted(str(task.fields["project"]) for task in mine))
        raise InvalidInput(f"{slug[:80]!r} is a task of {boards}.", hint="Say which: project/name.")
    on_board = str(mine[0].fields["project"])
    return ResolvedTask(
        task=mine[0],
        project=next(one for one in allowed if one.name == on_board),
        actor=await actor_of(tx, caller, on_board),
    )


async def visible_projects(tx: Tx, caller: Caller, named: str | None = None) -> Sequence[Project]:
    """List the projects that the caller may see, or the one that is named. Raises NotAllowed and NotFound."""
    if named is not None:
        await actor_of(tx, caller, named)
        return [await get_project(tx, named)]
    actor = await actor_of(tx, caller)
    every = await list_projects(tx)
    return [one for one in every if not actor.projects or one.name in actor.projects]


async def only_project(tx: Tx, caller: Caller, named: str | None = None) -> Project:
    """Return the project that is named, or the only one that the caller may see; else raise InvalidInput."""
    found = await visible_projects(tx, caller, named)
    if not found:
        raise InvalidInput("There is no project.", advice=Advice("board.make", to="make one"))
    if len(found) != 1:
        there = ", ".join(one.name for one in found)
        raise InvalidInput("No project is named.", hint=f"Name one of {there}.")
    return found[0]
