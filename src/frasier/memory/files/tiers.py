"""Requests of files for a tier above normal, which the founder confirms or refuses once per content."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from frasier.kernel.errors import NotFound, Stale
from frasier.kernel.ids import matching_id, new_id, only_match
from frasier.memory.access import Caller
from frasier.memory.cache_invalidation import note_change
from frasier.memory.types import ImportanceTier
from frasier.store import Statements, Tx

_sql = Statements("frasier.memory.files")

RAISED_TIERS = frozenset({ImportanceTier.CONSTITUTIONAL, ImportanceTier.CRITICAL, ImportanceTier.IMPORTANT})


@dataclass(frozen=True, slots=True, kw_only=True)
class TierProposal:
    """A file's request for `tier`, which takes effect when the founder confirms it.

    `is_outdated` means that its memory was changed after the file was read: a scan must read the file before the
    request can be confirmed.
    """

    id: UUID
    path: str
    tier: ImportanceTier
    scope: str
    memory_id: UUID
    title: str
    asked_at: datetime
    is_outdated: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class UnreadEdit:
    """A changed file of a binding memory that could not be read because of `reason`; the memory is unchanged."""

    path: str
    tier: ImportanceTier
    memory_id: UUID
    title: str
    reason: str
    noticed_at: datetime


async def tier_proposals(tx: Tx, caller: Caller, *, below: str = "") -> list[TierProposal]:
    """The open requests, oldest first: those in the caller's scopes, for the founder in all scopes.

    `below` restricts them to paths with that prefix.
    """
    return await _sql.all_as(
        TierProposal,
        tx,
        "tier_proposals",
        scopes=None if caller.founder else list(caller.scopes),
        below=below,
    )


async def unread_edits(tx: Tx, caller: Caller) -> list[UnreadEdit]:
    """The changed files of constitutional and critical memories that the founder has to index.

    Those in the caller's scopes, for the founder in all scopes.
    """
    return await _sql.all_as(
        UnreadEdit, tx, "unread_edits", scopes=None if caller.founder else list(caller.scopes)
    )


async def find_tier_proposal(tx: Tx, caller: Caller, id_text: str) -> TierProposal:
    """The open proposal whose id is `id_text`, or the only one whose id begins or ends with it.

    Raises NotFound (E080), and InvalidInput (E030) if several match.
    """
    matches = matching_id(id_text, await tier_proposals(tx, caller))
    proposal = only_match(id_text, "files", matches, lambda file: f"{file.id} ({file.path})", number="E030")
    if proposal is None:
        raise NotFound(
            f"No pending file has the id {id_text[:60]!r}.",
            kept="Nothing was changed.",
            hint="It was answered already, or the file has changed since; list the pending ones.",
            number="E080",
        )
    return proposal


async def answer_tier_proposal(tx: Tx, caller: Caller, proposal: TierProposal, *, confirm: bool) -> None:
    """Confirm the requested tier of the file's memory, or refuse it.

    Raises NotAllowed if the caller is not the founder, NotFound (E080) if the proposal is no longer open, and Stale
    if the memory to confirm was changed since the file was read.
    """
    caller.require_founder("decide how important a file is")
    await _sql.run(tx, "lock_path", path=proposal.path)
    await find_tier_proposal(tx, caller, str(proposal.id))
    if confirm:
        if await _sql.maybe(tx, "raise_tier", id=proposal.id) is None:
            raise Stale(
                f"The memory of {proposal.path} was changed since the file was read.",
                kept="Its tier is still normal.",
                hint="Scan with force to read the file again, then confirm.",
            )
        await note_change(tx, [proposal.scope])
    await _sql.run(tx, "answer_tier", id=proposal.id, confirmed=confirm, answered_by=caller.name)


async def is_confirmed(tx: Tx, file_id: UUID, digest: bytes) -> bool | None:
    """The founder's answer for the file with this content; None if there is none."""
    row = await _sql.maybe(tx, "find_tier_answer", file_id=file_id, content_hash=digest)
    return row["confirmed"] if row else None


async def confirm_written(tx: Tx, caller: Caller, file_id: UUID, digest: bytes, tier: ImportanceTier) -> None:
    """Record that the writer of the file gave it the tier, as they may do for any memory."""
    await _sql.run(
        tx,
        "confirm_written",
        id=new_id(),
        file_id=file_id,
        content_hash=digest,
        tier=tier,
        answered_by=caller.name,
    )


async def propose_tier(
    tx: Tx, file_id: UUID, digest: bytes, tier: ImportanceTier, *, memory_id: UUID
) -> None:
    """Ask the founder about the memory's current content, replacing requests for older content of the file."""
    await _sql.run(
        tx,
        "propose_tier",
        id=new_id(),
        file_id=file_id,
        content_hash=digest,
        tier=tier,
        memory_id=memory_id,
    )
