"""`frasier steps show`: one step with its versions, reviews, calls and costs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from frasier.interfaces.cli.output import Page, print_json
from frasier.interfaces.cli.step_page import draw_step
from frasier.interfaces.cli.with_services import JsonOption, command_group, in_transaction

if TYPE_CHECKING:
    from collections.abc import Callable

    from frasier.overview import StepPage, VersionText

steps = command_group("Steps: what a mission is made of.")

StepArgument = Annotated[str, typer.Argument(help="MISSION/KEY, or a step's id, its beginning or end.")]
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
    from frasier.overview import read_step, read_version

    if version is not None:
        text = in_transaction(context, read_version, step, version)
        _show(text, lambda: _draw_version(text), as_json=as_json)
        return
    view = in_transaction(context, read_step, step)
    _show(view, lambda: draw_step(view), as_json=as_json)


def _show(view: StepPage | VersionText, draw: Callable[[], Page], *, as_json: bool) -> None:
    from frasier.interfaces.cli.document import document_of

    if as_json:
        print_json(document_of(view))
    else:
        draw().show()


def _draw_version(view: VersionText) -> Page:
    page = Page()
    page.markdown(view.text)
    return page
