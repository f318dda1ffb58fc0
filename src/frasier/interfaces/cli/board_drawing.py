"""A board as people see it: cards in columns on a terminal, lines that can be searched elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from frasier.interfaces.cli.task.phrases import and_more, badge, facts, holding, notices, place, reasons
from frasier.kernel.text import shorten

if TYPE_CHECKING:
    from frasier.interfaces.cli.board_columns import Layout, Shelf
    from frasier.interfaces.cli.output import Block, Cell, Page

Task = dict[str, Any]

_TITLE_CHARS = 80


def add_board(
    page: Page, layout: Layout, roles: Sequence[str], *, several: bool, at_most: int | None = None
) -> None:
    """The whole board, or of each column `at_most` so many cards on a terminal; `several` says whether tasks of more
    than one project are on it.
    """
    if not sys.stdout.isatty():
        _add_lines(page, layout, several=several)
        return
    # An empty column would take room from those that have cards.
    for shelves, stacked in ((layout.columns, False), (layout.apart, True)):
        filled = [
            (_title(shelf), _blocks(shelf, roles, several=several, at_most=at_most))
            for shelf in shelves
            if shelf.tasks
        ]
        if filled:
            page.cards(filled, stacked=stacked)
    if empty := [shelf.name for shelf in layout.columns if not shelf.tasks]:
        page.line()
        page.line((f"Nothing is in {', '.join(empty)}.", "dim"))


def _title(shelf: Shelf) -> str:
    shown, count = len(shelf.tasks), shelf.count
    part = f"{count:,}" if shown >= count else f"{shown:,} of {count:,} shown"
    return f"{shelf.name.capitalize()} ({part})"


def _blocks(shelf: Shelf, roles: Sequence[str], *, several: bool, at_most: int | None) -> list[Block]:
    cards = [_card(task, roles, several=several) for task in shelf.tasks[:at_most]]
    return [*cards, *([[more]] if (more := and_more(len(shelf.tasks) - len(cards))) else [])]


def _card(task: Task, roles: Sequence[str], *, several: bool) -> Block:
    lines: list[Sequence[Cell]] = [
        [(_name(task, several=several), "bold"), " ", badge(task["role"], roles)],
        [shorten(" ".join(task.get("title", "").split()), _TITLE_CHARS)],
        [(_facts(task), "dim")],
        *([[(holder, "dim")]] if (holder := holding(task)) else []),
    ]
    lines += [[notice] for notice in notices(task)]
    lines += [[("■ ", "bold magenta"), reason] for reason in reasons(task)]
    return lines


def _name(task: Task, *, several: bool) -> str:
    return str(task["task"] if several else task["task"].rpartition("/")[2])


def _facts(task: Task) -> str:
    """Its status only where the column does not say it."""
    return place(task).removeprefix(f"{task['column']} · ")


def _add_lines(page: Page, layout: Layout, *, several: bool) -> None:
    """Without a terminal: one table of all, so that everything is aligned."""
    rows: list[tuple[Cell, ...]] = []
    for shelf in (*layout.columns, *layout.apart):
        rows += [("",) * 5] if rows else []
        rows.append((_title(shelf), "", "", "", ""))
        for task in shelf.tasks:
            look = [*(cell if isinstance(cell, str) else cell[0] for cell in notices(task))]
            look += [f"■ {reason}" for reason in reasons(task)]
            title = " ".join(task.get("title", "").split())
            rows.append(
                (
                    f"  {_name(task, several=several)}",
                    badge(task["role"]),
                    facts(task),
                    shorten(title, _TITLE_CHARS),
                    "; ".join(look),
                )
            )
    page.table(["", "", "", "", ""], rows)
