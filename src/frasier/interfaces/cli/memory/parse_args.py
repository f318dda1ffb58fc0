"""What is typed at the command line, as the tools take it."""

from __future__ import annotations

import json
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import typer

from frasier.interfaces.cli.text_args import unusable
from frasier.kernel.text import strip_control

MOMENT_FORMATS = ["%Y-%m-%d", "%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S"]


def in_utc(moment: datetime | None) -> str | None:
    """A moment as ISO 8601 with its time zone."""
    return moment.replace(tzinfo=UTC).isoformat() if moment else None


def absolute(path: str | None) -> str | None:
    """A path from where the person stands; what it leads to is not looked at."""
    return str(Path(path).absolute()) if path else path


def json_object(text: str | None, option: str) -> dict[str, Any] | None:
    """The object that `text` spells."""
    if text is None:
        return None
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise typer.BadParameter(f"this is no JSON: {error}", param_hint=option) from None
    if not isinstance(found, dict):
        raise typer.BadParameter('give an object, as in {"branch": "main"}', param_hint=option)
    return found


def confirm(question: str, *, yes: bool) -> None:
    """Asks a person before something is taken away. Raises InvalidInput where nobody is there to answer."""
    if yes:
        return
    # Not Typer's own, which writes to standard output too, where results alone belong.
    try:
        sys.stderr.write(f"{strip_control(question)} [y/N] ")
        sys.stderr.flush()
        answer = sys.stdin.buffer.readline().decode("utf-8", "replace")  # what is no text is no yes
    except KeyboardInterrupt:
        typer.echo("\nInterrupted. Nothing was changed.", err=True)
        raise typer.Exit(130) from None
    if not (answer and sys.stdin.isatty()):
        typer.echo(err=True)  # nobody has typed the end of the question's line
    if not answer:
        raise unusable("Nobody answered.", "E031", "Give --yes where nobody can be asked.")
    if answer.strip().lower() not in {"y", "yes"}:
        typer.echo("Nothing was changed.", err=True)
        raise typer.Exit
