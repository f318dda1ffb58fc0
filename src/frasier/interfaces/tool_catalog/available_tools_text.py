"""Removal of unavailable tools from texts and schemas, so that no advice names a tool that a model cannot call."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Any

from frasier.interfaces.tool_catalog.catalog import catalog

_CLAUSE = re.compile(r".+?(?:[.;!?](?=\s)\s*|\Z)", re.DOTALL)
_WORD = re.compile(r"\w+")
_OPEN_END = re.compile(r";\s*\Z")


def filter_advice(text: str, offered: Collection[str]) -> str:
    """Return `text` without the clauses that name a tool outside of `offered`."""
    # A tool of one word, such as `say`, cannot be told from the word.
    hidden = {name for name in catalog().all_tools.keys() - set(offered) if "_" in name}
    kept: list[str] = []
    for clause in _CLAUSE.findall(text):
        if hidden.isdisjoint(_WORD.findall(clause)):
            kept.append(clause)
        elif kept:
            kept[-1] = _OPEN_END.sub(". ", kept[-1])
    return "".join(kept).strip()


def filter_schema(schema: Any, offered: Collection[str]) -> Any:
    """Return a JSON schema whose descriptions name only tools in `offered`."""
    match schema:
        case dict():
            properties = {
                name: filter_advice(inner, offered)
                if name == "description" and isinstance(inner, str)
                else filter_schema(inner, offered)
                for name, inner in schema.items()
            }
            return {name: inner for name, inner in properties.items() if (name, inner) != ("description", "")}
        case list():
            return [filter_schema(inner, offered) for inner in schema]
        case _:
            return schema
