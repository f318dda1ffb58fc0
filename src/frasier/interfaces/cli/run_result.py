"""The result of a run, for a person or as one JSON object."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import typer

from frasier.interfaces.cli.directives import left_out_line
from frasier.interfaces.cli.document import document_of
from frasier.interfaces.cli.errors import ExitCode
from frasier.interfaces.cli.output import clock, print_json_line, short, terminal_markdown, time_taken, usd
from frasier.interfaces.cli.plan_page import plan_document, show_plan
from frasier.interfaces.cli.waiting import how_to_go_on, questions_of
from frasier.kernel.humanize import plural
from frasier.kernel.text import strip_control
from frasier.org.conversation import PLAN_QUESTION
from frasier.org.missions import MissionStatus
from frasier.overview import MissionEnding, MissionProgress


def present_outcome(
    progress: MissionProgress, *, as_json: bool, interrupted: bool, elsewhere: bool = False
) -> int:
    """Print the state of the mission and return the exit code. `elsewhere` says that another process works on it."""
    code = _exit_code(progress, interrupted=interrupted)
    if as_json:
        print_json_line(as_dict(progress) | {"interrupted": code == ExitCode.INTERRUPTED})
    else:
        _say(progress, interrupted=interrupted, elsewhere=elsewhere)
    return code


def present_ended(progress: MissionProgress, *, as_json: bool) -> int:
    """Print how a mission ended that had ended before it was resumed; return the exit code."""
    code = _exit_code(progress, interrupted=False)
    told = _how_it_ended(progress)
    if as_json:
        ended = {"resumed": False, "ended_at": progress.ended_at, "message": told}
        print_json_line(as_dict(progress) | ended)
    else:
        typer.echo(told, err=code != 0)
    return code


def _how_it_ended(progress: MissionProgress) -> str:
    cost = "as a rehearsal" if progress.rehearsal else f"for {usd(progress.cost_usd)} in all"
    short_id = short(progress.mission_id)
    when = f"on {clock(progress.ended_at)}" if progress.ended_at else ""
    lines = [f"Mission {short_id} ({progress.title}) "]
    match progress.status:
        case MissionStatus.DELIVERED:
            lines[0] += f"was delivered {when} {cost}: {progress.path}"
            lines += [*progress.left_out, *progress.unsettled, *filter(None, [progress.degraded])]
            if not Path(progress.path or "").is_dir():
                lines.append(
                    f"That folder is not there any more; every version is kept: `frasier missions show {short_id}`."
                )
        case MissionStatus.FAILED:
            lines[0] += f"failed {when}: {progress.failure}"
        case _:
            lines[0] += f"was cancelled {when}; what it made is kept."
    lines.append("Nothing was done or paid now.")
    if progress.status is not MissionStatus.DELIVERED:
        lines.append(f"`frasier retry {short_id}` takes it up again.")
    return "\n".join(lines)


def _exit_code(progress: MissionProgress, *, interrupted: bool) -> int:
    match progress.ending:
        case MissionEnding.DELIVERED | MissionEnding.DELIVERED_WITH_GAPS:
            return 0
        case MissionEnding.FAILED | MissionEnding.CANCELLED | MissionEnding.EARLIER_VERSION:
            return ExitCode.FAILED
        case _ if interrupted and not progress.waits_for_founder:
            return ExitCode.INTERRUPTED
        case _:
            return ExitCode.WAITS_FOR_FOUNDER


def deliverable_of(folder: str) -> str:
    """Return the path of the deliverable in a mission's folder."""
    return str(Path(folder) / "deliverable.md")


def files_of(folder: str) -> list[str]:
    """Return the paths of all forms of the deliverable in a mission's folder, of its sheet and tables."""
    parts = ("deliverable.*", "statements.*", "tables/*")
    return sorted(str(path) for part in parts for path in Path(folder).glob(part))


def as_dict(progress: MissionProgress) -> dict[str, Any]:
    """Return the JSON object of `frasier run --json`: costs in US dollars, durations in seconds."""
    path = progress.path
    return {
        "mission": str(progress.mission_id),
        "title": progress.title,
        "status": progress.status,
        "kind": progress.kind,
        "deliverable": deliverable_of(path) if path else None,
        "files": files_of(path) if path else [],
        "folder": path,
        "rehearsal": progress.rehearsal,
        "cost_usd": progress.cost_usd,
        "calls": progress.calls,
        "unanswered_calls": progress.unanswered_calls,
        "duration_s": round(progress.seconds, 2),
        "waited_for_founder_s": round(progress.waited_s, 2),
        "plan": plan_document(progress.plan),
        "waiting_for_founder": questions_of(progress),
        "model_troubles": document_of(progress.model_troubles),
        "failure": progress.trouble,
        "ending": progress.ending,
        "left_out": list(progress.left_out),
        "unsettled": list(progress.unsettled),
        "degraded": progress.degraded or None,
        "change": progress.change or None,
        "rules_left_out": document_of(progress.rules_left_out),
        "rules_unread": progress.rules_unread,
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
                "verification": step.verification.counts if step.verification else None,
                "degraded": step.degraded,
                "failure": step.failure,
                "seconds": None if step.work.seconds is None else round(step.work.seconds, 2),
                "cost_usd": step.work.cost_usd,
                "calls": step.work.calls,
                "score": step.score,
                "review_note": step.review_note,
                "reviews": document_of(step.reviews),
            }
            for step in progress.steps
        ],
    }


def _say(progress: MissionProgress, *, interrupted: bool, elsewhere: bool) -> None:
    short = str(progress.mission_id)[-8:]
    for rule in progress.rules_left_out:
        typer.echo(strip_control(left_out_line(rule.directive, rule.text, rule.tasks)), err=True)
    if progress.rules_unread:
        rules = plural(progress.rules_unread, "standing rule")
        typer.echo(f"A rehearsal understands no words, so it followed none of your {rules}.", err=True)
    match progress.status:
        case MissionStatus.DELIVERED if progress.revision_failure:
            typer.echo(f"No new version was accepted: {progress.revision_failure}", err=True)
            typer.echo(f"The earlier one stands: {deliverable_of(progress.path or '')}", err=True)
            typer.echo(f"Every version is kept: `frasier missions show {short}`.", err=True)
        case MissionStatus.DELIVERED:
            _say_delivered(progress)
        case MissionStatus.FAILED:
            typer.echo(f"The mission has failed: {progress.failure}", err=True)
            typer.echo(
                f"Every version is kept. `frasier missions show {short}`, `frasier retry {short}`.", err=True
            )
        case MissionStatus.CANCELLED:
            typer.echo("The mission was cancelled; what it made is kept.", err=True)
        case _ if progress.waits_for_founder:
            _say_waiting(progress)
        case MissionStatus.COMPLETED if progress.publication_error:
            typer.echo(f"The deliverable is approved and stored. {progress.publication_error}", err=True)
            typer.echo(
                f"Make room, or make the place writable; then `frasier resume {short}` writes the folder at once.",
                err=True,
            )
        case _ if elsewhere and not progress.attended:
            typer.echo(f"You stopped watching. {how_to_go_on(progress.mission_id)}", err=True)
        case _ if elsewhere:
            typer.echo(
                f"You stopped watching; the mission goes on. `frasier watch {short}` shows it again.",
                err=True,
            )
        case _ if interrupted:
            typer.echo(f"Interrupted. Nothing is lost; `frasier resume {short}` goes on.", err=True)


def _say_waiting(progress: MissionProgress) -> None:
    """Say what the founder is asked; of a plan that waits, all that there is to approve."""
    short_id = short(progress.mission_id)
    asks_plan = any(question.kind == PLAN_QUESTION for question in progress.waiting)
    if asks_plan and progress.plan is not None:
        show_plan(progress.plan)
    for line in questions_of(progress) or ("The mission is paused.",):
        typer.echo(f"Waiting for you: {line}", err=True)
    goes_on = f"`frasier resume {short_id}` {'begins it' if asks_plan else 'goes on'}"
    # To resume answers nothing that was asked; it tries again what a trouble stopped.
    asked = asks_plan or any(question.asks_for_words for question in progress.waiting)
    then = f"once it is {'approved' if asks_plan else 'answered'}, {goes_on}" if asked else goes_on
    typer.echo(f"Nothing is lost. `frasier inbox` lists it; {then}.", err=True)


def _say_delivered(progress: MissionProgress) -> None:
    folder = Path(progress.path or "")
    text = (folder / "deliverable.md").read_text("utf-8")
    if sys.stdout.isatty():
        from rich.console import Console

        from frasier.interfaces.cli.mission_screen import render

        console = Console()
        console.print(render(progress, width=console.width))
        console.rule()
        console.print(terminal_markdown(text))
        console.rule()
    else:
        typer.echo(text)
    people = sorted({step.agent for step in progress.steps})
    waited = f", and {time_taken(progress.waited_s)} for you," if progress.waited_s >= 1 else ""
    typer.echo(
        f"Delivered in {time_taken(progress.seconds)}{waited} for ${progress.cost_usd:.4f} by {', '.join(people)}: "
        f"{deliverable_of(str(folder))}"
    )
    if progress.change:
        typer.echo(progress.change)
    for sentence in progress.left_out:
        typer.echo(strip_control(f"It has a gap. {sentence}"))
    for sentence in filter(None, [*progress.unsettled, progress.degraded]):
        typer.echo(strip_control(sentence))
    others = [
        str(Path(path).relative_to(folder))
        for path in files_of(str(folder))
        if path != deliverable_of(str(folder))
    ]
    typer.echo(f"Beside it: {', '.join(others)}")
