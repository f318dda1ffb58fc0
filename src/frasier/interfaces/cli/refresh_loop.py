"""A refresh loop: on a terminal a display that is redrawn, elsewhere a line for each change."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, TypeVar

from frasier.interfaces.cli.output import print_json_line, write_out
from frasier.interfaces.cli.refreshed_screen import BACK_NOTICE, Draw, Row, Screen, lost_notice
from frasier.kernel.errors import StoreError
from frasier.kernel.text import strip_control

if TYPE_CHECKING:
    from frasier.interfaces.services import Services

T = TypeVar("T")
Look: TypeAlias = Callable[[], Awaitable[Sequence[Row]]]
Line: TypeAlias = Callable[[Row], tuple[str, tuple[Any, ...], str]]
"""The name of a row, the part of it that counts as a change, and its line of text."""

_EVERY_S = 2.0
_BREATH_S = 0.2  # many changes at once are shown as one
_LATE_S = 2.0  # the connection counts as lost if an answer takes longer
_PATIENCE_S = 30.0  # how long a lost database may stay away


async def keep_showing(
    services: Services,
    look: Look,
    draw: Draw,
    line: Line,
    *,
    title: str,
    as_json: bool,
) -> None:
    """Show the rows that `look` returns whenever they have changed, until Ctrl-C.

    On a terminal `draw` draws them under the `title`; elsewhere `line` formats each row that is new or changed. With
    `as_json` each of these is an object on a line of its own. While the database does not answer, the display shows
    the time of its data.
    """
    from frasier.interfaces.cli.shutdown_signals import stop_on_signals

    stop = stop_on_signals()
    if as_json or not sys.stdout.isatty():
        await _follow(services, look, _Lines(line, as_json=as_json), stop)
        return
    from rich.console import Console
    from rich.live import Live

    console = Console(highlight=False, markup=False, emoji=False)
    with Live(console=console, auto_refresh=False, vertical_overflow="ellipsis") as live:
        await _follow(services, look, Screen(live, draw, title), stop)


class _View(Protocol):
    def show(self, rows: Sequence[Row]) -> None:
        """Show the current rows."""
        ...

    def lost(self, since: datetime) -> None:
        """Mark what was shown last as outdated: the connection has been lost since then."""
        ...


async def _follow(services: Services, look: Look, view: _View, stop: asyncio.Event) -> None:
    from frasier.interfaces.cli.shutdown_signals import pause
    from frasier.store import NotifyListener
    from frasier.workflow import READY_CHANNEL

    silent_since: float | None = None
    async with NotifyListener(services.board.direct_url, READY_CHANNEL) as wakeup:
        while not stop.is_set():
            try:
                rows = await answer_or_stop(look, view.lost, stop)
                silent_since = None
            except StoreError:
                # Our own server is being restarted; another one may come back.
                silent_since = silent_since or time.monotonic()
                view.lost(datetime.now(UTC))
                if time.monotonic() - silent_since > _PATIENCE_S:
                    raise
                await pause(stop, _BREATH_S)
                continue
            if rows is None:
                return
            view.show(rows)
            if not await pause(stop, _BREATH_S):
                await wakeup.wait_or_stop(stop, _EVERY_S)  # a notification may be lost


async def answer_or_stop(
    look: Callable[[], Awaitable[T]], lost: Callable[[datetime], None], stop: asyncio.Event
) -> T | None:
    """Return what `look` returns; None if it is time to stop.

    `look` itself may wait for a server that is gone: meanwhile `lost` tells since when the answer is late.
    """
    looking, stopping = asyncio.ensure_future(look()), asyncio.ensure_future(stop.wait())
    began, either = datetime.now(UTC), {looking, stopping}
    try:
        done, _ = await asyncio.wait(either, timeout=_LATE_S, return_when=asyncio.FIRST_COMPLETED)
        if not done:
            lost(began)
            await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
        return None if stopping.done() else looking.result()
    finally:
        for task in either:
            task.cancel()
        await asyncio.gather(*either, return_exceptions=True)


class _Lines:
    """Output without a terminal: a line for each row that is new or changed."""

    def __init__(self, line: Line, *, as_json: bool) -> None:
        self._line = line
        self._as_json = as_json
        self._seen: dict[str, tuple[Any, ...]] = {}
        self._is_lost = False

    def lost(self, since: datetime) -> None:
        if not self._is_lost:
            sys.stderr.write(f"{lost_notice(since)}\n")
        self._is_lost = True

    def show(self, rows: Sequence[Row]) -> None:
        from frasier.interfaces.operations import as_json as json_of

        if self._is_lost:
            sys.stderr.write(f"{BACK_NOTICE}\n")
        self._is_lost = False
        lines = {name: (state, text, row) for row in rows for name, state, text in [self._line(row)]}
        for name, (state, text, row) in lines.items():
            if self._seen.get(name) == state:
                continue
            if self._as_json:
                print_json_line(json_of(row))
            else:
                write_out(strip_control(" ".join(text.split("\n"))) + "\n")
        self._seen = {name: state for name, (state, _, _) in lines.items()}
