"""`frasier task decisions` and `decide`: moves that wait for the founder, and the founder's answer."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from frasier.interfaces.cli.memory.calling import Call, Data
from frasier.interfaces.cli.opening import JsonOption
from frasier.interfaces.cli.task.calling import ProjectOption, ask, say, show, talk

if TYPE_CHECKING:
    from frasier.interfaces.cli.present import Page

_ID_CHARS_MIN = 4


class Answer(StrEnum):
    """What the founder can say."""

    APPROVE = "approve"
    REJECT = "reject"


def decisions(context: typer.Context, project: ProjectOption = None, as_json: JsonOption = False) -> None:
    """Show which moves wait for the founder. With what exactly each is about."""

    def draw(page: Page, data: Data) -> None:
        if not data["decisions"]:
            page.line("Nothing waits for the founder.")
        add_decisions(page, data["decisions"])

    show(ask(context, "task_decisions", {"project": project}), draw, as_json=as_json)


def decide(
    context: typer.Context,
    decision: Annotated[
        str, typer.Argument(metavar="DECISION", help="Its id as `decisions` shows it, or the end of it.")
    ],
    answer: Annotated[Answer, typer.Argument(help="What the founder says.")],
    comment: Annotated[str, typer.Option("--comment", "--note", help="Why; whoever asked is told.")] = "",
    as_json: JsonOption = False,
) -> None:
    """Decide about a move, as the founder. It holds for one version of one task, once."""

    async def work(call: Call) -> Data:
        given = {"approve": answer is Answer.APPROVE, "comment": comment}
        return await call("task_decide", {"decision": await _whole_id(call, decision), **given})

    say(talk(context, work), as_json=as_json)


async def _whole_id(call: Call, text: str) -> str:
    """The id of the open decision that ends with `text`."""
    from frasier.kernel.errors import InvalidInput, NotFound
    from frasier.kernel.ids import parse_id

    if parse_id(text) is not None:
        return text
    ids = [one["decision"] for one in (await call("task_decisions", {}))["data"]["decisions"]]
    found = [one for one in ids if len(text) >= _ID_CHARS_MIN and one.endswith(text.lower())]
    if len(found) > 1:
        raise InvalidInput(f"{text!r} fits {len(found)} decisions.", hint="Give more of the id.")
    if not found:
        raise NotFound(
            f"No decision {text[:60]!r} waits.", hint="`frasier task decisions` shows those that do."
        )
    return str(found[0])


def add_decisions(page: Page, found: Sequence[Data]) -> None:
    """Each decision with what is to be decided, and how to answer it where it waits."""
    from frasier.interfaces.cli.memory.wording import since
    from frasier.interfaces.cli.present import short
    from frasier.interfaces.cli.task.wording import person

    for one in found:
        shown = one["shown"]
        answered = (
            f"{one['answer']}: {one.get('comment') or 'no reason was given'}" if "answer" in one else ""
        )
        page.line(
            ("■ ", "bold magenta"),
            (f"{one['move']} of {one['task']}", "bold"),
            f"  {shown['from']} → {shown['to']}, version {one['version']}, asked by {person(one['asked_by'])}",
            (f"  {since(one['asked_at'])}", "dim"),
        )
        page.prose(one["title"])
        if said := shown.get("said"):
            page.table(["", ""], [((f"  {name}", "dim"), str(value)) for name, value in said.items()])
        page.prose(answered or f"frasier task decide {short(one['decision'])} approve | reject")
