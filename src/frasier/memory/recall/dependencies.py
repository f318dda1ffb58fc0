"""The dependencies of a recall."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from frasier.kernel.errors import ConfigurationError, ProviderError
from frasier.kernel.logging_setup import get_logger
from frasier.memory.recall.reranking import LatencyGuard, Reranker
from frasier.memory.settings import MemorySettings
from frasier.store import Database

if TYPE_CHECKING:
    from frasier.memory.embedding.resilient_provider import Breaker
    from frasier.memory.vectors.types import VectorStore

log = get_logger()


@dataclass(slots=True, kw_only=True)
class RecallDependencies:
    """The dependencies of a recall. `provider` is None if no vectors are configured."""

    database: Database
    settings: MemorySettings
    provider: Breaker | None
    store: VectorStore
    reranker: Reranker | None
    latency_guard: LatencyGuard
    settled: bool = False

    async def settle(self) -> str:
        """Open the provider's vector space if that was not done yet; return why it cannot be, or ""."""
        if self.provider is None or self.settled:
            return ""
        from frasier.memory.embedding.spaces import settle_space

        try:
            await settle_space(self.database, self.provider)
        except (ProviderError, ConfigurationError) as error:
            log.warning("memory.no_encoder", error=error.message)
            return error.message
        self.settled = True
        return ""
