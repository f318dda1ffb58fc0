"""Who asks, and which task is meant: by its id, or by its name on a board."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from frasier.board import Board, Project, actor_of, find_on_boards, get_project, list_projects
from frasier.interfaces.tools import Surroundings
from frasier.kernel.advice import Advice
from frasier.kernel.errors import ConfigurationError, InvalidInput, NotFound
from frasier.kernel.ids import CANDIDATES, ambiguous
from frasier.store import Tx
from frasier.workflow import Actor, Task


@dataclass(frozen=True, slots=True, kw_only=True)
class Meant:
    """The task that somebody means, on whose board it is, and who they are there."""

    task: Task
    project: Project
    actor: Actor


def board_of(around: Surroundings) -> Board:
    """The board that tools of tasks work on."""
    if around.board is None:
        raise ConfigurationError(
            "No tasks are served here.", hint="`frasier mcp` and `frasier serve` serve them."
        )
    return around.board


async def find_meant(tx: Tx, around: Surroundings, text: str, project: str | None) -> Meant:
    """The task that `text` is the name of, project/name, or the id, its beginning or its end: a name goes first. Raises
    NotFound, InvalidInput where several are meant, and NotAllowed for whoever is no member of its project.
    """
    board, _, slug = text.strip().rpartition("/")
    wanted = board or project or None
    found = await find_on_boards(tx, slug, project=wanted)
    allowed = await projects_of(tx, around, None)
    mine = [task for task in found if task.fields.get("project") in {one.name for one in allowed}]
    if not mine:
        raise NotFound(
            f"There is no task {text[:80]!r}{f' in {wanted}' if wanted else ''} for you.",
            advice=Advice("task.list", to="see those that there are"),
        )
    if len(mine) > 1 and mine[0].slug != slug:
        raise ambiguous(slug, "tasks", [f"{task.id} ({task.slug})" for task in mine[:CANDIDATES]])
    if len(mine) > 1:
        boards = ", ".join(sorted(str(task.fields["project"]) for task in mine))
        raise InvalidInput(f"{slug[:80]!r} is a task of {boards}.", hint="Say which: project/name.")
    name = str(mine[0].fields["project"])
    return Meant(
        task=mine[0],
        project=next(one for one in allowed if one.name == name),
        actor=await actor_of(tx, around.caller, name),
    )


async def projects_of(tx: Tx, around: Surroundings, named: str | None) -> Sequence[Project]:
    """The projects that whoever asks may see, or the one that is named. Raises NotAllowed and NotFound."""
    if named is not None:
        await actor_of(tx, around.caller, named)
        return [await get_project(tx, named)]
    actor = await actor_of(tx, around.caller)
    every = await list_projects(tx)
    return [one for one in every if not actor.projects or one.name in actor.projects]


async def the_project(tx: Tx, around: Surroundings, named: str | None) -> Project:
    """The project that is named, or the only one that there is for whoever asks."""
    found = await projects_of(tx, around, named)
    if len(found) != 1:
        there = ", ".join(one.name for one in found)
        raise InvalidInput(
            "No project is named." if found else "There is no project.",
            hint=f"Name one of {there}."
            if found
            else "The founder makes one: `frasier task project make NAME`.",
        )
    return found[0]
