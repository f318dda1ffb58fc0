"""Parsing of typed fields: NAME=VALUE, read as the kind that the task's process declares."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import typer

from frasier.interfaces.cli.run_operation import Call
from frasier.interfaces.cli.text_args import given_text
from frasier.interfaces.operations.tasks.read import GET, PROCESS

FieldOption = Annotated[
    list[str] | None,
    typer.Option(
        "--field",
        "-f",
        metavar="NAME=VALUE",
        help="The value of a field, as the field's kind wants it: a text; true or false; a whole number; of a list"
        " one item, repeatable, or all as JSON that begins with [. NAME=@FILE reads it from a file (@- from standard"
        " input), NAME=@@… is a text that begins with @, NAME:=JSON takes JSON as it is, NAME= empties the field."
        " Repeatable.",
    ),
]

_OPTION = "--field"
_PATTERN = re.compile(r"(?P<name>[^=]*?)(?P<literal>:?)=(?P<value>.*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class TypedField:
    """One NAME=VALUE; the value of a `literal` one is JSON."""

    name: str
    value: str
    literal: bool


def split_fields(texts: Iterable[str] | None, option: str = _OPTION) -> list[TypedField]:
    """Split the typed fields, and read files; raise BadParameter for text that is not NAME=VALUE."""
    typed = []
    for text in texts or ():
        match = _PATTERN.fullmatch(text)
        if match is None or not match["name"].strip():
            raise typer.BadParameter(f"{text[:60]!r} is not NAME=VALUE", param_hint=option)
        literal = bool(match["literal"])
        value = match["value"] if literal else given_text(match["value"], option)
        typed.append(TypedField(match["name"].strip(), value, literal))
    return typed


def typed_fields(
    typed: Iterable[TypedField], kinds: Mapping[str, str], option: str = _OPTION
) -> dict[str, Any]:
    """Return the fields with their values as `kinds` demand. A field without a kind stays a text, for the operation
    to refuse.
    """
    fields: dict[str, Any] = {}
    for field in typed:
        kind = kinds.get(field.name, "text")
        if kind == "list" and not field.literal:
            fields[field.name] = [*fields.get(field.name, ()), *_items(field, option)]
        elif field.name in fields:
            raise typer.BadParameter(f"{field.name} is given twice", param_hint=option)
        else:
            fields[field.name] = _json(field, option) if field.literal else _value(field, kind, option)
    return fields


async def kinds_of(call: Call, process: str) -> dict[str, str]:
    """Return the kind of each field of a process; raise NotFound if there is no such process."""
    table = (await call(PROCESS, {"process": process})).data
    return {field.field: field.kind for field in table.fields or ()}


async def fields_of_task(
    call: Call, arguments: Mapping[str, Any], typed: Sequence[TypedField]
) -> dict[str, Any]:
    """Return the fields that were typed for the task that `arguments` name; its process declares their kinds."""
    if not typed:
        return {}
    named = {name: arguments[name] for name in GET.input.model_fields if name in arguments}
    return typed_fields(typed, await kinds_of(call, (await call(GET, named)).data.process))


def _items(field: TypedField, option: str) -> list[Any]:
    if not field.value.lstrip().startswith("["):
        return [field.value] if field.value else []
    items = _json(field, option)
    return items if isinstance(items, list) else [items]


def _value(field: TypedField, kind: str, option: str) -> Any:
    if kind == "flag" and field.value:
        if field.value.strip().lower() not in {"true", "false"}:
            raise typer.BadParameter(f"{field.name} must be true or false", param_hint=option)
        return field.value.strip().lower() == "true"
    if kind == "number" and field.value:
        if not re.fullmatch(r"\s*[+-]?[0-9]{1,20}\s*", field.value):
            raise typer.BadParameter(f"{field.name} must be a whole number", param_hint=option)
        return int(field.value)
    return field.value or None


def _json(field: TypedField, option: str) -> Any:
    try:
        return json.loads(field.value)
    except (ValueError, RecursionError) as error:
        raise typer.BadParameter(f"{field.name} is no JSON: {error}", param_hint=option) from None
