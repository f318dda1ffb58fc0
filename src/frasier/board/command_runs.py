"""Run declared commands for a task, outside any transaction: as its tests, or because a move requires them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from frasier.board.commands.declare import enabled_command, run_facts
from frasier.board.commands.declared_command import DeclaredCommand
from frasier.board.commands.requirements import RequiredCommand, required_commands
from frasier.board.commands.run_command import run_command
from frasier.board.commands.run_result import RunEnd, RunResult
from frasier.board.evidence.records import newest_evidence, record_evidence
from frasier.board.evidence.work_digest import work_digest
from frasier.board.founder_notifications import NotifyFounder, notify_cleared
from frasier.board.gates.check_gates import check_gates
from frasier.board.gates.required_command import missing_proof
from frasier.store import Database, Statements, Tx
from frasier.workflow import (
    SYSTEM,
    Actor,
    MoveRequest,
    Task,
    as_before_pause,
    check_attempt,
    fill,
    get_task,
    request_move,
)

_sql = Statements("frasier.board")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Before:
    """The state that a run is made on: the task as it was at the start, and the digest of its work."""

    task: Task
    work: str
    began_at: datetime


async def run_check(
    database: Database, task: Task, name: str, *, actor: Actor, notify_founder: NotifyFounder
) -> tuple[Task, RunResult]:
    """Run the command `name`, record the result and fill the test counts; see BoardEngine.check."""
    async with database.transaction() as tx:
        command = await enabled_command(tx, task.group_id, name, board=str(task.fields["board"]))
        before = await _state_before(tx, task, task.fields)
    ran = await run_command(command)
    async with database.transaction() as tx:
        kind = await _kind(tx, task, name, ran)
        await _record(tx, before, kind, command, ran, actor)
        if kind == "check":
            return await get_task(tx, task.id), ran
        counts = {"test_pass_count": ran.passed, "test_total_count": ran.total}
        counted_before = await as_before_pause(tx, await get_task(tx, task.id))
        after = await fill(tx, task.id, counts, actor=SYSTEM)
        await notify_cleared(tx, notify_founder, counted_before, after, by=actor)
        return after, ran


async def _kind(tx: Tx, task: Task, name: str, ran: RunResult) -> str:
    """Return the kind of evidence that a run is: "command" if it counts as the task's tests, else "check".

    A required command that has never counted tests does not speak for the tests. Neither does a command that could not
    be started: it ran nothing, and what was counted before is as true as it was.
    """
    if ran.ended is RunEnd.NOT_STARTED:
        return "check"
    required = any(one.name == name for one in await required_commands(tx, task.group_id))
    if not required or ran.total is not None or await newest_evidence(tx, task.id, "command", name):
        return "command"
    return "check"


async def run_required(
    database: Database, request: MoveRequest, required: Sequence[RequiredCommand], *, attempt: int | None
) -> bool:
    """Run the required commands of the move that have not been proved yet, and record the results. Return whether that
    was done with every gate of the move open.

    Nothing is run for a move that is refused anyway, nor where one of the commands is switched off: the move itself is
    refused then. Raises as request_move and check_gates do, and LeaseLost, recording nothing, if `attempt` does not
    hold the task any more when a run is over.
    """
    if not required or not all(one.stored.enabled for one in required):
        return False
    async with database.transaction() as tx:
        now = await get_task(tx, request.task.id)
        await check_attempt(tx, now, attempt)
        if now.version != request.task.version:
            request = request_move(
                now,
                request.rule.name,
                actor=request.actor,
                fields=request.fields,
                attempt=attempt,
                answer=request.answer,
            )
        await check_gates(tx, request)
        due = [one.stored.command for one in required if await missing_proof(tx, request, one)]
        before = await _state_before(tx, now, request.after)
    for command in due:
        ran = await run_command(command)
        async with database.transaction() as tx:
            await check_attempt(tx, await get_task(tx, now.id), attempt)
            await _record(tx, before, "check", command, ran, request.actor)
    return True


async def _state_before(tx: Tx, task: Task, fields: Mapping[str, Any]) -> _Before:
    began = await _sql.one(tx, "clock")
    return _Before(task=task, work=work_digest(task.definition, fields), began_at=began["now"])


async def _record(
    tx: Tx, before: _Before, kind: str, command: DeclaredCommand, ran: RunResult, actor: Actor
) -> None:
    await record_evidence(
        tx,
        before.task.id,
        before.task.attempt,
        kind=kind,
        subject=command.name,
        holds=ran.exited_well if kind == "check" else ran.all_passed,
        digest=ran.output_digest,
        facts=run_facts(ran),
        by=str(actor),
        work=before.work,  # as it was before the run: what is edited meanwhile was not run
        began_at=before.began_at,
    )
