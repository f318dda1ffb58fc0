"""Fields as they are typed: NAME=VALUE, read as the kind that the task's process declares."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import typer

from frasier.interfaces.cli.text_args import given_text

if TYPE_CHECKING:
    from frasier.interfaces.cli.memory.call_tool import Call

_OPTION = "--field"
_SPELLED = re.compile(r"(?P<name>[^=]*?)(?P<literal>:?)=(?P<value>.*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Said:
    """One NAME=VALUE; a `literal` one is JSON."""

    name: str
    value: str
    literal: bool


def split_fields(given: Iterable[str] | None, option: str = _OPTION) -> list[Said]:
    """What was typed, with files read; raises BadParameter for what is no NAME=VALUE."""
    said = []
    for text in given or ():
        spelled = _SPELLED.fullmatch(text)
        if spelled is None or not spelled["name"].strip():
            raise typer.BadParameter(f"{text[:60]!r} is not NAME=VALUE", param_hint=option)
        literal = bool(spelled["literal"])
        value = spelled["value"] if literal else given_text(spelled["value"], option)
        said.append(Said(spelled["name"].strip(), value, literal))
    return said


def typed_fields(said: Iterable[Said], kinds: Mapping[str, str], option: str = _OPTION) -> dict[str, Any]:
    """The fields with their values as `kinds` wants them; one that there is none of stays a text, for the tool to
    refuse.
    """
    fields: dict[str, Any] = {}
    for one in said:
        kind = kinds.get(one.name, "text")
        if kind == "list" and not one.literal:
            fields[one.name] = [*fields.get(one.name, ()), *_items(one, option)]
        elif one.name in fields:
            raise typer.BadParameter(f"{one.name} is given twice", param_hint=option)
        else:
            fields[one.name] = _json(one, option) if one.literal else _value(one, kind, option)
    return fields


async def kinds_of(call: Call, process: str) -> dict[str, str]:
    """The kind of each field of a process; raises NotFound where there is none of that name."""
    table = await call("task_process", {"process": process})
    return {field["field"]: field["kind"] for field in table["data"]["fields"]}


async def fields_of_task(call: Call, task: str, said: list[Said]) -> dict[str, Any]:
    """What was said of a task that there is; what it holds is asked for only where something was said."""
    if not said:
        return {}
    found = await call("task_get", {"task": task})
    return typed_fields(said, await kinds_of(call, found["data"]["process"]))


def _items(one: Said, option: str) -> list[Any]:
    if not one.value.lstrip().startswith("["):
        return [one.value] if one.value else []
    found = _json(one, option)
    return found if isinstance(found, list) else [found]


def _value(one: Said, kind: str, option: str) -> Any:
    if kind == "flag" and one.value:
        if one.value.strip().lower() not in {"true", "false"}:
            raise typer.BadParameter(f"{one.name} must be true or false", param_hint=option)
        return one.value.strip().lower() == "true"
    if kind == "number" and one.value:
        if not re.fullmatch(r"\s*[+-]?[0-9]{1,20}\s*", one.value):
            raise typer.BadParameter(f"{one.name} must be a whole number", param_hint=option)
        return int(one.value)
    return one.value or None


def _json(one: Said, option: str) -> Any:
    try:
        return json.loads(one.value)
    except (ValueError, RecursionError) as error:
        raise typer.BadParameter(f"{one.name} is no JSON: {error}", param_hint=option) from None
