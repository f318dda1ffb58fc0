"""Frasier runs an organisation of LLM agents on PostgreSQL."""

__version__ = "0.1.0"
