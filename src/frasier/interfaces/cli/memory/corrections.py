"""`frasier memory correct`, `undo` and `corrections`: replace what is wrong by what is right."""

from __future__ import annotations

from typing import Annotated

import typer

from frasier.interfaces.cli.memory.memory_text import since
from frasier.interfaces.cli.operation_command import operation_command
from frasier.interfaces.cli.operation_options import Arguments, options_of
from frasier.interfaces.cli.output import Cell, Page, fixed, short
from frasier.interfaces.cli.run_operation import AlsoScopes, ask, show
from frasier.interfaces.cli.with_services import JsonOption
from frasier.interfaces.operations import Output
from frasier.interfaces.operations.memory.corrections import (
    CORRECT,
    CORRECT_UNDO,
    CORRECTIONS,
    CorrectionOutput,
    CorrectionsOutput,
)
from frasier.kernel.humanize import person, plural

CorrectionTypeOption = Annotated[
    str | None,
    typer.Option(
        "--type",
        help="superseded or deprecated, which take it out of every recall; refined or merged, which do not.",
    ),
]


@options_of(CORRECT.input, leave_out={"type", "scope"})
def correct(
    context: typer.Context,
    arguments: Arguments,
    type_: CorrectionTypeOption = None,
    scope: AlsoScopes = None,
    as_json: JsonOption = False,
) -> None:
    """Correct a memory. Say why it is wrong and, by TEXT or --by, what is right; `undo` takes it back."""
    replaced = bool(arguments.keys() & {"replacement", "replacement_id"})
    arguments["type"] = type_ or ("superseded" if replaced else "deprecated")
    answer = ask(context, CORRECT, arguments, scopes=scope)
    show(answer, lambda page, data: _draw_corrected(page, answer.summary, data), as_json=as_json)


@operation_command(CORRECT_UNDO, summary=True)
def undo(page: Page, data: Output) -> None:
    """Undo a correction. What it corrected is as before; what was given as right stays a memory of its own."""


@operation_command(CORRECTIONS, fixed={"stats": True})
def corrections(page: Page, data: CorrectionsOutput) -> None:
    """Show what was corrected. The latest first, undone ones too."""
    if not data.corrections:
        page.line("Nothing was corrected.")
        return
    page.table(
        [fixed("correction"), fixed("memory"), fixed("was"), fixed("right is"), "why", "by", fixed("when")],
        [_correction_row(correction) for correction in data.corrections],
    )
    if data.stats is not None:
        counts = f"{plural(data.stats.total, 'correction')}, {data.stats.undone:,} undone"
        page.line((counts, "dim"))


def _draw_corrected(page: Page, summary: str, data: CorrectionOutput) -> None:
    right = f" {short(data.replacement_id)} is right." if data.replacement_id else ""
    page.line(f"{summary}{right}", (f"  correction {data.correction_id}", "dim"))


def _correction_row(correction: CorrectionOutput) -> tuple[Cell, ...]:
    return (
        (str(correction.correction_id), "cyan"),
        short(correction.original_id),
        correction.type + (", undone" if correction.undone_at else ""),
        short(correction.replacement_id) if correction.replacement_id else "",
        correction.reason,
        person(correction.corrected_by),
        (since(correction.created_at), "dim"),
    )
