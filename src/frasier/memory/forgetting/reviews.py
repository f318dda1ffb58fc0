"""Reviews, the only use that strengthens a memory, at most once a day and once a session; and citations."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from uuid import UUID

from frasier.kernel.errors import NotFound
from frasier.memory.access import Caller
from frasier.memory.cache_invalidation import note_change
from frasier.memory.forgetting.retrievability import retrievability
from frasier.memory.forgetting.review_grades import Grade, difficulty_step, stability_factor
from frasier.memory.forgetting.visibility import check_visible, no_memory
from frasier.memory.strength.adjustments import Strength, adjust, lock_strength, strength_of
from frasier.memory.strength.replay import Cause, Quantity, StrengthOperation
from frasier.memory.strength.usage import note_citation, note_review
from frasier.store import Statements, Tx

_sql = Statements("frasier.memory.forgetting")


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryReview:
    """The result of a review: `strength` after it, `retrievability` (0 to 1) before it.

    If it did not count, `reason` says why, and the strength is unchanged.
    """

    counted: bool
    strength: Strength
    retrievability: float
    reason: str = ""


async def review_memory(
    tx: Tx, caller: Caller, memory_id: UUID, grade: Grade, session_id: str | None = None
) -> MemoryReview:
    """Record the grade of a memory, which changes its stability and difficulty permanently.

    A memory is reviewed at most once a day, and at most once since the session began, whoever does it: ten reviews in a
    row teach no more than one. Raises NotFound for a memory or session of a foreign scope.
    """
    row = await _sql.maybe(tx, "review_scope", memory_id=memory_id)
    if row is None or row["scope"] not in caller.scopes:
        raise no_memory(memory_id)
    if session_id is not None:
        await _check_session(tx, caller, session_id)
    before = await lock_strength(tx, memory_id)
    basis = await _sql.one(tx, "review_basis", memory_id=memory_id, session_id=session_id)
    left = retrievability(basis["age_days"], before.stability)
    if basis["today"] or basis["this_session"]:
        when = "in this session" if basis["this_session"] else "within a day"
        return MemoryReview(
            counted=False, strength=before, retrievability=left, reason=f"already counted {when}"
        )
    factor = stability_factor(grade, difficulty=before.difficulty, retrievability=left)
    await _adjust(tx, memory_id, Quantity.STABILITY, StrengthOperation.MULTIPLY, factor)
    if step := difficulty_step(grade):
        await _adjust(tx, memory_id, Quantity.DIFFICULTY, StrengthOperation.ADD, step)
    await note_review(tx, memory_id)
    await note_change(tx, [row["scope"]])
    return MemoryReview(counted=True, strength=await strength_of(tx, memory_id), retrievability=left)


async def _adjust(
    tx: Tx, memory_id: UUID, quantity: Quantity, operation: StrengthOperation, amount: float
) -> None:
    await adjust(tx, memory_id, cause=Cause.REVIEW, quantity=quantity, operation=operation, amount=amount)


async def _check_session(tx: Tx, caller: Caller, session_id: str) -> None:
    row = await _sql.maybe(tx, "session_scope", session_id=session_id)
    if row is None or row["scope"] not in caller.scopes:
        raise NotFound(
            f"There is no session {session_id[:128]!r}.",
            kept="Nothing was reviewed.",
            hint="Start the session first, or review without one.",
            number="E071",
        )


async def mark_cited(tx: Tx, caller: Caller, memory_ids: Iterable[UUID]) -> int:
    """Record that the caller cited each memory now; return how many. Raises NotFound for a foreign one.

    A recently cited memory is ranked slightly higher, and is archived later.
    """
    return await note_citation(tx, await check_visible(tx, caller, memory_ids))
