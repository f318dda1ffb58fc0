"""Factory of the configured reranker."""

from __future__ import annotations

from frasier.kernel.errors import ConfigurationError
from frasier.memory.recall.reranking import Reranker
from frasier.memory.settings import RerankSettings


def make_reranker(settings: RerankSettings) -> Reranker | None:
    """Return the configured reranker of whole texts; None if none is configured.

    Raises ConfigurationError if the method lacks a setting.
    """
    match settings.method:
        case "cross_encoder":
            if settings.path is None:
                raise ConfigurationError(
                    "A cross-encoder needs its folder.",
                    number="E052",
                    hint="Set FRASIER_MEMORY__RERANK__PATH to a folder with model.onnx and tokenizer.json.",
                )
            from frasier.memory.rerankers.cross_encoder import CrossEncoder

            return CrossEncoder(settings.path)
        case "endpoint":
            if not settings.url:
                raise ConfigurationError(
                    "A rerank endpoint needs its address.",
                    number="E031",
                    hint="Set FRASIER_MEMORY__RERANK__URL.",
                )
            from frasier.memory.rerankers.http_reranker import RerankEndpoint  # loads an HTTP client

            return RerankEndpoint(
                settings.url,
                model=settings.model,
                api_key=settings.api_key,
                timeout_s=settings.slow_ms / 1000,
            )
        case _:
            return None
