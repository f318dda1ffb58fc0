"""Work on a task: claim it, keep it, hand it on, move it, pause it."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from frasier.board import BoardEngine, read_task
from frasier.interfaces.operations import CliOption, Layer, OperationContext, Result, declare
from frasier.interfaces.operations.tasks.inputs import (
    Attempt,
    Fields,
    FounderAnswer,
    HeldAttempt,
    Note,
    SeenVersion,
    TaskInput,
)
from frasier.interfaces.operations.tasks.outputs import TaskOutput, TaskPlace
from frasier.interfaces.operations.tasks.resolve import board_engine, resolved_task
from frasier.kernel.advice import Advice
from frasier.kernel.humanize import ended, moment
from frasier.workflow import Task, renew, restore

_SECONDS_BELOW = 120


def _lease(engine: BoardEngine) -> str:
    if engine.lease_s < _SECONDS_BELOW:
        return f"{engine.lease_s:.0f} seconds"
    return f"{round(engine.lease_s / 60)} minutes"


def _until(task: Task) -> str:
    return moment(task.lease_until) if task.lease_until else ""


class ClaimInput(TaskInput):
    memory_query_session: Annotated[
        str,
        CliOption(flags=("--session",), help="The session in which you searched the memory for this task."),
    ] = Field(
        "",
        max_length=128,
        description="The session in which you searched the memory for this task: its id of letters, digits and . _ : -",
    )
    founder_answer: FounderAnswer = ""


async def _claim(context: OperationContext, request: ClaimInput) -> Result[TaskOutput]:
    engine = board_engine(context)
    before = await engine.in_transaction(read_task, context.caller, request.task, request.board)
    fields = {"memory_query_session": request.memory_query_session} if request.memory_query_session else {}
    task = await engine.claim(
        before.task.id, fields, actor=before.actor, founder_answer=request.founder_answer
    )
    again = task.attempt == before.task.attempt
    return Result(
        summary=f"{task.slug} is yours already as {task.role}, attempt {task.attempt}, until {_until(task)}."
        if again
        else f"{task.slug} is yours as {task.role}, attempt {task.attempt}, for {_lease(engine)}.",
        data=TaskOutput.of_whole(task, before.required),
        hints=(
            f"Name attempt {task.attempt} in every move, and renew before the lease ends.",
            Advice("task.deliver", to="hand it on", task=task.place, attempt=task.attempt),
        ),
    )


class RenewInput(TaskInput):
    attempt: HeldAttempt


async def _renew(context: OperationContext, request: RenewInput) -> Result[TaskPlace]:
    engine = board_engine(context)
    before = await resolved_task(context, request)
    task = await engine.in_transaction(
        renew, before.task.id, actor=before.actor, attempt=request.attempt, lease_s=engine.lease_s
    )
    return Result(
        summary=f"{task.slug} is yours for another {_lease(engine)}.",
        data=TaskPlace.of_task(task),
    )


class DeliverInput(TaskInput):
    attempt: HeldAttempt
    fields: Fields = Field(default_factory=dict)
    note: Note = ""
    founder_answer: FounderAnswer = ""


async def _deliver(context: OperationContext, request: DeliverInput) -> Result[TaskPlace]:
    engine = board_engine(context)
    before = await resolved_task(context, request)
    task = await engine.deliver(
        before.task.id,
        request.fields,
        actor=before.actor,
        attempt=request.attempt,
        note=request.note,
        founder_answer=request.founder_answer,
    )
    return Result(
        summary=f"{task.slug} is delivered: it is {task.status} with {task.role} now.",
        data=TaskPlace.of_task(task),
    )


class MoveInput(TaskInput):
    move: Annotated[str, CliOption(argument="MOVE", help="One of those that `get` shows.")] = Field(
        max_length=64, description="A move that task_get lists"
    )
    fields: Fields = Field(default_factory=dict)
    attempt: Attempt = None
    note: Note = ""
    founder_answer: FounderAnswer = ""
    version: SeenVersion = None


async def _move(context: OperationContext, request: MoveInput) -> Result[TaskPlace]:
    engine = board_engine(context)
    before = await resolved_task(context, request)
    task = await engine.move(
        before.task.id,
        request.move,
        request.fields,
        actor=before.actor,
        attempt=request.attempt,
        note=request.note,
        founder_answer=request.founder_answer,
        version=request.version,
    )
    further = "which ends it" if task.terminal else f"{task.role} acts next"
    return Result(
        summary=f"{task.slug} went from {before.task.status} to {task.status}, {further}.",
        data=TaskPlace.of_task(task),
    )


class BlockInput(TaskInput):
    reason: str = Field(min_length=1, max_length=2_000, description="What stops it, and what was done so far")
    owner: Annotated[str, CliOption(help="The role that must act, or `founder`.")] = Field(
        max_length=64, description="The role that must act, or founder"
    )
    action: str = Field(min_length=1, max_length=2_000, description="What they must do")
    attempt: Attempt = None


async def _block(context: OperationContext, request: BlockInput) -> Result[TaskPlace]:
    engine = board_engine(context)
    before = await resolved_task(context, request)
    task = await engine.block(
        before.task.id,
        reason=request.reason,
        owner=request.owner,
        action=request.action,
        actor=before.actor,
        attempt=request.attempt,
    )
    held = before.task.lease_owner is not None and before.task.lease_owner == before.actor.name
    return Result(
        summary=f"{task.slug} is paused where it was; {request.owner} must {ended(request.action)}",
        data=TaskPlace.of_task(task),
        hints=(
            f"It stays yours: go on under attempt {task.attempt} when the pause is over.",
            Advice("task.wait", to="be told when it is over"),
        )
        if held
        else (),
    )


class TaskRestoreInput(TaskInput):
    note: Note = ""


async def _restore(context: OperationContext, request: TaskRestoreInput) -> Result[TaskPlace]:
    engine = board_engine(context)
    before = await resolved_task(context, request)
    task = await engine.in_transaction(
        restore, before.task.id, actor=before.actor, note=request.note, lease_s=engine.lease_s
    )
    return Result(
        summary=f"{task.slug} is back where it was: {task.status} with {task.role}.{_holder(task)}",
        data=TaskPlace.of_task(task),
    )


def _holder(task: Task) -> str:
    """The holder of a restored task, and until when."""
    if task.lease_until is None:
        return ""
    if task.lease_until <= task.updated_at:
        return f" The lease of {task.holder}, attempt {task.attempt}, had run out before: it is given back in a moment."
    return f" {task.holder} holds it under attempt {task.attempt}, until {_until(task)}."


CLAIM = declare(
    _claim,
    name="task_claim",
    title="Take a task",
    layer=Layer.SURGICAL,
    about="Takes a task under a lease, if it is your role's turn. Search the memory for it first, in a session.",
)
RENEW = declare(
    _renew,
    name="task_renew",
    title="Keep a task",
    layer=Layer.SURGICAL,
    about="Keeps a task that you hold: call it while you work, before the lease ends.",
    idempotent=True,
)
DELIVER = declare(
    _deliver,
    name="task_deliver",
    title="Hand a task on",
    layer=Layer.SURGICAL,
    about="Writes your result and hands the task on to whoever is next, in one.",
)
MOVE = declare(
    _move,
    name="task_move",
    title="Move a task",
    layer=Layer.SURGICAL,
    about="Makes one move of the process: approve, send back, complete, release, cancel and so on. A move that is"
    " not allowed is refused with what is missing and who may, and changes nothing.",
)
BLOCK = declare(
    _block,
    name="task_block",
    title="Pause a task",
    layer=Layer.SURGICAL,
    about="Pauses a task that cannot go on, at its exact place. Say who must do what. Works whatever else is down.",
)
RESTORE = declare(
    _restore,
    name="task_restore",
    title="End a pause",
    layer=Layer.SURGICAL,
    about="Puts a paused task back to exactly where it was; whoever held it goes on under the same attempt.",
)
