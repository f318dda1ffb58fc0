"""Create tasks, and edit their fields."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from pydantic import Field

from frasier.board import NewBoardTask, TaskChange, add_task, only_board, required_commands, unresolved_links
from frasier.interfaces.operations import CliOption, Layer, OperationContext, Result, declare
from frasier.interfaces.operations.tasks.inputs import (
    COUNT_MAX,
    Attempt,
    BoardInput,
    BoardName,
    Fields,
    TaskInput,
)
from frasier.interfaces.operations.tasks.outputs import TaskOutput, TaskPlace
from frasier.interfaces.operations.tasks.resolve import acting_caller, board_engine, resolved_task
from frasier.kernel.advice import Advice
from frasier.kernel.errors import InvalidInput
from frasier.workflow import BLOCKED, Task, as_before_pause, newly_owed

_NEEDS_MAX = 50


class TaskCreateInput(BoardInput):
    process: Annotated[str, CliOption(help="The process that it follows; `process` lists them.")] = Field(
        "pdsa_task", max_length=64, description="pdsa_task, pdsa_bug, or one of your own"
    )
    name: Annotated[str, CliOption(argument="NAME", help="Short, and unique on its board: fix-login.")] = (
        Field(max_length=100, description="Short and unique on its board, such as fix-login")
    )
    title: Annotated[str, CliOption(flags=("--title", "-t"), help="The title of the task.")] = Field(
        max_length=300
    )
    fields: Fields
    board: BoardName = None
    role: Annotated[str, CliOption(help="The role that acts first; by default the usual one.")] = Field(
        "", max_length=64, description="Who acts first; default: the usual one"
    )
    priority: Annotated[int, CliOption(help="From -100 to 100; the highest comes first.")] = Field(
        0, ge=-100, le=100
    )
    needs: Annotated[
        list[str], CliOption(metavar="NAME", help="A task that must be completed first; repeatable.")
    ] = Field(default_factory=list, max_length=_NEEDS_MAX, description="Tasks that must be completed first")
    about: Annotated[
        list[str],
        CliOption(
            metavar="NAME", help="A task that it comes from, repeatable; a bug comes from at least one."
        ),
    ] = Field(
        default_factory=list, max_length=50, description="Tasks that it comes from; of a bug at least one"
    )


async def _create(context: OperationContext, request: TaskCreateInput) -> Result[TaskOutput]:
    engine = board_engine(context)
    board = await engine.in_transaction(only_board, context.caller, request.board)
    actor = await acting_caller(context, board.name)
    new = NewBoardTask(
        process=request.process,
        slug=request.name,
        title=request.title,
        role=request.role,
        priority=request.priority,
        fields=request.fields,
        needs=tuple(request.needs),
        about=tuple(request.about),
    )
    task = await engine.in_transaction(add_task, board, new, actor=actor)
    required = await engine.in_transaction(required_commands, board.id)
    return Result(
        summary=f"{board.name}/{task.slug} is {task.status} with {task.role}."
        if task.id == new.id
        else f"{board.name}/{task.slug} is yours already, added in these words; it is {task.status} with {task.role}.",
        data=TaskOutput.of_whole(task, required),
    )


class EditInput(TaskInput):
    fields: Fields = Field(default_factory=dict)
    title: Annotated[str | None, CliOption(help="A new title.")] = Field(
        None, max_length=300, description="A new title"
    )
    priority: Annotated[int | None, CliOption(help="From -100 to 100; the highest comes first.")] = Field(
        None, ge=-100, le=100
    )
    needs: Annotated[
        list[str] | None,
        CliOption(
            metavar="NAMES",
            help="All tasks that must be completed first, separated by commas or repeated; an empty text for none.",
        ),
    ] = Field(None, max_length=_NEEDS_MAX, description="All tasks that must be completed first; [] for none")
    version: int = Field(
        ge=1, le=COUNT_MAX, description="The version you looked at, so that nobody's writing is lost"
    )
    attempt: Attempt = None


class EditOutput(TaskPlace):
    """The place of an edited task, and the moves whose judgement the edit cleared."""

    cleared: tuple[str, ...] = ()


async def _edit(context: OperationContext, request: EditInput) -> Result[EditOutput]:
    engine = board_engine(context)
    resolved = await resolved_task(context, request)
    change = TaskChange(
        board=resolved.board,
        title=request.title,
        priority=request.priority,
        needs=None if request.needs is None else _names(request.needs),
    )
    before = await engine.in_transaction(as_before_pause, resolved.task)
    task = await engine.edit(
        resolved.task.id,
        request.fields,
        actor=resolved.actor,
        version=request.version,
        attempt=request.attempt,
        change=change if change.parts else None,
    )
    edited = {name: task.fields[name] for name in request.fields if name in task.fields}
    broken = await engine.in_transaction(unresolved_links, task, edited)
    cleared = newly_owed(before, task)
    named = ", ".join(sorted([*request.fields, *change.parts]))
    return Result(
        summary=f"{task.slug} has {named} like that already: nothing was changed, it stays at version {task.version}."
        if task.version == request.version
        else f"{task.slug} has {named}; it is at version {task.version}.",
        data=EditOutput.of_task(task, cleared=tuple(cleared)),
        hints=(
            *_cleared_hints(cleared),
            *(
                [_RESTORE.about(task=task.place)]
                if change.needs is not None and task.status == BLOCKED
                else []
            ),
            *(_link_hint(name, task, problem) for name, problem in broken.items()),
        ),
    )


_RESTORE = Advice("task.restore", to="end its pause, if it can go on now")


def _names(texts: Sequence[str]) -> list[str]:
    """Return the names in texts, each of which may hold several between commas. Raises InvalidInput for too many."""
    names = [name.strip() for text in texts for name in text.split(",") if name.strip()]
    if len(names) > _NEEDS_MAX:
        raise InvalidInput(
            f"needs has {len(names)} names, more than {_NEEDS_MAX}.",
            kept="Nothing was changed.",
            hint=f"Name at most {_NEEDS_MAX} tasks.",
        )
    return names


def _cleared_hints(cleared: Sequence[str]) -> list[str]:
    if not cleared:
        return []
    judged = ", ".join(cleared)
    return [f"This changes what {judged} judged: that has to be given again before the task goes on."]


def _link_hint(name: str, task: Task, problem: str) -> str:
    link = task.fields[name]
    return f"{name} {problem}: {link}. It is written, but no move that looks at links is made before it resolves."


CREATE = declare(
    _create,
    name="task_create",
    title="Create a task",
    layer=Layer.SURGICAL,
    about="Puts a task on a board. It must be understandable by itself: description says what is wanted and why,"
    " acceptance_criteria how one sees that it is done.",
)
EDIT = declare(
    _edit,
    name="task_edit",
    title="Edit a task",
    layer=Layer.SURGICAL,
    about="Fills fields without moving the task, where it is your turn to; whoever may create such tasks also changes"
    " its title, its priority and what it needs. Refused where it was changed since the"
    " version you looked at; what it holds already makes no new version. Reviews and approvals of what you change"
    " are cleared, and have to be given again.",
)
