"""The declared processes: read from their tables, and refused where a table has a hole."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any, TypeVar

from frasier.kernel.errors import ConfigurationError
from frasier.workflow.process import Creation, Field, FieldKind, Outcome, Process, Status, Transition
from frasier.workflow.soundness import find_holes

Row = TypeVar("Row", Status, Transition, Field)


_known: dict[str, Process] = {}


def processes() -> Mapping[str, Process]:
    """The declared processes by name: those that come with the product, and those that were added."""
    if not _known:
        folder = files("frasier.workflow").joinpath("processes")
        for table in sorted(folder.iterdir(), key=lambda entry: entry.name):
            if table.name.endswith(".toml"):
                process = read_process(table.read_text("utf-8"))
                _known[process.name] = process
    return _known


def add_processes(folder: Path) -> list[str]:
    """Adds the founder's own tables (`*.toml`) to the processes; returns their names. No folder, no tables.

    Raises ConfigurationError for a table that has a hole, or the name of a process that comes with the product or
    another table of the folder.
    """
    processes()
    added: list[str] = []
    for path in sorted(folder.glob("*.toml")):
        try:
            process = read_process(path.read_text("utf-8"))
        except (OSError, UnicodeDecodeError) as error:
            raise ConfigurationError(f"{path} cannot be read: {error}.", hint=_MEND) from error
        except ConfigurationError as error:
            raise ConfigurationError(f"{path.name}: {error.message}", hint=_MEND) from error
        if process.name in added or _known.get(process.name, process) != process:
            raise ConfigurationError(
                f"{path.name}: a process {process.name} is there already.", hint="Give it another name."
            )
        _known[process.name] = process
        added.append(process.name)
    return added


_MEND = "Mend the table, or move it out of the folder; docs/WORKFLOW.md tells what a table needs."


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
