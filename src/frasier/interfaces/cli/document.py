"""The JSON document of a view: its fields, with the commands that its advice names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING, Any

from frasier.interfaces.advice import command_text, text_for_founder
from frasier.kernel.advice import Advice
from frasier.overview import WaitingQuestion

if TYPE_CHECKING:
    from frasier.overview import Inbox, Status


def document_of(value: object) -> Any:
    """Return a view, or a part of one, as what `--json` prints."""
    if isinstance(value, Advice):
        return command_text(value)
    if isinstance(value, WaitingQuestion):
        text = text_for_founder(value.text, value.advice)
        return {name: shown for name, shown in _fields(value) if name != "advice"} | {"text": text}
    if is_dataclass(value):
        return dict(_fields(value))
    if isinstance(value, Mapping):
        return {name: document_of(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [document_of(one) for one in value]
    return value


def _fields(value: Any) -> Iterator[tuple[str, Any]]:
    for field in fields(value):
        yield field.name, document_of(getattr(value, field.name))


def document_of_waiting(view: Status | Inbox) -> dict[str, Any]:
    """Return a view of what waits; decisions and files are as agents are shown them."""
    from frasier.interfaces.memory_tools import proposal_json, unread_edit_json
    from frasier.interfaces.task_tools import decision_line

    document: dict[str, Any] = document_of(view)
    return document | {
        "decisions": [decision_line(brief) for brief in view.decisions],
        "files": [proposal_json(proposal) for proposal in view.files],
        "unread_files": [unread_edit_json(edit) for edit in view.unread_files],
    }
