"""Vector stores: PostgreSQL, or a Qdrant that the founder runs."""

from typing import TYPE_CHECKING

from frasier.kernel.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from frasier.memory.vectors.qdrant_factory import open_qdrant as open_qdrant
    from frasier.memory.vectors.postgres import PgVectorStore as PgVectorStore
    from frasier.memory.vectors.states import save_states as save_states, states_of as states_of
    from frasier.memory.vectors.types import (
        ExternalStore as ExternalStore,
        SpaceRef as SpaceRef,
        StoreHealth as StoreHealth,
        StoreStats as StoreStats,
        VectorEntry as VectorEntry,
        VectorHit as VectorHit,
        VectorStore as VectorStore,
    )
else:
    lazy_exports(__name__)
