"""Vectors for memories: encoders on this machine and behind HTTP, and the queue of what is still to be encoded."""

from frasier.memory.embedding.breaker import Breaker, ProviderHealth
from frasier.memory.embedding.choose import EmbeddingChoice, check_key, make_provider
from frasier.memory.embedding.counting import TokenCounter, count_tokens
from frasier.memory.embedding.local import LocalEncoder
from frasier.memory.embedding.outcome import RETRY_MIN
from frasier.memory.embedding.queue import EmbeddedCount, embed_due
from frasier.memory.embedding.spaces import (
    Space,
    SpaceState,
    active_space,
    drop_retired,
    open_space,
    owe_missing,
    settle_space,
    switch_space,
    used_spaces,
)
from frasier.memory.embedding.status import EmbeddingStatus, embedding_status, retry_failed
from frasier.memory.embedding.sweeping import forget_vectors
from frasier.memory.embedding.tending import tend_spaces
from frasier.memory.embedding.types import (
    STATE_WIDTH,
    Document,
    EmbeddingProvider,
    EncodedPart,
    EncodedQuery,
    ModelIdentity,
    TextRefused,
    Vector,
)

__all__ = [
    "RETRY_MIN",
    "STATE_WIDTH",
    "Breaker",
    "Document",
    "EmbeddedCount",
    "EmbeddingChoice",
    "EmbeddingProvider",
    "EmbeddingStatus",
    "EncodedPart",
    "EncodedQuery",
    "LocalEncoder",
    "ModelIdentity",
    "ProviderHealth",
    "Space",
    "SpaceState",
    "TextRefused",
    "TokenCounter",
    "Vector",
    "active_space",
    "check_key",
    "count_tokens",
    "drop_retired",
    "embed_due",
    "embedding_status",
    "forget_vectors",
    "make_provider",
    "open_space",
    "owe_missing",
    "retry_failed",
    "settle_space",
    "switch_space",
    "tend_spaces",
    "used_spaces",
]
