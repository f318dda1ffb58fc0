"""Working on a task: taking it, keeping it, handing it on, moving it, pausing it."""

from __future__ import annotations

from pydantic import Field

from frasier.board import Board
from frasier.interfaces.task_tools.inputs import (
    COUNT_MAX,
    Attempt,
    Fields,
    FounderAnswer,
    Note,
    TaskInput,
)
from frasier.interfaces.task_tools.resolve import board_of, find_meant
from frasier.interfaces.task_tools.task_json import required_in, task_place, task_whole
from frasier.interfaces.tools import Layer, Reply, Surroundings, Tool
from frasier.kernel.advice import Advice
from frasier.kernel.humanize import ended, moment
from frasier.workflow import Task, renew, restore


def _minutes(board: Board) -> str:
    return f"{round(board.lease_s / 60)} minutes"


def _until(task: Task) -> str:
    return moment(task.lease_until) if task.lease_until else ""


class ClaimInput(TaskInput):
    memory_query_session: str = Field(
        "", max_length=128, description="The session in which you searched the memory for this task"
    )
    founder_answer: FounderAnswer = ""


async def _claim(around: Surroundings, given: ClaimInput) -> Reply:
    board = board_of(around)
    meant = await find_meant(around, given.task, given.project)
    required = await required_in(board, meant.task.group_id)
    said = {"memory_query_session": given.memory_query_session} if given.memory_query_session else {}
    task = await board.claim(meant.task.id, said, actor=meant.actor, founder_answer=given.founder_answer)
    again = task.attempt == meant.task.attempt
    return Reply(
        summary=f"{task.slug} is yours already as {task.role}, attempt {task.attempt}, until {_until(task)}."
        if again
        else f"{task.slug} is yours as {task.role}, attempt {task.attempt}, for {_minutes(board)}.",
        data=task_whole(task, required),
        hints=(
            f"Name attempt {task.attempt} in every move, and renew before the lease ends.",
            Advice("task.deliver", to="hand it on", task=task.slug, attempt=task.attempt),
        ),
    )


class RenewInput(TaskInput):
    attempt: int = Field(ge=1, le=COUNT_MAX)


async def _renew(around: Surroundings, given: RenewInput) -> Reply:
    board = board_of(around)
    meant = await find_meant(around, given.task, given.project)
    task = await board.in_transaction(
        renew, meant.task.id, actor=meant.actor, attempt=given.attempt, lease_s=board.lease_s
    )
    return Reply(
        summary=f"{task.slug} is yours for another {_minutes(board)}.",
        data=task_place(task),
    )


class DeliverInput(TaskInput):
    attempt: int = Field(ge=1, le=COUNT_MAX)
    fields: Fields = Field(default_factory=dict)
    note: Note = ""
    founder_answer: FounderAnswer = ""


async def _deliver(around: Surroundings, given: DeliverInput) -> Reply:
    board = board_of(around)
    meant = await find_meant(around, given.task, given.project)
    task = await board.deliver(
        meant.task.id,
        given.fields,
        actor=meant.actor,
        attempt=given.attempt,
        note=given.note,
        founder_answer=given.founder_answer,
    )
    return Reply(
        summary=f"{task.slug} is delivered: it is {task.status} with {task.role} now.", data=task_place(task)
    )


class MoveInput(TaskInput):
    move: str = Field(max_length=64, description="A move that task_get lists")
    fields: Fields = Field(default_factory=dict)
    attempt: Attempt = None
    note: Note = ""
    founder_answer: FounderAnswer = ""


async def _move(around: Surroundings, given: MoveInput) -> Reply:
    board = board_of(around)
    meant = await find_meant(around, given.task, given.project)
    task = await board.move(
        meant.task.id,
        given.move,
        given.fields,
        actor=meant.actor,
        attempt=given.attempt,
        note=given.note,
        founder_answer=given.founder_answer,
    )
    further = "which ends it" if task.terminal else f"{task.role} acts next"
    return Reply(
        summary=f"{task.slug} went from {meant.task.status} to {task.status}, {further}.",
        data=task_place(task),
    )


class BlockInput(TaskInput):
    reason: str = Field(min_length=1, max_length=2_000, description="What stops it, and what was done so far")
    owner: str = Field(max_length=64, description="The role that must act, or founder")
    action: str = Field(min_length=1, max_length=2_000, description="What they must do")
    attempt: Attempt = None


async def _block(around: Surroundings, given: BlockInput) -> Reply:
    board = board_of(around)
    meant = await find_meant(around, given.task, given.project)
    task = await board.block(
        meant.task.id,
        reason=given.reason,
        owner=given.owner,
        action=given.action,
        actor=meant.actor,
        attempt=given.attempt,
    )
    kept = meant.task.lease_owner is not None and meant.task.lease_owner == meant.actor.name
    return Reply(
        summary=f"{task.slug} is paused where it was; {given.owner} must {ended(given.action)}",
        data=task_place(task),
        hints=(
            f"It stays yours: go on under attempt {task.attempt} when the pause is over.",
            Advice("task.wait", to="be told when it is over"),
        )
        if kept
        else (),
    )


class RestoreInput(TaskInput):
    note: Note = ""


async def _restore(around: Surroundings, given: RestoreInput) -> Reply:
    board = board_of(around)
    meant = await find_meant(around, given.task, given.project)
    task = await board.in_transaction(
        restore, meant.task.id, actor=meant.actor, note=given.note, lease_s=board.lease_s
    )
    return Reply(
        summary=f"{task.slug} is back where it was: {task.status} with {task.role}.{_who_holds(task)}",
        data=task_place(task),
    )


def _who_holds(task: Task) -> str:
    """Whose a restored task is, and until when."""
    if task.lease_until is None:
        return ""
    if task.lease_until <= task.updated_at:
        return f" The lease of {task.holder}, attempt {task.attempt}, had run out before: it is given back in a moment."
    return f" {task.holder} holds it under attempt {task.attempt}, until {_until(task)}."


MOVING = (
    Tool(
        name="task_claim",
        title="Take a task",
        layer=Layer.SURGICAL,
        about="Takes a task under a lease, if it is your role's turn. Search the memory for it first, in a session.",
        input=ClaimInput,
        run=_claim,
    ),
    Tool(
        name="task_renew",
        title="Keep a task",
        layer=Layer.SURGICAL,
        about="Keeps a task that you hold: call it while you work, before the lease ends.",
        input=RenewInput,
        run=_renew,
        idempotent=True,
    ),
    Tool(
        name="task_deliver",
        title="Hand a task on",
        layer=Layer.SURGICAL,
        about="Writes your result and hands the task on to whoever is next, in one.",
        input=DeliverInput,
        run=_deliver,
    ),
    Tool(
        name="task_move",
        title="Move a task",
        layer=Layer.SURGICAL,
        about="Makes one move of the process: approve, send back, complete, release, cancel and so on. A move that is"
        " not allowed is refused with what is missing and who may, and changes nothing.",
        input=MoveInput,
        run=_move,
    ),
    Tool(
        name="task_block",
        title="Pause a task",
        layer=Layer.SURGICAL,
        about="Pauses a task that cannot go on, at its exact place. Say who must do what. Works whatever else is down.",
        input=BlockInput,
        run=_block,
    ),
    Tool(
        name="task_restore",
        title="End a pause",
        layer=Layer.SURGICAL,
        about="Puts a paused task back to exactly where it was; whoever held it goes on under the same attempt.",
        input=RestoreInput,
        run=_restore,
    ),
)
