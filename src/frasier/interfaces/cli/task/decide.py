"""`frasier task decisions` and `decide`: the moves that wait for the founder, and the founder's answer."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from frasier.interfaces.cli.operation_command import operation_command
from frasier.interfaces.cli.operation_options import Arguments, options_of
from frasier.interfaces.cli.output import Page
from frasier.interfaces.cli.run_operation import ask, show_summary
from frasier.interfaces.cli.task.decision_page import add_decisions
from frasier.interfaces.cli.with_services import JsonOption
from frasier.interfaces.operations.tasks.decisions import DECIDE, DECISIONS, DecisionsOutput


class Answer(StrEnum):
    """The founder's answer."""

    APPROVE = "approve"
    REJECT = "reject"


@operation_command(DECISIONS, boards=True)
def decisions(page: Page, data: DecisionsOutput) -> None:
    """Show which moves wait for the founder. With what each is about: the work, its criteria, tests and evidence."""
    if not data.decisions:
        page.line("Nothing waits for the founder.")
    add_decisions(page, data.decisions, decides=data.you_decide)


@options_of(DECIDE.input, leave_out={"approve"})
def decide(
    context: typer.Context,
    arguments: Arguments,
    answer: Annotated[Answer, typer.Argument(help="The founder's answer.")],
    as_json: JsonOption = False,
) -> None:
    """Decide about a move, as the founder. It holds for one version of one task, once."""
    decided = arguments | {"approve": answer is Answer.APPROVE}
    show_summary(ask(context, DECIDE, decided, boards=True), as_json=as_json)
