"""Vectors for memories: encoders on this machine and behind HTTP, and the queue of memories to encode."""

from typing import TYPE_CHECKING

from frasier.kernel.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from frasier.memory.embedding.resilient_provider import (
        Breaker as Breaker,
        ProviderHealth as ProviderHealth,
    )
    from frasier.memory.embedding.factory import (
        EmbeddingChoice as EmbeddingChoice,
        check_key as check_key,
        make_provider as make_provider,
    )
    from frasier.memory.embedding.token_counts import (
        TokenCounter as TokenCounter,
        count_tokens as count_tokens,
    )
    from frasier.memory.embedding.local import LocalEncoder as LocalEncoder
    from frasier.memory.embedding.batch_result import RETRY_MIN as RETRY_MIN
    from frasier.memory.embedding.queue import EmbeddedCount as EmbeddedCount, embed_due as embed_due
    from frasier.memory.embedding.spaces import (
        Space as Space,
        SpaceState as SpaceState,
        active_space as active_space,
        drop_retired as drop_retired,
        open_space as open_space,
        owe_missing as owe_missing,
        settle_space as settle_space,
        switch_space as switch_space,
        used_spaces as used_spaces,
    )
    from frasier.memory.embedding.status import (
        EmbeddingStatus as EmbeddingStatus,
        embedding_status as embedding_status,
        retry_failed as retry_failed,
    )
    from frasier.memory.embedding.reconcile import forget_vectors as forget_vectors
    from frasier.memory.embedding.maintenance import tend_spaces as tend_spaces
    from frasier.memory.embedding.types import (
        STATE_WIDTH as STATE_WIDTH,
        Document as Document,
        EmbeddingProvider as EmbeddingProvider,
        EncodedPart as EncodedPart,
        EncodedQuery as EncodedQuery,
        ModelIdentity as ModelIdentity,
        TextRefused as TextRefused,
        Vector as Vector,
    )
else:
    lazy_exports(__name__)
