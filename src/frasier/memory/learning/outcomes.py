"""Learning from use: outcomes and validations move confidence, and what proves itself may be promoted.

Only what is said outright counts. What binds everybody is not weighed by use.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from uuid import UUID

from frasier.kernel.errors import InvalidInput
from frasier.memory.access import Caller
from frasier.memory.changes import note_change
from frasier.memory.learning.effects import (
    NOT_USEFUL,
    PROMOTION_CONFIDENCE,
    PROMOTION_TIER,
    PROMOTION_VALIDATIONS,
    USEFUL,
    least_confidence_for_promotion,
    outcome_factor,
    ready_for_promotion,
)
from frasier.memory.learning.history import check_limit
from frasier.memory.learning.subjects import Subject, lock_own_subjects
from frasier.memory.learning.types import Outcome, OutcomesRecorded, Validation
from frasier.memory.strength import Cause, Operation, Quantity, adjust, mark_used, strength_of
from frasier.memory.types import ImportanceTier
from frasier.store import Statements, Tx

_sql = Statements("frasier.memory.learning")

MEMORIES_MAX = 100


async def record_outcome(
    tx: Tx, caller: Caller, memory_ids: Sequence[UUID], outcome: Outcome
) -> OutcomesRecorded:
    """Tells what became of work that used these memories.

    Their confidence is multiplied by 1.05 where it was accepted, 0.95 modified, 0.80 rejected. A memory named
    twice counts once; it counts as used unless the work was rejected. Raises NotFound (E080) where one is not there,
    and then none is moved; InvalidInput where none is named (E031) or more than 100 are (E032).
    """
    if not memory_ids:
        raise InvalidInput(
            "An outcome is of the memories that were used, and none was named.",
            kept="Nothing was changed.",
            hint="Name the memories that the work rested on.",
            number="E031",
        )
    if len(memory_ids) > MEMORIES_MAX:
        raise InvalidInput(
            f"{len(memory_ids)} memories are more than {MEMORIES_MAX} at once.",
            kept="Nothing was changed.",
            hint="Name those that the work rested on.",
            number="E032",
        )
    subjects = await lock_own_subjects(tx, caller, memory_ids)
    if outcome is not Outcome.REJECTED:
        await mark_used(tx, [subject.id for subject in subjects.values() if not subject.binding])
    confidence: dict[UUID, float] = {}
    for subject in subjects.values():
        if not subject.binding:
            await adjust(
                tx,
                subject.id,
                cause=Cause.OUTCOME,
                quantity=Quantity.CONFIDENCE,
                operation=Operation.MULTIPLY,
                amount=outcome_factor(outcome),
            )
            confidence[subject.id] = (await strength_of(tx, subject.id)).confidence
    await note_change(tx, {subjects[memory_id].scope for memory_id in confidence})
    exempt = tuple(subject.id for subject in subjects.values() if subject.binding)
    return OutcomesRecorded(confidence=confidence, exempt=exempt)


async def validate_memory(tx: Tx, caller: Caller, memory_id: UUID, *, useful: bool) -> Validation:
    """Counts a vote: confidence +0.10 and a use where the memory was useful, -0.05 where it was not.

    From a confidence of 0.9 after 5 votes it is ready to be critical: the founder's own vote promotes it, and
    anybody else's makes it one of the `promotable`. Raises NotFound (E080).
    """
    subject = (await lock_own_subjects(tx, caller, [memory_id]))[memory_id]
    if subject.binding:
        return await _standing(tx, subject)
    if useful:
        await mark_used(tx, [memory_id])
    await adjust(
        tx,
        memory_id,
        cause=Cause.VALIDATION,
        quantity=Quantity.CONFIDENCE,
        operation=Operation.ADD,
        amount=USEFUL if useful else NOT_USEFUL,
    )
    await _sql.run(tx, "count_validation", id=memory_id)
    await note_change(tx, [subject.scope])
    standing = await _standing(tx, subject)
    return await _promote(tx, subject, standing) if standing.ready and caller.founder else standing


async def promotable(tx: Tx, caller: Caller, *, limit: int = 20) -> list[Validation]:
    """What has proven itself and waits for the founder to make it critical, the surest first.

    Raises InvalidInput (E032) for a limit outside 1 to 100.
    """
    check_limit(limit)
    rows = await _sql.all(
        tx,
        "promotable",
        scopes=list(caller.scopes),
        confidence=least_confidence_for_promotion(),
        validations=PROMOTION_VALIDATIONS,
        limit=limit,
    )
    return [
        Validation(
            memory_id=row["id"],
            confidence=row["confidence"],
            count=row["validations"],
            tier=ImportanceTier(row["tier"]),
            ready=True,
        )
        for row in rows
    ]


async def promote_memory(tx: Tx, caller: Caller, memory_id: UUID) -> Validation:
    """Makes a memory that has proven itself critical, so that it no longer fades or expires.

    Only the founder can: raises NotAllowed, NotFound (E080), and InvalidInput (E030) where it is not ready.
    One that binds everybody already stays as it is (`exempt`).
    """
    caller.require_founder("make a memory critical")
    subject = (await lock_own_subjects(tx, caller, [memory_id]))[memory_id]
    standing = await _standing(tx, subject)
    if standing.exempt:
        return standing
    if not standing.ready:
        raise InvalidInput(
            f"Memory {memory_id} has not proven itself: confidence {standing.confidence:.2f} after"
            f" {standing.count} validations, tier {standing.tier}.",
            kept="Nothing was changed.",
            hint=f"A recalled memory is ready from {PROMOTION_CONFIDENCE} after {PROMOTION_VALIDATIONS}"
            " validations. The founder can also set its tier directly.",
            number="E030",
        )
    return await _promote(tx, subject, standing)


async def _standing(tx: Tx, subject: Subject) -> Validation:
    strength = await strength_of(tx, subject.id)
    proven = ready_for_promotion(confidence=strength.confidence, validations=strength.validations)
    return Validation(
        memory_id=subject.id,
        confidence=strength.confidence,
        count=strength.validations,
        tier=subject.tier,
        ready=proven and subject.recallable and not subject.binding,
        exempt=subject.binding,
    )


async def _promote(tx: Tx, subject: Subject, standing: Validation) -> Validation:
    await _sql.run(tx, "promote", id=subject.id)
    await note_change(tx, [subject.scope])
    return replace(standing, tier=PROMOTION_TIER, ready=False, promoted=True)
