"""Undoing a correction: what it changed is taken back, in any order, and nothing else."""

from __future__ import annotations

from uuid import UUID

from psycopg.rows import DictRow

from frasier.memory.access import Caller
from frasier.memory.changes import note_change
from frasier.memory.learning.effects import relation_of
from frasier.memory.learning.history import no_correction
from frasier.memory.learning.holds import give_back_tier, give_back_validity
from frasier.memory.learning.subjects import lock_subjects
from frasier.memory.learning.types import CorrectionType, CorrectionUndone
from frasier.memory.strength import undo_adjustments
from frasier.memory.types import ImportanceTier
from frasier.store import Statements, Tx

_sql = Statements("frasier.memory.learning")


async def undo_correction(tx: Tx, caller: Caller, correction_id: UUID) -> CorrectionUndone:
    """Takes a correction back: the memories become as if it had never been made.

    What others changed since stays: strengths are replayed without it, the tier returns unless another
    correction deprecates the memory too, and an edge goes only if this correction drew it and no other needs
    it. Doing it again changes nothing (`repeated`). Raises NotFound, NotAllowed where the original binds
    everybody and the caller is not the founder, and Refused (E084) where its text was saved again meanwhile.
    """
    pair = await _sql.maybe(tx, "find_pair", id=correction_id, scopes=list(caller.scopes))
    if pair is None:
        raise no_correction(correction_id)
    subjects = await lock_subjects(tx, [memory_id for memory_id in pair.values() if memory_id is not None])
    correction = await _sql.maybe(tx, "lock_correction", id=correction_id)
    if correction is None:  # deleted with its original since
        raise no_correction(correction_id)
    original = subjects[correction["original_id"]]
    if correction["undone_at"] is not None:
        return _undone(correction, original.tier, repeated=True)
    if original.binding:
        caller.require_founder("undo a correction of what binds everybody")
    tier = await give_back_tier(tx, original, correction)
    await give_back_validity(tx, original, correction)
    await undo_adjustments(tx, correction_id)
    await _give_up_edge(tx, correction)
    await _sql.run(tx, "mark_undone", id=correction_id)
    await note_change(tx, {subject.scope for subject in subjects.values()})
    return _undone(correction, tier, repeated=False)


async def _give_up_edge(tx: Tx, correction: DictRow) -> None:
    """Hands the edge to another correction that says the same, and erases it where there is none."""
    if correction["edge_id"] is None:
        return
    relation = relation_of(CorrectionType(correction["correction_type"]))
    heir = await _sql.maybe(
        tx,
        "find_heir",
        id=correction["id"],
        original_id=correction["original_id"],
        replacement_id=correction["replacement_id"],
        types=[kind for kind in CorrectionType if relation_of(kind) == relation],
    )
    if heir is None:
        await _sql.run(tx, "erase_edge", id=correction["edge_id"])
        return
    await _sql.run(
        tx,
        "inherit_edge",
        edge_id=correction["edge_id"],
        heir_id=heir["id"],
        evidence=heir["reason"],
        created_by=heir["corrected_by"],
        evidence_before=correction["reason"],
    )


def _undone(correction: DictRow, tier: ImportanceTier, *, repeated: bool) -> CorrectionUndone:
    return CorrectionUndone(
        correction_id=correction["id"],
        original_id=correction["original_id"],
        replacement_id=correction["replacement_id"],
        tier=tier,
        repeated=repeated,
    )
