"""Files that ask for a tier, and the founder's answers, as JSON and in words."""

from __future__ import annotations

from typing import Any

from frasier.interfaces.tools import told
from frasier.memory import TierProposal, UnreadEdit


def proposal_json(proposal: TierProposal) -> dict[str, Any]:
    """What a file asks for, as tools tell it."""
    return told(
        id=proposal.id,
        path=proposal.path,
        tier=proposal.tier,
        title=proposal.title,
        memory=proposal.memory_id,
        asked_at=proposal.asked_at,
        outdated=proposal.is_outdated or None,
    )


def unread_edit_json(edit: UnreadEdit) -> dict[str, Any]:
    """A changed file that waits for the founder's scan, as tools tell it."""
    return told(
        path=edit.path,
        tier=edit.tier,
        title=edit.title,
        memory=edit.memory_id,
        reason=edit.reason,
        noticed_at=edit.noticed_at,
    )


def tier_answer(proposal: TierProposal, *, confirm: bool) -> str:
    """What the founder's answer made of a file."""
    if confirm:
        return f"{proposal.path} is {proposal.tier} now, until its text changes."
    return f"{proposal.path} stays normal. It is not asked about again until its text changes."
