"""Boards: their columns by the process, whose filter is in the address, and new tasks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from urllib.parse import quote, urlencode

from frasier.board import (
    BoardFilter,
    BoardPage,
    board_processes,
    read_board_counts,
    read_board_page,
    read_open_decisions,
)
from frasier.interfaces.operations.tasks.board_columns import Layout, arrange
from frasier.interfaces.operations.tasks.board_legend import BLOCKED_MEANING, NOTICE_WORDS, roles_of
from frasier.interfaces.operations.tasks.outputs import TaskSummary
from frasier.interfaces.operations.tasks.read import ProcessOutput
from frasier.interfaces.web import page_operations
from frasier.interfaces.web.founder import FOUNDER
from frasier.interfaces.web.operations import run
from frasier.interfaces.web.page import (
    ActionRequest,
    ActionResult,
    FormAction,
    Fragment,
    PageContent,
    PageRequest,
    PageRoute,
)
from frasier.interfaces.web.pages.members import MODE_MEANINGS
from frasier.interfaces.web.task_form import asked_fields, sent_fields
from frasier.kernel.errors import InvalidInput, NotFound
from frasier.workflow import BLOCKED, ActorKind, Process, process_of

_SHOWN = 25
_SHOWN_OF_ONE = 250
_ENDED_DAYS = (7, 30, 365)
_COLOURS = 6
_ROLE = ActorKind.FOUNDER.value


async def _read_boards(request: PageRequest) -> PageContent:
    boards = await request.services.in_transaction(read_board_counts)
    return PageContent(
        title="Boards",
        fragments=(
            Fragment(id="board-list", template="boards/list.html", values={"boards": boards}),
            Fragment(id="board-make", template="boards/make_form.html", values={"sent": request.sent}),
        ),
    )


async def _read_board(request: PageRequest) -> PageContent:
    services, name = request.services, request.params["board"]
    query = {key: value.strip() for key, value in request.query.items() if value.strip()}
    chosen = _filter(query)
    shown = _SHOWN_OF_ONE if chosen.status else _SHOWN
    page = await services.in_transaction(read_board_page, name, chosen, per_status=shown)
    waiting = await services.in_transaction(read_open_decisions, FOUNDER, name)
    tables = [ProcessOutput.of_process(process_of(one)) for one in page.processes]
    roles = roles_of(tables)
    layout = _layout(page, tables)
    shared = {
        "board": page.board,
        "address": f"/boards/{quote(name)}",
        "query": query,
        "notice_words": NOTICE_WORDS,
        "colour": {role: f"role-{index % _COLOURS}" for index, role in enumerate(roles)},
        "more_of": _more_addresses(name, query, tables),
    }
    columns = [*layout.columns, *(column for column in layout.apart if column.count or column.tasks)]
    return PageContent(
        title=page.board.name,
        fragments=(
            Fragment(
                id="board-decisions",
                template="parts/decisions.html",
                values={"identity": "board-decisions", "decisions": waiting.briefs},
            ),
            Fragment(
                id="board-columns",
                template="boards/columns.html",
                values={**shared, "columns": columns, "filtered": bool(query), "apart": len(layout.columns)},
            ),
        ),
        values={
            **shared,
            "tables": tables,
            "mode_meaning": MODE_MEANINGS[page.board.approval_mode],
            "roles": roles,
            "holders": page.holders,
            "statuses": _statuses(tables),
            "ended_days": _ENDED_DAYS,
            "chosen": chosen,
            "blocked": BLOCKED,
            "blocked_meaning": BLOCKED_MEANING,
        },
    )


def _filter(query: Mapping[str, str]) -> BoardFilter:
    days = query.get("ended", str(_ENDED_DAYS[0]))
    if not days.isdecimal() or int(days) not in _ENDED_DAYS:
        raise InvalidInput(
            f"Tasks that ended within {days[:20]!r} days are not shown.",
            kept="Nothing was changed.",
            hint=f"Choose one of {', '.join(map(str, _ENDED_DAYS))}.",
        )
    return BoardFilter(
        text=query.get("q", "").replace("\x00", "") or None,
        holder=query.get("owner") or None,
        role=query.get("role") or None,
        status=BLOCKED if query.get("blocked") else query.get("status") or None,
        waiting=bool(query.get("waiting")),
        over_days=float(days),
    )


def _layout(page: BoardPage, tables: Sequence[ProcessOutput]) -> Layout:
    tasks = [TaskSummary.of_task(card, why) for card, why in page.listed]
    return arrange(tables, tasks, page.counts, paused=BLOCKED)


def _statuses(tables: Sequence[ProcessOutput]) -> list[str]:
    return list(dict.fromkeys(status.status for table in tables for status in table.statuses))


def _more_addresses(
    name: str, query: Mapping[str, str], tables: Sequence[ProcessOutput]
) -> dict[str, list[tuple[str, str]]]:
    """Return for each column the statuses in it, each with the address that shows more of it."""
    more: dict[str, dict[str, str]] = {BLOCKED: {BLOCKED: ""}}
    for status in (status for table in tables for status in table.statuses):
        more.setdefault(status.column or status.status, {})[status.status] = ""
    return {
        column: [
            (status, f"/boards/{quote(name)}?{urlencode({**query, 'status': status})}") for status in statuses
        ]
        for column, statuses in more.items()
    }


async def _read_new(request: PageRequest) -> PageContent:
    board = request.params["board"]
    offered = [one for one in board_processes().values() if _ROLE in one.creation.actors]
    wanted = request.sent.get("process") or request.query.get("process")
    # By default one that a first task can be created of.
    process = next(
        (one for one in offered if (one.name == wanted if wanted else not one.creation.parent)), None
    )
    if process is None:
        raise NotFound(
            f"The founder creates no task of the process {str(wanted)[:60]!r}.",
            hint=f"There are {', '.join(one.name for one in offered)}.",
        )
    declared = ProcessOutput.of_process(process).fields or ()
    optional = [one.name for one in process.fields.values() if _is_optional(process, one.name)]
    values = {
        "board": board,
        "address": f"/boards/{quote(board)}",
        "processes": [one.name for one in offered],
        "process": process.name,
        "roles": process.creation.roles,
        "parent": process.creation.parent,
        "required": asked_fields(declared, process.creation.requires, {}),
        "optional": asked_fields(declared, optional, {}, required=False),
        "every_role": sorted(process.roles),
        "sent": request.sent,
    }
    return PageContent(
        title="New task",
        fragments=(Fragment(id="task-new", template="boards/new_form.html", values=values),),
        values=values,
    )


def _is_optional(process: Process, name: str) -> bool:
    field = process.fields[name]
    return _ROLE in field.writers and not field.with_move and name not in process.creation.requires


async def _create(request: ActionRequest) -> ActionResult:
    """Create a task on the board."""
    form, board = request.form, request.params["board"]
    process = board_processes().get(form.text("process"))
    declared = (ProcessOutput.of_process(process).fields or ()) if process else ()
    fields = {
        name: value for name, value in sent_fields(declared, form.fields()).items() if value is not None
    }
    priority = form.text("priority") or "0"
    if not priority.removeprefix("-").isdecimal():
        raise InvalidInput(
            f"The priority is not a whole number: {priority[:20]!r}.", kept="No task was created."
        )
    created = await run(
        request.services,
        page_operations.CREATE,
        {
            "board": board,
            "process": form.text("process"),
            "name": form.text("name"),
            "title": form.text("title"),
            "role": form.text("role"),
            "priority": int(priority),
            "needs": form.text("needs").split(),
            "about": form.text("about").split(),
            "fields": fields,
        },
    )
    name = created.data.task.partition("/")[2]
    return ActionResult(text=created.summary, go_to=f"/boards/{quote(board)}/tasks/{quote(name)}")


PAGES = (
    PageRoute(path="/boards", section="Boards", template="boards/page.html", read=_read_boards),
    PageRoute(path="/boards/{board}", section="Boards", template="boards/board.html", read=_read_board),
    PageRoute(path="/boards/{board}/new", section="Boards", template="boards/new.html", read=_read_new),
)
ACTIONS = (FormAction(path="/boards/{board}/new", act=_create),)
