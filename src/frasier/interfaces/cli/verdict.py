"""`frasier approve` and `frasier reject`: the founder's own verdict on a plan or on a step's result."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from frasier.interfaces.cli.completion import complete_step
from frasier.interfaces.cli.output import show_done
from frasier.interfaces.cli.waiting import how_to_go_on
from frasier.interfaces.cli.with_services import (
    JsonOption,
    NoteOption,
    in_transaction,
    with_services,
)

if TYPE_CHECKING:
    from frasier.interfaces.services import Services
    from frasier.org.planning import Decided, StepJudged

NameArgument = Annotated[
    str,
    typer.Argument(
        metavar="NAME",
        help="A mission whose plan waits, or a step that was delivered, as MISSION/KEY or by its id.",
        autocompletion=complete_step,
    ),
]
DigestOption = Annotated[
    str, typer.Option("--digest", help="The digest of the plan that you were shown, or its beginning.")
]


def approve(
    context: typer.Context,
    name: NameArgument,
    digest: DigestOption = "",
    edit: Annotated[
        bool, typer.Option("--edit", help="Open the plan in $EDITOR first, and approve it as edited.")
    ] = False,
    note: NoteOption = "",
    as_json: JsonOption = False,
) -> None:
    """Approve a waiting plan or a step's result yourself.

    With --digest only the plan that you were shown. The open reviews of a step are withdrawn, and what waits for it
    goes on.
    """

    async def act(services: Services) -> Decided | StepJudged:
        from frasier.org.planning import approve_named

        exact = await _edit(services, name, digest) if edit else digest
        return await services.in_transaction(approve_named, name, digest=exact, note=note)

    _show(with_services(context, act), as_json=as_json)


def reject(
    context: typer.Context,
    name: NameArgument,
    digest: DigestOption = "",
    reason: NoteOption = "",
    as_json: JsonOption = False,
) -> None:
    """Reject a waiting plan, or send a step's result back.

    A plan is made again with a --reason; without one its mission is cancelled. The author of a step makes a new
    version, and is told your --reason.
    """
    from frasier.org.planning import reject_named

    _show(in_transaction(context, reject_named, name, digest=digest, reason=reason), as_json=as_json)


async def _edit(services: Services, name: str, digest: str) -> str:
    """Have the founder edit the plan; return the digest of the edited one."""
    from frasier.interfaces.cli.text_editor import edit_text
    from frasier.work import read_waiting_plan

    waiting, text = await services.in_transaction(read_waiting_plan, name, digest=digest)
    edited = edit_text(text, suffix=".toml")
    return (await services.edit_plan(name, edited, waiting.digest)).digest


def _show(verdict: Decided | StepJudged, *, as_json: bool) -> None:
    from frasier.org.planning import StepJudged

    then = how_to_go_on(verdict.mission.id) if verdict.unattended else ""
    document: dict[str, Any] = {
        "mission": verdict.mission.id,
        "title": verdict.mission.title,
        "mission_status": verdict.mission.status,
        "approved": verdict.approved,
        "done": verdict.done,
        "next": then,
    }
    if isinstance(verdict, StepJudged):
        document |= {
            "step": verdict.task.id,
            "key": verdict.task.slug,
            "status": verdict.task.status,
            "version": verdict.version,
        }
    show_done("\n".join(filter(None, (verdict.done, then))), document, as_json=as_json)
