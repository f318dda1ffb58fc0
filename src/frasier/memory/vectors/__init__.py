"""Vector stores: PostgreSQL, or a Qdrant that the founder runs."""
