"""What the meaning of a question finds: it is encoded, and the nearest vectors of the same model are looked up."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import structlog

from frasier.kernel.errors import ConfigurationError, ProviderError
from frasier.memory.recalling.means import Means
from frasier.memory.recalling.request import Sought
from frasier.store import Statements, Tx

if TYPE_CHECKING:
    from frasier.memory.embedding import EncodedQuery, ModelIdentity
    from frasier.memory.vectors import SpaceRef, VectorHit

log = structlog.get_logger()

_sql = Statements("frasier.memory.recalling")


@dataclass(frozen=True, slots=True, kw_only=True)
class ByMeaning:
    """The encoded question, its space and what lies nearest to it; `why_not` says in words why there is none.

    `seen` is the snapshot before the search; None where there was none.
    """

    encoded: EncodedQuery | None = None
    space: SpaceRef | None = None
    hits: tuple[VectorHit, ...] = ()
    why_not: str = ""
    seen: str | None = None


async def encode_question(means: Means, sought: Sought) -> tuple[ByMeaning, ModelIdentity | None]:
    """The question's vector and the model that made it, where one is wanted and can be made."""
    if means.provider is None:
        return ByMeaning(why_not="No embedding provider is set: the answer is by words only."), None
    if not sought.text.strip() or means.settings.fusion.vector <= 0:
        return ByMeaning(), None
    if trouble := await means.settle():
        return ByMeaning(why_not=f"The encoder cannot work ({trouble}): the answer is by words only."), None
    try:
        identity = await means.provider.identity()
        encoded = await means.provider.encode_query(sought.text)
    except (ProviderError, ConfigurationError) as error:
        log.warning("memory.query_not_encoded", error=error.message)
        why_not = f"The question could not be encoded ({error.message}): the answer is by words only."
        return ByMeaning(why_not=why_not), None
    return ByMeaning(encoded=encoded), identity


async def find_by_meaning(
    means: Means,
    sought: Sought,
    asked: ByMeaning,
    identity: ModelIdentity | None,
    *,
    limit: int,
) -> ByMeaning:
    """The vector arm, in a transaction of its own."""
    encoded = asked.encoded
    if encoded is None or identity is None:
        return asked
    async with means.database.transaction() as tx:
        asked = await _in_space(tx, asked, identity)
        if asked.space is None:
            return asked
        if not means.store.external:
            return replace(
                asked, hits=tuple(await nearest(tx, means, encoded, asked.space, sought, limit=limit))
            )
    try:
        return replace(
            asked, hits=tuple(await nearest(None, means, encoded, asked.space, sought, limit=limit))
        )
    except ProviderError as error:
        why_not = f"The vector store cannot be searched: {error.message}"
        return ByMeaning(why_not=why_not, seen=asked.seen)


async def nearest(
    tx: Tx | None, means: Means, encoded: EncodedQuery, space: SpaceRef, sought: Sought, *, limit: int
) -> list[VectorHit]:
    """The `limit` nearest memories; `tx` is None for a store outside of the database."""
    return await means.store.search(
        tx,
        space,
        encoded.vector,
        scopes=sought.scopes,
        kinds=sought.kinds,
        limit=limit,
        agent_id=sought.agent_id,
    )


async def _in_space(tx: Tx, asked: ByMeaning, identity: ModelIdentity) -> ByMeaning:
    """With the space that is searched, if its vectors are of the same model; only those can be compared."""
    from frasier.memory.vectors import SpaceRef

    row = await _sql.one(tx, "active_space")
    if row["id"] is None:
        return ByMeaning(why_not="No memory has a vector yet: the answer is by words only.", seen=row["seen"])
    if (identity.provider, identity.model, identity.dimension) != (
        row["provider"],
        row["model"],
        row["dimension"],
    ):
        return ByMeaning(
            why_not=f"The vectors are of {row['model']}, the encoder is {identity.model}: until all are made anew"
            " the answer is by words only.",
            seen=row["seen"],
        )
    return replace(asked, seen=row["seen"], space=SpaceRef(id=row["id"], dimension=row["dimension"]))
