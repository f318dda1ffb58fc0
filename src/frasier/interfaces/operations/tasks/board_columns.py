"""The layout of a board: columns in the order of the process definitions, and tasks apart from them. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from frasier.interfaces.operations.tasks.outputs import TaskSummary
    from frasier.interfaces.operations.tasks.read import ProcessOutput


@dataclass(frozen=True, slots=True)
class TaskColumn:
    """Tasks under one title; `count` is their total, of which `tasks` may be a part."""

    name: str
    count: int
    tasks: list[TaskSummary] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Layout:
    """`columns` are the regular statuses of tasks; `apart` are paused tasks and those no longer wanted."""

    columns: list[TaskColumn]
    apart: list[TaskColumn]

    @property
    def empty(self) -> bool:
        return not any(column.tasks for column in (*self.columns, *self.apart))


def arrange(
    tables: Sequence[ProcessOutput], tasks: Iterable[TaskSummary], counts: Mapping[str, int], *, paused: str
) -> Layout:
    """Arrange the tasks of a board by status, with the total of each column. `paused` is the status that every
    process has.
    """
    names = columns_of(tables)
    columns = {name: TaskColumn(name, counts.get(name, 0)) for name in names}
    # A status without a column of its own is an end other than completion.
    ends = [status.status for table in tables for status in table.statuses if not status.column]
    apart = {name: TaskColumn(name, counts.get(name, 0)) for name in dict.fromkeys([paused, *ends])}
    for task in tasks:
        column = columns.get(task.column) or apart.setdefault(
            task.column, TaskColumn(task.column, counts.get(task.column, 0))
        )
        column.tasks.append(task)
    return Layout(list(columns.values()), list(apart.values()))


def columns_of(tables: Sequence[ProcessOutput]) -> list[str]:
    """Return the columns in the order of the definitions. One that only some processes have follows the one that
    precedes it there.
    """
    merged: list[str] = []
    for table in tables:
        place = 0
        for name in dict.fromkeys(status.column for status in table.statuses if status.column):
            if name not in merged:
                merged.insert(place, name)
            place = merged.index(name) + 1
    return merged
