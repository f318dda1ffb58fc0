"""Files that request a tier above normal, and files that were not read, as several screens show them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from frasier.interfaces.cli.output import Page
    from frasier.interfaces.operations.memory.file_tiers import FileProposal, UnreadFile


def draw_proposals(page: Page, proposals: Iterable[FileProposal], *, command: str) -> None:
    """Draw each file with the tier that it requests, and the command that answers the request."""
    from frasier.interfaces.cli.output import short

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
