"""The `frasier` program: its commands, and how every error reaches a person."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from frasier import __version__
from frasier.interfaces.cli.errors import exit_code_of, show_error
from frasier.interfaces.cli.run import resume, run
from frasier.kernel.errors import FrasierError

if TYPE_CHECKING:
    from frasier.interfaces.cli.application import Application

cli = typer.Typer(
    name="frasier",
    help="Runs an organisation of LLM agents on PostgreSQL: a directive in, a reviewed and cited deliverable out.",
    no_args_is_help=True,
    pretty_exceptions_show_locals=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"frasier {__version__}")
        raise typer.Exit


@cli.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Options that stand before any command."""


cli.command()(run)
cli.command()(resume)


def run_program(application: Application) -> None:
    """Runs the command that the arguments name, with one way of showing errors and one table of exit codes."""
    try:
        cli(obj=application, standalone_mode=True)
    except FrasierError as error:
        show_error(error, as_json="--json" in sys.argv)
        sys.exit(exit_code_of(error))
    except KeyboardInterrupt:
        typer.echo("Interrupted. What was done is stored; `frasier resume last` goes on.", err=True)
        sys.exit(130)
