"""The JSON document of a view: its fields, with advice written as commands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING, Any

from frasier.interfaces.advice import command_text, text_for_founder
from frasier.kernel.advice import Advice
from frasier.overview import WaitingQuestion

if TYPE_CHECKING:
    from frasier.interfaces.operations.organisation.waiting import WaitingOutput


def document_of(value: object) -> Any:
    """Return a view, or a part of one, as `--json` prints it."""
    if isinstance(value, Advice):
        return command_text(value)
    if isinstance(value, WaitingQuestion):
        text = text_for_founder(value.text, value.advice)
        return {name: shown for name, shown in _fields(value) if name != "advice"} | {"text": text}
    if is_dataclass(value):
        return dict(_fields(value))
    # An output; Pydantic is not imported for a command without one.
    if output := getattr(type(value), "model_fields", None):
        return {name: document_of(getattr(value, name)) for name in output}
    if isinstance(value, Mapping):
        return {name: document_of(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [document_of(item) for item in value]
    return value


def _fields(value: Any) -> Iterator[tuple[str, Any]]:
    for field in fields(value):
        yield field.name, document_of(getattr(value, field.name))


def document_of_waiting(view: WaitingOutput) -> dict[str, Any]:
    """Return a view of what waits; decisions and files have the form that agents receive."""
    from frasier.interfaces.operations import as_json

    others = ("decisions", "files", "unread_files")
    return {
        name: as_json(getattr(view, name)) if name in others else document_of(getattr(view, name))
        for name in type(view).model_fields
    }
