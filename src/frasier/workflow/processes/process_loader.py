"""The declared processes, loaded from their tables; a table with a fault is refused."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import Any, TypeVar

from frasier.kernel.copy_fields import copy_fields
from frasier.kernel.errors import ConfigurationError, Refused
from frasier.kernel.logging_setup import get_logger
from frasier.workflow.processes.groups import take_unread
from frasier.workflow.processes.process import Creation, Field, GroupKind, Process, TaskStatus, Transition
from frasier.workflow.processes.process_validation import find_faults
from frasier.workflow.processes.table_rows import row_of

Row = TypeVar("Row", TaskStatus, Transition, Field)


log = get_logger()

_known: dict[str, Process] = {}
_shipped: set[str] = set()


@dataclass(slots=True)
class _OwnTables:
    """The founder's folder, the time and size of each file that was read, and why a file is not used."""

    folder: Path | None = None
    read: dict[Path, tuple[int, int]] = field(default_factory=dict)
    unused: dict[Path, str] = field(default_factory=dict)


_own = _OwnTables()


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
        unused = read_new_processes()
        process = _known.get(name)
    if process is None:
        put_back = "Put its file back into the folder of your processes. Tasks of other processes go on."
        raise Refused(
            f"There are tasks of the process {name[:60]!r}, but there is no such process.",
            hint=" ".join([*unused, put_back]),
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
    _own.folder, _own.read, _own.unused = folder, {}, {}
    for path in sorted(folder.glob("*.toml")):
        _own.read[path] = _stamp(path)
        process = _read_table(path)
        if process.name in added or processes().get(process.name, process) != process:
            raise ConfigurationError(
                f"{path.name}: there is already a process {process.name}.", hint="Give it another name."
            )
        _known[process.name] = process
        added.append(process.name)
    return added


def read_new_processes() -> list[str]:
    """Add the tables that were put into the founder's folder since it was read; return why others are not used.

    A table whose process is known is used as it was read: its tasks may be under way. Such a change and a table with a
    fault are logged, and stop nothing.
    """
    for path in sorted(_own.folder.glob("*.toml")) if _own.folder else ():
        if (stamp := _stamp(path)) == _own.read.get(path):
            continue
        _own.read[path] = stamp
        _own.unused.pop(path, None)
        try:
            process = _read_table(path)
        except ConfigurationError as error:
            _own.unused[path] = f"A table is not used. {error.message}"
        else:
            if processes().get(process.name, process) != process:
                _own.unused[path] = (
                    f"{path.name} is not used before a restart: the process {process.name} is known."
                )
            _known.setdefault(process.name, process)
        if path in _own.unused:
            log.warning("workflow.process_not_used", file=path.name, why=_own.unused[path])
    return list(_own.unused.values())


def _stamp(path: Path) -> tuple[int, int]:
    """Return when the file was changed last, in nanoseconds, and its size; zeros if that cannot be read."""
    try:
        status = path.stat()
    except OSError:
        return (0, 0)
    return (status.st_mtime_ns, status.st_size)


def _read_table(path: Path) -> Process:
    """Read the process of a file; raise ConfigurationError that names it."""
    try:
        return read_process(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigurationError(f"Cannot read {path}: {error}.", hint=_FIX_HINT) from error
    except ConfigurationError as error:
        raise ConfigurationError(f"{path.name}: {error.message}", hint=_FIX_HINT) from error


_FIX_HINT = "Fix the process file, or move it out of the folder; docs/WORKFLOW.md describes what it needs."


def read_process(source: str) -> Process:
    """Parse the process that a TOML table declares. Raises ConfigurationError for a table with a fault."""
    try:
        table = row_of(_Table, tomllib.loads(source), "the table")
        process = copy_fields(
            Process,
            table,
            creation=row_of(Creation, table.creation, "[creation]"),
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
