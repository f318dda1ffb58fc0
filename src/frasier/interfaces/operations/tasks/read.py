"""Read tasks: list them, show one whole with its moves, its history, and the table of a process."""

from __future__ import annotations

import difflib
from collections.abc import Collection
from typing import Annotated, Self

from pydantic import Field

from frasier.board import (
    CHANGED,
    EVER_DAYS,
    GATES,
    TaskList,
    board_processes,
    card_place,
    notices,
    read_history,
    read_task,
    read_tasks,
)
from frasier.interfaces.operations import CliOption, Layer, OperationContext, Output, Result, declare
from frasier.interfaces.operations.paging import After, place_key, place_text
from frasier.interfaces.operations.tasks.history import EventOutput, event_outputs
from frasier.interfaces.operations.tasks.inputs import BoardInput, OneBoardInput, Shown, TaskInput
from frasier.interfaces.operations.tasks.outputs import QuotedAnswer, TaskOutput, TaskSummary
from frasier.interfaces.operations.tasks.resolve import board_engine
from frasier.kernel.advice import Advice
from frasier.kernel.errors import InvalidInput, NotFound
from frasier.kernel.humanize import plural
from frasier.workflow import BLOCKED, FieldKind, Outcome, Process, processes, read_new_processes


class TaskListInput(OneBoardInput):
    status: Annotated[str | None, CliOption(help="Only tasks with this status.")] = Field(None, max_length=64)
    role: Annotated[str | None, CliOption(help="Only tasks on which this role acts next.")] = Field(
        None, max_length=64, description="Whose turn it is"
    )
    process: Annotated[str | None, CliOption(help="Only tasks of this process.")] = Field(None, max_length=64)
    mine: Annotated[bool, CliOption(help="Only tasks that you should look at, with the reasons.")] = Field(
        False, description="Only what you should look at, with why"
    )
    over_days: Annotated[
        float | None, CliOption(metavar="DAYS", help="Also tasks that ended within so many days.")
    ] = Field(None, gt=0, le=3650, description="Also what was over within so many days")
    limit: Shown = 50
    per_status: int | None = Field(
        None,
        ge=1,
        le=500,
        description="At most so many of each status of whole boards, with how many there are in each column",
    )
    after: After = None


class TaskListOutput(Output):
    """Tasks, and how many more there are; the tasks of each column, and how many have ended where none is listed."""

    tasks: tuple[TaskSummary, ...]
    more: int
    columns: dict[str, int] = Field(default_factory=dict)
    over: int = 0
    next: str = ""


async def _list(context: OperationContext, request: TaskListInput) -> Result[TaskListOutput]:
    _refuse_unknown(status=request.status, role=request.role, process=request.process)
    place = place_key(request.after, (bool, int, float, int))
    if request.per_status and (request.mine or request.status or request.role or request.process or place):
        raise InvalidInput(
            "per_status counts whole boards: it goes with none of status, role, process, mine and after.",
            kept="Nothing was changed.",
            hint="Leave per_status out, or what you choose by.",
        )
    found = await board_engine(context).in_transaction(
        read_tasks,
        context.caller,
        request.board,
        status=request.status,
        role=request.role,
        process=request.process,
        mine=request.mine,
        over_days=_over_days(request),
        per_status=request.per_status,
        after=None if place is None else (place[0], place[1], place[2], place[3]),
    )
    if not found.listed and not request.mine and place is None:
        return _none_open(found.ended)
    tasks = tuple(TaskSummary.of_task(card, why) for card, why in found.listed[: request.limit])
    number = sum(found.counts.values()) or len(found.listed)
    more = number - len(tasks)
    return Result(
        summary=f"{plural(number, 'task')}.",
        data=TaskListOutput.of(tasks=tasks, more=more, columns=found.counts, next=_next(found, request)),
        hints=(f"{more} more: raise limit, or choose by status, role or process.",) if more > 0 else (),
    )


def _next(tasks: TaskList, request: TaskListInput) -> str:
    """The place of the last task of the page, if there are more."""
    if request.per_status or len(tasks.listed) <= request.limit:
        return ""
    return place_text(card_place(tasks.listed[request.limit - 1][0]))


def _over_days(request: TaskListInput) -> float | None:
    """Include ended tasks of any age if the status asked for is one that ends a task."""
    ends = any(
        status.terminal
        for process in processes().values()
        for status in process.statuses.values()
        if status.name == request.status
    )
    return request.over_days or (EVER_DAYS if ends else None)


def _none_open(ended: int) -> Result[TaskListOutput]:
    """Tell how many tasks have ended: an empty list is not an empty board."""
    over = f"; {ended} {'is' if ended == 1 else 'are'} over" if ended else ""
    return Result(
        summary=f"0 tasks{over}.",
        data=TaskListOutput(tasks=(), more=0, over=ended),
        hints=(Advice("task.list", to="see also what was over within a year", over_days=365),)
        if ended
        else (),
    )


async def _get(context: OperationContext, request: TaskInput) -> Result[TaskOutput]:
    view = await board_engine(context).in_transaction(read_task, context.caller, request.task, request.board)
    task, card = view.task, view.card
    why = notices(card, view.actor) if card else ()
    return Result(
        summary=f"{task.slug} is {task.status} with {task.role}.",
        data=TaskOutput.of_whole(
            task,
            view.required,
            card=card,
            why=why,
            founder_answers=tuple(
                QuotedAnswer(
                    move=event.kind.removeprefix("task."),
                    at=event.at,
                    by=event.actor,
                    answer=event.payload["founder_answer"],
                )
                for event in view.answered
            ),
        ),
    )


_EVENTS_MAX = 500


class TaskHistoryInput(TaskInput):
    limit: Shown = Field(50, description="The newest so many")


class TaskHistoryOutput(Output):
    """The events of a task, oldest first, and what does not fit its state."""

    events: tuple[EventOutput, ...]
    problems: tuple[str, ...]


async def _history(context: OperationContext, request: TaskHistoryInput) -> Result[TaskHistoryOutput]:
    history = await board_engine(context).in_transaction(
        read_history, context.caller, request.task, request.board
    )
    problems = tuple(history.problems)
    number = len(history.events)
    shown = plural(number, "event")
    if number > request.limit:
        shown += f", the newest {request.limit} of them shown"
        if request.limit < _EVENTS_MAX:
            shown += f" (limit {min(number, _EVENTS_MAX)} shows more)"
    lead = "they do NOT lead to where the task is." if problems else "they lead to where the task is."
    return Result(
        summary=f"{shown}; {f'{CHANGED}.' if problems == (CHANGED,) else lead}",
        data=TaskHistoryOutput(
            events=event_outputs(history.events[-request.limit :], history.effect_texts), problems=problems
        ),
    )


class ProcessInput(BoardInput):
    process: Annotated[
        str | None, CliOption(argument="PROCESS", help="The process; without it, the names of all.")
    ] = Field(None, max_length=64, description="Default: the names of all")


class ProcessSummary(Output):
    """A process and its roles."""

    process: str
    roles: tuple[str, ...]


class StatusOutput(Output):
    """A status of a process; one that `ends` is the end of a task, with that outcome."""

    status: str
    roles: tuple[str, ...] = ()
    meaning: str = ""
    column: str = ""
    ends: Outcome | None = None


class MoveOutput(Output):
    """A move of a process: from where to where, who may make it, and what it needs, clears and judges."""

    move: str
    before: frozenset[str] = frozenset()
    of_: frozenset[str] = Field(frozenset(), alias="of")
    to: str
    role: str = ""
    by: frozenset[str] = frozenset()
    say: frozenset[str] = frozenset()
    needs: frozenset[str] = frozenset()
    clears: frozenset[str] = frozenset()
    gates: tuple[str, ...] = ()
    judges: frozenset[str] = frozenset()
    revokes: frozenset[str] = frozenset()
    founder_may_decide: bool = False


class FieldOutput(Output):
    """A field of a process: its kind, and who fills it when."""

    field: str
    kind: FieldKind
    meaning: str = ""
    filled_by: frozenset[str] = frozenset()
    with_its_move_only: bool = False
    deliverable: bool = False
    own_words: bool = False
    judgement: bool = False


class ProcessOutput(Output):
    """The table of one process, or all `processes`."""

    processes: tuple[ProcessSummary, ...] = ()
    process: str = ""
    created_by: tuple[str, ...] | None = None
    created_with: tuple[str, ...] | None = None
    statuses: tuple[StatusOutput, ...] = ()
    moves: tuple[MoveOutput, ...] = ()
    fields: tuple[FieldOutput, ...] | None = None
    gates: dict[str, str] | None = None

    @classmethod
    def of_process(cls, process: Process) -> Self:
        """Describe the table of a process."""
        rules = process.transitions.values()
        named = {gate for rule in rules for gate in rule.gates}
        return cls(
            process=process.name,
            created_by=tuple(sorted(process.creation.actors)),
            created_with=tuple(sorted(process.creation.requires)),
            statuses=tuple(
                StatusOutput.of(one, status=one.name, ends=one.outcome) for one in process.statuses.values()
            ),
            moves=tuple(
                MoveOutput.of(
                    rule,
                    move=rule.name,
                    before=rule.from_,
                    by=rule.actors,
                    say=rule.requires,
                    founder_may_decide=rule.decision,
                    of=rule.of,
                )
                for rule in rules
            ),
            fields=tuple(
                FieldOutput.of(
                    one,
                    field=one.name,
                    filled_by=one.writers,
                    with_its_move_only=one.with_move,
                    judgement=one.judges,
                )
                for one in process.fields.values()
            ),
            gates={name: GATES[name].meaning for name in sorted(named)},
        )


async def _process(_context: OperationContext, request: ProcessInput) -> Result[ProcessOutput]:
    known = board_processes()
    unused = tuple(read_new_processes())
    if request.process is None:
        summaries = (ProcessSummary(process=name, roles=sorted(one.roles)) for name, one in known.items())
        return Result(
            summary=f"Boards work by {', '.join(known)}.",
            data=ProcessOutput(processes=tuple(summaries)),
            hints=unused,
        )
    if (process := known.get(request.process)) is None:
        hint = " ".join((f"There are {', '.join(known)}.", *unused))
        raise NotFound(f"There is no process {request.process!r}.", hint=hint)
    return Result(
        summary=f"{process.name} has {len(process.statuses)} statuses.",
        data=ProcessOutput.of_process(process),
        hints=unused,
    )


LIST = declare(
    _list,
    name="task_list",
    title="List tasks",
    layer=Layer.DISCOVERY,
    about="Tasks of your boards; with mine=true what you should look at now, and why (your turn, blocked for you,"
    " a lease that ends, work that is written and not moved, a move that the founder decides of or has decided).",
    read_only=True,
)
GET = declare(
    _get,
    name="task_get",
    title="Show a task",
    layer=Layer.DETAIL,
    about="One task whole: its fields, where it is on its way, and every move that there is from here with who may"
    " make it and what it needs.",
    read_only=True,
)
HISTORY = declare(
    _history,
    name="task_history",
    title="Show what happened to a task",
    layer=Layer.EXPLORATION,
    about="The events of a task, oldest first, and whether they lead to where it is now.",
    read_only=True,
)
PROCESS = declare(
    _process,
    name="task_process",
    title="Show how a process goes",
    layer=Layer.EXPLORATION,
    about="The law of a board: statuses, roles, moves with what each needs, fields with who fills them, gates.",
    read_only=True,
)


def _refuse_unknown(*, status: str | None, role: str | None, process: str | None) -> None:
    """Raise InvalidInput for a status, a role or a process that no board's process has."""
    known = board_processes().values()
    _refuse("status", status, {name for one in known for name in one.statuses} | {BLOCKED})
    _refuse("role", role, {name for one in known for name in one.roles})
    _refuse("process", process, {one.name for one in known})


def _refuse(what: str, word: str | None, known: Collection[str]) -> None:
    if word is None or word in known:
        return
    close = difflib.get_close_matches(word.lower(), known, n=1)
    meant = f"Did you mean {close[0]}? " if close else ""
    raise InvalidInput(
        f"There is no {what} {word!r}.",
        hint=f"{meant}There are {', '.join(sorted(known))}.",
    )
