"""How a run ended, for a person or as one JSON object."""

from __future__ import annotations

import json
import sys
from datetime import datetime
from pathlib import Path
from typing import Any

import typer

from frasier.interfaces.cli.directives import left_out_line
from frasier.interfaces.cli.errors import ExitCode
from frasier.interfaces.cli.snapshot import Snapshot
from frasier.kernel.text import strip_control
from frasier.org.planning import MissionStatus


def present_outcome(snapshot: Snapshot, *, as_json: bool, interrupted: bool) -> int:
    """Prints how the mission stands and returns the exit code."""
    code = _exit_code(snapshot, interrupted=interrupted)
    if as_json:
        sys.stdout.write(json.dumps(as_dict(snapshot), ensure_ascii=False) + "\n")
    else:
        _say(snapshot, interrupted=interrupted)
    return code


def present_ended(snapshot: Snapshot, *, as_json: bool) -> int:
    """Tells how a mission ended that had ended before it was resumed; returns the exit code."""
    code = _exit_code(snapshot, interrupted=False)
    told = _how_it_ended(snapshot)
    if as_json:
        document = as_dict(snapshot) | {
            "resumed": False,
            "ended_at": _iso(snapshot.ended_at),
            "message": told,
        }
        sys.stdout.write(json.dumps(document, ensure_ascii=False) + "\n")
    else:
        typer.echo(told, err=code != 0)
    return code


def _how_it_ended(snapshot: Snapshot) -> str:
    from frasier.interfaces.cli.present import clock, short, usd

    cost = "as a rehearsal" if snapshot.rehearsal else f"for {usd(snapshot.cost_usd)} in all"
    short_id = short(snapshot.mission_id)
    when = f"on {clock(snapshot.ended_at)}" if snapshot.ended_at else ""
    lines = [f"Mission {short_id} ({snapshot.title}) "]
    match snapshot.status:
        case MissionStatus.DELIVERED:
            lines[0] += f"was delivered {when} {cost}: {snapshot.path}"
            if not Path(snapshot.path or "").is_dir():
                lines.append(
                    f"That folder is not there any more; every version is kept: `frasier missions show {short_id}`."
                )
        case MissionStatus.FAILED:
            lines[0] += f"failed {when}: {snapshot.failure}"
        case _:
            lines[0] += f"was cancelled {when}; what it made is kept."
    lines.append("Nothing was done or paid now.")
    if snapshot.status is not MissionStatus.DELIVERED:
        lines.append(f"`frasier retry {short_id}` takes it up again.")
    return "\n".join(lines)


def _iso(moment: datetime | None) -> str | None:
    return moment.isoformat() if moment else None


def _exit_code(snapshot: Snapshot, *, interrupted: bool) -> int:
    match snapshot.status:
        case MissionStatus.DELIVERED:
            return 0
        case MissionStatus.FAILED | MissionStatus.CANCELLED:
            return ExitCode.FAILED
        case _ if interrupted and not snapshot.waits_for_founder:
            return 130
        case _:
            return ExitCode.WAITS_FOR_FOUNDER


def as_dict(snapshot: Snapshot) -> dict[str, Any]:
    """The JSON object of `frasier run --json`: costs in US dollars, durations in seconds."""
    path = snapshot.path
    return {
        "mission": str(snapshot.mission_id),
        "title": snapshot.title,
        "status": snapshot.status,
        "deliverable": str(Path(path) / "deliverable.md") if path else None,
        "folder": path,
        "rehearsal": snapshot.rehearsal,
        "cost_usd": snapshot.cost_usd,
        "calls": snapshot.calls,
        "duration_s": round(snapshot.seconds, 2),
        "waiting_for_founder": list(snapshot.waiting),
        "failure": snapshot.failure or snapshot.publication_error,
        "rules_left_out": list(snapshot.rules_left_out),
        "steps": [
            {
                "key": step.key,
                "title": step.title,
                "agent": step.agent,
                "status": step.status,
                "needs": list(step.needs),
                "version": step.version,
                "strikes": step.strikes,
                "citation_score": step.citation_score,
                "degraded": step.degraded,
                "failure": step.failure,
                "reviews": list(step.reviews),
            }
            for step in snapshot.steps
        ],
    }


def _say(snapshot: Snapshot, *, interrupted: bool) -> None:
    short = str(snapshot.mission_id)[-8:]
    for rule in snapshot.rules_left_out:
        typer.echo(strip_control(left_out_line(rule)), err=True)
    match snapshot.status:
        case MissionStatus.DELIVERED:
            _say_delivered(snapshot)
        case MissionStatus.FAILED:
            typer.echo(f"The mission has failed: {snapshot.failure}", err=True)
            typer.echo(
                f"Every version is kept. `frasier missions show {short}`, `frasier retry {short}`.", err=True
            )
        case MissionStatus.CANCELLED:
            typer.echo("The mission was cancelled; what it made is kept.", err=True)
        case _ if snapshot.waits_for_founder:
            for line in snapshot.waiting or ("The mission is paused.",):
                typer.echo(f"Waiting for you: {line}", err=True)
            typer.echo(
                f"Nothing is lost. `frasier inbox` lists it; `frasier resume {short}` goes on.", err=True
            )
        case MissionStatus.COMPLETED if snapshot.publication_error:
            typer.echo(f"The deliverable is approved and stored. {snapshot.publication_error}", err=True)
            typer.echo(
                f"Make room, or make the place writable; then `frasier resume {short}` writes the folder at once.",
                err=True,
            )
        case _ if interrupted:
            typer.echo(f"Interrupted. Nothing is lost; `frasier resume {short}` goes on.", err=True)


def _say_delivered(snapshot: Snapshot) -> None:
    folder = Path(snapshot.path or "")
    text = (folder / "deliverable.md").read_text("utf-8")
    if sys.stdout.isatty():
        from rich.console import Console
        from rich.markdown import Markdown

        from frasier.interfaces.cli.live import render

        console = Console()
        console.print(render(snapshot))
        console.rule()
        console.print(Markdown(text))
        console.rule()
    else:
        typer.echo(text)
    people = sorted({step.agent for step in snapshot.steps})
    typer.echo(
        f"Delivered in {snapshot.seconds:.0f} s for ${snapshot.cost_usd:.4f} by {', '.join(people)}: "
        f"{folder / 'deliverable.md'}"
    )
