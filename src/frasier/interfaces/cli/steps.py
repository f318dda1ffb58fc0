"""`frasier steps show`: one step with its versions, reviews, calls and costs."""

from __future__ import annotations

from typing import Annotated

import typer

from frasier.interfaces.cli.output import show_view
from frasier.interfaces.cli.run_operation import ask_organisation
from frasier.interfaces.cli.step_page import draw_step
from frasier.interfaces.cli.with_services import JsonOption, StepArgument, command_group, in_transaction

steps = command_group("Steps: what a mission is made of.")

VersionOption = Annotated[
    int | None,
    typer.Option("--version", "-v", min=1, help="Print the text of this version, with its sources."),
]


@steps.callback()
def _only_a_group() -> None:
    """Keep `show` a command of its own, although it is the only one."""


@steps.command()
def show(
    context: typer.Context, step: StepArgument, version: VersionOption = None, as_json: JsonOption = False
) -> None:
    """Show a step. Instruction, acceptance, versions, reviews, calls, phases, blocks; or a version's text."""
    if version is None:
        from frasier.interfaces.operations.organisation.steps import GET

        view = ask_organisation(context, GET, {"step": step}).step
        show_view(view, draw_step, as_json=as_json)
    else:
        from frasier.overview import read_version

        text = in_transaction(context, read_version, step, version)
        show_view(text, lambda page, text: page.markdown(text.text), as_json=as_json)
