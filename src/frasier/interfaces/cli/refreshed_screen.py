"""A refreshed screen: rows, the time of their data, and as many of them as fit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from rich.console import Group
    from rich.live import Live
    from rich.text import Text

    from frasier.interfaces.cli.output import Page
    from frasier.interfaces.operations.tasks.outputs import TaskSummary

Row: TypeAlias = "TaskSummary"

Draw: TypeAlias = "Callable[[Sequence[Row], int], Page]"
"""Draws the rows: at most so many of each list, and the number of the rest."""


BACK_NOTICE = "the database answers again"


def lost_notice(since: datetime) -> str:
    """Return what is told where the database has not answered since then: it is lost, or the machine is busy."""
    return f"no answer from the database since {since.astimezone():%H:%M:%S}, trying again"


class Screen:
    """Rows on a terminal, below a line with their title and the time of their data."""

    def __init__(self, live: Live, draw: Draw, title: str) -> None:
        self._live = live
        self._console = live.console
        self._draw = draw
        self._title = title
        self._rows: Sequence[Row] = ()
        self._shown_at: datetime | None = None
        self._lost_at: datetime | None = None

    def show(self, rows: Sequence[Row]) -> None:
        self._rows, self._shown_at, self._lost_at = rows, datetime.now(UTC), None
        self._refresh()

    def lost(self, since: datetime) -> None:
        if self._lost_at is None:
            self._lost_at = since
            self._refresh()

    def _refresh(self) -> None:
        self._live.update(self._fitting(), refresh=True)

    def _fitting(self) -> Group:
        """Draw as many rows of each list as fit."""
        fitting, limit = 0, min(len(self._rows), self._console.height)
        if self._fits(whole := self._drawn(limit)):
            return whole
        while limit - fitting > 1:
            middle = (fitting + limit) // 2
            if self._fits(self._drawn(middle)):
                fitting = middle
            else:
                limit = middle
        return self._drawn(fitting)

    def _fits(self, drawn: Group) -> bool:
        return len(self._console.render_lines(drawn, pad=False)) < self._console.height

    def _drawn(self, at_most: int) -> Group:
        from rich.console import Group

        head = self._head()
        if self._shown_at is None:
            return Group(head)
        return Group(head, self._draw(self._rows, at_most).drawn(self._console))

    def _head(self) -> Text:
        from rich.text import Text

        shown = f"{self._shown_at.astimezone():%H:%M:%S}" if self._shown_at else ""
        head = Text.assemble((self._title, "bold"), (f"  {shown}  Ctrl-C ends it.", "dim"))
        if self._lost_at is not None:
            of_then = f"; data of {shown}" if shown else ""
            notice = f"{lost_notice(self._lost_at)}{of_then}"
            head.append(f"\n! {notice}", style="bold yellow")
        return head
