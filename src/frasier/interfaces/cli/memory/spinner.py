"""Progress bars on standard error for long work."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from frasier.memory import Progress


@contextmanager
def progress_bars(*begun: str, enabled: bool) -> Iterator[Progress]:
    """Show a bar for each running activity, on a terminal only; remove them at the end.

    The activities that have `begun` get a bar before their total is known.
    """
    if not (enabled and sys.stderr.isatty()):
        yield _ignore_progress
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bars:
        tasks = {activity: bars.add_task(activity, total=None) for activity in begun}

        def advance(activity: str, finished: int, total: int) -> None:
            if activity not in tasks:
                tasks[activity] = bars.add_task(activity, total=total)
            bars.update(tasks[activity], completed=finished, total=total)

        yield advance


def _ignore_progress(_activity: str, _finished: int, _total: int) -> None:
    """Ignore the progress."""
