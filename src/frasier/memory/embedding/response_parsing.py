"""Parsing and validation of replies with embeddings. Loading this module loads numpy."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, ValidationError

from frasier.kernel.errors import BadReply

_DIMENSION_MAX = 4_000  # what pgvector can index


class _Wire(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class _Embedding(_Wire):
    index: int
    embedding: list[float]


class _Reply(_Wire):
    data: list[_Embedding]


def read_vectors(
    body: bytes, *, count: int, dimension: int | None, provider: str
) -> list[NDArray[np.float32]]:
    """Return the `count` vectors of the reply in the order of the texts, each of length one.

    Raises BadReply for anything else: E002 for an unexpected dimension (or, if none is expected, for vectors of several
    dimensions), E001 for the rest.
    """
    try:
        reply = _Reply.model_validate_json(body)
    except ValidationError:
        raise _bad(
            f"{provider} returned a malformed list of embeddings.",
            hint="Check that the base URL is that of an embeddings API (it often ends in /v1).",
        ) from None
    embeddings = sorted(reply.data, key=lambda item: item.index)
    if [item.index for item in embeddings] != list(range(count)):
        raise _bad(
            f"{provider} answered {count} texts with {len(embeddings)} embeddings, or misnumbered them."
        )
    expected = dimension or len(embeddings[0].embedding)
    return [_checked(item.embedding, expected, provider) for item in embeddings]


def _checked(numbers: list[float], dimension: int, provider: str) -> NDArray[np.float32]:
    if len(numbers) != dimension:
        raise _bad(
            f"{provider} answered with {len(numbers)} dimensions instead of {dimension}.",
            number="E002",
            hint="Check the model and the dimension that are set for the embeddings.",
        )
    if not 1 <= dimension <= _DIMENSION_MAX:
        raise _bad(
            f"{provider} answered with {dimension} dimensions; at most {_DIMENSION_MAX} can be searched.",
            number="E002",
            hint="Set a smaller dimension for the embeddings, if the model allows it, or use another model.",
        )
    vector = np.array(numbers, np.float64)
    largest = float(np.abs(vector).max())
    if not np.isfinite(largest) or largest == 0.0:
        raise _bad(f"{provider} returned an embedding without a direction: all zero, or not finite.")
    vector /= largest  # so that no square overflows or underflows
    return (vector / np.linalg.norm(vector)).astype(np.float32)


def _bad(message: str, *, number: str = "E001", hint: str = "") -> BadReply:
    return BadReply(message, number=number, hint=hint)
