"""Text that names tools, for a model that has not all of them: no advice names a tool that is not offered."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Any

from frasier.interfaces.tool_catalog.catalog import catalog

_CLAUSE = re.compile(r".+?(?:[.;!?](?=\s)\s*|\Z)", re.DOTALL)
_WORD = re.compile(r"\w+")
_OPEN_END = re.compile(r";\s*\Z")


def offered_advice(text: str, offered: Collection[str]) -> str:
    """`text` without the clauses that name a tool which is not among `offered`."""
    hidden = catalog().every.keys() - set(offered)
    kept: list[str] = []
    for clause in _CLAUSE.findall(text):
        if hidden.isdisjoint(_WORD.findall(clause)):
            kept.append(clause)
        elif kept:
            kept[-1] = _OPEN_END.sub(". ", kept[-1])
    return "".join(kept).strip()


def offered_schema(schema: Any, offered: Collection[str]) -> Any:
    """A JSON schema whose descriptions name only tools among `offered`."""
    match schema:
        case dict():
            shown = {
                name: offered_advice(inner, offered)
                if name == "description" and isinstance(inner, str)
                else offered_schema(inner, offered)
                for name, inner in schema.items()
            }
            return {name: inner for name, inner in shown.items() if (name, inner) != ("description", "")}
        case list():
            return [offered_schema(inner, offered) for inner in schema]
        case _:
            return schema
