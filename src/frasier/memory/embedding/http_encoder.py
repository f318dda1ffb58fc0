"""An encoder behind HTTP: splits texts into parts and batches them, for either API."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from frasier.memory.embedding.endpoint import Endpoint, InputType
from frasier.memory.embedding.response_parsing import read_vectors
from frasier.memory.embedding.types import EncodedPart, EncodedQuery, ModelIdentity, TextToEncode

PART_CHARS = 8_000
PARTS_MAX = 16

_TEXTS_A_REQUEST = 32
_WORD_CHARS = 200  # how far back a space is searched, so that no word is split


class RemoteEncoder:
    """An EmbeddingProvider over HTTP. It has no token states, and ignores the context of a text.

    A text of more than PART_CHARS is encoded in parts, at most PARTS_MAX. Without a `dimension` the model is asked for
    it once.
    """

    def __init__(self, endpoint: Endpoint, *, dimension: int | None = None) -> None:
        self._endpoint = endpoint
        self._dimension = dimension

    async def identity(self) -> ModelIdentity:
        if self._dimension is None:
            [vector] = await self._vectors(["dimension"], InputType.DOCUMENT)
            self._dimension = len(vector)
        return ModelIdentity(
            provider=self._endpoint.provider, model=self._endpoint.model, dimension=self._dimension
        )

    async def encode(self, documents: Sequence[TextToEncode]) -> list[list[EncodedPart]]:
        await self.identity()
        parts = [parts_of(document.text) for document in documents]
        texts = [text for of_document in parts for text in of_document]
        vectors: list[NDArray[np.float32]] = []
        for at in range(0, len(texts), _TEXTS_A_REQUEST):
            vectors += await self._vectors(texts[at : at + _TEXTS_A_REQUEST], InputType.DOCUMENT)
        encoded = iter(EncodedPart(vector=vector) for vector in vectors)
        return [[next(encoded) for _ in of_document] for of_document in parts]

    async def encode_query(self, text: str) -> EncodedQuery:
        [vector] = await self._vectors([text[:PART_CHARS]], InputType.QUERY)
        return EncodedQuery(vector=vector)

    async def projection_bytes(self) -> bytes | None:
        return None

    def use_projection(self, projection: bytes) -> None:
        """Do nothing: without token states there is nothing to project."""

    def release_if_idle(self) -> bool:
        return False

    async def close(self) -> None:
        await self._endpoint.close()

    async def _vectors(self, texts: Sequence[str], input_type: InputType) -> list[NDArray[np.float32]]:
        body = await self._endpoint.ask(texts, input_type)
        return read_vectors(
            body, count=len(texts), dimension=self._dimension, provider=self._endpoint.provider
        )


def parts_of(text: str) -> list[str]:
    """Split `text` into at least one part of at most PART_CHARS, at a nearby space if there is one."""
    parts: list[str] = []
    start = 0
    while start < len(text) and len(parts) < PARTS_MAX:
        end = start + PART_CHARS
        if end < len(text):
            blank = text.rfind(" ", end - _WORD_CHARS, end)
            end = end if blank < 0 else blank + 1
        parts.append(text[start:end])
        start = end
    return parts or [text]
