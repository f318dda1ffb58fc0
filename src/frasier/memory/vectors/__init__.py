"""Where vectors are kept and searched: PostgreSQL, or a Qdrant that the founder runs."""

from frasier.memory.vectors.opening import open_qdrant
from frasier.memory.vectors.postgres import PgVectorStore
from frasier.memory.vectors.states import save_states, states_of
from frasier.memory.vectors.types import (
    ExternalStore,
    SpaceRef,
    StoreHealth,
    StoreStats,
    VectorEntry,
    VectorHit,
    VectorStore,
)

__all__ = [
    "ExternalStore",
    "PgVectorStore",
    "SpaceRef",
    "StoreHealth",
    "StoreStats",
    "VectorEntry",
    "VectorHit",
    "VectorStore",
    "open_qdrant",
    "save_states",
    "states_of",
]
