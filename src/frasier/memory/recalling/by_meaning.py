"""What the meaning of a question finds: it is encoded, and the nearest vectors of the same model are looked up."""

from __future__ import annotations

from collections.abc import Awaitable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import structlog

from frasier.kernel.errors import ConfigurationError, ProviderError
from frasier.memory.recalling.means import Means
from frasier.memory.recalling.request import Sought
from frasier.memory.recalling.stopwatch import Stage, Stopwatch
from frasier.store import Statements, Tx

if TYPE_CHECKING:
    from frasier.memory.embedding import Breaker, EncodedQuery, ModelIdentity
    from frasier.memory.vectors import SpaceRef, VectorHit

log = structlog.get_logger()

_sql = Statements("frasier.memory.recalling")

_NO_VECTORS = "No memory has a vector yet: the answer is by words only."


@dataclass(frozen=True, slots=True, kw_only=True)
class Start:
    """`seen` is what was committed before anything was looked for: see changes.unchanged_since. `space` holds the
    vectors that are searched, if there are any.
    """

    seen: str
    space: Mapping[str, Any] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ByMeaning:
    """What is nearest to a question, with its own vector and the space that both lie in; the two or neither.

    `why_not` says in words why nothing was compared, where vectors are wanted.
    """

    hits: Sequence[VectorHit] = ()
    encoded: EncodedQuery | None = None
    space: SpaceRef | None = None
    why_not: str = ""


NOTHING_MEANT = ByMeaning()
WITHOUT_PROVIDER = ByMeaning(why_not="No embedding provider is set: the answer is by words only.")


async def see_start(tx: Tx) -> Start:
    """To be taken before the first look."""
    row = await _sql.one(tx, "start")
    return Start(seen=row["seen"], space=row if row["id"] is not None else None)


async def find_by_meaning(
    means: Means, sought: Sought, start: Awaitable[Start], *, limit: int, watch: Stopwatch
) -> ByMeaning:
    """The vector arm: encodes the question while `start` is awaited, and finds the `limit` nearest memories."""
    if means.provider is None:
        return WITHOUT_PROVIDER
    if means.settings.fusion.vector <= 0:
        return NOTHING_MEANT
    trouble = await means.settle()
    encoded, identity, why_not = await _encode(means.provider, sought.text, trouble)
    watch.lap(Stage.ENCODING)
    if encoded is None or identity is None:
        return ByMeaning(why_not=why_not)
    space, why_not = _comparable(identity, (await start).space)
    if space is None:
        return ByMeaning(why_not=why_not)
    try:
        hits = await nearest(means, encoded, space, sought, limit=limit)
    except ProviderError as error:
        why_not = f"The vector store cannot be searched: {error.message}"
        return ByMeaning(encoded=encoded, space=space, why_not=why_not)
    return ByMeaning(hits=hits, encoded=encoded, space=space)


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


def _comparable(identity: ModelIdentity, space: Mapping[str, Any] | None) -> tuple[SpaceRef | None, str]:
    """The space, if its vectors are of the same model: only those can be compared. Else in words why not."""
    from frasier.memory.vectors import SpaceRef

    if space is None:
        return None, _NO_VECTORS
    if (identity.provider, identity.model, identity.dimension) != (
        space["provider"],
        space["model"],
        space["dimension"],
    ):
        return None, (
            f"The vectors are of {space['model']}, the encoder is {identity.model}: until all are made anew"
            " the answer is by words only."
        )
    return SpaceRef(id=space["id"], dimension=space["dimension"]), ""
