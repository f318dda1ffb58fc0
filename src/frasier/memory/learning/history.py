"""Read corrections by memory, and count them by type."""

from __future__ import annotations

from uuid import UUID

from frasier.kernel.advice import Advice
from frasier.kernel.errors import NotFound
from frasier.kernel.ids import CANDIDATES, only_match
from frasier.memory.access import Caller
from frasier.memory.id_prefix import part_of_id
from frasier.memory.learning.types import Correction, CorrectionStats, CorrectionType
from frasier.memory.list_limit import check_limit
from frasier.store import Statements, Tx, from_row

_sql = Statements("frasier.memory.learning")


async def corrections_of(
    tx: Tx, caller: Caller, memory_id: UUID | None = None, *, limit: int = 20
) -> list[Correction]:
    """The corrections that involve a memory, or all in the caller's scopes, latest first; undone ones included.

    Raises NotFound (E080) for a memory that is not in the caller's scopes, and InvalidInput (E032) for a limit
    outside 1 to 100.
    """
    check_limit(limit, hint="20 is usual.")
    scopes = list(caller.scopes)
    if memory_id is not None and await _sql.maybe(tx, "is_readable", id=memory_id, scopes=scopes) is None:
        raise NotFound(
            f"There is no memory {memory_id}.",
            advice=Advice("memory.list", to="see the existing ones"),
            number="E080",
        )
    return await _sql.all_as(
        Correction, tx, "corrections_of", memory_id=memory_id, scopes=scopes, limit=limit
    )


async def read_correction(tx: Tx, caller: Caller, correction_id: UUID) -> Correction:
    """Read one correction; raises NotFound if it does not exist or its original is not in the caller's scopes."""
    row = await _sql.maybe(tx, "read_correction", id=correction_id, scopes=list(caller.scopes))
    if row is None:
        raise no_correction(correction_id)
    return from_row(Correction, row)


async def find_correction(tx: Tx, caller: Caller, id_text: str) -> UUID:
    """The id of the correction whose id is `id_text`, or the only one whose id begins or ends with it.

    Raises NotFound as read_correction does, and InvalidInput (E030) if it is not part of an id or several match.
    """
    part = part_of_id(id_text, "a correction")
    rows = await _sql.all(
        tx, "find_corrections_by_id_part", part=part, scopes=list(caller.scopes), limit=CANDIDATES
    )
    row = only_match(id_text, "corrections", rows, lambda row: str(row["id"]), number="E030")
    if row is None:
        raise no_correction(id_text[:60])
    correction_id: UUID = row["id"]
    return correction_id


async def correction_stats(tx: Tx, caller: Caller) -> CorrectionStats:
    """Count the corrections of the caller's memories, by type."""
    rows = await _sql.all(tx, "count_corrections", scopes=list(caller.scopes))
    totals = {row["correction_type"]: row["total"] for row in rows}
    return CorrectionStats(
        total=sum(row["total"] for row in rows),
        undone=sum(row["undone"] for row in rows),
        recent=sum(row["recent"] for row in rows),
        by_type={kind: totals.get(kind, 0) for kind in CorrectionType},
    )


def no_correction(correction_id: UUID | str) -> NotFound:
    return NotFound(
        f"There is no correction {correction_id}.",
        kept="Nothing was changed.",
        advice=Advice("memory.corrections", to="see the existing ones"),
    )
