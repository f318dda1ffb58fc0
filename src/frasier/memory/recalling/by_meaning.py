"""What the meaning of a question finds: it is encoded, and the nearest vectors of the same model are looked up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import structlog
from psycopg.rows import DictRow

from frasier.kernel.errors import ConfigurationError, ProviderError
from frasier.kernel.together import both
from frasier.memory.changes import snapshot
from frasier.memory.recalling.means import Means
from frasier.memory.recalling.request import Sought
from frasier.store import Database, Statements

if TYPE_CHECKING:
    from frasier.memory.embedding import Breaker, EncodedQuery, ModelIdentity
    from frasier.memory.vectors import SpaceRef, VectorHit

log = structlog.get_logger()

_sql = Statements("frasier.memory.recalling")

_NO_PROVIDER = "No embedding provider is set: the answer is by words only."
_NO_VECTORS = "No memory has a vector yet: the answer is by words only."


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question with what can be compared with it: its own vector, and the space of the vectors of the same model.

    Both or neither; `why_not` says in words why neither, where vectors are wanted. `seen` is what was committed before
    anything was looked for: see changes.unchanged_since.
    """

    seen: str
    encoded: EncodedQuery | None = None
    space: SpaceRef | None = None
    why_not: str = ""


async def prepare_question(means: Means, sought: Sought) -> Question:
    """Encodes the question and sees, at the same time, which vectors there are."""
    if means.provider is None or not sought.text.strip() or means.settings.fusion.vector <= 0:
        seen, _ = await _state(means.database)
        return Question(seen=seen, why_not="" if means.provider else _NO_PROVIDER)
    trouble = await means.settle()
    encoding = _encode(means.provider, sought.text, trouble)
    (encoded, identity, why_not), (seen, space) = await both(encoding, _state(means.database))
    if encoded is None or identity is None:
        return Question(seen=seen, why_not=why_not)
    return _comparable(encoded, identity, space, seen)


async def find_by_meaning(
    means: Means, sought: Sought, question: Question, *, limit: int
) -> tuple[Sequence[VectorHit], str]:
    """The vector arm: the `limit` nearest memories; or none, and in words why the store cannot be searched."""
    if question.encoded is None or question.space is None:
        return (), question.why_not
    try:
        return await nearest(means, question.encoded, question.space, sought, limit=limit), ""
    except ProviderError as error:
        return (), f"The vector store cannot be searched: {error.message}"


async def nearest(
    means: Means, encoded: EncodedQuery, space: SpaceRef, sought: Sought, *, limit: int
) -> list[VectorHit]:
    """The `limit` nearest memories, in what the store opens for it."""
    return await means.store.search(
        means.database,
        space,
        encoded.vector,
        scopes=sought.scopes,
        kinds=sought.kinds,
        limit=limit,
        agent_id=sought.agent_id,
    )


async def _encode(
    provider: Breaker, text: str, trouble: str
) -> tuple[EncodedQuery | None, ModelIdentity | None, str]:
    if trouble:
        return None, None, f"The encoder cannot work ({trouble}): the answer is by words only."
    try:
        identity = await provider.identity()
        return await provider.encode_query(text), identity, ""
    except (ProviderError, ConfigurationError) as error:
        log.warning("memory.query_not_encoded", error=error.message)
        return (
            None,
            None,
            f"The question could not be encoded ({error.message}): the answer is by words only.",
        )


async def _state(database: Database) -> tuple[str, DictRow | None]:
    """What is committed, and the space whose vectors are searched."""
    async with database.transaction() as tx:
        return await snapshot(tx), await _sql.maybe(tx, "active_space")


def _comparable(encoded: EncodedQuery, identity: ModelIdentity, space: DictRow | None, seen: str) -> Question:
    """With the space that is searched, if its vectors are of the same model; only those can be compared."""
    from frasier.memory.vectors import SpaceRef

    if space is None:
        return Question(seen=seen, why_not=_NO_VECTORS)
    if (identity.provider, identity.model, identity.dimension) != (
        space["provider"],
        space["model"],
        space["dimension"],
    ):
        return Question(
            seen=seen,
            why_not=f"The vectors are of {space['model']}, the encoder is {identity.model}: until all are made anew"
            " the answer is by words only.",
        )
    return Question(seen=seen, encoded=encoded, space=SpaceRef(id=space["id"], dimension=space["dimension"]))
