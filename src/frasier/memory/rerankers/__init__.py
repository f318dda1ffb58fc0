"""Rerankers that judge whole texts: a cross-encoder in a local folder, or an endpoint."""

from frasier.memory.rerankers.choose import make_reranker
from frasier.memory.rerankers.cross_encoder import CrossEncoder
from frasier.memory.rerankers.endpoint import RerankEndpoint

__all__ = ["CrossEncoder", "RerankEndpoint", "make_reranker"]
