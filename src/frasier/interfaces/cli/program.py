"""The `frasier` program: its commands, and the handling of every error."""

from __future__ import annotations

import io
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from frasier import __version__
from frasier.interfaces.cli.agents import agents
from frasier.interfaces.cli.board import board
from frasier.interfaces.cli.chat import say
from frasier.interfaces.cli.costs import costs
from frasier.interfaces.cli.database import db
from frasier.interfaces.cli.directives import directives
from frasier.interfaces.cli.doctor import doctor
from frasier.interfaces.cli.errors import ExitCode, exit_code_of, show_defect, show_error, show_usage_error
from frasier.interfaces.cli.events import events
from frasier.interfaces.cli.inbox import decide, inbox
from frasier.interfaces.cli.lazy_groups import memory, task
from frasier.interfaces.cli.mission_control import cancel, pause, retry
from frasier.interfaces.cli.missions import missions
from frasier.interfaces.cli.outbox import outbox
from frasier.interfaces.cli.processes import heartbeat, up, worker
from frasier.interfaces.cli.run import resume, run
from frasier.interfaces.cli.serve import mcp, serve
from frasier.interfaces.cli.skill import skill
from frasier.interfaces.cli.status import status
from frasier.interfaces.cli.steps import steps
from frasier.interfaces.cli.usage_errors import Commands
from frasier.kernel.errors import FrasierError

if TYPE_CHECKING:
    from frasier.interfaces.cli.application import Application

cli = typer.Typer(
    name="frasier",
    cls=Commands,
    help="Runs an organisation of LLM agents on PostgreSQL: a directive in, a reviewed and cited deliverable out.",
    no_args_is_help=True,
    pretty_exceptions_show_locals=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # Rich's own help takes as long again as everything else that --help loads
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _show_version(requested: bool) -> None:
    if requested:
        typer.echo(f"frasier {__version__}")
        raise typer.Exit


@cli.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Options that precede any command."""


for command in (
    run,
    say,
    resume,
    up,
    status,
    inbox,
    decide,
    board,
    pause,
    cancel,
    retry,
    costs,
    doctor,
    worker,
    heartbeat,
    serve,
    mcp,
):
    cli.command()(command)
for group, name in (
    (missions, "missions"),
    (steps, "steps"),
    (agents, "agents"),
    (directives, "directives"),
    (memory, "memory"),
    (task, "task"),
    (skill, "skill"),
    (events, "events"),
    (outbox, "outbox"),
    (db, "db"),
):
    cli.add_typer(group, name=name)


def _open_what_is_closed() -> None:
    """Open the standard streams that the program was started without: no input, and output that is discarded.

    In this order each gets its own number, which otherwise the next file or connection would get.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115  open until the end


def run_program(application: Application) -> None:
    """Run the command that the arguments name, with one presentation of errors and one table of exit codes."""
    _open_what_is_closed()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # Replace characters that the terminal cannot encode instead of failing with a traceback.
            stream.reconfigure(errors="replace")
    as_json = "--json" in sys.argv
    try:
        # With --json nothing but JSON may reach standard output, so Typer must not print errors of its own.
        code = cli(obj=application, prog_name="frasier", standalone_mode=not as_json)
    except FrasierError as error:
        show_error(error, as_json=as_json)
        sys.exit(exit_code_of(error))
    except typer.TyperException as error:
        context = getattr(error, "ctx", None)
        show_usage_error(error.format_message(), context.command_path if context else "frasier")
        sys.exit(error.exit_code)
    except Exception as error:  # noqa: BLE001  the outermost handler: every error is presented in one way
        show_defect(error, as_json=as_json)
        sys.exit(ExitCode.DEFECT)
    sys.exit(code if isinstance(code, int) else 0)
