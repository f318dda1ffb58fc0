"""The legend of a board: every status of every process with what it means, the roles, and the marks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from frasier.interfaces.cli.task.phrases import BLOCKED_MEANING, NOTICES, badge

if TYPE_CHECKING:
    from frasier.interfaces.cli.output import Page

Table = dict[str, Any]


def legend_of(tables: Sequence[Table], *, paused: str) -> dict[str, Any]:
    """The legend as the tables of the processes have it."""
    return {
        "processes": [{"process": table["process"], "statuses": table["statuses"]} for table in tables],
        "paused": {"status": paused, "meaning": BLOCKED_MEANING},
        "roles": roles_of(tables),
        "notices": {name: words for name, (_, _, words) in NOTICES.items()},
    }


def roles_of(tables: Sequence[Table]) -> list[str]:
    """Every role that may have to act, by name."""
    return sorted({role for table in tables for one in table["statuses"] for role in one["roles"]})


def add_legend(page: Page, legend: dict[str, Any]) -> None:
    """The legend, drawn."""
    from frasier.interfaces.cli.output import Column

    roles = legend["roles"]
    for table in legend["processes"]:
        page.heading(f"{table['process']}: what its statuses mean")
        page.table(
            [Column("status", fixed=True), Column("column", fixed=True), "meaning", "who acts"],
            [
                (one["status"], one.get("column", ""), one["meaning"], (", ".join(one["roles"]), "dim"))
                for one in table["statuses"]
            ],
        )
    page.heading("On every board")
    paused = legend["paused"]
    rows = [(paused["status"], paused["meaning"])]
    page.table(["", ""], [*rows, *(((mark, style), words) for mark, style, words in _marks())])
    spaced = [cell for role in roles for cell in (badge(role, roles), " ")]
    page.line("whose turn it is: ", *spaced, "or founder")


def _marks() -> list[tuple[str, str, str]]:
    return [one for name, one in NOTICES.items() if name != "blocked"]
