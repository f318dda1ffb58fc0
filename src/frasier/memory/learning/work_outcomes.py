"""Adjust confidence by outcomes and validations, and promote proven memories.

Only explicit feedback counts. Binding memories are not adjusted by use.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from uuid import UUID

from frasier.kernel.errors import InvalidInput
from frasier.memory.access import Caller
from frasier.memory.cache_invalidation import note_change
from frasier.memory.learning.effect_sizes import (
    NOT_USEFUL,
    PROMOTION_CONFIDENCE,
    PROMOTION_TIER,
    PROMOTION_VALIDATIONS,
    USEFUL,
    outcome_factor,
    promotion_confidence_min,
    ready_for_promotion,
)
from frasier.memory.learning.targets import LearningTarget, lock_own_targets, lock_targets
from frasier.memory.learning.types import OutcomesRecorded, Validation, WorkOutcome
from frasier.memory.list_limit import check_limit
from frasier.memory.strength.adjustments import adjust, strength_of
from frasier.memory.strength.replay import Cause, Quantity, StrengthOperation
from frasier.memory.strength.usage import mark_used
from frasier.memory.types import ImportanceTier
from frasier.store import Statements, Tx

_sql = Statements("frasier.memory.learning")

MEMORIES_MAX = 100


async def record_outcome(
    tx: Tx, caller: Caller, memory_ids: Sequence[UUID], outcome: WorkOutcome, *, only_existing: bool = False
) -> OutcomesRecorded:
    """Record the outcome of work that used these memories.

    It multiplies their confidence by 1.05 if accepted, 0.95 if modified, 0.80 if rejected. A memory named twice
    counts once; it counts as used unless the work was rejected. Raises NotFound (E080) if a memory does not exist,
    and then nothing is changed, unless `only_existing` leaves it out; InvalidInput for no memory (E031) or more than
    100 (E032).
    """
    if not memory_ids:
        raise InvalidInput(
            "An outcome needs the memories that were used, and none was named.",
            kept="Nothing was changed.",
            hint="Name the memories that the work relied on.",
            number="E031",
        )
    if len(memory_ids) > MEMORIES_MAX:
        raise InvalidInput(
            f"{len(memory_ids)} memories are too many at once; at most {MEMORIES_MAX} are allowed.",
            kept="Nothing was changed.",
            hint="Name only those that the work relied on.",
            number="E032",
        )
    if only_existing:
        locked = await lock_targets(tx, memory_ids)
        targets = {target.id: target for target in locked.values() if target.scope in caller.scopes}
    else:
        targets = await lock_own_targets(tx, caller, memory_ids)
    if outcome is not WorkOutcome.REJECTED:
        await mark_used(tx, [target.id for target in targets.values() if not target.binding])
    confidence: dict[UUID, float] = {}
    for target in targets.values():
        if not target.binding:
            await adjust(
                tx,
                target.id,
                cause=Cause.OUTCOME,
                quantity=Quantity.CONFIDENCE,
                operation=StrengthOperation.MULTIPLY,
                amount=outcome_factor(outcome),
            )
            confidence[target.id] = (await strength_of(tx, target.id)).confidence
    await note_change(tx, {targets[memory_id].scope for memory_id in confidence})
    exempt = tuple(target.id for target in targets.values() if target.binding)
    return OutcomesRecorded(confidence=confidence, exempt=exempt)


async def validate_memory(tx: Tx, caller: Caller, memory_id: UUID, *, useful: bool) -> Validation:
    """Count a vote: confidence +0.10 and one use if the memory was useful, -0.05 if it was not.

    With a confidence of 0.9 after 5 votes it is ready to become critical: a vote of the founder promotes it, and a
    vote of anybody else makes it one of the `promotable`. Raises NotFound (E080).
    """
    target = (await lock_own_targets(tx, caller, [memory_id]))[memory_id]
    if target.binding:
        return await _validation(tx, target)
    if useful:
        await mark_used(tx, [memory_id])
    await adjust(
        tx,
        memory_id,
        cause=Cause.VALIDATION,
        quantity=Quantity.CONFIDENCE,
        operation=StrengthOperation.ADD,
        amount=USEFUL if useful else NOT_USEFUL,
    )
    await _sql.run(tx, "count_validation", id=memory_id)
    await note_change(tx, [target.scope])
    validation = await _validation(tx, target)
    return await _promote(tx, target, validation) if validation.ready and caller.founder else validation


async def promotable(tx: Tx, caller: Caller, *, limit: int = 20) -> list[Validation]:
    """Proven memories that await the founder's promotion to critical, the most confident first.

    Raises InvalidInput (E032) for a limit outside 1 to 100.
    """
    check_limit(limit, hint="20 is usual.")
    rows = await _sql.all(
        tx,
        "find_promotable",
        scopes=list(caller.scopes),
        confidence=promotion_confidence_min(),
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
    """Promote a proven memory to critical, so that it no longer fades or expires; for the founder only.

    A binding memory is left unchanged (`exempt`). Raises NotAllowed, NotFound (E080), and InvalidInput (E030) if it
    is not ready.
    """
    caller.require_founder("make a memory critical")
    target = (await lock_own_targets(tx, caller, [memory_id]))[memory_id]
    validation = await _validation(tx, target)
    if validation.exempt:
        return validation
    if not validation.ready:
        raise InvalidInput(
            f"Memory {memory_id} is not ready for promotion: confidence {validation.confidence:.2f} after"
            f" {validation.count} validations, tier {validation.tier}.",
            kept="Nothing was changed.",
            hint=f"A recallable memory needs a confidence of {PROMOTION_CONFIDENCE} and {PROMOTION_VALIDATIONS}"
            " validations. The founder can also set its tier directly.",
            number="E030",
        )
    return await _promote(tx, target, validation)


async def _validation(tx: Tx, target: LearningTarget) -> Validation:
    strength = await strength_of(tx, target.id)
    proven = ready_for_promotion(confidence=strength.confidence, validations=strength.validations)
    return Validation(
        memory_id=target.id,
        confidence=strength.confidence,
        count=strength.validations,
        tier=target.tier,
        ready=proven and target.recallable and not target.binding,
        exempt=target.binding,
    )


async def _promote(tx: Tx, target: LearningTarget, validation: Validation) -> Validation:
    await _sql.run(tx, "promote_memory", id=target.id)
    await note_change(tx, [target.scope])
    return replace(validation, tier=PROMOTION_TIER, ready=False, promoted=True)
