"""The JSON schema of a tool's input as a model reads it: every word of it is paid for at each of its turns. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel

# Names in title case say nothing new, and how long a text or list may be is told to whoever passes it.
_SUPERFLUOUS = frozenset({"title", "$defs", "minLength", "maxLength", "minItems", "maxItems"})


def short_schema(model: type[BaseModel]) -> dict[str, Any]:
    """The schema of `model`: one object without references, titles, and alternatives with null.

    Null is accepted where a field may be left out; nobody has to be told. Where it may not, null stays an alternative.
    """
    schema = model.model_json_schema()
    shortened: dict[str, Any] = _shorten(schema, schema.get("$defs", {}))
    shortened.pop("description", None)  # what the class is for; the tool says it itself
    return shortened


def _shorten(node: Any, definitions: Mapping[str, Any]) -> Any:
    if isinstance(node, list):
        return [_shorten(inner, definitions) for inner in node]
    if not isinstance(node, dict):
        return node
    if reference := node.get("$ref"):
        target = {**definitions[reference.rpartition("/")[2]]}
        target.pop("description", None)
        return _shorten(
            {**target, **{name: value for name, value in node.items() if name != "$ref"}}, definitions
        )
    if "default" in node and (alternatives := _without_null(node.get("anyOf"))):
        rest = {name: value for name, value in node.items() if name != "anyOf"}
        return _shorten({**alternatives, **rest}, definitions)
    return {
        name: _properties(value, definitions) if name == "properties" else _shorten(value, definitions)
        for name, value in node.items()
        if name not in _SUPERFLUOUS and not (name == "default" and _says_nothing(value))
    }


def _says_nothing(default: Any) -> bool:
    """Whether anybody would assume that default: nothing, an empty text or list, no."""
    return default is None or default is False or default in ("", [], ())


def _properties(properties: Mapping[str, Any], definitions: Mapping[str, Any]) -> dict[str, Any]:
    """Shorten each property under its name, which may itself be "title"."""
    return {name: _shorten(value, definitions) for name, value in properties.items()}


def _without_null(alternatives: list[dict[str, Any]] | None) -> dict[str, Any] | None:
    """The one alternative to null, where there is just one."""
    others = [one for one in alternatives or [] if one != {"type": "null"}]
    return others[0] if len(others) == 1 else None
