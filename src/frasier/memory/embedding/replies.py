"""What a server of embeddings answers, read with suspicion. Loading this module loads numpy."""

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
    """The `count` vectors of the reply in the order of the texts, each of length one.

    Raises BadReply for anything else: E002 for another dimension than the expected one (or, where none is
    expected, for vectors of several), E001 for the rest.
    """
    try:
        reply = _Reply.model_validate_json(body)
    except ValidationError:
        raise _bad(
            f"{provider} answered with something that holds no embeddings.",
            hint="Check that the base URL is that of an API for embeddings (it often ends in /v1).",
        ) from None
    found = sorted(reply.data, key=lambda item: item.index)
    if [item.index for item in found] != list(range(count)):
        raise _bad(f"{provider} answered {count} texts with {len(found)} embeddings, or misnumbered them.")
    expected = dimension or len(found[0].embedding)
    return [_checked(item.embedding, expected, provider) for item in found]


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
            hint="Set a smaller dimension for the embeddings, if the model allows it, or take another model.",
        )
    vector = np.array(numbers, np.float64)
    largest = float(np.abs(vector).max())
    if not np.isfinite(largest) or largest == 0.0:
        raise _bad(f"{provider} answered with an embedding that points nowhere.")
    vector /= largest  # so that no square is too large or too small to be told
    return (vector / np.linalg.norm(vector)).astype(np.float32)


def _bad(message: str, *, number: str = "E001", hint: str = "") -> BadReply:
    return BadReply(message, number=number, hint=hint)
