"""`frasier memory confirm`: files that request a tier above normal."""

from __future__ import annotations

import typer

from frasier.interfaces.cli.memory.file_tier_drawing import draw_proposals, draw_unread_files
from frasier.interfaces.cli.operation_options import Arguments, options_of
from frasier.interfaces.cli.output import Page
from frasier.interfaces.cli.run_operation import ask, show
from frasier.interfaces.cli.with_services import JsonOption
from frasier.interfaces.operations.memory.maintenance import CONFIRM, ConfirmOutput


@options_of(CONFIRM.input)
def confirm_tier(context: typer.Context, arguments: Arguments, as_json: JsonOption = False) -> None:
    """Confirm the tier that a file asks for. It holds until the text of the file changes."""
    if arguments["refuse"] and "id" not in arguments:
        raise typer.BadParameter("say which file is refused", param_hint="--refuse")
    show(ask(context, CONFIRM, arguments), _draw_confirmed, as_json=as_json, summary=True)


def _draw_confirmed(page: Page, data: ConfirmOutput) -> None:
    draw_proposals(page, data.asking or (), command="frasier memory confirm {id}")
    draw_unread_files(page, data.unread)
