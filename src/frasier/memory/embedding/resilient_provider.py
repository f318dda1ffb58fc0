"""A circuit breaker around an embedding provider: retries in the background, and no call while the circuit is open."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from frasier.kernel.errors import BadReply, ProviderError, ProviderTimeout, ProviderUnavailable
from frasier.kernel.logging_setup import get_logger
from frasier.memory.embedding.types import (
    EmbeddingProvider,
    EncodedPart,
    EncodedQuery,
    ModelIdentity,
    TextRefused,
    TextToEncode,
)
from frasier.outbound import CircuitBreaker, CircuitState

log = get_logger()

_T = TypeVar("_T")

RETRY_WAITS_S = (1.0, 2.0, 4.0)
FAILURES_TO_OPEN = 2
PROBE_AFTER_S = 30.0

# A longer Retry-After is not worth waiting for: the queue retries later anyway.
_RETRY_AFTER_MAX_S = 30.0

_PROBE_TEXT = "Are you there?"


@dataclass(frozen=True, slots=True, kw_only=True)
class ProviderHealth:
    """The health of a provider."""

    state: CircuitState
    failures: int
    last_error: str


class Breaker:
    """An EmbeddingProvider around another one.

    Documents are encoded in the background: temporary failures are retried after RETRY_WAITS_S. A query has one
    attempt of `query_timeout_s`. FAILURES_TO_OPEN failures in a row open the circuit: then every call raises
    ProviderUnavailable at once, until after a while one call is let through as a probe. A refused text or an
    unreadable reply does not mean that the provider is down, and opens nothing.

    `prepare` creates what the first request needs; that time is none of the provider's. `clock` is monotonic and in
    seconds.
    """

    def __init__(
        self,
        inner: EmbeddingProvider,
        *,
        query_timeout_s: float = 2.0,
        prepare: Callable[[], None] | None = None,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._inner = inner
        self._query_timeout_s = query_timeout_s
        self._prepare = prepare
        self._sleep = sleep
        self._identity: ModelIdentity | None = None
        self._circuit = CircuitBreaker(
            failures_to_open=FAILURES_TO_OPEN, probe_after_s=PROBE_AFTER_S, clock=clock
        )
        self._last_error = ""

    def health(self) -> ProviderHealth:
        """Return the known state without a call."""
        return ProviderHealth(
            state=self._circuit.state,
            failures=self._circuit.failures,
            last_error=self._last_error,
        )

    async def identity(self) -> ModelIdentity:
        """Return the provider's model, asked for once with the timeout of a query, because a search waits for it."""
        if self._identity is None:
            self._admit()
            self._identity = await self._record_result(self._with_timeout(self._inner.identity()))
        return self._identity

    async def encode(self, documents: Sequence[TextToEncode]) -> list[list[EncodedPart]]:
        self._admit()
        for wait_s in RETRY_WAITS_S:
            try:
                return await self._record_result(self._inner.encode(documents))
            except ProviderError as error:
                requested_s = error.retry_after_s or 0.0
                if not error.retryable or requested_s > _RETRY_AFTER_MAX_S:
                    raise
                log.info("embedding.retried", error=error.message, wait_s=max(wait_s, requested_s))
            await self._sleep(max(wait_s, requested_s))
        return await self._record_result(self._inner.encode(documents))

    async def encode_once(self, documents: Sequence[TextToEncode]) -> list[list[EncodedPart]]:
        """Do what `encode` does, without retries."""
        self._admit()
        return await self._record_result(self._inner.encode(documents))

    def without_retries(self) -> SingleAttemptEncoder:
        """Return the same provider for a caller who waits for the documents."""
        return SingleAttemptEncoder(self)

    async def encode_query(self, text: str) -> EncodedQuery:
        self._admit()
        return await self._record_result(self._with_timeout(self._inner.encode_query(text)))

    async def projection_bytes(self) -> bytes | None:
        return await self._inner.projection_bytes()

    def use_projection(self, projection: bytes) -> None:
        self._inner.use_projection(projection)

    def release_if_idle(self) -> bool:
        return self._inner.release_if_idle()

    async def close(self) -> None:
        await self._inner.close()

    def _admit(self) -> None:
        """Raise ProviderUnavailable while the circuit is open."""
        wait_s = self._circuit.wait_s()
        if wait_s:
            raise ProviderUnavailable(
                f"The encoder is left alone for {wait_s:.0f} s: {self._last_error}",
                kept="Memories are saved and found by their words; their vectors follow.",
                number="E001",
            )

    async def _record_result(self, call: Awaitable[_T]) -> _T:
        try:
            result = await call
        except ProviderError as error:
            self._last_error = error.message
            if not isinstance(error, (BadReply, TextRefused)):
                self._circuit.failed()
            raise
        self._circuit.succeeded()
        return result

    async def _with_timeout(self, call: Awaitable[_T]) -> _T:
        if self._prepare is not None:
            self._prepare()
        try:
            async with asyncio.timeout(self._query_timeout_s):
                return await call
        except TimeoutError:
            raise ProviderTimeout(
                f"The encoder did not answer within {self._query_timeout_s:g} s.",
                number="E003",
                hint="Until it answers, memories are found by their words.",
            ) from None


class SingleAttemptEncoder:
    """A DocumentEncoder for a caller who waits: documents that cannot be encoded now are left for later.

    Documents may take long, so the provider is first sent a probe that it answers quickly if at all. A failure of the
    probe is never the documents' fault: ProviderUnavailable is raised for all of them.
    """

    def __init__(self, breaker: Breaker) -> None:
        self._breaker = breaker
        self._answers = False

    async def identity(self) -> ModelIdentity:
        return await self._breaker.identity()

    async def encode(self, documents: Sequence[TextToEncode]) -> list[list[EncodedPart]]:
        if not self._answers:
            try:
                await self._breaker.encode_query(_PROBE_TEXT)
            except (BadReply, TextRefused) as error:
                raise ProviderUnavailable(error.message, number=error.number, hint=error.hint) from error
            self._answers = True
        return await self._breaker.encode_once(documents)
