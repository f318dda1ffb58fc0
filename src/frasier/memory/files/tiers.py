"""What files ask for above the tier `normal`: the founder confirms or refuses it, once for each content."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from frasier.kernel.errors import InvalidInput, NotFound, Stale
from frasier.kernel.ids import id_part, is_part_of, new_id
from frasier.memory.access import Caller
from frasier.memory.changes import note_change
from frasier.memory.types import ImportanceTier
from frasier.store import Statements, Tx

_sql = Statements("frasier.memory.files")

RAISED_TIERS = frozenset({ImportanceTier.CONSTITUTIONAL, ImportanceTier.CRITICAL, ImportanceTier.IMPORTANT})


@dataclass(frozen=True, slots=True, kw_only=True)
class TierProposal:
    """A file that asks to be of `tier`, and is not until the founder confirms it.

    `is_outdated` where its memory was changed after the file was read: it cannot be confirmed until a scan reads it.
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
    """A changed file that could not be read for `reason`: its memory, which binds everybody, says what it said."""

    path: str
    tier: ImportanceTier
    memory_id: UUID
    title: str
    reason: str
    noticed_at: datetime


async def tier_proposals(tx: Tx, caller: Caller, *, below: str = "") -> list[TierProposal]:
    """What waits for the founder, the oldest first: in the caller's scopes, for the founder in all.

    `below` leaves those out whose path does not begin with it.
    """
    rows = await _sql.all(
        tx, "tier_proposals", scopes=None if caller.founder else list(caller.scopes), below=below
    )
    return [TierProposal(**row | {"tier": ImportanceTier(row["tier"])}) for row in rows]


async def unread_edits(tx: Tx, caller: Caller) -> list[UnreadEdit]:
    """Changed files of constitutional and critical memories that the founder has to read in.

    Of the caller's scopes, for the founder of all.
    """
    rows = await _sql.all(tx, "unread_edits", scopes=None if caller.founder else list(caller.scopes))
    return [UnreadEdit(**row | {"tier": ImportanceTier(row["tier"])}) for row in rows]


async def find_tier_proposal(tx: Tx, caller: Caller, wanted: str) -> TierProposal:
    """The open proposal with that id, or the only one whose id begins or ends so; raises NotFound (E080)."""
    part = id_part(wanted)
    found = [one for one in await tier_proposals(tx, caller) if part and is_part_of(part, one.id)]
    if len(found) > 1:
        raise InvalidInput(
            f"{wanted[:60]!r} fits {len(found)} files.", number="E030", hint="Give more of the id."
        )
    if not found:
        raise NotFound(
            f"No waiting file has the id {wanted[:60]!r}.",
            kept="Nothing was changed.",
            hint="It was answered already, or the file has changed since; list those that wait.",
            number="E080",
        )
    return found[0]


async def answer_tier_proposal(tx: Tx, caller: Caller, proposal: TierProposal, *, confirm: bool) -> None:
    """Let the file's memory be of the tier that it asks for, or stay as it is.

    Raises NotAllowed where the caller is not the founder, NotFound (E080) where it does not wait any more, and Stale
    where the memory that would be confirmed was changed since the file was read.
    """
    caller.require_founder("decide how important a file is")
    await _sql.run(tx, "lock_path", path=proposal.path)
    await find_tier_proposal(tx, caller, str(proposal.id))
    if confirm:
        if await _sql.maybe(tx, "raise_tier", id=proposal.id) is None:
            raise Stale(
                f"The memory of {proposal.path} was changed since the file was read.",
                kept="It stays normal.",
                hint="Scan with force to read the file again, then confirm.",
            )
        await note_change(tx, [proposal.scope])
    await _sql.run(tx, "answer_tier", id=proposal.id, confirmed=confirm, answered_by=caller.name)


async def is_confirmed(tx: Tx, file_id: UUID, digest: bytes) -> bool | None:
    """What the founder said of the file with this content; None where that was not answered."""
    row = await _sql.maybe(tx, "tier_answer", file_id=file_id, content_hash=digest)
    return row["confirmed"] if row else None


async def confirm_written(tx: Tx, caller: Caller, file_id: UUID, digest: bytes, tier: ImportanceTier) -> None:
    """Record that whoever wrote the file gave it the tier, as they may give it to any memory."""
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
    """Ask the founder about the memory as it is, instead of about any older content of the file."""
    await _sql.run(
        tx,
        "propose_tier",
        id=new_id(),
        file_id=file_id,
        content_hash=digest,
        tier=tier,
        memory_id=memory_id,
    )
