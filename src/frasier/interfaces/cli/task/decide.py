"""`frasier task decisions` and `decide`: moves that wait for the founder, and the founder's answer."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from frasier.interfaces.cli.memory.call_tool import Data
from frasier.interfaces.cli.task.call_tool import ProjectOption, ask, say, show
from frasier.interfaces.cli.with_services import JsonOption

if TYPE_CHECKING:
    from frasier.interfaces.cli.output import Page


class Answer(StrEnum):
    """What the founder can say."""

    APPROVE = "approve"
    REJECT = "reject"


def decisions(context: typer.Context, project: ProjectOption = None, as_json: JsonOption = False) -> None:
    """Show which moves wait for the founder. With what each is about: the work, its criteria, tests and evidence."""

    def draw(page: Page, data: Data) -> None:
        from frasier.interfaces.cli.task.decision_page import add_decisions

        if not data["decisions"]:
            page.line("Nothing waits for the founder.")
        add_decisions(page, data["decisions"], decides=data["you_decide"])

    show(ask(context, "task_decisions", {"project": project}), draw, as_json=as_json)


def decide(
    context: typer.Context,
    decision: Annotated[
        str, typer.Argument(metavar="DECISION", help="Its id as `decisions` shows it, its beginning or end.")
    ],
    answer: Annotated[Answer, typer.Argument(help="What the founder says.")],
    comment: Annotated[
        str, typer.Option("--comment", "--note", help="Why; whoever asked is told. A rejection needs one.")
    ] = "",
    as_json: JsonOption = False,
) -> None:
    """Decide about a move, as the founder. It holds for one version of one task, once."""
    given = {"decision": decision, "approve": answer is Answer.APPROVE, "comment": comment}
    say(ask(context, "task_decide", given), as_json=as_json)
