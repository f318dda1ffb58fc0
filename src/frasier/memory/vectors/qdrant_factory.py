"""Factory of the Qdrant store, whose library is an optional extra and loaded on demand."""

from __future__ import annotations

from frasier.kernel.errors import ConfigurationError
from frasier.memory.vectors.types import VectorStore


def open_qdrant(url: str, *, api_key: str | None = None, prefix: str = "frasier") -> VectorStore:
    """Return a VectorStore in the Qdrant at `url`; it connects at its first call.

    Collections are named `prefix_<space>`: databases that share a Qdrant need different prefixes. Raises
    ConfigurationError if the library is not installed.
    """
    try:
        from frasier.memory.vectors.qdrant import QdrantStore
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "qdrant_client":
            raise
        raise ConfigurationError(
            "Vectors are configured to be stored in Qdrant, but its library is not installed.",
            kept="Nothing was changed.",
            hint="pip install 'frasier[qdrant]', or leave the vectors in PostgreSQL.",
        ) from error
    return QdrantStore(url=url, api_key=api_key, prefix=prefix)
