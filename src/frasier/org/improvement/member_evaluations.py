"""Evaluations by members, who used a result outside of the organisation."""

from __future__ import annotations

from frasier.kernel.errors import InvariantBroken, NotFound
from frasier.org.governance import EvaluatedVersion, Evaluation, NewEvaluation, store_member_evaluation
from frasier.org.missions import Deliverable, find_deliverable_of_text
from frasier.store import Tx


async def evaluate_as_member(tx: Tx, sha256: str, new: NewEvaluation, *, member: str) -> Evaluation:
    """Store what a member says of the result whose text has that SHA-256.

    Who knows the text has read it, so that nothing of other results is told. Raises NotFound for another text, and
    InvalidInput for words that do not stand in it or a second evaluation.
    """
    deliverable = await find_deliverable_of_text(tx, sha256)
    if deliverable is None:
        raise NotFound(
            "No result has this text.",
            kept="Nothing was stored.",
            hint="Give the SHA-256 of the whole text as it was published, without your own changes.",
        )
    return await store_member_evaluation(tx, member, evaluated_version(deliverable), new)


def evaluated_version(deliverable: Deliverable) -> EvaluatedVersion:
    """Return a version as it is evaluated."""
    if deliverable.author is None:
        raise InvariantBroken(f"version {deliverable.id} has no author")
    return EvaluatedVersion(
        deliverable_id=deliverable.id,
        mission_id=deliverable.mission_id,
        digest=deliverable.digest,
        content=deliverable.content,
        producer=deliverable.author,
    )
