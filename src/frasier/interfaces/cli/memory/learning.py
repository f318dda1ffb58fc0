"""`frasier memory validate` and the like: feedback about which memories helped."""

from __future__ import annotations

import typer

from frasier.interfaces.cli.operation_options import Arguments, options_of
from frasier.interfaces.cli.output import Column, Page, short
from frasier.interfaces.cli.run_operation import AlsoScopes, ask, show, show_summary
from frasier.interfaces.cli.with_services import JsonOption
from frasier.interfaces.operations.memory.learning import (
    CITE,
    OUTCOME,
    PROMOTE,
    REVIEW,
    VALIDATE,
    OutcomeOutput,
    PromoteOutput,
)


@options_of(VALIDATE.input)
def validate(
    context: typer.Context, arguments: Arguments, scope: AlsoScopes = None, as_json: JsonOption = False
) -> None:
    """Say whether a memory helped. That moves its confidence; what has proven itself can be promoted."""
    show_summary(ask(context, VALIDATE, arguments, scopes=scope), as_json=as_json)


@options_of(OUTCOME.input)
def outcome(
    context: typer.Context, arguments: Arguments, scope: AlsoScopes = None, as_json: JsonOption = False
) -> None:
    """Say what became of work that used memories. That moves their confidence."""
    answer = ask(context, OUTCOME, arguments, scopes=scope)
    show(answer, _draw_outcome, as_json=as_json, summary=True)


@options_of(REVIEW.input)
def review(
    context: typer.Context, arguments: Arguments, scope: AlsoScopes = None, as_json: JsonOption = False
) -> None:
    """Review a memory. How well it served makes it last longer or shorter; that counts once a day."""
    show_summary(ask(context, REVIEW, arguments, scopes=scope), as_json=as_json)


@options_of(CITE.input)
def cite(
    context: typer.Context, arguments: Arguments, scope: AlsoScopes = None, as_json: JsonOption = False
) -> None:
    """Note that you relied on memories. What was cited lately is recalled sooner."""
    show_summary(ask(context, CITE, arguments, scopes=scope), as_json=as_json)


@options_of(PROMOTE.input)
def promote(
    context: typer.Context, arguments: Arguments, scope: AlsoScopes = None, as_json: JsonOption = False
) -> None:
    """Promote a memory that has proven itself. It is critical then: it neither fades nor expires."""
    answer = ask(context, PROMOTE, arguments, scopes=scope)
    show(answer, _draw_promoted, as_json=as_json, summary=True)


def _draw_outcome(page: Page, data: OutcomeOutput) -> None:
    page.table(
        [Column("memory", fixed=True), Column("confidence now", right=True)],
        [(short(memory), f"{confidence:.2f}") for memory, confidence in data.confidence.items()],
    )
    if data.exempt:
        binding = ", ".join(map(short, data.exempt))
        page.line((f"What binds everybody is not weighed: {binding}.", "dim"))


def _draw_promoted(page: Page, data: PromoteOutput) -> None:
    page.table(
        [Column("memory", fixed=True), Column("confidence", right=True), Column("votes", right=True)],
        [
            (short(candidate.memory_id), f"{candidate.confidence:.2f}", f"{candidate.count:,}")
            for candidate in (data.ready if isinstance(data.ready, tuple) else ())
        ],
    )
