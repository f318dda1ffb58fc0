"""`frasier memory confirm`: files that request a tier above normal, and files that were not read."""

from __future__ import annotations

from collections.abc import Iterable

import typer

from frasier.interfaces.cli.operation_options import Arguments, options_of
from frasier.interfaces.cli.output import Page, short
from frasier.interfaces.cli.run_operation import ask, show
from frasier.interfaces.cli.with_services import JsonOption
from frasier.interfaces.operations.memory.file_tiers import FileProposal, UnreadFile
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


def draw_proposals(page: Page, proposals: Iterable[FileProposal], *, command: str) -> None:
    """Draw each file with the tier that it requests, and the command that answers the request."""
    for proposal in proposals:
        page.line(("■ ", "bold magenta"), (proposal.path, "bold"), f"  asks to be {proposal.tier}")
        if proposal.outdated:
            page.line(("  Its memory was changed since the file was read:", "yellow"))
            page.line(("  frasier memory scan --force reads the file again", "dim"))
        else:
            page.line((f"  {command.format(id=short(proposal.id))}", "dim"))
            page.line((f"  frasier memory show {short(proposal.memory)} has its text", "dim"))


def draw_unread_files(page: Page, files: Iterable[UnreadFile]) -> None:
    """Draw each changed file whose memory binds everybody, the reason why it was not read, and the command that reads
    it.
    """
    for file in files:
        page.line(
            ("■ ", "bold magenta"),
            (file.path, "bold"),
            "  was changed since you confirmed it, and not read",
        )
        page.prose(f"{file.reason} Its {file.tier} memory says what it said.")
        page.line(("  frasier memory scan --force reads it; it is normal until you confirm it again", "dim"))
