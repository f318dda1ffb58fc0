"""`frasier skills add`, `scan`, `approve`, `quarantine`, `packages` and `package`: skills of third parties."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from frasier.interfaces.cli.output import Page, fixed, show_view
from frasier.interfaces.cli.run_operation import ask_organisation
from frasier.interfaces.cli.with_services import JsonOption
from frasier.kernel.errors import InvalidInput

if TYPE_CHECKING:
    from frasier.interfaces.operations.organisation.skill_packages import PackageListOutput, PackageOutput
    from frasier.overview import GateView, PackageSummary

SkillArgument = Annotated[str, typer.Argument(metavar="SKILL", help="The name of a skill of a third party.")]
_COLOURS = {"passed": "green", "flagged": "bold red", "failed": "bold red", "not_run": "yellow"}
_FINDINGS_SHOWN = 40
_ANSWERS_BYTES_MAX = 64 * 1024


def add(
    context: typer.Context,
    source: Annotated[
        str,
        typer.Argument(metavar="SOURCE", help="A folder with a SKILL.md, or a commit; #FOLDER inside it."),
    ],
    agent: Annotated[
        list[str] | None, typer.Option("--agent", help="Who is given it once it is approved; repeatable.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Read a skill of a third party, pin its hash, and scan it. Nothing of it is run, and it is not active."""
    from frasier.interfaces.operations.organisation.skill_packages import ADD

    _run(context, ADD, {"source": source, "agents": agent or []}, as_json=as_json)


def scan(context: typer.Context, skill: SkillArgument, as_json: JsonOption = False) -> None:
    """Run the gates over the stored files of a skill again. A flag quarantines it."""
    from frasier.interfaces.operations.organisation.skill_packages import SCAN

    _run(context, SCAN, {"skill": skill}, as_json=as_json)


def approve(
    context: typer.Context,
    skill: SkillArgument,
    answers: Annotated[
        Path | None,
        typer.Option("--answers", help="A JSON file with the hash, and an answer to each question."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Review a skill by seven questions. It is active if nothing is found, and quarantined otherwise."""
    from frasier.interfaces.operations.organisation.skill_packages import APPROVE, PACKAGE

    if answers is not None:
        review = _read_answers(answers)
    else:
        shown = ask_organisation(context, PACKAGE, {"skill": skill})
        review = _ask_questions(shown)
    _run(context, APPROVE, {"skill": skill, **review}, as_json=as_json)


def quarantine(
    context: typer.Context,
    skill: SkillArgument,
    why: Annotated[str, typer.Option("--why", help="The reason, which is kept.")] = "the founder's word",
    as_json: JsonOption = False,
) -> None:
    """Give a skill to no prompt from now on, and name the work that used it."""
    from frasier.interfaces.operations.organisation.skill_packages import QUARANTINE

    _run(context, QUARANTINE, {"skill": skill, "why": why}, as_json=as_json)


def packages(context: typer.Context, as_json: JsonOption = False) -> None:
    """List the skills of third parties with their state, and what each gate said."""
    from frasier.interfaces.operations.organisation.skill_packages import PACKAGES

    show_view(ask_organisation(context, PACKAGES, {}), _draw_list, as_json=as_json)


def package(context: typer.Context, skill: SkillArgument, as_json: JsonOption = False) -> None:
    """Show a skill of a third party: its text, all findings, and the work that used it."""
    from frasier.interfaces.operations.organisation.skill_packages import PACKAGE

    _run(context, PACKAGE, {"skill": skill}, as_json=as_json)


def _run(context: typer.Context, operation: Any, arguments: dict[str, Any], *, as_json: bool) -> None:
    shown = ask_organisation(context, operation, arguments)
    show_view(shown, _draw, lambda view: view.package, as_json=as_json)


def _read_answers(path: Path) -> dict[str, Any]:
    try:
        data = path.read_bytes()[:_ANSWERS_BYTES_MAX]
        table = json.loads(data)
        return {"hash": table["hash"], "answers": table["answers"]}
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise InvalidInput(
            f"{path} cannot be read as answers: {error}.",
            kept="Nothing was approved.",
            hint='It is JSON: {"hash": "…", "answers": {"prompt_injection": "clear: …", …}}.',
        ) from None


def _ask_questions(output: PackageOutput) -> dict[str, Any]:
    """Show the skill, and ask the seven questions on the terminal."""
    from frasier.interfaces.cli.terminal_questions import ask, ask_choice, require_terminal
    from frasier.org.skills import REVIEW_QUESTIONS

    require_terminal("frasier skills approve", hint="Give the answers in a file with --answers.")
    page = Page()
    _draw(page, output)
    page.show()
    answers = {}
    for question in REVIEW_QUESTIONS:
        typer.echo(f"\n{question.text}", err=True)
        word = ask_choice("Is it clear of that?", ("clear", "found"), default="")
        answers[question.key] = f"{word}: {ask('What did you look at?')}"
    return {"hash": output.package.summary.hash, "answers": answers}


def _draw_list(page: Page, data: PackageListOutput) -> None:
    if not data.packages:
        page.line("No skills of third parties were added.")
        return
    page.table(
        [fixed("skill"), fixed("state"), "gates", "from"],
        [
            (one.skill, (one.state, _state_colour(one)), ", ".join(map(_gate_text, one.gates)), one.source)
            for one in data.packages
        ],
    )


def _draw(page: Page, data: PackageOutput) -> None:
    shown = data.package
    summary = shown.summary
    page.heading(summary.skill)
    page.line((summary.state, _state_colour(summary)), f": {summary.why}" if summary.why else "")
    page.line((f"From {summary.source}, hash {summary.hash}", "dim"))
    page.line(shown.description)
    for gate in summary.gates:
        page.line((f"{_gate_text(gate)}  ", _COLOURS[gate.outcome]), (gate.detail, "dim"))
        for finding in gate.findings[:_FINDINGS_SHOWN]:
            place = f"{finding.path}:{finding.line} " if finding.path else ""
            colour = "red" if finding.level == "flag" else "dim"
            page.line((f"  {finding.level} {place}{finding.rule}: {finding.about} {finding.seen}", colour))
        if len(gate.findings) > _FINDINGS_SHOWN:
            page.line((f"  and {len(gate.findings) - _FINDINGS_SHOWN} more, in --json", "dim"))
    page.line((f"Files: {', '.join(shown.files)}", "dim"))
    if shown.tools is not None:
        page.line((f"It narrows its users to: {', '.join(shown.tools) or 'no tools'}", "dim"))
    if shown.agents:
        page.line(f"For {', '.join(shown.agents)}")
    if shown.work:
        page.heading("Work that used it")
    for one in shown.work:
        page.line(f"{one.title} ", (f"({one.agent}, {one.task})", "dim"))
    page.heading("Text for agents")
    page.line(shown.text)
    if summary.state == "scanned":
        page.line(
            (f"`frasier skills approve {summary.skill}` asks the seven questions of the review.", "dim")
        )


def _gate_text(gate: GateView) -> str:
    return f"{gate.gate} {gate.outcome.replace('_', ' ')}"


def _state_colour(summary: PackageSummary) -> str:
    return {"approved": "green", "quarantined": "bold red"}.get(summary.state, "yellow")
