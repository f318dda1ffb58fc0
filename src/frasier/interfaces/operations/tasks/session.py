"""Agents at work: recover after a crash or a long silence, wait for work, and note where one stands."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

from pydantic import Field

from frasier.board import (
    Card,
    HeldTask,
    Recovery,
    RecoveryView,
    boards_of_caller,
    forget_working_memory,
    read_recovery,
    write_working_memory,
)
from frasier.interfaces.operations import CliOption, Layer, OperationContext, Output, Result, declare
from frasier.interfaces.operations.tasks.history import EventOutput, event_outputs
from frasier.interfaces.operations.tasks.inputs import BoardInput, OneBoardInput
from frasier.interfaces.operations.tasks.outputs import DecisionOutput, TaskOutput, TaskSummary, next_step
from frasier.interfaces.operations.tasks.resolve import acting_caller, board_engine
from frasier.kernel.advice import Advice
from frasier.workflow import ActorKind

_WAITING_SHOWN = 20


class ActorOutput(Output):
    """The caller as boards know it."""

    name: str
    kind: ActorKind
    roles: frozenset[str] = frozenset()
    boards: tuple[str, ...] = ()


class HeldTaskOutput(TaskOutput):
    """A task that the agent holds, with its latest events."""

    latest: tuple[EventOutput, ...]

    @classmethod
    def of_held(cls, held: HeldTask, view: RecoveryView, *, paused: bool = False) -> HeldTaskOutput:
        """Describe a held task; of a `paused` one also its place."""
        task = held.card.task
        return cls.of_whole(
            task,
            view.required[task.group_id],
            card=held.card if paused else None,
            latest=event_outputs(held.latest, view.effect_texts),
        )


class WorkingMemoryOutput(Output):
    """The note of an agent about where it stands."""

    state: dict[str, Any] = Field(default_factory=dict)
    written_at: datetime


class ChangedTaskOutput(TaskSummary):
    """A task that the agent worked on, and what others did to it since."""

    since: datetime
    events: tuple[EventOutput, ...] = ()


class TaskRecoverOutput(Output):
    """The state of an agent's work."""

    you: ActorOutput
    holding: tuple[HeldTaskOutput, ...]
    paused: tuple[HeldTaskOutput, ...]
    stood: WorkingMemoryOutput | None
    waiting: tuple[TaskSummary, ...]
    changed: tuple[ChangedTaskOutput, ...]
    asked_founder: tuple[DecisionOutput, ...]


async def _recover(context: OperationContext, request: OneBoardInput) -> Result[TaskRecoverOutput]:
    view = await board_engine(context).in_transaction(read_recovery, context.caller, request.board)
    recovery = view.recovery
    actor = recovery.actor
    who = f"You are {actor.person}" + (f", as {', '.join(sorted(actor.roles))}" if actor.roles else "")
    held = f"You hold {len(recovery.holding)}{_paused(recovery)}"
    waits = "waits" if len(recovery.waiting) == 1 else "wait"
    return Result(
        summary=f"{who}. {held}, {len(recovery.waiting)} {waits} for you.",
        data=_recover_output(view),
        hints=(
            *(["Go on with what you hold before you take anything new."] if recovery.holding else []),
            *(_after_pause(held.card) for held in recovery.paused),
            *(next_step(decision) for decision in recovery.asked if decision.answer == "approved"),
        ),
    )


def _recover_output(view: RecoveryView) -> TaskRecoverOutput:
    recovery = view.recovery
    stood = recovery.stood
    return TaskRecoverOutput(
        you=ActorOutput.of(recovery.actor, boards=tuple(recovery.boards)),
        holding=tuple(HeldTaskOutput.of_held(held, view) for held in recovery.holding),
        paused=tuple(HeldTaskOutput.of_held(held, view, paused=True) for held in recovery.paused),
        stood=WorkingMemoryOutput.of(stood, written_at=stood.updated_at) if stood else None,
        waiting=tuple(TaskSummary.of_task(card, why) for card, why in recovery.waiting[:_WAITING_SHOWN]),
        changed=tuple(
            ChangedTaskOutput.of_task(
                changed.card,
                since=changed.since,
                events=event_outputs(changed.events, view.effect_texts),
            )
            for changed in recovery.changed
        ),
        asked_founder=tuple(DecisionOutput.of_brief(brief) for brief in view.asked),
    )


def _paused(recovery: Recovery) -> str:
    count = len(recovery.paused)
    return f", {count} of yours {'is' if count == 1 else 'are'} paused" if count else ""


def _after_pause(card: Card) -> str:
    held = f"under attempt {card.task.attempt}"
    return f"{card.task.slug} stays yours while it is paused: go on {held} when that is over."


class WaitInput(OneBoardInput):
    timeout_s: Annotated[
        float,
        CliOption(flags=("--timeout",), metavar="SECONDS", help="The most time to wait, up to 120 seconds."),
    ] = Field(30.0, ge=0, le=120)


class WaitOutput(Output):
    """The tasks that call for whoever waited."""

    tasks: tuple[TaskSummary, ...]


async def _wait(context: OperationContext, request: WaitInput) -> Result[WaitOutput]:
    engine = board_engine(context)
    actor, visible = await engine.in_transaction(boards_of_caller, context.caller, request.board)
    boards = [board.name for board in visible]
    if not boards:
        return Result(summary="There is no board yet.", data=WaitOutput(tasks=()))
    found = await engine.wait_for_work(actor, boards, timeout_s=request.timeout_s, limit=_WAITING_SHOWN)
    return Result(
        summary=f"{len(found)} to look at." if found else f"Nothing for you within {request.timeout_s:g} s.",
        data=WaitOutput(tasks=tuple(TaskSummary.of_task(card, why) for card, why in found[:_WAITING_SHOWN])),
    )


class NoteInput(BoardInput):
    state: dict[str, Any] = Field(
        description="Where you stand: task, step, what is expected of you, what is pending, what was decided."
        " Replaces what you noted before; empty forgets it"
    )


class NoteOutput(Output):
    """The time of a note, or that one was forgotten."""

    written_at: datetime | None = None
    forgotten: bool | None = None


async def _note(context: OperationContext, request: NoteInput) -> Result[NoteOutput]:
    engine, actor = board_engine(context), await acting_caller(context)
    if not request.state:
        forgotten = await engine.in_transaction(forget_working_memory, actor=actor)
        return Result(summary="Nothing is noted of you any more.", data=NoteOutput(forgotten=forgotten))
    written = await engine.in_transaction(write_working_memory, request.state, actor=actor)
    return Result(
        summary="Noted.",
        data=NoteOutput(written_at=written.updated_at),
        hints=(Advice("task.recover", to="read it again after a crash"),),
    )


RECOVER = declare(
    _recover,
    name="task_recover",
    title="Find your place again",
    layer=Layer.ORCHESTRATION,
    about="Call it first, and whenever you lost your context: who you are, what you hold, where you stood, what"
    " waits for you, what others changed since. Needs the database alone, so it is right whatever else is down.",
    read_only=True,
)
WAIT = declare(
    _wait,
    name="task_wait",
    title="Wait for work",
    layer=Layer.ORCHESTRATION,
    about="Returns as soon as there is something for you to do that your last wait did not tell you, at the latest"
    " after timeout_s: then with all that there is.",
    read_only=True,
)
NOTE = declare(
    _note,
    name="task_note",
    title="Note where you stand",
    layer=Layer.SURGICAL,
    about="Your working memory, replaced as a whole; task_recover gives it back after a crash. Note often.",
    idempotent=True,
)
