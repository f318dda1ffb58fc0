"""Opening a store whose library is an extra: it is loaded only by those who use it."""

from __future__ import annotations

from frasier.kernel.errors import ConfigurationError
from frasier.memory.vectors.types import VectorStore


def open_qdrant(
    url: str, *, api_key: str | None = None, prefix: str = "frasier", timeout_s: int = 10
) -> VectorStore:
    """A VectorStore in the Qdrant at `url`; nothing is connected before its first call.

    Collections are named `prefix_<space>`: databases that share a Qdrant need different ones. Raises
    ConfigurationError where the library is not installed.
    """
    try:
        from frasier.memory.vectors.qdrant import QdrantStore
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "qdrant_client":
            raise
        raise ConfigurationError(
            "Vectors are to be kept in Qdrant, but its library is not installed.",
            kept="Nothing was changed.",
            hint="pip install 'frasier[qdrant]', or leave the vectors in PostgreSQL.",
        ) from error
    return QdrantStore(url=url, api_key=api_key, prefix=prefix, timeout_s=timeout_s)
