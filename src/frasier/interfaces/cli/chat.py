"""`frasier say`: a message to the chief of staff, and the answer."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from frasier.interfaces.cli.message_answers import have_answered, show_answer
from frasier.interfaces.cli.output import print_json
from frasier.interfaces.cli.with_services import JsonOption, with_services

if TYPE_CHECKING:
    from frasier.interfaces.services import Services


def say(
    context: typer.Context,
    text: Annotated[str, typer.Argument(help="A question, a remark, a standing rule, or a small task.")],
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
    document, code = with_services(context, lambda services: _say(services, text, files, quiet=as_json))
    if as_json:
        print_json(document)
    else:
        show_answer(document)
    raise typer.Exit(code)


async def _say(
    services: Services, text: str, files: Sequence[Path], *, quiet: bool
) -> tuple[dict[str, Any], int]:
    return await have_answered(
        services, lambda: services.take_message(text, files), heard="" if quiet else "Heard."
    )
