"""`frasier say` and `answer`: a message to the chief of staff, and the answer."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from frasier.interfaces.cli.message_answers import answer_so_far, have_answered, show_answer, unanswered
from frasier.interfaces.cli.output import print_json
from frasier.interfaces.cli.run_operation import ask_organisation, call_organisation
from frasier.interfaces.cli.with_services import JsonOption, with_services

if TYPE_CHECKING:
    from frasier.interfaces.services import Services
    from frasier.org.conversation import FounderMessage


def say(
    context: typer.Context,
    text: Annotated[
        str, typer.Argument(metavar="TEXT", help="A question, a remark, a standing rule, or a small task.")
    ],
    attach: Annotated[
        list[Path] | None,
        typer.Option(
            "--attach", "-a", metavar="FILE", help="A file to read with it; may be given several times."
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Say something to the chief of staff. It is kept and answered; work begins, a standing rule is recorded.

    Files that are attached and links in the text are read, as material: what they ask for is not done.
    """
    files = tuple(attach or ())
    document, code = with_services(
        context, lambda services: _say(services, text, files, quiet=as_json), any_actor=True
    )
    if as_json:
        print_json(document)
    else:
        show_answer(document)
    raise typer.Exit(code)


async def _say(
    services: Services, text: str, files: Sequence[Path], *, quiet: bool
) -> tuple[dict[str, Any], int]:
    from frasier.interfaces.operations.organisation.messages import SAY

    call = await call_organisation(services)

    async def store() -> FounderMessage:
        said = await call(SAY, {"text": text, "attach": [str(file) for file in files]})
        return said.data.message.message

    return await have_answered(services, store, heard="" if quiet else "Heard.")


def answer(
    context: typer.Context,
    message: Annotated[
        str, typer.Argument(metavar="MESSAGE", help="A message: its id, an end or beginning of it, or last.")
    ],
    as_json: JsonOption = False,
) -> None:
    """Show the answer to a message, if there is one. Wherever it was said; nothing is done for it here."""
    from frasier.interfaces.operations.organisation.messages import GET

    now = ask_organisation(context, GET, {"message": message}).message
    waits = unanswered(now.message, "It is kept, and not answered yet; `frasier up` answers it.")
    document, code = answer_so_far(now) or (waits, 0)
    if as_json:
        print_json(document)
    else:
        show_answer(document)
    raise typer.Exit(code)
