"""Confirmation of the importance tiers that files request."""

from __future__ import annotations

from frasier.memory import Caller, answer_tier_proposal, tier_proposals
from frasier.store import Database

_FOUNDER = Caller(name="founder", scopes=("shared", "founder"), founder=True)


async def confirm_files(database: Database) -> int:
    """Confirm every request of files; return their number."""
    async with database.transaction() as tx:
        asking = await tier_proposals(tx, _FOUNDER)
        for one in asking:
            await answer_tier_proposal(tx, _FOUNDER, one, confirm=True)
    return len(asking)
