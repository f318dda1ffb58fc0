"""A task of a board: where it is, what it holds, what happened to it, and the moves that the founder may make."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from frasier.board import GATES, Brief, read_open_decisions
from frasier.interfaces.operations.tasks.board_legend import NOTICE_WORDS
from frasier.interfaces.operations.tasks.event_sentences import sentence_of
from frasier.interfaces.operations.tasks.history import EventEvidence, EventOutput
from frasier.interfaces.operations.tasks.outputs import TaskOutput, Way
from frasier.interfaces.operations.tasks.read import ProcessOutput
from frasier.interfaces.services import Services
from frasier.interfaces.web import page_operations
from frasier.interfaces.web.founder import FOUNDER
from frasier.interfaces.web.operations import run, sentence
from frasier.interfaces.web.page import (
    ActionRequest,
    ActionResult,
    FormAction,
    Fragment,
    PageContent,
    PageRequest,
    PageRoute,
)
from frasier.interfaces.web.task_form import AskedField, as_text, asked_fields, editable, sent_fields
from frasier.kernel.errors import InvalidInput
from frasier.workflow import BLOCKED, ActorKind, is_filled, process_of

_EVENTS = 100
_ROLE = ActorKind.FOUNDER.value


async def _read(request: PageRequest) -> PageContent:
    services, board, name = request.services, request.params["board"], request.params["task"]
    task = (await run(services, page_operations.GET, {"task": name, "board": board})).data
    history = (await run(services, page_operations.HISTORY, {"task": str(task.id), "limit": _EVENTS})).data
    table = ProcessOutput.of_process(process_of(task.process))
    status = next((one for one in table.statuses if one.status == task.status), None)
    shared = {
        "board": board,
        "address": f"/boards/{quote(board)}/tasks/{quote(name)}",
        "task": task,
        "sent": request.sent,
        "every_role": sorted({role for one in table.statuses for role in one.roles}),
    }
    return PageContent(
        title=task.title,
        fragments=(
            Fragment(
                id="task-head",
                template="task/head.html",
                values={
                    **shared,
                    "meaning": status.meaning if status else "",
                    "blocked": task.status == BLOCKED,
                    "notice_words": NOTICE_WORDS,
                    "crumbs": task.breadcrumb.split(" → ") if task.breadcrumb else (),
                },
            ),
            Fragment(
                id="task-decisions",
                template="parts/decisions.html",
                values={"identity": "task-decisions", "decisions": await _decisions(services, task)},
            ),
            Fragment(
                id="task-moves",
                template="task/moves.html",
                values={**shared, **_moves(task, table), "blocked": task.status == BLOCKED},
            ),
            Fragment(
                id="task-fields", template="task/fields.html", values={**shared, **_fields(task, table)}
            ),
            Fragment(
                id="task-evidence",
                template="task/evidence.html",
                values={"evidence": _evidence(history.events)},
            ),
            Fragment(
                id="task-history",
                template="task/history.html",
                values={
                    "events": [(event, sentence_of(event)) for event in reversed(history.events)],
                    "problems": history.problems,
                    "most": _EVENTS,
                },
            ),
        ),
        values={"board": board, "task": task},
    )


async def _decisions(services: Services, task: TaskOutput) -> list[Brief]:
    """Read the decisions on moves of the task that wait for the founder."""
    board = task.task.partition("/")[0]
    waiting = await services.in_transaction(read_open_decisions, FOUNDER, board)
    return [brief for brief in waiting.briefs if brief.decision.task_id == task.id]


def _moves(task: TaskOutput, table: ProcessOutput) -> dict[str, Any]:
    """Return the moves of the founder, each with the fields that its form asks for, and those of others."""
    own = [way for way in task.ways if _ROLE in way.by]
    return {
        "own": [(way, _fields_asked(way, task, table)) for way in own],
        "others": [way for way in task.ways if _ROLE not in way.by],
    }


def _fields_asked(way: Way, task: TaskOutput, table: ProcessOutput) -> list[AskedField]:
    """Return what is said with a move, what it needs that is not written, and what its gates read, which may hold."""
    declared = table.fields or ()
    writable = {one.field for one in declared if _ROLE in one.filled_by}
    missing = {name for name in way.needs if not is_filled(task.fields.get(name))} & writable
    required = set(way.say) | missing
    gated = {name for gate in way.gates for name in GATES[gate].reads} & writable
    return [
        *asked_fields(declared, required, {}),  # what an earlier move said is not said again
        *asked_fields(declared, gated - required, task.fields, required=False),
    ]


def _fields(task: TaskOutput, table: ProcessOutput) -> dict[str, Any]:
    declared = table.fields or ()
    kinds = {one.field: one for one in declared}
    shown = [(kinds.get(name), name, value) for name, value in task.fields.items() if is_filled(value)]
    return {
        "shown": [one for one in shown if one[1] != "board"],
        "editable": []
        if task.outcome
        else asked_fields(declared, editable(declared), task.fields, required=False),
    }


def _evidence(events: tuple[EventOutput, ...]) -> list[tuple[EventOutput, EventEvidence]]:
    """Return the newest evidence of each subject, newest first."""
    newest: dict[tuple[str, str], tuple[EventOutput, EventEvidence]] = {}
    for event in events:
        if event.evidence is not None:
            newest[event.evidence.kind, event.evidence.subject] = (event, event.evidence)
    return sorted(newest.values(), key=lambda pair: pair[0].at, reverse=True)


def _place(request: ActionRequest) -> dict[str, str]:
    return {"task": request.params["task"], "board": request.params["board"]}


async def _typed(request: ActionRequest) -> tuple[TaskOutput, Mapping[str, Any]]:
    """Return the task, and the fields that the form sent, as its process declares them."""
    task = (await run(request.services, page_operations.GET, _place(request))).data
    declared = ProcessOutput.of_process(process_of(task.process)).fields or ()
    return task, sent_fields(declared, request.form.fields())


def _version(request: ActionRequest) -> int:
    version = request.form.text("version")
    if not version.isdecimal():
        raise InvalidInput(
            "The form does not say which version of the task it was shown.",
            kept="Nothing was changed.",
            hint="Reload the page and send it again.",
        )
    return int(version)


async def _move(request: ActionRequest) -> ActionResult:
    """Make one move of the task, as it was shown."""
    task, fields = await _typed(request)
    move = request.form.text("move")
    said = {name for way in task.ways if way.move == move for name in way.say}
    arguments = {
        **_place(request),
        "move": move,
        "fields": {
            name: value
            for name, value in fields.items()
            if value is not None and (name in said or as_text(value) != as_text(task.fields.get(name)))
        },
        "note": request.form.text("note"),
        "version": _version(request),
    }
    return ActionResult(text=sentence(await run(request.services, page_operations.MOVE, arguments)))


async def _edit(request: ActionRequest) -> ActionResult:
    """Change the fields that differ from those shown."""
    task, fields = await _typed(request)
    changed = {
        name: value for name, value in fields.items() if as_text(value) != as_text(task.fields.get(name))
    }
    if not changed:
        return ActionResult(text="It holds that already: nothing was changed.")
    arguments = {**_place(request), "fields": changed, "version": _version(request)}
    return ActionResult(text=sentence(await run(request.services, page_operations.EDIT, arguments)))


async def _block(request: ActionRequest) -> ActionResult:
    """Pause the task where it is."""
    named = {name: request.form.text(name) for name in ("reason", "owner", "action")}
    return ActionResult(
        text=sentence(await run(request.services, page_operations.BLOCK, {**_place(request), **named}))
    )


async def _restore(request: ActionRequest) -> ActionResult:
    """End the pause of the task."""
    arguments = {**_place(request), "note": request.form.text("note")}
    return ActionResult(text=sentence(await run(request.services, page_operations.RESTORE, arguments)))


_PATH = "/boards/{board}/tasks/{task}"
PAGES = (PageRoute(path=_PATH, section="Boards", template="task/page.html", read=_read),)
ACTIONS = (
    FormAction(path=f"{_PATH}/move", act=_move),
    FormAction(path=f"{_PATH}/edit", act=_edit),
    FormAction(path=f"{_PATH}/block", act=_block),
    FormAction(path=f"{_PATH}/restore", act=_restore),
)
