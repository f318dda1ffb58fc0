"""Looking: what there is, what one task holds and can become, what happened to it, and how a process goes."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from frasier.board import (
    CHANGED,
    EVER_DAYS,
    GATES,
    board_processes,
    card_of,
    cards,
    check_trail,
    count_cards,
    count_over,
    notices,
)
from frasier.interfaces.task_tools.history import event_lines
from frasier.interfaces.task_tools.inputs import BoardInput, ProjectName, TaskInput
from frasier.interfaces.task_tools.resolve import board_of, find_meant, projects_of, who_asks
from frasier.interfaces.task_tools.task_json import (
    asked_lines,
    pause_line,
    required_in,
    task_line,
    task_whole,
)
from frasier.interfaces.task_tools.unknown_names import refuse_unknown
from frasier.interfaces.tools import Layer, Reply, Surroundings, Tool, told
from frasier.kernel.advice import Advice
from frasier.kernel.errors import InvalidInput, NotFound
from frasier.kernel.humanize import plural
from frasier.store import events_of
from frasier.workflow import Process, processes


class ListInput(BoardInput):
    project: ProjectName = None
    status: str | None = Field(None, max_length=64)
    role: str | None = Field(None, max_length=64, description="Whose turn it is")
    process: str | None = Field(None, max_length=64)
    mine: bool = Field(False, description="Only what you should look at, with why")
    over_days: float | None = Field(None, gt=0, le=3650, description="Also what was over within so many days")
    limit: int = Field(50, ge=1, le=500)
    per_status: int | None = Field(
        None,
        ge=1,
        le=500,
        description="At most so many of each status of whole boards, with how many there are in each column",
    )


async def _list(around: Surroundings, given: ListInput) -> Reply:
    refuse_unknown(status=given.status, role=given.role, process=given.process)
    if given.per_status and (given.mine or given.status or given.role or given.process):
        raise InvalidInput(
            "per_status counts whole boards: it goes with none of status, role, process and mine.",
            kept="Nothing was changed.",
            hint="Leave per_status out, or what you choose by.",
        )
    board = board_of(around)
    actor = await who_asks(around)
    boards = [one.name for one in await projects_of(around, given.project)]
    mine = actor if given.mine else None
    days = _over_days(given)
    found = (
        await board.in_transaction(
            cards, boards, over_days=days, concerning=mine, per_status=given.per_status
        )
        if boards
        else []
    )
    counts = await board.in_transaction(count_cards, boards, over_days=days) if given.per_status else {}
    shown = [
        (card, why)
        for card in found
        if given.status in {None, card.task.status}
        and given.role in {None, card.task.role}
        and given.process in {None, card.task.process}
        and ((why := notices(card, actor)) or not given.mine)
    ]
    if not shown and not given.mine:
        return await _nothing_open(around, given, boards)
    lines = [task_line(card, why) for card, why in shown[: given.limit]]
    number = sum(counts.values()) or len(shown)
    more = number - len(lines)
    return Reply(
        summary=f"{plural(number, 'task')}.",
        data={"tasks": lines, "more": more} | told(columns=counts),
        hints=(f"{more} more: raise limit, or choose by status, role or process.",) if more > 0 else (),
    )


def _over_days(given: ListInput) -> float | None:
    """Whoever asks for a status that ends a task wants what is over, however long ago."""
    ends = any(
        one.terminal
        for process in processes().values()
        for one in process.statuses.values()
        if one.name == given.status
    )
    return given.over_days or (EVER_DAYS if ends else None)


async def _nothing_open(around: Surroundings, given: ListInput, boards: list[str]) -> Reply:
    """Where nothing is to be shown, what is over is told: an empty list is not an empty board."""
    over = await board_of(around).in_transaction(
        count_over, boards, status=given.status, role=given.role, process=given.process
    )
    return Reply(
        summary=f"0 tasks{f'; {over} {_are(over)} over' if over else ''}.",
        data={"tasks": [], "more": 0} | told(over=over or None),
        hints=(Advice("task.list", to="see also what was over within a year", over_days=365),)
        if over
        else (),
    )


def _are(number: int) -> str:
    return "is" if number == 1 else "are"


async def _get(around: Surroundings, given: TaskInput) -> Reply:
    board = board_of(around)
    meant = await find_meant(around, given.task, given.project)
    card = await board.in_transaction(card_of, meant.task.id)
    required = await required_in(board, meant.task.group_id)
    data = task_whole(meant.task, required)
    if card is not None:
        data |= told(why=notices(card, meant.actor), asked_founder=asked_lines(card)) | pause_line(card)
    return Reply(summary=f"{meant.task.slug} is {meant.task.status} with {meant.task.role}.", data=data)


class HistoryInput(TaskInput):
    limit: int = Field(50, ge=1, le=500, description="The newest so many")


async def _history(around: Surroundings, given: HistoryInput) -> Reply:
    board = board_of(around)
    meant = await find_meant(around, given.task, given.project)
    events = await board.in_transaction(events_of, meant.task.id)
    problems = await board.in_transaction(check_trail, meant.task.id)
    lines = await event_lines(board, meant.task.id, events[-given.limit :])
    lead = "they do NOT lead to where the task is." if problems else "they lead to where the task is."
    return Reply(
        summary=f"{plural(len(events), 'event')}; {f'{CHANGED}.' if problems == [CHANGED] else lead}",
        data={"events": lines, "problems": problems},
    )


class ProcessInput(BoardInput):
    process: str | None = Field(None, max_length=64, description="Default: the names of all")


async def _process(_around: Surroundings, given: ProcessInput) -> Reply:
    known = board_processes()
    if given.process is None:
        return Reply(
            summary=f"Boards work by {', '.join(known)}.",
            data={
                "processes": [{"process": name, "roles": sorted(one.roles)} for name, one in known.items()]
            },
        )
    if (process := known.get(given.process)) is None:
        raise NotFound(f"There is no process {given.process!r}.", hint=f"There are {', '.join(known)}.")
    return Reply(summary=f"{process.name} has {len(process.statuses)} statuses.", data=_table(process))


def _table(process: Process) -> dict[str, Any]:
    named = {gate for rule in process.transitions.values() for gate in rule.gates}
    return {
        "process": process.name,
        "created_by": sorted(process.creation.actors),
        "created_with": sorted(process.creation.requires),
        "statuses": [
            told(status=one.name, roles=one.roles, meaning=one.meaning, column=one.column, ends=one.outcome)
            for one in process.statuses.values()
        ],
        "moves": [
            told(
                move=rule.name,
                before=rule.from_,
                of=rule.of,
                to=rule.to,
                role=rule.role,
                by=rule.actors,
                say=rule.requires,
                needs=rule.needs,
                clears=rule.clears,
                gates=rule.gates,
                judges=rule.judges,
                revokes=rule.revokes,
                founder_may_decide=rule.decision or None,
            )
            for rule in process.transitions.values()
        ],
        "fields": [
            told(
                field=one.name,
                kind=one.kind,
                meaning=one.meaning,
                filled_by=one.writers,
                with_its_move_only=one.with_move or None,
                deliverable=one.deliverable or None,
                own_words=one.own_words or None,
                judgement=one.judges or None,
            )
            for one in process.fields.values()
        ],
        "gates": {name: GATES[name].meaning for name in sorted(named)},
    }


READING = (
    Tool(
        name="task_list",
        title="List tasks",
        layer=Layer.DISCOVERY,
        about="Tasks of your boards; with mine=true what you should look at now, and why (your turn, blocked for you,"
        " a lease that ends, work that is written and not moved, a move that the founder decides of or has decided).",
        input=ListInput,
        run=_list,
        read_only=True,
        idempotent=True,
    ),
    Tool(
        name="task_get",
        title="Show a task",
        layer=Layer.DETAIL,
        about="One task whole: its fields, where it is on its way, and every move that there is from here with who may"
        " make it and what it needs.",
        input=TaskInput,
        run=_get,
        read_only=True,
        idempotent=True,
    ),
    Tool(
        name="task_history",
        title="Show what happened to a task",
        layer=Layer.EXPLORATION,
        about="The events of a task, oldest first, and whether they lead to where it is now.",
        input=HistoryInput,
        run=_history,
        read_only=True,
        idempotent=True,
    ),
    Tool(
        name="task_process",
        title="Show how a process goes",
        layer=Layer.EXPLORATION,
        about="The law of a board: statuses, roles, moves with what each needs, fields with who fills them, gates.",
        input=ProcessInput,
        run=_process,
        read_only=True,
        idempotent=True,
    ),
)
