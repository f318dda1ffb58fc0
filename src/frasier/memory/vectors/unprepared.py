"""Statements that PostgreSQL cannot prepare: definitions of indexes, COPY, and a search that names its index.

In braces stand names and numbers that must be literal, for psycopg.sql to fill in.
"""

from __future__ import annotations

from importlib.resources import files

from frasier.store import parse_statements

UNPREPARED = parse_statements(files("frasier.memory.vectors").joinpath("unprepared.sql").read_text("utf-8"))
