"""The vector arm: encodes the query and searches the nearest vectors of the same model."""

from __future__ import annotations

from collections.abc import Awaitable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from frasier.kernel.errors import ConfigurationError, ProviderError
from frasier.kernel.logging_setup import get_logger
from frasier.memory.recall.dependencies import RecallDependencies
from frasier.memory.recall.request import RecallQuery
from frasier.memory.recall.stage_timings import Stage, Stopwatch
from frasier.store import Statements, Tx

if TYPE_CHECKING:
    from frasier.memory.embedding.resilient_provider import Breaker
    from frasier.memory.embedding.types import EncodedQuery, ModelIdentity
    from frasier.memory.vectors.types import SpaceRef, VectorHit

log = get_logger()

_sql = Statements("frasier.memory.recall")

_NO_VECTORS = "No memory has a vector yet: the answer is by words only."


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallStart:
    """The state before a search. `seen` is the database snapshot: see changes.unchanged_since.

    `space` is the row of the searched vector space, if there is one.
    """

    seen: str
    space: Mapping[str, Any] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class VectorMatches:
    """The memories nearest to a query, with its encoding and the space of both; the latter two or neither.

    `why_not` says in words why no vectors were compared although they are configured.
    """

    hits: Sequence[VectorHit] = ()
    encoded: EncodedQuery | None = None
    space: SpaceRef | None = None
    why_not: str = ""


NO_VECTOR_MATCHES = VectorMatches()
WITHOUT_PROVIDER = VectorMatches(why_not="No embedding provider is set: the answer is by words only.")


async def read_start(tx: Tx) -> RecallStart:
    """Read the state from before the search; call it first."""
    row = await _sql.one(tx, "recall_start")
    return RecallStart(seen=row["seen"], space=row if row["id"] is not None else None)


async def find_vector_matches(
    dependencies: RecallDependencies,
    query: RecallQuery,
    start: Awaitable[RecallStart],
    *,
    limit: int,
    watch: Stopwatch,
) -> VectorMatches:
    """Encode the query while `start` is awaited, and find the `limit` nearest memories."""
    if dependencies.provider is None:
        return WITHOUT_PROVIDER
    if dependencies.settings.fusion.vector <= 0:
        return NO_VECTOR_MATCHES
    trouble = await dependencies.settle()
    encoded, identity, why_not = await _encode(dependencies.provider, query.text, trouble)
    watch.lap(Stage.ENCODING)
    if encoded is None or identity is None:
        return VectorMatches(why_not=why_not)
    space, why_not = _comparable(identity, (await start).space)
    if space is None:
        return VectorMatches(why_not=why_not)
    try:
        hits = await nearest(dependencies, encoded, space, query, limit=limit)
    except ProviderError as error:
        why_not = f"The vector store cannot be searched: {error.message}"
        return VectorMatches(encoded=encoded, space=space, why_not=why_not)
    return VectorMatches(hits=hits, encoded=encoded, space=space)


async def nearest(
    dependencies: RecallDependencies,
    encoded: EncodedQuery,
    space: SpaceRef,
    query: RecallQuery,
    *,
    limit: int,
) -> list[VectorHit]:
    """Search the store for the `limit` nearest memories."""
    return await dependencies.store.search(
        dependencies.database,
        space,
        encoded.vector,
        scopes=query.scopes,
        kinds=query.kinds,
        limit=limit,
        agent_id=query.agent_id,
        period=query.period,
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
            f"The query could not be encoded ({error.message}): the answer is by words only.",
        )


def _comparable(identity: ModelIdentity, space: Mapping[str, Any] | None) -> tuple[SpaceRef | None, str]:
    """Return the space if its vectors are of the same model, else the reason why they cannot be compared."""
    from frasier.memory.vectors.types import SpaceRef

    if space is None:
        return None, _NO_VECTORS
    if (identity.provider, identity.model, identity.dimension) != (
        space["provider"],
        space["model"],
        space["dimension"],
    ):
        return None, (
            f"The vectors are from {space['model']}, but the encoder is {identity.model}: until all are remade,"
            " the answer is by words only."
        )
    return SpaceRef(id=space["id"], dimension=space["dimension"]), ""
