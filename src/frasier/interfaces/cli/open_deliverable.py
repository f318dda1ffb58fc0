"""`frasier missions open`: the deliverable in the pager or in the browser."""

from __future__ import annotations

import os
import sys
import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from frasier.interfaces.cli.output import short, terminal_markdown, write_out
from frasier.interfaces.cli.with_services import MissionArgument, in_transaction
from frasier.kernel.advice import Advice
from frasier.kernel.errors import InvalidInput, NotFound

if TYPE_CHECKING:
    from frasier.overview import MissionPage

HtmlOption = Annotated[bool, typer.Option("--html", help="In the browser, as a page with its sources.")]
PrintOption = Annotated[bool, typer.Option("--print", help="Print the path and open nothing.")]


def open_(
    context: typer.Context,
    mission: MissionArgument = "last",
    html: HtmlOption = False,
    print_path: PrintOption = False,
) -> None:
    """Open the deliverable of a mission: in your pager, or in the browser with --html.

    Prints its path instead with --print, without a terminal, and where there is no browser.
    """
    from frasier.overview import read_mission

    path = _deliverable(in_transaction(context, read_mission, mission), html=html)
    if print_path:
        write_out(f"{path}\n")
    elif html:
        if not webbrowser.open(path.as_uri()):
            write_out(f"{path}\n")
            typer.echo("No browser was found; open the page yourself.", err=True)
    elif sys.stdout.isatty():
        _page(path)
    else:
        write_out(f"{path}\n")


def _deliverable(view: MissionPage, *, html: bool) -> Path:
    """Return the file to open. Raises InvalidInput if the mission is not delivered, NotFound if the file is gone."""
    progress = view.progress
    name = short(progress.mission_id)
    show = Advice("mission.show", to="see how far it is", mission=name)
    if progress.path is None:
        raise InvalidInput(
            f"The mission {progress.title!r} is {progress.status.replace('_', ' ')}: nothing is delivered yet.",
            advice=show,
        )
    path = Path(progress.path) / ("deliverable.html" if html else "deliverable.md")
    if not path.is_file():
        raise NotFound(
            f"{path} is not there any more.",
            kept="Every version is kept in the database.",
            hint=f"`frasier steps show {name}/KEY --version 1` prints one.",
            advice=Advice("mission.show", to="see its steps", mission=name),
        )
    return path.absolute()


def _page(path: Path) -> None:
    """Show a Markdown file in the pager, formatted for the width of the terminal."""
    from rich.console import Console

    os.environ.setdefault("LESS", "-R")  # otherwise it shows the codes of colours as text
    console = Console()
    with console.pager(styles=True):
        console.print(terminal_markdown(path.read_text("utf-8")))
