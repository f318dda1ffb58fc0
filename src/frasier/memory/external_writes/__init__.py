"""Idempotent saves by external clients: a memory sent again under its key is stored once."""
