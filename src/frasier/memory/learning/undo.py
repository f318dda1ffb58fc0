"""Undo a correction: revert its own changes and nothing else; corrections can be undone in any order."""

from __future__ import annotations

from uuid import UUID

from psycopg.rows import DictRow

from frasier.memory.access import Caller
from frasier.memory.cache_invalidation import note_change
from frasier.memory.learning.correction_locks import restore_tier, restore_validity
from frasier.memory.learning.effect_sizes import relation_of
from frasier.memory.learning.history import no_correction
from frasier.memory.learning.targets import lock_targets
from frasier.memory.learning.types import CorrectionType, CorrectionUndone
from frasier.memory.strength.adjustments import undo_adjustments
from frasier.memory.types import ImportanceTier
from frasier.store import Statements, Tx

_sql = Statements("frasier.memory.learning")


async def undo_correction(tx: Tx, caller: Caller, correction_id: UUID) -> CorrectionUndone:
    """Undo a correction, as if it had never been made; idempotent (`repeated`).

    Other changes made since are preserved: strengths are replayed without the correction, the tier is restored
    unless another correction deprecates the memory too, and the edge is deleted only if this correction drew it
    and no other needs it. Raises NotFound, NotAllowed if the original is binding and the caller is not the
    founder, and Refused (E084) if its text was saved again meanwhile.
    """
    pair = await _sql.maybe(tx, "find_corrected_pair", id=correction_id, scopes=list(caller.scopes))
    if pair is None:
        raise no_correction(correction_id)
    targets = await lock_targets(tx, [memory_id for memory_id in pair.values() if memory_id is not None])
    correction = await _sql.maybe(tx, "lock_correction", id=correction_id)
    if correction is None:  # deleted with its original since
        raise no_correction(correction_id)
    original = targets[correction["original_id"]]
    if correction["undone_at"] is not None:
        return _undone(correction, original.tier, repeated=True)
    if original.binding:
        caller.require_founder("undo a correction of a binding memory")
    tier = await restore_tier(tx, original, correction)
    await restore_validity(tx, original, correction)
    await undo_adjustments(tx, correction_id)
    await _release_edge(tx, correction)
    await _sql.run(tx, "mark_undone", id=correction_id)
    await note_change(tx, {subject.scope for subject in targets.values()})
    return _undone(correction, tier, repeated=False)


async def _release_edge(tx: Tx, correction: DictRow) -> None:
    """Transfer the edge to another correction that needs it, or delete it if there is none."""
    if correction["edge_id"] is None:
        return
    relation = relation_of(CorrectionType(correction["correction_type"]))
    other = await _sql.maybe(
        tx,
        "find_correction_needing_edge",
        id=correction["id"],
        original_id=correction["original_id"],
        replacement_id=correction["replacement_id"],
        types=[kind for kind in CorrectionType if relation_of(kind) == relation],
    )
    if other is None:
        await _sql.run(tx, "delete_correction_edge", id=correction["edge_id"])
        return
    await _sql.run(
        tx,
        "transfer_edge",
        edge_id=correction["edge_id"],
        correction_id=other["id"],
        evidence=other["reason"],
        created_by=other["corrected_by"],
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
