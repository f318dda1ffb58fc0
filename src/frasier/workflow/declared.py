"""The declared processes: read from their tables, and refused where a table has a hole."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any, TypeVar

from frasier.kernel.errors import ConfigurationError
from frasier.workflow.process import Creation, Field, FieldKind, Outcome, Process, Status, Transition
from frasier.workflow.soundness import find_holes

Row = TypeVar("Row", Status, Transition, Field)


@cache
def processes() -> Mapping[str, Process]:
    """The declared processes, by name, read and checked once."""
    folder = files("frasier.workflow").joinpath("processes")
    tables = sorted(
        (entry for entry in folder.iterdir() if entry.name.endswith(".toml")), key=lambda entry: entry.name
    )
    found = [read_process(table.read_text("utf-8")) for table in tables]
    return {process.name: process for process in found}


def read_process(source: str) -> Process:
    """The process that a TOML table declares. Raises ConfigurationError where the table has a hole."""
    try:
        table = tomllib.loads(source)
        process = Process(
            name=table["name"],
            initial=table["initial"],
            claim=table["claim"],
            creation=_creation(table.get("creation", {})),
            blockers=frozenset(table.get("blockers", ())),
            restorers=frozenset(table.get("restorers", ())),
            statuses=_by_name([_status(row) for row in table["statuses"]]),
            transitions=_by_name([_transition(row) for row in table["transitions"]]),
            fields=_by_name([_field(row) for row in table.get("fields", ())]),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise ConfigurationError(f"A process cannot be read: {type(error).__name__}: {error}.") from error
    if holes := find_holes(process):
        raise ConfigurationError(f"Process {process.name} is not sound: {'; '.join(holes)}.")
    return process


def _creation(row: dict[str, Any]) -> Creation:
    sets: dict[str, Any] = {name: frozenset(row.pop(name)) for name in ("actors", "requires") if name in row}
    return Creation(roles=tuple(row.pop("roles", ())), **sets, **row)


def _status(row: dict[str, Any]) -> Status:
    outcome = row.pop("outcome", None)
    roles = (row.pop("role"),) if "role" in row else tuple(row.pop("roles"))
    return Status(roles=roles, outcome=None if outcome is None else Outcome(outcome), **row)


_SETS = ("actors", "of", "requires", "needs", "clears")


def _transition(row: dict[str, Any]) -> Transition:
    sets: dict[str, Any] = {name: frozenset(row.pop(name)) for name in _SETS if name in row}
    return Transition(from_=frozenset(row.pop("from")), gates=tuple(row.pop("gates", ())), **sets, **row)


def _field(row: dict[str, Any]) -> Field:
    kind, writers = FieldKind(row.pop("kind", FieldKind.TEXT)), frozenset(row.pop("writers", ()))
    return Field(kind=kind, writers=writers, **row)


def _by_name(rows: list[Row]) -> dict[str, Row]:
    by_name = {row.name: row for row in rows}
    if len(by_name) < len(rows):
        raise ValueError("a name stands twice")
    return by_name
