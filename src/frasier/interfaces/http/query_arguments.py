"""Arguments of an operation from the parameters of a query, which are texts. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from frasier.interfaces.operations import OperationInput
from frasier.kernel.errors import InvalidInput

_INTEGER = re.compile(r"-?\d{1,18}")
_NUMBER = re.compile(r"-?\d{1,18}(\.\d{1,18})?([eE][-+]?\d{1,3})?")
_BOOLEANS = {"true": True, "false": False}


def query_arguments(parameters: Sequence[tuple[str, str]], model: type[OperationInput]) -> dict[str, Any]:
    """Return the parameters as the input `model` takes them.

    A list is a parameter that is repeated. What is not of the type that is wanted stays a text, which the model refuses
    by its name. Raises InvalidInput for a parameter that is sent twice and is no list, or that cannot be stored.
    """
    kinds = _kinds(model)
    arguments: dict[str, Any] = {}
    for name, text in parameters:
        if "\0" in text or "\0" in name or "\ufffd" in text:
            raise _wrong(f"The query parameter {name[:60]!r} contains text that is not valid UTF-8.")
        kind, is_list = kinds.get(name, ("string", False))
        value = _value(text, kind)
        if is_list:
            arguments.setdefault(name, []).append(value)
        elif name in arguments:
            raise _wrong(f"The query parameter {name[:60]!r} is sent twice.")
        else:
            arguments[name] = value
    return arguments


def _value(text: str, kind: str) -> Any:
    match kind:
        case "integer" if _INTEGER.fullmatch(text):
            return int(text)
        case "number" if _NUMBER.fullmatch(text):
            return float(text)
        case "boolean":
            return _BOOLEANS.get(text, text)
        case _:
            return text


def _wrong(message: str) -> InvalidInput:
    return InvalidInput(
        message, number="E030", kept="Nothing was read or changed.", hint="Send it once, as UTF-8."
    )


@cache
def _kinds(model: type[OperationInput]) -> Mapping[str, tuple[str, bool]]:
    """The JSON type of each field, or of the items of a list, and whether it is a list."""
    schema = model.model_json_schema()
    definitions = schema.get("$defs", {})
    kinds = {}
    for name, field in schema.get("properties", {}).items():
        [*types] = _types(field, definitions)
        items = [items for kind, items in types if kind == "array"]
        names = items or [kind for kind, _ in types]
        kinds[name] = (next((one for one in names if one != "null"), "string"), bool(items))
    return kinds


def _types(node: Mapping[str, Any], definitions: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """The types of a field, each with that of its items if it is a list."""
    if "$ref" in node:
        yield from _types(definitions[node["$ref"].rpartition("/")[2]], definitions)
        return
    for alternative in node.get("anyOf", ()):
        yield from _types(alternative, definitions)
    if kind := node.get("type"):
        items = next(_types(node["items"], definitions), ("string", ""))[0] if "items" in node else "string"
        yield kind, items
