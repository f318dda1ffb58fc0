"""Errors as people see them, and the exit codes that scripts rely on."""

from __future__ import annotations

import json
import os
import sys
import traceback
from enum import IntEnum
from pathlib import Path
from typing import Any

from frasier.interfaces.advice import CommandLine, Reader, error_facts
from frasier.interfaces.cli.acting_as import TOKEN
from frasier.kernel.errors import (
    ConfigurationError,
    FrasierError,
    ProviderError,
    Refused,
    StoreError,
)
from frasier.kernel.text import strip_control

_LOG_LEVEL = "FRASIER_LOG_LEVEL"


class ExitCode(IntEnum):
    """Exit codes: 0 is success, 2 a wrong command line (Typer's own)."""

    DEFECT = 1
    REFUSED = 3
    FAILED = 4
    """The request was carried out, and ended badly: a mission, a check."""
    WAITS_FOR_FOUNDER = 5
    PROVIDER = 6
    DATABASE = 7
    CONFIGURATION = 8
    INTERRUPTED = 130


_CODES: tuple[tuple[type[FrasierError], ExitCode], ...] = (
    (Refused, ExitCode.REFUSED),
    (ProviderError, ExitCode.PROVIDER),
    (StoreError, ExitCode.DATABASE),
    (ConfigurationError, ExitCode.CONFIGURATION),
)


def exit_code_of(error: FrasierError) -> int:
    return next((code for kind, code in _CODES if isinstance(error, kind)), ExitCode.DEFECT)


def hint_of(error: FrasierError) -> str:
    """Return the hint of an error with its advice written as commands."""
    return str(error_facts(error, CommandLine()).get("hint", ""))


def show_error(error: FrasierError, *, as_json: bool) -> None:
    """Print an error: what happened, what was preserved, what to do. To standard error, or as JSON to standard
    output.
    """
    facts = error_facts(error, CommandLine(Reader.MEMBER if TOKEN in os.environ else Reader.FOUNDER))
    if as_json:
        _show_json(facts)
        return
    number = f" ({error.number})" if error.number else ""
    lines = [f"Error: {error.message}{number}", error.kept, facts.get("hint", "")]
    sys.stderr.write(strip_control("\n".join(line for line in lines if line)) + "\n")


def show_usage_error(message: str, command: str) -> None:
    """Print a wrong command line as JSON; without --json Typer prints it with the usage."""
    _show_json({"code": "usage", "message": message, "hint": f"`{command} --help` shows what can be given."})


def show_defect(error: Exception, *, as_json: bool, log: Path | None = None) -> None:
    """Print an unexpected error in a sentence, what was preserved, and where its traceback is: in the `log`.

    Without a log, and with FRASIER_LOG_LEVEL=debug, the traceback is printed.
    """
    what = f"Frasier has a defect: {type(error).__name__}: {_first_line(error)}"
    kept = "Everything that was stored before is kept."
    where = f"The details are in {log}. " if log else ""
    hint = f"{where}Run the command again; if it fails the same way, report it with these details."
    if as_json:
        _show_json({"code": "defect", "message": what, "kept": kept, "hint": hint})
    if log is None or os.environ.get(_LOG_LEVEL, "").lower() == "debug":
        traceback.print_exception(error, file=sys.stderr)
    sys.stderr.write(strip_control(f"Error: {what}\n{kept}\n{hint}") + "\n")


def _first_line(error: Exception) -> str:
    return next(iter(str(error).splitlines()), "") or "no message"


def _show_json(facts: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps({"error": facts}, ensure_ascii=False) + "\n")
