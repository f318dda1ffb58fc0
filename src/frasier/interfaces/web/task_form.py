"""Fields of a task in forms: what is asked for a move, and what was typed, read as the kind of each field. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from frasier.interfaces.operations.tasks.read import FieldOutput
from frasier.kernel.errors import InvalidInput
from frasier.workflow import ActorKind, FieldKind

_FOUNDER = ActorKind.FOUNDER.value
_PREFIX = "field."


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedField:
    """A field that a form asks for. `value` is what it holds, as text."""

    name: str
    meaning: str
    kind: FieldKind
    required: bool
    value: str = ""


def asked_fields(
    declared: Sequence[FieldOutput], names: Iterable[str], held: Mapping[str, Any], *, required: bool = True
) -> list[AskedField]:
    """Return the fields of these names, in the order of the process, with what each holds."""
    wanted = set(names)
    return [
        AskedField(
            name=one.field,
            meaning=one.meaning,
            kind=one.kind,
            required=required and one.kind is not FieldKind.FLAG,
            value=as_text(held.get(one.field)),
        )
        for one in declared
        if one.field in wanted
    ]


def editable(declared: Sequence[FieldOutput]) -> list[str]:
    """Return the fields that the founder may fill without a move."""
    return [one.field for one in declared if _FOUNDER in one.filled_by and not one.with_its_move_only]


def as_text(value: Any) -> str:
    """Return the value of a field as its form shows it: the items of a list in lines."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        return "\n".join(" ".join(str(item).split()) for item in value)
    return str(value)


def sent_fields(declared: Sequence[FieldOutput], sent: Mapping[str, str]) -> dict[str, Any]:
    """Return the fields that a form sent; an empty one empties its field. Raises InvalidInput for no number."""
    kinds = {one.field: one.kind for one in declared}
    typed = {name.removeprefix(_PREFIX): text for name, text in sent.items() if name.startswith(_PREFIX)}
    return {name: _value(name, kinds.get(name, FieldKind.TEXT), text) for name, text in typed.items()}


def _value(name: str, kind: FieldKind, text: str) -> Any:
    if not text:
        return None
    match kind:
        case FieldKind.NUMBER:
            if not re.fullmatch(r"[+-]?[0-9]{1,18}", text):
                raise InvalidInput(
                    f"{name.replace('_', ' ')} is not a whole number: {text[:40]!r}.",
                    kept="Nothing was changed.",
                    hint="Write a whole number.",
                )
            return int(text)
        case FieldKind.FLAG:
            return text == "yes"
        case FieldKind.LIST:
            return [line.strip() for line in text.splitlines() if line.strip()]
        case _:
            return text
