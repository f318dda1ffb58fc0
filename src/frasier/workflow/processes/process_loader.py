"""The declared processes, loaded from their tables; a table with a fault is refused."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import Any, TypeVar

from frasier.kernel.errors import ConfigurationError, Refused
from frasier.workflow.processes.groups import take_unread
from frasier.workflow.processes.process import Creation, Field, GroupKind, Process, TaskStatus, Transition
from frasier.workflow.processes.process_validation import find_faults
from frasier.workflow.processes.table_rows import row_of

Row = TypeVar("Row", TaskStatus, Transition, Field)


_known: dict[str, Process] = {}
_shipped: set[str] = set()


def processes() -> Mapping[str, Process]:
    """Return the declared processes by name: those that come with the product, and the founder's own."""
    for package in take_unread():
        folder = files(package).joinpath("processes")
        for table in sorted(folder.iterdir(), key=lambda entry: entry.name):
            if table.name.endswith(".toml"):
                process = read_process(table.read_text("utf-8"))
                _known[process.name] = process
                _shipped.add(process.name)
    return _known


def process_of(name: str) -> Process:
    """Return the declared process of that name.

    Raises Refused if there is none: the founder removed or renamed its file.
    """
    process = processes().get(name)
    if process is None:
        raise Refused(
            f"There are tasks of the process {name[:60]!r}, but there is no such process.",
            hint="Put its file back into the folder of your processes. Tasks of other processes go on.",
        )
    return process


def is_own(name: str) -> bool:
    """Return whether a process of the name is the founder's own, that is, none that comes with the product."""
    processes()
    return name not in _shipped


def add_processes(folder: Path) -> list[str]:
    """Add the founder's own tables (`*.toml`) to the processes; return their names. A folder that does not exist has
    none.

    Raises ConfigurationError for a table with a fault, or with the name of a process that comes with the product or
    that another table of the folder declares.
    """
    added: list[str] = []
    for path in sorted(folder.glob("*.toml")):
        try:
            process = read_process(path.read_text("utf-8"))
        except (OSError, UnicodeDecodeError) as error:
            raise ConfigurationError(f"Cannot read {path}: {error}.", hint=_FIX_HINT) from error
        except ConfigurationError as error:
            raise ConfigurationError(f"{path.name}: {error.message}", hint=_FIX_HINT) from error
        if process.name in added or processes().get(process.name, process) != process:
            raise ConfigurationError(
                f"{path.name}: there is already a process {process.name}.", hint="Give it another name."
            )
        _known[process.name] = process
        added.append(process.name)
    return added


_FIX_HINT = "Fix the process file, or move it out of the folder; docs/WORKFLOW.md describes what it needs."


def read_process(source: str) -> Process:
    """Parse the process that a TOML table declares. Raises ConfigurationError for a table with a fault."""
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
            statuses=_by_name(TaskStatus, [_with_roles(row) for row in table.statuses], "[[statuses]]"),
            transitions=_by_name(Transition, table.transitions, "[[transitions]]"),
            fields=_by_name(Field, table.fields, "[[fields]]"),
        )
    except ValueError as error:
        raise ConfigurationError(f"Cannot read the process: {error}.") from error
    if faults := find_faults(process):
        raise ConfigurationError(f"Process {process.name} is not valid: {'; '.join(faults)}.")
    return process


@dataclass(frozen=True, slots=True, kw_only=True)
class _Table:
    """A process as its file declares it, before the rows are parsed. One that names no group belongs to boards, as
    the founder's own do.
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
    """Replace the `role` of a status, where only one may have to act, by `roles`."""
    rest = {name: value for name, value in row.items() if name != "role"}
    return row if len(rest) == len(row) else {"roles": [row["role"]], **rest}


def _by_name(kind: type[Row], rows: list[dict[str, Any]], where: str) -> dict[str, Row]:
    by_name: dict[str, Row] = {}
    for number, row in enumerate(rows, 1):
        read = row_of(kind, row, f"{where} {row.get('name', number)!r}")
        if read.name in by_name:
            raise ValueError(f"{where} {read.name!r} occurs twice")
        by_name[read.name] = read
    return by_name
