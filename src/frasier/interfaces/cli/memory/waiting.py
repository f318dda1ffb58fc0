"""A sign of life on standard error while something takes its time."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def shown_at_work(what: str, *, shown: bool) -> Iterator[None]:
    """A spinner with the time that has passed, on a terminal only."""
    if not (shown and sys.stderr.isatty()):
        yield
        return
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bars:
        bars.add_task(what, total=None)
        yield
