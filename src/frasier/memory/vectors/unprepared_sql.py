"""Statements that PostgreSQL cannot prepare: index definitions, COPY, and a search that names its index.

Braces enclose names and numbers that must be literals, which psycopg.sql fills in.
"""

from __future__ import annotations

from importlib.resources import files

from frasier.store import parse_statements

UNPREPARED = parse_statements(files("frasier.memory.vectors").joinpath("unprepared.sql").read_text("utf-8"))
