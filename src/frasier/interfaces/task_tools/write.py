"""Writing: a new task, and the fields of one that is there."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import Field

from frasier.board import NewBoardTask, add_task, unresolved_links
from frasier.interfaces.task_tools.inputs import (
    COUNT_MAX,
    Attempt,
    BoardInput,
    Fields,
    ProjectName,
    TaskInput,
)
from frasier.interfaces.task_tools.resolve import board_of, find_meant, the_project, who_asks
from frasier.interfaces.task_tools.task_json import required_in, task_place, task_whole
from frasier.interfaces.tools import Layer, Reply, Surroundings, Tool, told
from frasier.workflow import Task, at_its_place, newly_owed


class CreateInput(BoardInput):
    process: str = Field("pdsa_task", max_length=64, description="pdsa_task, pdsa_bug, or one of your own")
    name: str = Field(max_length=100, description="Short and unique on its board, such as fix-login")
    title: str = Field(max_length=300)
    fields: Fields
    project: ProjectName = None
    role: str = Field("", max_length=64, description="Who acts first; default: the usual one")
    priority: int = Field(0, ge=-100, le=100)
    needs: list[str] = Field(
        default_factory=list, max_length=50, description="Tasks that must be completed first"
    )
    about: list[str] = Field(
        default_factory=list, max_length=50, description="Tasks that it comes from; of a bug at least one"
    )


async def _create(around: Surroundings, given: CreateInput) -> Reply:
    board = board_of(around)
    project = await the_project(around, given.project)
    actor = await who_asks(around, project.name)
    new = NewBoardTask(
        process=given.process,
        slug=given.name,
        title=given.title,
        role=given.role,
        priority=given.priority,
        fields=given.fields,
        needs=tuple(given.needs),
        about=tuple(given.about),
    )
    task = await board.in_transaction(add_task, project, new, actor=actor)
    required = await required_in(board, project.id)
    return Reply(
        summary=f"{project.name}/{task.slug} is {task.status} with {task.role}.",
        data=task_whole(task, required),
    )


class EditInput(TaskInput):
    fields: Fields
    version: int = Field(
        ge=1, le=COUNT_MAX, description="The version you looked at, so that nobody's writing is lost"
    )
    attempt: Attempt = None


async def _edit(around: Surroundings, given: EditInput) -> Reply:
    board = board_of(around)
    meant = await find_meant(around, given.task, given.project)
    before = await board.in_transaction(at_its_place, meant.task)
    task = await board.edit(
        meant.task.id,
        given.fields,
        actor=meant.actor,
        version=given.version,
        attempt=given.attempt,
    )
    edited = {name: task.fields[name] for name in given.fields if name in task.fields}
    broken = await board.in_transaction(unresolved_links, task, edited)
    cleared = newly_owed(before, task)
    named = ", ".join(sorted(given.fields))
    return Reply(
        summary=f"{task.slug} has {named} like that already: nothing was changed, it stays at version {task.version}."
        if task.version == given.version
        else f"{task.slug} has {named}; it is at version {task.version}.",
        data=task_place(task) | told(cleared=cleared),
        hints=(*_cleared_hints(cleared), *(_link_hint(name, task, what) for name, what in broken.items())),
    )


def _cleared_hints(cleared: Sequence[str]) -> list[str]:
    if not cleared:
        return []
    judged = ", ".join(cleared)
    return [f"This changes what {judged} judged: that has to be given again before the task goes on."]


def _link_hint(name: str, task: Task, what: str) -> str:
    link = task.fields[name]
    return (
        f"{name} {what}: {link}. It is written, but no move that looks at links is made before it resolves."
    )


WRITING = (
    Tool(
        name="task_create",
        title="Create a task",
        layer=Layer.SURGICAL,
        about="Puts a task on a board. It must be understandable by itself: description says what is wanted and why,"
        " acceptance_criteria how one sees that it is done.",
        input=CreateInput,
        run=_create,
    ),
    Tool(
        name="task_edit",
        title="Fill fields of a task",
        layer=Layer.SURGICAL,
        about="Fills fields without moving the task, where it is your turn to. Refused where it was changed since the"
        " version you looked at; what it holds already makes no new version. Reviews and approvals of what you change"
        " are cleared, and have to be given again.",
        input=EditInput,
        run=_edit,
    ),
)
