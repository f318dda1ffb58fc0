"""Declared commands: run one for a task, whose tests the engine counts itself, and list them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated

from pydantic import Field

from frasier.board import RequiredCommand, RunResult, StoredCommand, read_commands, read_task
from frasier.interfaces.operations import CliOption, Layer, OperationContext, Output, Result, declare
from frasier.interfaces.operations.tasks.inputs import OneBoardInput, TaskInput
from frasier.interfaces.operations.tasks.outputs import TaskPlace
from frasier.interfaces.operations.tasks.resolve import board_engine
from frasier.kernel.humanize import ended, plural


class CheckInput(TaskInput):
    command: Annotated[
        str, CliOption(argument="COMMAND", help="A declared command; `commands` lists them.")
    ] = Field(max_length=40, description="A declared command of the board; task_commands lists them")


class CheckOutput(TaskPlace):
    """The result of a run, with the tests that the engine counted."""

    passed: int | None = None
    total: int | None = None
    holds: bool
    ended_well: bool
    exit_code: int | None = None
    ended: str
    took_s: float
    why: str = ""
    tail: str = ""
    required_for: tuple[str, ...] = ()


async def _check(context: OperationContext, request: CheckInput) -> Result[CheckOutput]:
    engine = board_engine(context)
    before = await engine.in_transaction(read_task, context.caller, request.task, request.board)
    moves = _moves_of(before.required, request.command)
    task, result = await engine.check(before.task.id, request.command, actor=before.actor)
    return Result(
        summary=f"{request.command} on {task.slug}: {_verdict(result)}",
        data=CheckOutput.of_task(
            task,
            result,
            holds=result.all_passed,
            ended_well=_ended_well(result, moves),
            required_for=moves,
        ),
        hints=(f"It is required for {', '.join(moves)}: {'ended well' if result.exited_well else _NOT_YET}.",)
        if moves
        else (),
    )


def _verdict(result: RunResult) -> str:
    """The counted tests, and the end of the command if it did not end well."""
    if result.all_passed:
        return f"{result.passed} of {plural(result.total or 0, 'test')}, all passed."
    counted = (
        f"{result.passed} of {plural(result.total, 'test')} passed."
        if result.total
        else "no tests were counted."
    )
    return f"{counted} {ended(result.why or 'It ended with exit code 0.')}"


def _ended_well(result: RunResult, moves: Sequence[str]) -> bool:
    """Whether all tests passed or, for a command that moves require and that counts none, it ended with exit code 0."""
    return result.all_passed or (bool(moves) and result.total is None and result.exited_well)


_NOT_YET = "until it ends with 0, that is refused"


def _moves_of(required: Iterable[RequiredCommand], name: str) -> tuple[str, ...]:
    """The moves that require a command."""
    return tuple(one.move for one in required if one.name == name)


class CommandOutput(Output):
    """A declared command, and the moves that require it."""

    command: str
    arguments: tuple[str, ...]
    folder: str
    timeout_s: int
    memory_mb: int
    report: str = ""
    enabled: bool
    required_for: tuple[str, ...] = ()

    @classmethod
    def of_stored(cls, stored: StoredCommand, required_for: tuple[str, ...]) -> CommandOutput:
        """Describe a declared command."""
        command = stored.command
        return cls.of(
            stored,
            command,
            command=command.name,
            folder=str(command.folder),
            required_for=required_for,
        )


class CommandsOutput(Output):
    """The declared commands of a board."""

    commands: tuple[CommandOutput, ...]


async def _commands(context: OperationContext, request: OneBoardInput) -> Result[CommandsOutput]:
    found = await board_engine(context).in_transaction(read_commands, context.caller, request.board)
    return Result(
        summary=f"{found.board.name} has {plural(len(found.declared), 'declared command')}.",
        data=CommandsOutput(
            commands=tuple(
                CommandOutput.of_stored(stored, _moves_of(found.required, stored.command.name))
                for stored in found.declared
            )
        ),
    )


CHECK = declare(
    _check,
    name="task_check",
    title="Run the tests of a task",
    layer=Layer.SURGICAL,
    about="Runs a command that the founder declared, counts its tests and records them as evidence for the task."
    " May take minutes.",
)
COMMANDS = declare(
    _commands,
    name="task_commands",
    title="List declared commands",
    layer=Layer.EXPLORATION,
    about="The commands that may be run for tasks of a board, which are switched on, and which a move requires.",
    read_only=True,
)
