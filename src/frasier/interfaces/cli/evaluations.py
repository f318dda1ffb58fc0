"""`frasier evaluations`: how those who used a mission's artefacts evaluated them."""

from __future__ import annotations

import json
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from frasier.interfaces.cli.output import Page, numbers, show_view, usd, write_out
from frasier.interfaces.cli.run_operation import ask, ask_organisation, show
from frasier.interfaces.cli.text_args import given_text
from frasier.interfaces.cli.with_services import JsonOption, MissionArgument
from frasier.kernel.humanize import plural

if TYPE_CHECKING:
    from frasier.interfaces.operations.organisation.evaluations import EvaluateOutput
    from frasier.overview import EvaluationView, MissionEvaluations


class EvaluationFormat(StrEnum):
    """The form in which evaluations are written."""

    TEXT = "text"
    JSONL = "jsonl"
    INSPECT = "inspect"


FormatOption = Annotated[
    EvaluationFormat,
    typer.Option("--format", "-f", help="text, jsonl: a line for each, or inspect: a log of Inspect."),
]


def evaluations(
    context: typer.Context,
    mission: MissionArgument = "last",
    form: FormatOption = EvaluationFormat.TEXT,
    as_json: JsonOption = False,
) -> None:
    """Show how a mission's artefacts were evaluated. By whoever used them; with what is left out, and why."""
    from frasier.interfaces.cli.document import document_of
    from frasier.interfaces.evaluation_export import inspect_log, json_lines
    from frasier.interfaces.operations.organisation.evaluations import LIST

    view = ask_organisation(context, LIST, {"mission": mission}).evaluations
    if as_json or form is EvaluationFormat.TEXT:
        show_view(view, _draw, document_of, as_json=as_json)
    elif form is EvaluationFormat.JSONL:
        write_out(json_lines(view))
    else:
        write_out(json.dumps(inspect_log(view), ensure_ascii=False, indent=2) + "\n")


def evaluate(
    context: typer.Context,
    sha256: Annotated[str, typer.Argument(metavar="SHA256", help="The SHA-256 of the text that was used.")],
    file: Annotated[
        str,
        typer.Argument(metavar="FILE", help="A JSON object with the other fields, see artefact_evaluate."),
    ],
    as_json: JsonOption = False,
) -> None:
    """Evaluate an artefact that you used. FILE holds evidence, points and labels; - reads standard input."""
    from frasier.interfaces.cli.parse_args import json_object
    from frasier.interfaces.operations.organisation.evaluations import EVALUATE

    fields = json_object(given_text("@-" if file == "-" else f"@{file}", "FILE"), "FILE") or {}
    show(ask(context, EVALUATE, {**fields, "sha256": sha256}, boards=True), _draw_stored, as_json=as_json)


def _draw_stored(page: Page, data: EvaluateOutput) -> None:
    page.line(f"Stored: usefulness {data.usefulness_points} of 5, clarity {data.clarity_points} of 5.")


def _draw(page: Page, view: MissionEvaluations) -> None:
    page.line((view.title, "bold"))
    counts = (
        f"{plural(len(view.evaluations), 'evaluation')}, {view.superseded} of superseded versions left out,"
        f" {plural(len(view.errors), 'error')}, {view.waiting} to come; {usd(view.cost_usd)}"
    )
    page.line((counts, "dim"))
    if not (view.evaluations or view.waiting):
        page.line("They are made where the policy allows them: `frasier policy show evaluation`.")
    page.table(
        ["artefact", "by", "used it in", "usefulness", numbers(""), "clarity", numbers(""), "rank"],
        [
            (
                f"{one.step} v{one.version} by {one.producer}",
                one.evaluator,
                one.consumer or "work elsewhere",
                one.usefulness,
                str(one.usefulness_points),
                one.clarity,
                str(one.clarity_points),
                f"{one.rank} of {one.siblings + 1}" if one.rank else "",
            )
            for one in view.evaluations
        ],
    )
    for one in view.evaluations:
        _draw_details(page, one)
    for silent in view.without_signal:
        page.line(
            (
                f"{silent.evaluator}: no signal. All {silent.n} evaluations have the same scores; they are left out.",
                "yellow",
            )
        )
    for fault in view.errors:
        page.line(
            (f"{fault.evaluator} gave no evaluation of {fault.step} v{fault.version}: ", "yellow"),
            fault.error,
        )


def _draw_details(page: Page, evaluation: EvaluationView) -> None:
    page.heading(f"{evaluation.step} v{evaluation.version}, by {evaluation.evaluator}")
    for quoted in evaluation.evidence:
        page.prose(f"“{quoted.quotation}”: {quoted.remark}")
    for title, points in (
        ("of use", evaluation.useful),
        ("missing", evaluation.missing),
        ("not used", evaluation.unused),
    ):
        if points:
            page.prose(f"{title}: {'; '.join(points)}")
    for quoted in evaluation.inaccuracies:
        page.prose(f"inaccurate: “{quoted.quotation}”: {quoted.remark}")
    page.prose(f"effect: {evaluation.effect}")
