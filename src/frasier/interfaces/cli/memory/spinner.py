"""A sign of life on standard error while something takes its time."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from frasier.memory import Progress


@contextmanager
def shown_progress(*begun: str, shown: bool) -> Iterator[Progress]:
    """A bar for each thing that is being done, on a terminal only, and gone in the end.

    What is `begun` has its bar before anybody knows how much it is.
    """
    if not (shown and sys.stderr.isatty()):
        yield _unseen
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bars:
        known = {what: bars.add_task(what, total=None) for what in begun}

        def advance(what: str, done: int, total: int) -> None:
            if what not in known:
                known[what] = bars.add_task(what, total=total)
            bars.update(known[what], completed=done, total=total)

        yield advance


def _unseen(_what: str, _done: int, _total: int) -> None:
    """Nobody looks."""
