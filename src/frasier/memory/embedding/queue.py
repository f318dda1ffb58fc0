"""The embedding queue: due memories are claimed, encoded outside any transaction, written, and their jobs deleted."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING
from uuid import UUID

from psycopg.rows import DictRow

from frasier.kernel.errors import BadReply, ProviderError
from frasier.kernel.logging_setup import get_logger
from frasier.kernel.text import shorten
from frasier.kernel.transaction_guard import forbid_open_transaction
from frasier.memory.embedding.spaces import Space, SpaceState, find_space, owe_missing, switch_space
from frasier.memory.embedding.types import (
    REASON_CHARS,
    DocumentEncoder,
    EncodingOutcome,
    TextRefused,
    TextToEncode,
)
from frasier.memory.indexed_text import indexed_text
from frasier.store import Database, Statements, Tx

if TYPE_CHECKING:
    from frasier.memory.vectors.types import VectorStore

log = get_logger()

_sql = Statements("frasier.memory.embedding")

_CONTEXT_TURNS = 2
# Text encoded between two commits: a claim lasts five minutes, and interrupted work waits for its end.
_GROUP_CHARS = 20_000
# The same with a time limit, and the longest text encoded then: some tenths of a second on one core.
_SMALL_GROUP_CHARS = 4_000
_SHORT_BYTES = 4_000
_PLAIN = TextToEncode(text="The weather was fine on Sunday.")


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbeddedCount:
    """The result of a round: memories that got their vectors, and texts that failed.

    `stopped` is the reason why the round ended early: the provider could not work, which is no text's fault
    (`provider_out`), or its space is not open.
    """

    embedded: int
    failed: int
    stopped: str = ""
    provider_out: bool = False


async def embed_due(
    database: Database,
    provider: DocumentEncoder,
    store: VectorStore,
    *,
    limit: int = 256,
    batch: int = 32,
    only: Collection[UUID] | None = None,
    in_time: Callable[[], bool] | None = None,
) -> EmbeddedCount:
    """Make the vectors that are due in the provider's space, for at most `limit` memories, `batch` at a time.

    `only` restricts it to these memories. With `in_time` it continues while that returns true, in small steps, and
    skips long texts. A cancelled round releases the memories that it has not encoded. Any number of processes may run
    it at once. A space that was being filled becomes the active one when nothing is left to do. A text that the
    provider refuses is retried later (see RETRY_MIN) and delays no other; a provider that cannot work ends the round,
    and the texts stay due. Opens transactions of its own. Raises ProviderError only if an external store fails.
    """
    forbid_open_transaction("encoding memories")
    embedded = failed = claimed = 0
    try:
        identity = await provider.identity()
    except ProviderError as error:
        return EmbeddedCount(embedded=0, failed=0, stopped=error.message, provider_out=True)
    async with database.transaction() as tx:
        space = await find_space(tx, identity)
    if space is None or space.state is SpaceState.RETIRED:
        return EmbeddedCount(embedded=0, failed=0, stopped="The encoder's space is not open.")
    while claimed < limit and (in_time is None or in_time()):
        async with database.transaction() as tx:
            rows, documents = await _claim(
                tx, space, min(batch, limit - claimed), only=only, longest=_SHORT_BYTES if in_time else None
            )
        if not rows:
            await _finish(database, store, space)
            break
        claimed += len(rows)
        made = await _make(database, provider, store, space, rows, documents, in_time)
        embedded, failed = embedded + made.embedded, failed + made.failed
        if made.stopped:
            log.info("embedding.stopped", reason=made.stopped, embedded=embedded)
            return replace(made, embedded=embedded, failed=failed)
    return EmbeddedCount(embedded=embedded, failed=failed)


async def _make(
    database: Database,
    provider: DocumentEncoder,
    store: VectorStore,
    space: Space,
    rows: Sequence[DictRow],
    documents: Mapping[int, TextToEncode],
    in_time: Callable[[], bool] | None,
) -> EmbeddedCount:
    """Make the vectors of claimed memories, group by group, and release those that are not reached."""
    from frasier.memory.embedding.store_vectors import write_vectors  # loads numpy

    embedded = failed = 0
    left = {row["num"] for row in rows}
    stopped = ""
    try:
        for group in _groups(rows, documents, _SMALL_GROUP_CHARS if in_time else _GROUP_CHARS):
            if in_time is not None and not in_time():
                break
            outcome = await _encode(provider, {row["num"]: documents[row["num"]] for row in group})
            embedded += await write_vectors(database, store, space, group, outcome)
            failed += len(outcome.refused)
            left -= outcome.encoded.keys() | outcome.refused.keys()
            if stopped := outcome.stopped:
                break
    except asyncio.CancelledError:
        await _release(database, space, left, "")
        raise
    await _release(database, space, left, stopped)
    return EmbeddedCount(embedded=embedded, failed=failed, stopped=stopped, provider_out=bool(stopped))


async def _claim(
    tx: Tx, space: Space, limit: int, *, only: Collection[UUID] | None, longest: int | None
) -> tuple[list[DictRow], dict[int, TextToEncode]]:
    """Claim due memories with the documents to encode; delete the jobs of those that no longer need a vector."""
    while True:
        rows = await _sql.all(
            tx,
            "claim_due",
            space=space.id,
            limit=limit,
            only=None if only is None else list(only),
            longest=longest,
        )
        obsolete = [row["num"] for row in rows if not row["embeddable"]]
        if obsolete:
            await _sql.run(tx, "settle_jobs", space=space.id, nums=obsolete)
        embeddable = [row for row in rows if row["embeddable"]]
        if embeddable or not rows:
            break
    before: dict[int, list[str]] = {}
    nums = [row["num"] for row in embeddable]
    for turn in await _sql.all(tx, "turns_before", nums=nums, turns=_CONTEXT_TURNS):
        before.setdefault(turn["before_num"], []).append(indexed_text(turn))
    return embeddable, {
        row["num"]: TextToEncode(text=indexed_text(row), context=tuple(before.get(row["num"], ())))
        for row in embeddable
    }


def _groups(
    rows: Sequence[DictRow], documents: Mapping[int, TextToEncode], chars_max: int
) -> Iterator[list[DictRow]]:
    group: list[DictRow] = []
    chars = 0
    for row in rows:
        length = len(documents[row["num"]].text)
        if group and chars + length > chars_max:
            yield group
            group, chars = [], 0
        group.append(row)
        chars += length
    if group:
        yield group


async def _encode(provider: DocumentEncoder, documents: Mapping[int, TextToEncode]) -> EncodingOutcome:
    """Encode all at once, or one by one if the provider fails at one of them."""
    try:
        parts = await provider.encode(list(documents.values()))
    except (BadReply, TextRefused) as error:
        if len(documents) == 1:
            return await _blame_provider_or_texts(
                provider, EncodingOutcome(refused=dict.fromkeys(documents, error.message))
            )
    except ProviderError as error:
        return EncodingOutcome(stopped=error.message)
    else:
        return EncodingOutcome(encoded=dict(zip(documents, parts, strict=True)))
    outcome = EncodingOutcome()
    for num, document in documents.items():
        try:
            [outcome.encoded[num]] = await provider.encode([document])
        except (BadReply, TextRefused) as error:
            outcome.refused[num] = error.message
        except ProviderError as error:
            return EncodingOutcome(encoded=outcome.encoded, stopped=error.message)
    return outcome if outcome.encoded else await _blame_provider_or_texts(provider, outcome)


async def _blame_provider_or_texts(provider: DocumentEncoder, outcome: EncodingOutcome) -> EncodingOutcome:
    """Decide the cause when nothing succeeded: a provider that fails at a plain sentence too cannot work at all."""
    try:
        await provider.encode([_PLAIN])
    except ProviderError as error:
        return EncodingOutcome(stopped=error.message)
    return outcome


async def _release(database: Database, space: Space, nums: Collection[int], reason: str) -> None:
    if not nums:
        return
    async with database.transaction() as tx:
        await _sql.run(
            tx, "release_jobs", space=space.id, nums=sorted(nums), reason=shorten(reason, REASON_CHARS)
        )


async def _finish(database: Database, store: VectorStore, space: Space) -> None:
    """Switch to a space that was being filled, once every memory has its vectors there."""
    if space.state is not SpaceState.BUILDING:
        return
    async with database.transaction() as tx:
        if (await _sql.one(tx, "owes_anything", space=space.id))["owed"]:
            return
        missing = 0 if store.external else await owe_missing(tx)
        if not missing and (switched := await switch_space(tx)) is not None:
            log.info("embedding.switched", model=switched.identity.model, space=switched.id)
