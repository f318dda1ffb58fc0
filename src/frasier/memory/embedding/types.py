"""The interface of embedding providers, and its values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol, TypeAlias

from frasier.kernel.errors import ProviderRejected

if TYPE_CHECKING:  # numpy is slow to load, and saving does without it
    import numpy as np
    from numpy.typing import NDArray

Vector: TypeAlias = "NDArray[np.float32]"
"""One dimension, of length one."""

STATE_WIDTH = 128
"""The dimension of a stored token state."""

RETRY_MIN = (1, 5, 15)
"""Minutes until a failed text is retried; a further failure after the last wait is final."""

REASON_CHARS = 300
"""The maximum length of the reason of a failure that is stored."""


class TextRefused(ProviderRejected):
    """The provider refused the request itself, most likely because of its text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelIdentity:
    """The origin of vectors: only those of the same provider, model and dimension can be compared."""

    provider: str
    model: str
    dimension: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TextToEncode:
    """A text to encode. `context` holds the preceding turns, oldest first, which influence its vector."""

    text: str
    context: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class EncodedPart:
    """A part of a document: its vector and, if the provider has them, the states of its meaningful tokens.

    `states` are int8, rows of STATE_WIDTH, each scaled so that its largest entry is ±127.
    """

    vector: Vector
    states: NDArray[np.int8] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EncodedQuery:
    """A query's vector and, if the provider has them, one state of length one per token, with the token's word.

    `states` is float32 of shape (tokens, STATE_WIDTH); `words` has the word of the text for each row.
    """

    vector: Vector
    states: NDArray[np.float32] | None = None
    words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class EncodingOutcome:
    """The parts encoded, and the provider's reasons for refusing texts, by the memories' numbers.

    `stopped` is the reason why the provider could not continue; empty if it could.
    """

    encoded: dict[int, list[EncodedPart]] = field(default_factory=dict)
    refused: dict[int, str] = field(default_factory=dict)
    stopped: str = ""


class DocumentEncoder(Protocol):
    """An encoder of memories. Its errors are ProviderErrors; a retryable one is temporary."""

    async def identity(self) -> ModelIdentity:
        """Return the model of the vectors. May ask the provider for its dimension once."""

    async def encode(self, documents: Sequence[TextToEncode]) -> list[list[EncodedPart]]:
        """Return the parts of each document, at least one, in order."""


class EmbeddingProvider(DocumentEncoder, Protocol):
    """An encoder of memories and queries."""

    async def encode_query(self, text: str) -> EncodedQuery: ...

    async def projection_bytes(self) -> bytes | None:
        """Return the projection of the encoder's states to stored ones, float32 in rows of STATE_WIDTH, or None."""

    def use_projection(self, projection: bytes) -> None:
        """Use the projection that the space began with: states are comparable only if all processes use the same."""

    def release_if_idle(self) -> bool:
        """Release memory that was not used for a while; return whether any was released."""

    async def close(self) -> None: ...
