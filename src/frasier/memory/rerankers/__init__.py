"""Rerankers that judge whole texts: a cross-encoder in a local folder, or an endpoint."""

from typing import TYPE_CHECKING

from frasier.kernel.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from frasier.memory.rerankers.factory import make_reranker as make_reranker
    from frasier.memory.rerankers.cross_encoder import CrossEncoder as CrossEncoder
    from frasier.memory.rerankers.http_reranker import RerankEndpoint as RerankEndpoint
else:
    lazy_exports(__name__)
