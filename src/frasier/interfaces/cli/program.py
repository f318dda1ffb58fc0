"""The `frasier` program: its commands, and the handling of every error."""

from __future__ import annotations

import io
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from frasier import __version__
from frasier.interfaces.cli.defect_log import log_defect
from frasier.interfaces.cli.errors import ExitCode, exit_code_of, show_defect, show_error, show_usage_error
from frasier.interfaces.cli.lazy_groups import lazy_commands
from frasier.kernel.errors import FrasierError

if TYPE_CHECKING:
    from frasier.interfaces.cli.application import Application

_COMMANDS = {
    "init": "init:init",
    "demo": "demo:demo",
    "run": "run:run",
    "say": "chat:say",
    "answer": "chat:answer",
    "resume": "run:resume",
    "watch": "run:watch",
    "ask": "mission_messages:ask",
    "revise": "mission_messages:revise",
    "steer": "mission_messages:steer",
    "up": "processes:up",
    "status": "status:status",
    "inbox": "inbox:inbox",
    "decide": "inbox:decide",
    "approve": "verdict:approve",
    "reject": "verdict:reject",
    "board": "board:board",
    "pause": "mission_control:pause",
    "cancel": "mission_control:cancel",
    "retry": "mission_control:retry",
    "costs": "costs:costs",
    "telemetry": "telemetry:telemetry",
    "postmortem": "post_mortem:postmortem",
    "evaluations": "evaluations:evaluations",
    "evaluate": "evaluations:evaluate",
    "doctor": "doctor:doctor",
    "worker": "processes:worker",
    "heartbeat": "processes:heartbeat",
    "serve": "serve:serve",
    "web": "web:web",
    "mcp": "serve:mcp",
    "missions": "missions:missions",
    "steps": "steps:steps",
    "agents": "lazy_groups:agents",
    "teams": "lazy_groups:teams",
    "routine": "lazy_groups:routine",
    "proposals": "lazy_groups:proposals",
    "directives": "directives:directives",
    "skills": "lazy_groups:skills",
    "policy": "policies:policy",
    "memory": "lazy_groups:memory",
    "task": "lazy_groups:task",
    "skill": "skill:skill",
    "events": "events:events",
    "outbox": "outbox:outbox",
    "subscriptions": "lazy_groups:subscriptions",
    "db": "database:db",
}

cli = typer.Typer(
    name="frasier",
    cls=lazy_commands("frasier.interfaces.cli", _COMMANDS),
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
        show_defect(error, as_json=as_json, log=log_defect(error, application))
        sys.exit(ExitCode.DEFECT)
    sys.exit(code if isinstance(code, int) else 0)
