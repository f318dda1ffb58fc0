"""Running what the founder declared: the engine counts the tests itself, and gates believe nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pydantic import Field

from frasier.board import Ran, RequiredCommand, list_commands, required_commands
from frasier.interfaces.task_tools.inputs import BoardInput, ProjectName, TaskInput
from frasier.interfaces.task_tools.resolve import board_of, find_meant, the_project
from frasier.interfaces.task_tools.task_json import task_place
from frasier.interfaces.tools import Layer, Reply, Surroundings, Tool, told
from frasier.kernel.humanize import ended, plural


class CheckInput(TaskInput):
    command: str = Field(
        max_length=40, description="A declared command of the project; task_commands lists them"
    )


async def _check(around: Surroundings, given: CheckInput) -> Reply:
    board = board_of(around)
    meant = await find_meant(around, given.task, given.project)
    required = await board.in_transaction(required_commands, meant.task.group_id)
    moves = _moves_of(required, given.command)
    task, ran = await board.check(meant.task.id, given.command, actor=meant.actor)
    return Reply(
        summary=f"{given.command} on {task.slug}: {_verdict(ran)}",
        data=task_place(task)
        | told(
            passed=ran.passed,
            total=ran.total,
            holds=ran.all_passed,
            ended_well=_ended_well(ran, moves),
            exit_code=ran.exit_code,
            ended=ran.ended,
            took_s=ran.took_s,
            why=ran.why,
            tail=ran.tail,
            required_for=moves,
        ),
        hints=(f"It is required for {', '.join(moves)}: {'ended well' if ran.exited_well else _NOT_YET}.",)
        if moves
        else (),
    )


def _verdict(ran: Ran) -> str:
    """What was counted, and how it ended where that is not well."""
    if ran.all_passed:
        return f"{ran.passed} of {plural(ran.total or 0, 'test')}, all passed."
    counted = (
        f"{ran.passed} of {plural(ran.total, 'test')} passed." if ran.total else "no tests were counted."
    )
    return f"{counted} {ended(ran.why or 'It ended with exit code 0.')}"


def _ended_well(ran: Ran, moves: Sequence[str]) -> bool:
    """Whether it did what it is there for: tests that all passed, or, where moves require it and it counted none, an
    end with exit code 0.
    """
    return ran.all_passed or (bool(moves) and ran.total is None and ran.exited_well)


_NOT_YET = "until it ends with 0, that is refused"


def _moves_of(required: Iterable[RequiredCommand], name: str) -> list[str]:
    """The moves that a command is required for."""
    return [one.move for one in required if one.name == name]


class CommandsInput(BoardInput):
    project: ProjectName = None


async def _commands(around: Surroundings, given: CommandsInput) -> Reply:
    board = board_of(around)
    project = await the_project(around, given.project)
    found = await board.in_transaction(list_commands, project.id)
    required = await board.in_transaction(required_commands, project.id)
    return Reply(
        summary=f"{project.name} has {plural(len(found), 'declared command')}.",
        data={
            "commands": [
                told(
                    command=one.command.name,
                    arguments=one.command.arguments,
                    folder=str(one.command.folder),
                    timeout_s=one.command.timeout_s,
                    memory_mb=one.command.memory_mb,
                    report=one.command.report,
                    enabled=one.enabled,
                    required_for=_moves_of(required, one.command.name),
                )
                for one in found
            ]
        },
    )


CHECKING = (
    Tool(
        name="task_check",
        title="Run the tests of a task",
        layer=Layer.SURGICAL,
        about="Runs a command that the founder declared, counts its tests and records them as evidence for the task."
        " May take minutes.",
        input=CheckInput,
        run=_check,
    ),
    Tool(
        name="task_commands",
        title="List declared commands",
        layer=Layer.EXPLORATION,
        about="The commands that may be run for tasks of a project, which are switched on, and which a move requires.",
        input=CommandsInput,
        run=_commands,
        read_only=True,
        idempotent=True,
    ),
)
