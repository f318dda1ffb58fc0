"""Drawing of a board: cards in columns on a terminal, searchable lines elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from frasier.interfaces.cli.task.phrases import and_more, badge, facts, holding, notices, place, reasons
from frasier.kernel.text import shorten

if TYPE_CHECKING:
    from frasier.interfaces.cli.output import Block, Cell, Page
    from frasier.interfaces.operations.tasks.board_columns import Layout, TaskColumn
    from frasier.interfaces.operations.tasks.outputs import TaskSummary

_TITLE_CHARS = 80


def add_board(
    page: Page, layout: Layout, roles: Sequence[str], *, several: bool, at_most: int | None = None
) -> None:
    """Add the whole board, or on a terminal at most `at_most` cards of each column.

    `several` says whether its tasks are of more than one board.
    """
    if not sys.stdout.isatty():
        _add_lines(page, layout, several=several)
        return
    # An empty column would take space from those that have cards.
    for columns, stacked in ((layout.columns, False), (layout.apart, True)):
        filled = [
            (_title(column), _blocks(column, roles, several=several, at_most=at_most))
            for column in columns
            if column.tasks
        ]
        if filled:
            page.cards(filled, stacked=stacked)
    if empty := [column.name for column in layout.columns if not column.tasks]:
        page.line()
        page.line((f"Nothing is in {', '.join(empty)}.", "dim"))


def _title(column: TaskColumn) -> str:
    shown, count = len(column.tasks), column.count
    part = f"{count:,}" if shown >= count else f"{shown:,} of {count:,} shown"
    return f"{column.name.capitalize()} ({part})"


def _blocks(column: TaskColumn, roles: Sequence[str], *, several: bool, at_most: int | None) -> list[Block]:
    cards = [_card(task, roles, several=several) for task in column.tasks[:at_most]]
    return [*cards, *([[more]] if (more := and_more(len(column.tasks) - len(cards))) else [])]


def _card(task: TaskSummary, roles: Sequence[str], *, several: bool) -> Block:
    lines: list[Sequence[Cell]] = [
        [(_name(task, several=several), "bold"), " ", badge(task.role, roles)],
        [shorten(" ".join(task.title.split()), _TITLE_CHARS)],
        [(_facts(task), "dim")],
        *([[(holder, "dim")]] if (holder := holding(task)) else []),
    ]
    lines += [[notice] for notice in notices(task)]
    lines += [[("■ ", "bold magenta"), reason] for reason in reasons(task)]
    return lines


def _name(task: TaskSummary, *, several: bool) -> str:
    return task.task if several else task.task.rpartition("/")[2]


def _facts(task: TaskSummary) -> str:
    """Return the facts of a task, with its status only if the column does not show it."""
    return place(task).removeprefix(f"{task.column} · ")


def _add_lines(page: Page, layout: Layout, *, several: bool) -> None:
    """Add all tasks as one table, so that everything is aligned. Used without a terminal."""
    rows: list[tuple[Cell, ...]] = []
    for column in (*layout.columns, *layout.apart):
        rows += [("",) * 5] if rows else []
        rows.append((_title(column), "", "", "", ""))
        for task in column.tasks:
            look = [*(cell if isinstance(cell, str) else cell[0] for cell in notices(task))]
            look += [f"■ {reason}" for reason in reasons(task)]
            title = " ".join(task.title.split())
            rows.append(
                (
                    f"  {_name(task, several=several)}",
                    badge(task.role),
                    facts(task),
                    shorten(title, _TITLE_CHARS),
                    "; ".join(look),
                )
            )
    page.table(["", "", "", "", ""], rows)
