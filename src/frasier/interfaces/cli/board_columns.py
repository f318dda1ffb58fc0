"""A board from what tools tell: its columns as the tables of processes order them, and what stands apart. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

Task = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Shelf:
    """Tasks under one title; `count` is how many there are, of which `tasks` may be a part."""

    name: str
    count: int
    tasks: list[Task] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Layout:
    """`columns` are the way of a task, `apart` what is not on its way: paused, and no longer wanted."""

    columns: list[Shelf]
    apart: list[Shelf]

    @property
    def empty(self) -> bool:
        return not any(shelf.tasks for shelf in (*self.columns, *self.apart))


def arrange(
    tables: Sequence[Task], tasks: Iterable[Task], counts: Mapping[str, int], *, paused: str
) -> Layout:
    """The tasks of a board, each where its status belongs, with how many there are in each column. `paused` is the
    status that every process has.
    """
    names = columns_of(tables)
    columns = {name: Shelf(name, counts.get(name, 0)) for name in names}
    # What has no column of its own has ended in another way than by being completed.
    ends = [one["status"] for table in tables for one in table["statuses"] if "column" not in one]
    apart = {name: Shelf(name, counts.get(name, 0)) for name in dict.fromkeys([paused, *ends])}
    for task in tasks:
        shelf = columns.get(task["column"]) or apart.setdefault(
            task["column"], Shelf(task["column"], counts.get(task["column"], 0))
        )
        shelf.tasks.append(task)
    return Layout(list(columns.values()), list(apart.values()))


def columns_of(tables: Sequence[Task]) -> list[str]:
    """The columns in the order of the tables. One that only some processes have stands after the one that comes before
    it there.
    """
    merged: list[str] = []
    for table in tables:
        place = 0
        for name in dict.fromkeys(one["column"] for one in table["statuses"] if "column" in one):
            if name not in merged:
                merged.insert(place, name)
            place = merged.index(name) + 1
    return merged
