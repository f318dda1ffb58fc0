"""What was corrected: read back by memory, counted by type."""

from __future__ import annotations

from uuid import UUID

from psycopg.rows import DictRow

from frasier.kernel.advice import Advice
from frasier.kernel.errors import InvalidInput, NotFound
from frasier.kernel.ids import CANDIDATES, ambiguous
from frasier.memory.access import Caller
from frasier.memory.called import part_of_id
from frasier.memory.learning.types import Correction, CorrectionStats, CorrectionType
from frasier.store import Statements, Tx

_sql = Statements("frasier.memory.learning")

LIMIT_MAX = 100


async def corrections_of(
    tx: Tx, caller: Caller, memory_id: UUID | None = None, *, limit: int = 20
) -> list[Correction]:
    """The corrections that a memory takes part in, or all of the caller's scopes; the latest first.

    Undone ones are among them. Raises NotFound (E080) for a memory that is not in the caller's scopes, and
    InvalidInput (E032) for a limit outside 1 to 100.
    """
    check_limit(limit)
    scopes = list(caller.scopes)
    if memory_id is not None and await _sql.maybe(tx, "is_readable", id=memory_id, scopes=scopes) is None:
        raise NotFound(
            f"There is no memory {memory_id}.",
            advice=Advice("memory.list", to="see those that there are"),
            number="E080",
        )
    rows = await _sql.all(tx, "corrections_of", memory_id=memory_id, scopes=scopes, limit=limit)
    return [_correction(row) for row in rows]


async def read_correction(tx: Tx, caller: Caller, correction_id: UUID) -> Correction:
    """One correction; raises NotFound where there is none or its original is not in the caller's scopes."""
    row = await _sql.maybe(tx, "read_correction", id=correction_id, scopes=list(caller.scopes))
    if row is None:
        raise no_correction(correction_id)
    return _correction(row)


async def find_correction(tx: Tx, caller: Caller, wanted: str) -> UUID:
    """The correction of that id, or of which that is the only one's beginning or end.

    Raises NotFound as read_correction does, and InvalidInput (E030) where it is no id, or several match.
    """
    part = part_of_id(wanted, "a correction")
    rows = await _sql.all(tx, "corrections_called", part=part, scopes=list(caller.scopes), limit=CANDIDATES)
    if not rows:
        raise no_correction(wanted[:60])
    if len(rows) > 1:
        raise ambiguous(wanted, "corrections", [str(row["id"]) for row in rows], number="E030")
    found: UUID = rows[0]["id"]
    return found


async def correction_stats(tx: Tx, caller: Caller) -> CorrectionStats:
    """How many corrections the caller's memories have had, by type."""
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
        advice=Advice("memory.corrections", to="see those that there are"),
    )


def check_limit(limit: int) -> None:
    """Raises InvalidInput (E032) for a limit that no list has."""
    if not 1 <= limit <= LIMIT_MAX:
        raise InvalidInput(
            f"A limit of {limit} is not between 1 and {LIMIT_MAX}.", hint="20 is usual.", number="E032"
        )


def _correction(row: DictRow) -> Correction:
    return Correction(
        id=row["id"],
        original_id=row["original_id"],
        replacement_id=row["replacement_id"],
        correction_type=CorrectionType(row["correction_type"]),
        reason=row["reason"],
        corrected_by=row["corrected_by"],
        pattern=row["pattern"],
        created_at=row["created_at"],
        undone_at=row["undone_at"],
        applied=row["applied"],
    )
