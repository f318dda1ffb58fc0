"""`frasier task check` and `commands`: run the tests that the founder declared, and list the commands that may run."""

from __future__ import annotations

import typer

from frasier.interfaces.cli.errors import ExitCode
from frasier.interfaces.cli.operation_command import operation_command
from frasier.interfaces.cli.operation_options import Arguments, options_of
from frasier.interfaces.cli.output import Page
from frasier.interfaces.cli.run_operation import ask, show
from frasier.interfaces.cli.with_services import JsonOption
from frasier.interfaces.operations.tasks.command_runs import CHECK, COMMANDS, CheckOutput, CommandsOutput


@options_of(CHECK.input)
def check(context: typer.Context, arguments: Arguments, as_json: JsonOption = False) -> None:
    """Run the tests of a task. What the engine counts is its evidence; it may take minutes.

    Ends with exit code 4 where they fail.
    """
    answer = ask(context, CHECK, arguments, boards=True)

    def draw(page: Page, data: CheckOutput) -> None:
        page.line(("✓ ", "green") if data.ended_well else ("✗ ", "bold red"), answer.summary)
        if not data.ended_well and data.tail:
            page.prose(data.tail)

    show(answer, draw, as_json=as_json)
    if not answer.data.ended_well:
        raise typer.Exit(ExitCode.FAILED)


@operation_command(COMMANDS, boards=True, summary=True)
def commands(page: Page, data: CommandsOutput) -> None:
    """List the commands that may be run for tasks, and which of them are on."""
    page.table(
        ["command", "", "required for", "runs", "in"],
        [
            (
                command.command,
                "on" if command.enabled else ("off", "dim"),
                ", ".join(command.required_for),
                " ".join(command.arguments),
                command.folder,
            )
            for command in data.commands
        ],
    )
