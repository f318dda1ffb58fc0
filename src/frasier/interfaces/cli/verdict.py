"""`frasier approve` and `frasier reject`: the founder's own verdict on a plan or on a step's result."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from frasier.interfaces.cli.completion import complete_step
from frasier.interfaces.cli.output import show_done
from frasier.interfaces.cli.run_operation import ask_organisation, call_organisation
from frasier.interfaces.cli.waiting import how_to_go_on
from frasier.interfaces.cli.with_services import JsonOption, NoteOption, with_services

if TYPE_CHECKING:
    from frasier.interfaces.operations.organisation.steps import VerdictOutput
    from frasier.interfaces.services import Services

NameArgument = Annotated[
    str,
    typer.Argument(
        metavar="NAME",
        help="A mission whose plan waits, or a step that was delivered, as MISSION/KEY or by its id.",
        autocompletion=complete_step,
    ),
]
DigestOption = Annotated[
    str,
    typer.Option("--digest", help="The digest of the plan or version that you were shown, or its beginning."),
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

    With --digest only the plan or version that you were shown. The open reviews of a step are withdrawn, and what
    waits for it goes on.
    """
    from frasier.interfaces.operations.organisation.steps import APPROVE

    async def act(services: Services) -> VerdictOutput:
        call = await call_organisation(services)
        exact = await _edit(services, name, digest) if edit else digest
        return (await call(APPROVE, {"id": name, "digest": exact, "note": note})).data

    _show(with_services(context, act, any_actor=not edit), as_json=as_json)


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
    from frasier.interfaces.operations.organisation.steps import REJECT

    arguments = {"id": name, "digest": digest, "reason": reason}
    _show(ask_organisation(context, REJECT, arguments), as_json=as_json)


async def _edit(services: Services, name: str, digest: str) -> str:
    """Have the founder edit the plan; return the digest of the edited one."""
    from frasier.interfaces.cli.text_editor import edit_text
    from frasier.work import read_waiting_plan

    waiting, text = await services.in_transaction(read_waiting_plan, name, digest=digest)
    edited = edit_text(text)
    return (await services.edit_plan(name, edited, waiting.digest)).digest


def _show(verdict: VerdictOutput, *, as_json: bool) -> None:
    then = how_to_go_on(verdict.mission) if verdict.unattended else ""
    document: dict[str, Any] = {
        "mission": verdict.mission,
        "title": verdict.title,
        "mission_status": verdict.mission_status,
        "approved": verdict.approved,
        "done": verdict.done,
        "next": then,
    }
    if verdict.step:
        document |= {
            "step": verdict.step,
            "key": verdict.key,
            "status": verdict.status,
            "version": verdict.version,
        }
    show_done("\n".join(filter(None, (verdict.done, then))), document, as_json=as_json)
