"""Correcting a memory: what was wrong fades, what is right gains, and all of it can be undone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from uuid import UUID

from frasier.kernel.errors import InvalidInput
from frasier.kernel.ids import new_id
from frasier.memory.access import Caller
from frasier.memory.changes import note_change
from frasier.memory.graph import closes_lineage
from frasier.memory.learning.effects import (
    ORIGINAL_CONFIDENCE,
    ORIGINAL_STABILITY,
    REPLACEMENT_STABILITY,
    needs_replacement,
    outcome_factor,
    relation_of,
)
from frasier.memory.learning.history import read_correction
from frasier.memory.learning.holds import take_tier, take_validity
from frasier.memory.learning.subjects import Subject, lock_own_subjects
from frasier.memory.learning.texts import PATTERN_CHARS_MAX, REASON_CHARS_MAX, clean, require
from frasier.memory.learning.types import Correction, CorrectionType, Outcome
from frasier.memory.save import save_memory
from frasier.memory.strength import Cause, Operation, Quantity, adjust
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
    outcome: Outcome | None = None,
    pattern: str = "",
    penalise: bool = True,
) -> Correction:
    """Records that a memory was wrong and what is right, and lets recall know.

    The original's stability and confidence are halved, the replacement's stability grows by a fifth, and an
    edge leads from the replacement to the original. Superseded and deprecated originals are no longer
    recalled; a fact that is superseded ends now. `replacement` is saved first, in this transaction. `outcome`
    weighs the confidence of the original further; `pattern` says what can be learned beyond this case. Without
    `penalise`, and for what binds everybody, the correction is recorded and nothing else changes.

    The same correction again returns the one that stands (`repeated`). Raises NotFound (E080), NotAllowed
    where the original binds everybody and the caller is not the founder, InvalidInput for a missing
    replacement or reason (E031), a text that is too long (E032), a replacement that is not recalled itself
    (E030), is the original (E103), or is what the original was made from (E101).
    """
    reason = require("The reason of a correction", reason, REASON_CHARS_MAX)
    pattern = clean("The pattern of a correction", pattern, PATTERN_CHARS_MAX)
    # A savepoint, so that a refusal takes back the replacement that was saved for it.
    async with tx.transaction():
        replacement_id = await _replacement(tx, caller, correction_type, replacement_id, replacement)
        said = _Said(
            original_id=original_id,
            replacement_id=replacement_id,
            correction_type=correction_type,
            reason=reason,
            corrected_by=caller.name,
            pattern=pattern,
        )
        correction_id, repeated = await _correct(tx, caller, said, outcome, penalise=penalise)
    return replace(await read_correction(tx, caller, correction_id), repeated=repeated)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Said:
    """What a correction says, before anything is done about it."""

    original_id: UUID
    replacement_id: UUID | None
    correction_type: CorrectionType
    reason: str
    corrected_by: str
    pattern: str


async def _correct(
    tx: Tx, caller: Caller, said: _Said, outcome: Outcome | None, *, penalise: bool
) -> tuple[UUID, bool]:
    """The correction, and whether it stood already."""
    if said.replacement_id == said.original_id:
        raise _self_replacement(said.original_id)
    ids = [memory_id for memory_id in (said.original_id, said.replacement_id) if memory_id is not None]
    subjects = await lock_own_subjects(tx, caller, ids)
    original = subjects[said.original_id]
    if original.binding:
        caller.require_founder("correct what binds everybody")
    same = await _same(tx, said)
    if same is not None:
        return same, True
    successor = _successor(subjects, said.replacement_id)
    if original.binding or not penalise:
        return await _record(tx, new_id(), said), False
    correction_id = await _apply(tx, said, original, successor, outcome)
    await note_change(tx, {subject.scope for subject in subjects.values()})
    return correction_id, False


async def _same(tx: Tx, said: _Said) -> UUID | None:
    """The standing correction that says the same."""
    row = await _sql.maybe(
        tx,
        "same_correction",
        original_id=said.original_id,
        correction_type=said.correction_type,
        replacement_id=said.replacement_id,
    )
    return None if row is None else row["id"]


async def _record(
    tx: Tx,
    correction_id: UUID,
    said: _Said,
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
        **asdict(said),
    )
    return correction_id


async def _apply(
    tx: Tx, said: _Said, original: Subject, successor: Subject | None, outcome: Outcome | None
) -> UUID:
    """Records the correction with what it takes and draws, and adjusts the strengths under its id."""
    correction_id = new_id()
    await _record(
        tx,
        correction_id,
        said,
        edge_id=await _draw_edge(tx, said),
        tier_before=await take_tier(tx, original, said.correction_type),
        valid_until_set=await take_validity(tx, original, said.correction_type),
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
    """Which memory takes the place of the original, saved now where it is new."""
    if replacement is not None:
        if replacement_id is not None:
            raise InvalidInput(
                "A correction names its replacement or brings a new one, not both.",
                kept="Nothing was changed.",
                hint="Leave one of the two out.",
                number="E030",
            )
        caller.allow([replacement.scope])
        return await save_memory(tx, replacement, founder=caller.founder)
    if replacement_id is None and needs_replacement(correction_type):
        raise InvalidInput(
            f"A memory that is {correction_type} has a replacement, and none was given.",
            kept="Nothing was changed.",
            hint="Name the replacement or give its text; without one, correct it as deprecated.",
            number="E031",
        )
    return replacement_id


def _self_replacement(original_id: UUID) -> InvalidInput:
    return InvalidInput(
        f"Memory {original_id} cannot replace itself.",
        kept="Nothing was changed.",
        hint="The replacement is another memory, and says something else.",
        number="E103",
    )


def _successor(subjects: Mapping[UUID, Subject], replacement_id: UUID | None) -> Subject | None:
    """The replacement, which must be one that is recalled: else nothing of the original would be."""
    if replacement_id is None:
        return None
    successor = subjects[replacement_id]
    if not successor.recallable:
        raise InvalidInput(
            f"Memory {replacement_id} is deprecated, archived or expired, so it can replace nothing.",
            kept="Nothing was changed.",
            hint="Name one that is recalled, or undo the correction that took this one out.",
            number="E030",
        )
    return successor


async def _draw_edge(tx: Tx, said: _Said) -> UUID | None:
    """Draws the edge from the replacement to the original; None where it was there, or nothing replaces."""
    if said.replacement_id is None:
        return None
    if await closes_lineage(tx, said.replacement_id, said.original_id):
        raise InvalidInput(
            f"Memory {said.original_id} was itself made from {said.replacement_id}, or took its place.",
            kept="Nothing was changed.",
            hint="Undo the correction or remove the link that says so; or correct it as deprecated, alone.",
            number="E101",
        )
    edge_id = new_id()
    drawn = await _sql.run(
        tx,
        "draw_edge",
        id=edge_id,
        source_id=said.replacement_id,
        target_id=said.original_id,
        relation=relation_of(said.correction_type),
        evidence=said.reason,
        created_by=said.corrected_by,
    )
    return edge_id if drawn else None


async def _weigh(
    tx: Tx, original: Subject, successor: Subject | None, correction_id: UUID, outcome: Outcome | None
) -> None:
    """Adjusts both strengths under the correction, in the order of their ids, so nobody waits in a circle."""
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
            operation=Operation.MULTIPLY,
            amount=factor,
            correction_id=correction_id,
        )
