"""A board under attack: tasks at every position, the board of another team, and what must not be changed.

A tool caller (MCP, HTTP) is a function that calls a tool as a member and returns the response and whether
it was refused.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import psycopg

from frasier.board import (
    ApprovalMode,
    DeclaredCommand,
    add_member,
    declare_command,
    get_board,
    make_board,
    open_decisions,
    remove_member,
    set_mode,
    switch_command,
)
from frasier.interfaces.operations.tasks.registry import TASK_OPERATIONS
from frasier.kernel.ids import new_id
from frasier.memory import issue_token, verify_token
from frasier.store import Database, Tx
from frasier.workflow import FOUNDER
from support.board_team import BOARD, DESIGN, WANTED, Team
from support.refusals import check_refusal
from support.team import liaison_answers

VAULT = "vault"
SECRET = "The crown jewels are below the third step."
"""Another team's board, and what stands there: nobody of the kettle's team may read it."""

TOKEN_MARK = "frasier_sk-"
WHO = ("anna", "lia", "dan", "boss", "nobody", "gone")
"""A designer, a liaison, a developer, the founder, one who is no member, and one who is a member no more."""

# Links are looked up before a move: what was seen is recorded, whether the move is refused after that or not.
LOOKED_UP = {name: {"board_evidence", "events of evidence"} for name in ("task_move", "task_deliver")}

_PARTS = {
    "events": "select * from events where kind <> 'task.evidence'",
    "events of evidence": "select * from events where kind = 'task.evidence'",
    "markers": "select * from memory_items where kind = 'marker'",
    "vault": "select t.*, b.*, c.* from boards p left join workflow_tasks t on t.group_id = p.id"
    " left join workflow_blocks b on b.task_id = t.id left join board_commands c on c.board_id = p.id"
    f" where p.name = '{VAULT}'",
}
_TABLES = "select tablename from pg_tables where tablename like 'workflow\\_%' order by tablename"

ToolResponse: TypeAlias = tuple[dict[str, Any], bool]
"""The response, and True if it is a refusal."""

ToolCaller: TypeAlias = Callable[[str, str, Any], Awaitable[ToolResponse]]
"""Calls as that member the tool of that name with those arguments."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stand:
    """The names of tasks by their positions, the open decision, and the links that a designer has to give."""

    tasks: Mapping[str, str]
    decision: str
    session: str
    memory: str

    @property
    def names(self) -> list[str]:
        return [*self.tasks.values(), *(f"{BOARD}/{name}" for name in self.tasks.values())]


@dataclass(kw_only=True)
class AttackedBoard:
    """The board with its credentials; `jewels` is the id of the task on the other team's board."""

    team: Team
    jewels: str
    stand: Stand


async def table_digests(db: Database) -> dict[str, str]:
    """Return a digest of each table of the boards and of their events and markers."""
    async with db.transaction() as tx:
        return await _digests(tx)


async def _digests(tx: Tx) -> dict[str, str]:
    tables = await (await tx.execute(_TABLES)).fetchall()
    [row] = await (await tx.execute(_digest_of([one["tablename"] for one in tables]))).fetchall()
    return {name: str(digest) for name, digest in row.items()}


def table_digests_now(url: str) -> dict[str, str]:
    """Return the table digests, for a test without an event loop."""
    with psycopg.connect(url, row_factory=psycopg.rows.dict_row) as connection:
        tables = connection.execute(_TABLES).fetchall()
        [row] = connection.execute(_digest_of([one["tablename"] for one in tables])).fetchall()
    return {name: str(digest) for name, digest in row.items()}


def _digest_of(tables: list[str]) -> str:
    parts = {name: f"select * from {name}" for name in tables} | _PARTS
    whole = (
        f"(select md5(string_agg(r::text, '~' order by r::text)) from ({query}) r) as \"{name}\""
        for name, query in parts.items()
    )
    return f"select {', '.join(whole)}"


def changed(before: Mapping[str, str], after: Mapping[str, str]) -> set[str]:
    return {name for name in before.keys() | after.keys() if before.get(name) != after.get(name)}


async def attack(
    attacked_board: AttackedBoard, call: ToolCaller, who: str, tool: str, arguments: Any
) -> ToolResponse:
    """Make one call and check what must hold of any call."""
    database = attacked_board.team.board.database
    before = await table_digests(database)
    response, refused = await call(who, tool, arguments)
    touched = changed(before, await table_digests(database))
    text = json.dumps(response)
    assert TOKEN_MARK not in text
    if refused:
        check_refusal(response)
        assert touched <= LOOKED_UP.get(tool, set()), "a refusal changed something"
    else:
        assert set(response) == {"summary", "data", "hints", "meta"}
        assert not (touched and TASK_OPERATIONS[tool].read_only), f"it was looked at, and {touched} changed"
    if who != "boss":
        assert "vault" not in touched
        assert SECRET not in text
    assert all(link.startswith("https://") and "@" not in link for link in attacked_board.team.links.asked)
    return response, refused


async def prepare_tasks(team: Team) -> Stand:
    """Create tasks at the positions that most moves start from, with new names."""
    mark = new_id().hex[-8:]
    tasks = {place: f"{place}-{mark}" for place in ("new", "ready", "held", "taken", "designed", "paused")}
    await team.create(tasks["new"])
    await team.ready(tasks["ready"])
    for held in ("held", "taken"):
        await team.claim("anna", await team.ready(tasks[held]))
    await team.designed(tasks["designed"])
    await team.ready(tasks["paused"])
    stopped = {"reason": "The gas is off.", "owner": "liaison", "action": "call them"}
    await team("anna", "task_block", task=tasks["paused"], **stopped)
    return Stand(
        tasks=tasks,
        decision=await _asked_founder(team, tasks["designed"]),
        session=await team.asked("anna"),
        memory=await team.learned("anna"),
    )


async def _asked_founder(team: Team, task: str) -> str:
    """Open a decision on the approval of a design, which stays open; afterwards nobody has to ask."""
    await _set_mode(team, ApprovalMode.MANUAL)
    fields = {"liaison_review": "As it was asked for.", **liaison_answers(task, "approval")}
    await team.refused("lia", "task_move", task=task, move="approve_design", fields=fields)
    await _set_mode(team, ApprovalMode.AUTONOMOUS)
    async with team.board.database.transaction() as tx:
        decisions = await open_decisions(tx, (await get_board(tx, BOARD)).id)
    return str(next(one.id for one in decisions if one.slug == task))


async def _set_mode(team: Team, mode: ApprovalMode) -> None:
    async with team.board.database.transaction() as tx:
        seen = (await get_board(tx, BOARD)).mode_version
        await set_mode(tx, BOARD, mode, seen=seen, actor=FOUNDER)


async def open_attacked_board(team: Team) -> AttackedBoard:
    """Create the board, another team's board, and two commands, one of them disabled."""
    async with team.board.database.transaction() as tx:
        await make_board(tx, VAULT, actor=FOUNDER)
        for name in (VAULT, BOARD):
            board = await get_board(tx, name)
            for command in ("unit", "off"):
                text = SECRET if name == VAULT else "3 passed in 0.01s"
                await declare_command(tx, board.id, _echo(command, text), actor=FOUNDER)
            await switch_command(tx, board.id, "unit", enabled=True, actor=FOUNDER)
        await _issue_credentials(tx, team)
    vault_task = {"name": "jewels", "title": SECRET, "board": VAULT}
    made = await team("boss", "task_create", **vault_task, fields=WANTED | {"description": SECRET})
    return AttackedBoard(team=team, jewels=made["id"], stand=await prepare_tasks(team))


def _echo(name: str, text: str) -> DeclaredCommand:
    return DeclaredCommand(
        name=name, arguments=("/bin/echo", text), folder=Path("/"), timeout_s=20, memory_mb=256
    )


async def _issue_credentials(tx: Tx, team: Team) -> None:
    """Issue tokens to a non-member, a former member, and the founder."""
    for name in ("nobody", "gone"):
        team.tokens[name] = await issue_token(tx, name, ["shared", f"board:{BOARD}"])
        team.callers[name] = await verify_token(tx, team.tokens[name])
    await add_member(tx, "gone", ["liaison"], [BOARD], actor=FOUNDER)
    await remove_member(tx, "gone", actor=FOUNDER)
    team.tokens["boss"] = await issue_token(tx, "boss", ["shared", "founder"], founder=True)


async def check_tool_works(attacked_board: AttackedBoard, call: ToolCaller, tool: str) -> None:
    """Make one call that succeeds, on its own tasks if the tool writes: the tool is reachable and works."""
    if not TASK_OPERATIONS[tool].read_only:
        attacked_board.stand = await prepare_tasks(attacked_board.team)
    who, arguments = _sound_call(attacked_board, tool)
    response, refused = await attack(attacked_board, call, who, tool, arguments)
    assert not refused, response


def _sound_call(attacked_board: AttackedBoard, tool: str) -> tuple[str, dict[str, Any]]:
    """Return a caller and arguments with which the tool succeeds right after prepare_tasks."""
    stand = attacked_board.stand
    tasks = stand.tasks
    held = {"task": tasks["held"], "attempt": 1}
    calls: dict[str, tuple[str, dict[str, Any]]] = {
        "task_recover": ("anna", {}),
        "task_wait": ("anna", {"timeout_s": 0}),
        "task_note": ("anna", {"state": {"step": "drawing"}}),
        "task_list": ("dan", {"mine": True}),
        "task_get": ("dan", {"task": tasks["new"]}),
        "task_history": ("dan", {"task": tasks["designed"]}),
        "task_process": ("dan", {"process": "pdsa_task"}),
        "task_create": ("lia", {"name": f"c-{new_id().hex[-8:]}", "title": "A cup", "fields": WANTED}),
        "task_edit": ("lia", {"task": tasks["new"], "version": 1, "fields": {"constraints": "Blue."}}),
        "task_claim": ("anna", {"task": tasks["ready"], "memory_query_session": stand.session}),
        "task_renew": ("anna", held),
        "task_deliver": (
            "anna",
            {**held, "fields": {"pdsa_ref": DESIGN, "memory_contribution_id": stand.memory}},
        ),
        "task_move": (
            "lia",
            {"task": tasks["new"], "move": "ready", "fields": {"depends_on_reviewed": True}},
        ),
        "task_block": ("dan", {"task": tasks["ready"], "reason": "r", "owner": "liaison", "action": "a"}),
        "task_restore": ("lia", {"task": tasks["paused"]}),
        "task_check": ("dan", {"task": tasks["held"], "command": "unit"}),
        "task_commands": ("dan", {}),
        "task_decisions": ("lia", {}),
        "task_decide": ("boss", {"decision": stand.decision, "approve": True}),
    }
    return calls[tool]
