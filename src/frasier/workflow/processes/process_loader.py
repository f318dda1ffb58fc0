"""The declared processes: read from their tables, and refused where a table has a hole."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import Any, TypeVar

from frasier.kernel.errors import ConfigurationError, Refused
from frasier.workflow.processes.groups import take_unread
from frasier.workflow.processes.process import Creation, Field, GroupKind, Process, Status, Transition
from frasier.workflow.processes.process_validation import find_holes
from frasier.workflow.processes.table_rows import row_of

Row = TypeVar("Row", Status, Transition, Field)


_known: dict[str, Process] = {}
_with_product: set[str] = set()


def processes() -> Mapping[str, Process]:
    """The declared processes by name: those that come with the product, and those that were added."""
    for package in take_unread():
        folder = files(package).joinpath("processes")
        for table in sorted(folder.iterdir(), key=lambda entry: entry.name):
            if table.name.endswith(".toml"):
                process = read_process(table.read_text("utf-8"))
                _known[process.name] = process
                _with_product.add(process.name)
    return _known


def process_of(name: str) -> Process:
    """The declared process of that name.

    Raises Refused where there is none: the founder's own file of it was taken away or renamed.
    """
    process = processes().get(name)
    if process is None:
        raise Refused(
            f"There is no process {name[:60]!r}, of which there are tasks.",
            hint="Put its file back among your processes. Tasks of other processes go on.",
        )
    return process


def is_own(name: str) -> bool:
    """Whether a process of the name would be the founder's own: none that comes with the product."""
    processes()
    return name not in _with_product


def add_processes(folder: Path) -> list[str]:
    """Adds the founder's own tables (`*.toml`) to the processes; returns their names. No folder, no tables.

    Raises ConfigurationError for a table that has a hole, or the name of a process that comes with the product or
    another table of the folder.
    """
    added: list[str] = []
    for path in sorted(folder.glob("*.toml")):
        try:
            process = read_process(path.read_text("utf-8"))
        except (OSError, UnicodeDecodeError) as error:
            raise ConfigurationError(f"{path} cannot be read: {error}.", hint=_MEND) from error
        except ConfigurationError as error:
            raise ConfigurationError(f"{path.name}: {error.message}", hint=_MEND) from error
        if process.name in added or processes().get(process.name, process) != process:
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
        table = row_of(_Table, tomllib.loads(source), "the table")
        process = Process(
            name=table.name,
            group=table.group,
            initial=table.initial,
            claim=table.claim,
            creation=row_of(Creation, table.creation, "[creation]"),
            blockers=table.blockers,
            restorers=table.restorers,
            statuses=_by_name(Status, [_with_roles(row) for row in table.statuses], "[[statuses]]"),
            transitions=_by_name(Transition, table.transitions, "[[transitions]]"),
            fields=_by_name(Field, table.fields, "[[fields]]"),
        )
    except ValueError as error:
        raise ConfigurationError(f"A process cannot be read: {error}.") from error
    if holes := find_holes(process):
        raise ConfigurationError(f"Process {process.name} is not sound: {'; '.join(holes)}.")
    return process


@dataclass(frozen=True, slots=True, kw_only=True)
class _Table:
    """A process as it is written down, before its rows are read. One that names no group is a board's, as those that
    the founder writes are.
    """

    name: str
    initial: str
    claim: str
    statuses: list[dict[str, Any]]
    transitions: list[dict[str, Any]]
    group: GroupKind = GroupKind.BOARD
    creation: dict[str, Any] = field(default_factory=dict)
    blockers: frozenset[str] = frozenset()
    restorers: frozenset[str] = frozenset()
    fields: list[dict[str, Any]] = field(default_factory=list)


def _with_roles(row: dict[str, Any]) -> dict[str, Any]:
    """A status in which one role alone may have to act names that as its `role`."""
    rest = {name: value for name, value in row.items() if name != "role"}
    return row if len(rest) == len(row) else {"roles": [row["role"]], **rest}


def _by_name(kind: type[Row], rows: list[dict[str, Any]], where: str) -> dict[str, Row]:
    by_name: dict[str, Row] = {}
    for number, row in enumerate(rows, 1):
        read = row_of(kind, row, f"{where} {row.get('name', number)!r}")
        if read.name in by_name:
            raise ValueError(f"{where} {read.name!r} stands there twice")
        by_name[read.name] = read
    return by_name
