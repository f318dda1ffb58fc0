"""`frasier task check` and `commands`: the engine runs the tests that the founder declared, and counts them itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from frasier.interfaces.cli.errors import ExitCode
from frasier.interfaces.cli.memory.call_tool import Data
from frasier.interfaces.cli.task.call_tool import ProjectOption, TaskArgument, ask, show
from frasier.interfaces.cli.with_services import JsonOption

if TYPE_CHECKING:
    from frasier.interfaces.cli.output import Page


def check(
    context: typer.Context,
    task: TaskArgument,
    command: Annotated[
        str, typer.Argument(metavar="COMMAND", help="A declared command; `commands` shows them.")
    ],
    as_json: JsonOption = False,
) -> None:
    """Run the tests of a task. What the engine counts is its evidence; it may take minutes.

    Ends with exit code 4 where they fail.
    """
    envelope = ask(context, "task_check", {"task": task, "command": command})

    def draw(page: Page, data: Data) -> None:
        page.line(("✓ ", "green") if data["ended_well"] else ("✗ ", "bold red"), envelope["summary"])
        if not data["ended_well"] and data.get("tail"):
            page.prose(str(data["tail"]))

    show(envelope, draw, as_json=as_json)
    if not envelope["data"]["ended_well"]:
        raise typer.Exit(ExitCode.FAILED)


def commands(context: typer.Context, project: ProjectOption = None, as_json: JsonOption = False) -> None:
    """List what may be run for tasks, and which of it is on."""
    envelope = ask(context, "task_commands", {"project": project})

    def draw(page: Page, data: Data) -> None:
        page.line(envelope["summary"])
        page.table(
            ["command", "", "required for", "runs", "in"],
            [
                (
                    one["command"],
                    "on" if one["enabled"] else ("off", "dim"),
                    ", ".join(one.get("required_for", ())),
                    " ".join(one["arguments"]),
                    one["folder"],
                )
                for one in data["commands"]
            ],
        )

    show(envelope, draw, as_json=as_json)
