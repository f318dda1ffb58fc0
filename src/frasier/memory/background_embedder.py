"""Encoding of memories that lack vectors: in rounds, for a caller who waits, or right after a save."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING
from uuid import UUID

from frasier.kernel.errors import FrasierError
from frasier.kernel.logging_setup import get_logger
from frasier.memory.recall.dependencies import RecallDependencies

if TYPE_CHECKING:
    from frasier.memory.embedding.queue import EmbeddedCount

log = get_logger()

_SHORT_CHARS = 4_000
_SAVED_MAX = 16
_PAUSE_S = 0.2  # between two encodings of saves, so that encoding does not slow down many saves
_AT_ONCE_IN_TIME = 8
_ROUNDS_OUT = 2  # so many failed rounds in a row are an outage; a single one may be a hiccup


class BackgroundEmbedder:
    """Encode memories with the provider of `dependencies`. `clock` is monotonic and in seconds.

    `encode_saves` is whether a short save gets its vector at once, in the background.
    """

    def __init__(
        self,
        dependencies: RecallDependencies,
        *,
        encode_saves: bool,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._dependencies = dependencies
        self._clock = clock
        self._rounds = _EmbeddingRounds()
        self.encode_saves = encode_saves
        self._saved: deque[UUID] = deque(maxlen=_SAVED_MAX)
        self._encoding: asyncio.Task[None] | None = None
        self._one_at_a_time = asyncio.Lock()

    @property
    def outage(self) -> str | None:
        """The reason why no vectors can be made; empty while they are made, None while that is unknown."""
        return self._rounds.outage

    async def round(self, *, limit: int) -> EmbeddedCount:
        """Encode up to `limit` memories that are due, and record the result for `outage`.

        It begins when the saves that are being encoded in the background are done, so that what it left is known.
        """
        async with self._one_at_a_time:
            made = await self._make(limit=limit)
        self._rounds.note_made(made.embedded)
        if made.provider_out:
            self._rounds.note_stopped(made.stopped)
        return made

    async def briefly(self, within_s: float) -> None:
        """Encode short memories that are due, for at most `within_s` seconds.

        A provider that does not answer a query in time is not called again, and nothing is retried.
        """
        ends_at = self._clock() + within_s
        with suppress(TimeoutError):
            async with asyncio.timeout(within_s):
                await self._make(retry=False, in_time=lambda: self._clock() < ends_at)

    def soon(self, memory_id: UUID, content: str) -> None:
        """Encode a memory that was just saved in the background, if it is short.

        One that is skipped, because many are saved at once or the encoder is down, stays due like any other.
        """
        if not self.encode_saves or self._dependencies.provider is None or len(content) > _SHORT_CHARS:
            return
        self._saved.append(memory_id)
        if self._encoding is None or self._encoding.done():
            self._encoding = asyncio.create_task(self._encode_saved(), name="encode-saves")

    async def close(self) -> None:
        """Cancel the encoding in the background, which releases its memories."""
        if self._encoding is not None:
            self._encoding.cancel()
            await asyncio.gather(self._encoding, return_exceptions=True)

    async def _encode_saved(self) -> None:
        while self._saved:
            fresh = set(self._saved)
            self._saved.clear()
            try:
                async with self._one_at_a_time:
                    await self._make(limit=len(fresh), only=fresh)
            except FrasierError as error:  # they are still due
                log.warning("memory.save_not_encoded", error=error.message)
            await asyncio.sleep(_PAUSE_S)

    async def _make(
        self,
        *,
        limit: int = 256,
        retry: bool = True,
        only: Collection[UUID] | None = None,
        in_time: Callable[[], bool] | None = None,
    ) -> EmbeddedCount:
        from frasier.memory.embedding.queue import EmbeddedCount, embed_due

        provider = self._dependencies.provider
        if provider is None:
            return EmbeddedCount(embedded=0, failed=0)
        if why := await self._dependencies.settle():
            return EmbeddedCount(embedded=0, failed=0, stopped=why, provider_out=True)
        made = await embed_due(
            self._dependencies.database,
            provider if retry else provider.without_retries(),
            self._dependencies.store,
            limit=limit,
            batch=32 if in_time is None else _AT_ONCE_IN_TIME,
            only=only,
            in_time=in_time,
        )
        if made.stopped:
            log.warning("memory.encoding_stopped", reason=made.stopped)
        return made


@dataclass(slots=True)
class _EmbeddingRounds:
    """The recent embedding rounds. `stopped` counts the last ones in a row that the provider could not complete.

    `why` is the reason of the first of those; `made` is whether the last round that did anything made vectors.
    """

    stopped: int = 0
    why: str = ""
    made: bool = False

    def note_made(self, vectors: int) -> None:
        """Record a completed round. A round with nothing to do says nothing about the provider."""
        if vectors:
            self.stopped, self.why, self.made = 0, "", True

    def note_stopped(self, why: str) -> None:
        """Record a round that stopped early; its vectors are still owed."""
        self.why = self.why or why
        self.stopped, self.made = self.stopped + 1, False

    @property
    def outage(self) -> str | None:
        """The reason why no vectors can be made; empty while they are made, None while that is unknown."""
        if self.stopped >= _ROUNDS_OUT:
            return self.why
        return "" if self.made else None
