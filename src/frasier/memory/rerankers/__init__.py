"""Rerankers that judge whole texts: a cross-encoder in a local folder, or an endpoint."""
