"""Files that ask for a tier, and files that were changed and not read, as several operations answer with them."""

from __future__ import annotations

from datetime import datetime
from typing import Self
from uuid import UUID

from frasier.interfaces.operations import Output
from frasier.memory import ImportanceTier, TierProposal, UnreadEdit


class FileProposal(Output):
    """A file that asks for a tier above normal. `outdated` if its memory was changed after the file was read."""

    id: UUID
    path: str
    tier: ImportanceTier
    title: str = ""
    memory: UUID
    asked_at: datetime
    outdated: bool = False

    @classmethod
    def of_proposal(cls, proposal: TierProposal) -> Self:
        """Describe an open request of a file."""
        return cls.of(proposal, memory=proposal.memory_id, outdated=proposal.is_outdated)


class UnreadFile(Output):
    """A changed file of a binding memory, and why it was not read: a scan by the founder reads it."""

    path: str
    tier: ImportanceTier
    title: str = ""
    memory: UUID
    reason: str = ""
    noticed_at: datetime

    @classmethod
    def of_edit(cls, edit: UnreadEdit) -> Self:
        """Describe a change that has not been read."""
        return cls.of(edit, memory=edit.memory_id)


def tier_answer(proposal: TierProposal, *, confirm: bool) -> str:
    """Tell in a sentence what the founder's answer made of a file."""
    if confirm:
        return f"{proposal.path} is {proposal.tier} now, until its text changes."
    return f"{proposal.path} stays normal. It is not asked about again until its text changes."
