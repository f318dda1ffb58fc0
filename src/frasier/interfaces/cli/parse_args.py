"""Parsing of typed arguments into the values that tools take."""

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
    """Format a moment as ISO 8601 with its time zone."""
    return moment.replace(tzinfo=UTC).isoformat() if moment else None


def absolute(path: str | None) -> str | None:
    """Return a path relative to the current folder as an absolute one, without resolving links."""
    return str(Path(path).absolute()) if path else path


def json_object(text: str | None, option: str) -> dict[str, Any] | None:
    """Parse `text` as a JSON object."""
    if text is None:
        return None
    try:
        parsed = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise typer.BadParameter(f"this is no JSON: {error}", param_hint=option) from None
    if not isinstance(parsed, dict):
        raise typer.BadParameter('give an object, as in {"branch": "main"}', param_hint=option)
    return parsed


def confirm(question: str, *, yes: bool) -> None:
    """Ask a person before something is deleted. Raises InvalidInput if nobody is there to answer."""
    if yes:
        return
    # Not Typer's own, which also writes to standard output, where only results belong.
    try:
        sys.stderr.write(f"{strip_control(question)} [y/N] ")
        sys.stderr.flush()
        answer = sys.stdin.buffer.readline().decode("utf-8", "replace")  # input that is not text is not a yes
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
