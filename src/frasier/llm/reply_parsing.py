"""Structured replies: the schema for the model, and the validation of its answer."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from pydantic import BaseModel, ValidationError
from pydantic_core import from_json

from frasier.kernel.errors import InvariantBroken
from frasier.kernel.text import canonical_json, shorten, strip_control

JsonSchema = dict[str, Any]

_FENCED = re.compile(r"\A```[\w-]*[ \t]*\n(.*)\n[ \t]*```\Z", re.DOTALL)
_NOT_FOR_MODELS = {"title", "default"}
_BOUNDS = {"minLength", "maxLength", "pattern", "minItems", "maxItems"}
_BOUNDS |= {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"}
_PROBLEMS_SHOWN = 12
_PROBLEM_CHARS = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class Problems:
    """The violations of a schema by a reply: one line each, with the path of the field."""

    lines: tuple[str, ...]


@lru_cache(maxsize=64)
def reply_schema(reply_type: type[BaseModel]) -> JsonSchema:
    """Return the JSON schema of `reply_type` for providers; shared, so it must not be changed.

    References are inlined, objects are closed and all their properties required. Bounds on lengths and counts
    stay, because a small model constrained by a grammar never ends without them.
    """
    schema = reply_type.model_json_schema()
    definitions = schema.pop("$defs", {})
    return _close(_inline(schema, definitions, ()))


def without_bounds(schema: JsonSchema) -> JsonSchema:
    """Remove the bounds of `schema`, for hosted strict modes that refuse them; the reply is validated with them."""
    keywords = {name: value for name, value in schema.items() if name not in _BOUNDS}
    return _map_subschemas(keywords, without_bounds)


def schema_instruction(schema: JsonSchema) -> str:
    """Return the instruction to answer with JSON of `schema`."""
    return (
        "Answer with one JSON object and nothing else: no prose around it, no code fence. "
        f"It must fit this JSON schema:\n{canonical_json(schema)}"
    )


def parse_reply(text: str, reply_type: type[BaseModel]) -> BaseModel | Problems:
    """Validate a reply; return it or its problems. Only a code fence around the whole is removed."""
    fenced = _FENCED.match(text.strip())
    try:
        data = from_json(fenced.group(1) if fenced else text, allow_inf_nan=False)
    except ValueError as error:
        return Problems(lines=(f"it is not JSON: {error}",))
    try:
        return reply_type.model_validate(_without_control_characters(data))
    except ValidationError as error:
        errors = error.errors(include_url=False, include_input=False, include_context=False)
        return Problems(lines=tuple(_problem(item["loc"], item["msg"]) for item in errors[:_PROBLEMS_SHOWN]))


def _problem(path: tuple[int | str, ...], message: str) -> str:
    where = ".".join(str(part) for part in path) or "the whole reply"
    return shorten(f"{where}: {message}", _PROBLEM_CHARS)


def _without_control_characters(value: Any) -> Any:
    """Remove NUL, which PostgreSQL cannot store, and terminal escapes from the strings of JSON."""
    if isinstance(value, str):
        return strip_control(value)
    if isinstance(value, list):
        return [_without_control_characters(item) for item in value]
    if isinstance(value, dict):
        return {strip_control(name): _without_control_characters(item) for name, item in value.items()}
    return value


def _inline(schema: JsonSchema, definitions: dict[str, JsonSchema], within: tuple[str, ...]) -> JsonSchema:
    reference = schema.get("$ref")
    if reference is None:
        return _map_subschemas(schema, lambda part: _inline(part, definitions, within))
    name = str(reference).rsplit("/", 1)[-1]
    if name in within:
        raise InvariantBroken(f"the reply type {name} contains itself, which no provider's schema can say")
    beside = {key: value for key, value in schema.items() if key != "$ref"}
    return _inline({**definitions[name], **beside}, definitions, (*within, name))


def _close(schema: JsonSchema) -> JsonSchema:
    keywords = {name: value for name, value in schema.items() if name not in _NOT_FOR_MODELS}
    if "properties" in keywords:
        keywords |= {"additionalProperties": False, "required": list(keywords["properties"])}
    return _map_subschemas(keywords, _close)


def _map_subschemas(schema: JsonSchema, change: Callable[[JsonSchema], JsonSchema]) -> JsonSchema:
    """Apply a change to each schema directly inside `schema`. Names of properties are not keywords."""
    changed = dict(schema)
    if "properties" in schema:
        changed["properties"] = {name: change(part) for name, part in schema["properties"].items()}
    if isinstance(schema.get("items"), dict):
        changed["items"] = change(schema["items"])
    for keyword in ("anyOf", "oneOf", "allOf"):
        if keyword in schema:
            changed[keyword] = [change(part) for part in schema[keyword]]
    return changed
