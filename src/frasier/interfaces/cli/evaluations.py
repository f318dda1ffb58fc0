"""`frasier evaluations`: how those who used a mission's artefacts evaluated them."""

from __future__ import annotations

import json
import re
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from frasier.interfaces.cli.output import Page, numbers, show_view, usd, write_out
from frasier.interfaces.cli.run_operation import ask, ask_organisation, show
from frasier.interfaces.cli.text_args import given_text
from frasier.interfaces.cli.with_services import JsonOption, MissionArgument
from frasier.kernel.evaluation_scale import Clarity, Usefulness
from frasier.kernel.humanize import plural

if TYPE_CHECKING:
    from frasier.interfaces.operations.organisation.evaluations import EvaluateOutput
    from frasier.overview import EvaluationView, MissionEvaluations


_SHA256 = re.compile("[0-9a-f]{64}")


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
    from frasier.interfaces.evaluation_export import inspect_log, json_lines
    from frasier.interfaces.operations.organisation.evaluations import LIST

    view = ask_organisation(context, LIST, {"mission": mission}).evaluations
    if as_json or form is EvaluationFormat.TEXT:
        show_view(view, _draw, as_json=as_json)
    elif form is EvaluationFormat.JSONL:
        write_out(json_lines(view))
    else:
        write_out(json.dumps(inspect_log(view), ensure_ascii=False, indent=2) + "\n")


def evaluate(
    context: typer.Context,
    artefact: Annotated[
        str,
        typer.Argument(
            metavar="SHA256",
            help="The SHA-256 of the text that was used, or a mission, or last, for its result.",
        ),
    ],
    file: Annotated[
        str | None,
        typer.Argument(
            metavar="FILE",
            help="A JSON object: evidence (a list of quotation and remark), effect, usefulness and clarity; of your "
            "choice useful, missing, unused (lists of texts), inaccuracies (as evidence).",
        ),
    ] = None,
    usefulness: Annotated[
        Usefulness | None, typer.Option("--usefulness", help="How useful it was.", show_choices=True)
    ] = None,
    clarity: Annotated[Clarity | None, typer.Option("--clarity", help="How clear it was.")] = None,
    quote: Annotated[
        str | None, typer.Option("--quote", help="Words of the text, exactly as they stand in it.")
    ] = None,
    remark: Annotated[str | None, typer.Option("--remark", help="What you say of these words.")] = None,
    effect: Annotated[
        str | None, typer.Option("--effect", help="What it did to the work that used it.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Evaluate an artefact that you used. With the options, or with a FILE; - reads it from standard input."""
    from frasier.interfaces.operations.organisation.evaluations import EVALUATE

    fields = _fields_of_file(file) if file else {}
    options = {"usefulness": usefulness, "clarity": clarity, "effect": effect}
    fields |= {name: value for name, value in options.items() if value is not None}
    if quote is not None or remark is not None:
        fields["evidence"] = [{"quotation": quote or "", "remark": remark or ""}, *fields.get("evidence", [])]
    fields["sha256"] = _digest_of(context, artefact)
    show(ask(context, EVALUATE, fields, boards=True), _draw_stored, as_json=as_json)


def _fields_of_file(file: str) -> dict[str, Any]:
    from frasier.interfaces.cli.parse_args import json_object

    return json_object(given_text("@-" if file == "-" else f"@{file}", "FILE"), "FILE") or {}


def _digest_of(context: typer.Context, artefact: str) -> str:
    """Return the SHA-256 of an artefact that is named by it, or by the mission of which it is the result."""
    from frasier.interfaces.operations.organisation.deliverables import GET

    if _SHA256.fullmatch(artefact):
        return artefact
    return ask_organisation(context, GET, {"mission": artefact}).deliverable.sha256


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
