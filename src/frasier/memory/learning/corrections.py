"""Correct a memory: weaken the original, strengthen its replacement, reversibly."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from uuid import UUID

from frasier.kernel.errors import InvalidInput
from frasier.kernel.ids import new_id
from frasier.memory.access import Caller
from frasier.memory.cache_invalidation import note_change
from frasier.memory.graph.link import closes_lineage
from frasier.memory.learning.correction_locks import take_tier, take_validity
from frasier.memory.learning.effect_sizes import (
    ORIGINAL_CONFIDENCE,
    ORIGINAL_STABILITY,
    REPLACEMENT_STABILITY,
    needs_replacement,
    outcome_factor,
    relation_of,
)
from frasier.memory.learning.history import read_correction
from frasier.memory.learning.note_text import PATTERN_CHARS_MAX, REASON_CHARS_MAX, clean, require
from frasier.memory.learning.targets import LearningTarget, lock_own_targets
from frasier.memory.learning.types import Correction, CorrectionType, WorkOutcome
from frasier.memory.save import save_memory
from frasier.memory.strength.adjustments import adjust
from frasier.memory.strength.replay import Cause, Quantity, StrengthOperation
from frasier.memory.types import ImportanceTier, NewMemory
from frasier.store import Statements, Tx

_sql = Statements("frasier.memory.learning")


async def correct_memory(
    tx: Tx,
    caller: Caller,
    original_id: UUID,
    correction_type: CorrectionType,
    *,
    replacement_id: UUID | None = None,
    replacement: NewMemory | None = None,
    reason: str,
    outcome: WorkOutcome | None = None,
    pattern: str = "",
    penalise: bool = True,
) -> Correction:
    """Record that a memory was wrong and what replaces it, and apply the consequences.

    The original's stability and confidence are halved, the replacement's stability grows by a fifth, and an
    edge leads from the replacement to the original. Superseded and deprecated originals are no longer
    recalled; the validity of a superseded fact ends now. `replacement` is saved first, in this transaction.
    `outcome` adjusts the confidence of the original further; `pattern` is the lesson beyond this case. Without
    `penalise`, and for a binding memory, the correction is recorded and nothing else changes.

    Repeating a correction returns the existing one (`repeated`). Raises NotFound (E080), NotAllowed if the
    original is binding and the caller is not the founder, and InvalidInput for a missing replacement or
    reason (E031), a text that is too long (E032), and a replacement that cannot be recalled itself (E030), is
    the original (E103), or is an ancestor of the original (E101).
    """
    reason = require("The reason of a correction", reason, REASON_CHARS_MAX)
    pattern = clean("The pattern of a correction", pattern, PATTERN_CHARS_MAX)
    # A savepoint, so that an error rolls back the replacement saved for the correction.
    async with tx.transaction():
        replacement_id = await _replacement(tx, caller, correction_type, replacement_id, replacement)
        request = _CorrectionRequest(
            original_id=original_id,
            replacement_id=replacement_id,
            correction_type=correction_type,
            reason=reason,
            corrected_by=caller.name,
            pattern=pattern,
        )
        correction_id, repeated = await _correct(tx, caller, request, outcome, penalise=penalise)
    return replace(await read_correction(tx, caller, correction_id), repeated=repeated)


@dataclass(frozen=True, slots=True, kw_only=True)
class _CorrectionRequest:
    """The stored fields of a correction, before it is applied."""

    original_id: UUID
    replacement_id: UUID | None
    correction_type: CorrectionType
    reason: str
    corrected_by: str
    pattern: str


async def _correct(
    tx: Tx, caller: Caller, request: _CorrectionRequest, outcome: WorkOutcome | None, *, penalise: bool
) -> tuple[UUID, bool]:
    """Return the id of the correction, and whether it existed already."""
    if request.replacement_id == request.original_id:
        raise _self_replacement(request.original_id)
    ids = [memory_id for memory_id in (request.original_id, request.replacement_id) if memory_id is not None]
    targets = await lock_own_targets(tx, caller, ids)
    original = targets[request.original_id]
    if original.binding:
        caller.require_founder("correct a binding memory")
    existing_id = await _existing_correction(tx, request)
    if existing_id is not None:
        return existing_id, True
    successor = _successor(targets, request.replacement_id)
    if original.binding or not penalise:
        return await _record(tx, new_id(), request), False
    correction_id = await _apply(tx, request, original, successor, outcome)
    await note_change(tx, {subject.scope for subject in targets.values()})
    return correction_id, False


async def _existing_correction(tx: Tx, request: _CorrectionRequest) -> UUID | None:
    """The id of an equal correction that is not undone."""
    row = await _sql.maybe(
        tx,
        "find_same_correction",
        original_id=request.original_id,
        correction_type=request.correction_type,
        replacement_id=request.replacement_id,
    )
    return None if row is None else row["id"]


async def _record(
    tx: Tx,
    correction_id: UUID,
    request: _CorrectionRequest,
    *,
    edge_id: UUID | None = None,
    tier_before: ImportanceTier | None = None,
    valid_until_set: bool = False,
) -> UUID:
    await _sql.run(
        tx,
        "record_correction",
        id=correction_id,
        edge_id=edge_id,
        tier_before=tier_before,
        valid_until_set=valid_until_set,
        **asdict(request),
    )
    return correction_id


async def _apply(
    tx: Tx,
    request: _CorrectionRequest,
    original: LearningTarget,
    successor: LearningTarget | None,
    outcome: WorkOutcome | None,
) -> UUID:
    """Record the correction, apply it to tier, validity and edges, and adjust the strengths under its id."""
    correction_id = new_id()
    await _record(
        tx,
        correction_id,
        request,
        edge_id=await _draw_edge(tx, request),
        tier_before=await take_tier(tx, original, request.correction_type),
        valid_until_set=await take_validity(tx, original, request.correction_type),
    )
    await _weigh(tx, original, successor, correction_id, outcome)
    return correction_id


async def _replacement(
    tx: Tx,
    caller: Caller,
    correction_type: CorrectionType,
    replacement_id: UUID | None,
    replacement: NewMemory | None,
) -> UUID | None:
    """The id of the memory that replaces the original, saved now if it is new."""
    if replacement is not None:
        if replacement_id is not None:
            raise InvalidInput(
                "A correction takes either an existing replacement or a new one, not both.",
                kept="Nothing was changed.",
                hint="Omit one of the two.",
                number="E030",
            )
        caller.allow([replacement.scope])
        return await save_memory(tx, replacement, founder=caller.founder)
    if replacement_id is None and needs_replacement(correction_type):
        raise InvalidInput(
            f"A {correction_type} memory needs a replacement, and none was given.",
            kept="Nothing was changed.",
            hint="Name the replacement or give its text; without a replacement, use the type deprecated.",
            number="E031",
        )
    return replacement_id


def _self_replacement(original_id: UUID) -> InvalidInput:
    return InvalidInput(
        f"Memory {original_id} cannot replace itself.",
        kept="Nothing was changed.",
        hint="Name another memory as the replacement.",
        number="E103",
    )


def _successor(targets: Mapping[UUID, LearningTarget], replacement_id: UUID | None) -> LearningTarget | None:
    """The replacement, which must be recallable, so that a recall finds it instead of the original."""
    if replacement_id is None:
        return None
    successor = targets[replacement_id]
    if not successor.recallable:
        raise InvalidInput(
            f"Memory {replacement_id} is deprecated, archived or expired, so it cannot be a replacement.",
            kept="Nothing was changed.",
            hint="Name a memory that is recalled, or undo the correction that deprecated this one.",
            number="E030",
        )
    return successor


async def _draw_edge(tx: Tx, request: _CorrectionRequest) -> UUID | None:
    """Draw the edge from the replacement to the original; None if it existed or there is no replacement."""
    if request.replacement_id is None:
        return None
    if await closes_lineage(tx, request.replacement_id, request.original_id):
        raise InvalidInput(
            f"Memory {request.original_id} itself derives from or supersedes {request.replacement_id}.",
            kept="Nothing was changed.",
            hint="Undo that correction or remove that link, or use the type deprecated without a replacement.",
            number="E101",
        )
    edge_id = new_id()
    drawn = await _sql.run(
        tx,
        "draw_edge",
        id=edge_id,
        source_id=request.replacement_id,
        target_id=request.original_id,
        relation=relation_of(request.correction_type),
        evidence=request.reason,
        created_by=request.corrected_by,
    )
    return edge_id if drawn else None


async def _weigh(
    tx: Tx,
    original: LearningTarget,
    successor: LearningTarget | None,
    correction_id: UUID,
    outcome: WorkOutcome | None,
) -> None:
    """Adjust both strengths under the correction, in the order of the ids to prevent deadlocks."""
    changes = [
        (original.id, Cause.CORRECTION, Quantity.STABILITY, ORIGINAL_STABILITY),
        (original.id, Cause.CORRECTION, Quantity.CONFIDENCE, ORIGINAL_CONFIDENCE),
    ]
    if outcome is not None:
        changes.append((original.id, Cause.OUTCOME, Quantity.CONFIDENCE, outcome_factor(outcome)))
    if successor is not None and not successor.binding:
        changes.append((successor.id, Cause.CORRECTION, Quantity.STABILITY, REPLACEMENT_STABILITY))
    for memory_id, cause, quantity, factor in sorted(changes, key=lambda change: change[0]):
        await adjust(
            tx,
            memory_id,
            cause=cause,
            quantity=quantity,
            operation=StrengthOperation.MULTIPLY,
            amount=factor,
            correction_id=correction_id,
        )
