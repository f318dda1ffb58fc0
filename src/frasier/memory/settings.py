"""Settings of the memory engine. Imports nothing heavy."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, SecretStr


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True)


class EmbeddingSettings(_Frozen):
    """The source of vectors; an empty field means the provider's default. `local` needs nothing; `none` leaves every
    recall lexical.

    `openai` is any server with OpenAI's embeddings API, at `base_url`. `model_path` is a folder with model.onnx and
    tokenizer.json in place of the shipped encoder. A query waits at most `query_timeout_s` for a remote provider; the
    local one is released after `release_after_s` idle.
    """

    provider: Literal["local", "openai", "voyage", "none"] = "local"
    model: str = ""
    base_url: str = ""
    api_key: SecretStr | None = None
    dimension: int | None = Field(default=None, ge=1, le=4000)
    model_path: Path | None = None
    threads: int = Field(default=2, ge=1, le=64)
    query_timeout_s: float = Field(default=2.0, gt=0, le=60)
    release_after_s: float = Field(default=300.0, ge=0)


class RerankSettings(_Frozen):
    """The reranker, which gives the head of the list its final order.

    `late_interaction` compares the encoder's own token states; `cross_encoder` is a folder with model.onnx and
    tokenizer.json (`path`); `endpoint` is an address that takes query and documents (`url`). The latter two read
    the first `candidates` only. A reranker whose 95th percentile exceeds `slow_ms` is switched off for a while.
    """

    method: Literal["late_interaction", "cross_encoder", "endpoint", "none"] = "late_interaction"
    path: Path | None = None
    url: str = ""
    model: str = ""
    api_key: SecretStr | None = None
    candidates: int = Field(default=20, ge=1, le=200)
    slow_ms: float = Field(default=500.0, gt=0)


class FusionSettings(_Frozen):
    """The weight of each arm, 0 for off, and k of reciprocal rank fusion. Defaults: see docs/MEMORY.md.

    Each arm finds up to `pool` memories; the best `candidates` of all are loaded and scored. A request for many
    memories raises both.
    """

    k: float = Field(default=60.0, gt=0)
    lexical: float = Field(default=1.0, ge=0)
    vector: float = Field(default=1.0, ge=0)
    context: float = Field(default=1.0, ge=0)
    graph: float = Field(default=0.5, ge=0)
    trigger: float = Field(default=0.5, ge=0)
    pool: int = Field(default=60, ge=10, le=1000)
    candidates: int = Field(default=120, ge=10, le=10_000)

    def wide_enough_for(self, limit: int) -> FusionSettings:
        """Return settings with room for an answer of `limit` memories, some of which a session may have already."""
        if self.pool >= 2 * limit and self.candidates >= 4 * limit:
            return self
        return self.model_copy(
            update={"pool": max(self.pool, 2 * limit), "candidates": max(self.candidates, 4 * limit)}
        )


class ScoringSettings(_Frozen):
    """The factors of a memory's ranking boost that count. All off: order by relevance alone."""

    decay: bool = True
    usage: bool = True
    importance: bool = True
    pattern: bool = True
    citation: bool = True
    intent: bool = True


class SessionSettings(_Frozen):
    """Deduplication within sessions: nothing is sent twice until the session was silent for `forget_after_s`."""

    dedupe: bool = True
    forget_after_s: float = Field(default=1800.0, gt=0)
    deliveries_max: int = Field(default=100, ge=1, le=10_000)


class VectorStoreSettings(_Frozen):
    """The store of vectors: PostgreSQL, or Qdrant at `url`.

    `prefix` begins the names of the collections. Databases that share a Qdrant need different ones: each removes
    vectors there that belong to none of its memories.
    """

    kind: Literal["postgres", "qdrant"] = "postgres"
    url: str = "http://127.0.0.1:6333"
    prefix: str = "frasier"
    api_key: SecretStr | None = None


class MemorySettings(_Frozen):
    """The memory engine. `roots` are the only folders from which Markdown files become memories."""

    roots: tuple[Path, ...] = ()
    gate: bool = True
    corrections_penalise: bool = True
    expansion: bool = True
    cache: bool = True
    embedding: EmbeddingSettings = EmbeddingSettings()
    vector_store: VectorStoreSettings = VectorStoreSettings()
    rerank: RerankSettings = RerankSettings()
    fusion: FusionSettings = FusionSettings()
    scoring: ScoringSettings = ScoringSettings()
    sessions: SessionSettings = SessionSettings()
