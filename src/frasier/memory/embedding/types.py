"""What an embedding provider takes and gives."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeAlias

from frasier.kernel.errors import ProviderRejected

if TYPE_CHECKING:  # numpy is slow to load, and who only saves does without it
    import numpy as np
    from numpy.typing import NDArray

Vector: TypeAlias = "NDArray[np.float32]"
"""One dimension, of length one."""

STATE_WIDTH = 128
"""How many numbers of a token's state are kept."""


class TextRefused(ProviderRejected):
    """The request itself was refused, most likely for the text in it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelIdentity:
    """Which vectors can be compared: those of the same provider, model and dimension, and no others."""

    provider: str
    model: str
    dimension: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A text to encode. `context` holds what was said just before it, oldest first; the text is read in its light."""

    text: str
    context: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class EncodedPart:
    """A stretch of a document: its vector and, where the provider has them, the states of its telling tokens.

    `states` are int8, rows of STATE_WIDTH, each scaled so that its largest entry is ±127.
    """

    vector: Vector
    states: NDArray[np.int8] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EncodedQuery:
    """A query's vector and, where the provider has them, one state of length one a token, with the token's word.

    `states` is float32 of shape (tokens, STATE_WIDTH); `words` says for each row which word of the text it is of.
    """

    vector: Vector
    states: NDArray[np.float32] | None = None
    words: tuple[str, ...] = ()


class DocumentEncoder(Protocol):
    """What makes the vectors of memories. Errors are those of kernel.errors.ProviderError; a retryable one may pass."""

    async def identity(self) -> ModelIdentity:
        """Whose vectors these are. May ask the provider for its dimension once."""

    async def encode(self, documents: Sequence[Document]) -> list[list[EncodedPart]]:
        """The parts of each document, at least one, in order."""


class EmbeddingProvider(DocumentEncoder, Protocol):
    """A source of vectors, for memories and for questions."""

    async def encode_query(self, text: str) -> EncodedQuery: ...

    async def projection_bytes(self) -> bytes | None:
        """What makes the kept states out of the encoder's own, as float32 in rows of STATE_WIDTH; None without."""

    def use_projection(self, projection: bytes) -> None:
        """Projects with what another process began with: states can be compared only when all use the same."""

    def release_if_idle(self) -> bool:
        """Gives memory back that was not needed for a while; whether it did."""

    async def close(self) -> None: ...
