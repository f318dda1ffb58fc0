"""The legend of a board: every status of every process with its meaning, the roles, and the marks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from frasier.interfaces.cli.output import Page, fixed
from frasier.interfaces.cli.task.phrases import NOTICES, badge
from frasier.interfaces.operations import as_json
from frasier.interfaces.operations.tasks.board_legend import BLOCKED_MEANING, roles_of

if TYPE_CHECKING:
    from frasier.interfaces.operations.tasks.read import ProcessOutput


def legend_of(tables: Sequence[ProcessOutput], *, paused: str) -> dict[str, Any]:
    """Return the legend as JSON."""
    return {
        "processes": [{"process": table.process, "statuses": as_json(table.statuses)} for table in tables],
        "paused": {"status": paused, "meaning": BLOCKED_MEANING},
        "roles": roles_of(tables),
        "notices": {name: words for name, (_, _, words) in NOTICES.items()},
    }


def add_legend(page: Page, tables: Sequence[ProcessOutput], *, paused: str) -> None:
    """Draw the legend."""
    roles = roles_of(tables)
    for table in tables:
        page.heading(f"{table.process}: what its statuses mean")
        page.table(
            [fixed("status"), fixed("column"), "meaning", "who acts"],
            [
                (status.status, status.column, status.meaning, (", ".join(status.roles), "dim"))
                for status in table.statuses
            ],
        )
    page.heading("On every board")
    page.table(
        ["", ""],
        [(paused, BLOCKED_MEANING), *(((mark, style), words) for mark, style, words in _marks())],
    )
    spaced = [cell for role in roles for cell in (badge(role, roles), " ")]
    page.line("whose turn it is: ", *spaced, "or founder")


def _marks() -> list[tuple[str, str, str]]:
    return [notice for name, notice in NOTICES.items() if name != "blocked"]
