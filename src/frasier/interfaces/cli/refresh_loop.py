"""Looking again and again: on a terminal one display that is drawn anew, elsewhere a line for each change."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from frasier.interfaces.cli.refreshed_screen import Draw, Row, Screen

if TYPE_CHECKING:
    from frasier.interfaces.services import Services
    from frasier.store import NotifyListener

Look: TypeAlias = Callable[[], Awaitable[Sequence[Row]]]
Line: TypeAlias = Callable[[Row], tuple[str, tuple[Any, ...], str]]
"""What a row is called, what of it counts as a change, and how it is told."""

_EVERY_S = 2.0
_BREATH_S = 0.2  # many changes at once are shown as one
_LATE_S = 2.0  # after which an answer that does not come is a connection that is lost
_PATIENCE_S = 30.0  # how long a database that went away may stay away


async def keep_showing(
    services: Services,
    look: Look,
    draw: Draw,
    line: Line,
    *,
    title: str,
    as_json: bool,
) -> None:
    """Shows what `look` finds whenever it has changed, until Ctrl-C: as `draw` draws it under its `title`, or by a
    `line` for each row that is new or another. With `as_json` each of these is an object on a line of its own. While
    the database does not answer, what is shown says of when it is.
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
        """What was found now."""
        ...

    def lost(self, since: datetime) -> None:
        """Nothing is found any more since then; what was shown last is older."""
        ...


async def _follow(services: Services, look: Look, view: _View, stop: asyncio.Event) -> None:
    from frasier.interfaces.cli.shutdown_signals import pause
    from frasier.kernel.errors import StoreError
    from frasier.store import NotifyListener
    from frasier.workflow import READY_CHANNEL

    silent_since: float | None = None
    async with NotifyListener(services.board.direct_url, READY_CHANNEL) as wakeup:
        while not stop.is_set():
            try:
                found = await _answer(look, view, stop)
                silent_since = None
            except StoreError:
                # Our own server is being started again; somebody else's may come back.
                silent_since = silent_since or time.monotonic()
                view.lost(datetime.now(UTC))
                if time.monotonic() - silent_since > _PATIENCE_S:
                    raise
                await pause(stop, _BREATH_S)
                continue
            if found is None:
                return
            view.show(found)
            if not await pause(stop, _BREATH_S):
                await _next_change(wakeup, stop)


async def _answer(look: Look, view: _View, stop: asyncio.Event) -> Sequence[Row] | None:
    """What `look` finds; None where it is time to stop. A server that is gone may be waited for by whoever looks: that
    it is late is told meanwhile.
    """
    looking, stopping = asyncio.ensure_future(look()), asyncio.ensure_future(stop.wait())
    began, either = datetime.now(UTC), {looking, stopping}
    try:
        done, _ = await asyncio.wait(either, timeout=_LATE_S, return_when=asyncio.FIRST_COMPLETED)
        if not done:
            view.lost(began)
            await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
        return None if stopping.done() else looking.result()
    finally:
        for one in either:
            one.cancel()
        await asyncio.gather(*either, return_exceptions=True)


async def _next_change(wakeup: NotifyListener, stop: asyncio.Event) -> None:
    """Until something may have changed: woken by a hint, and by the clock where the hint is lost."""
    first = {asyncio.create_task(wakeup.wait(_EVERY_S)), asyncio.create_task(stop.wait())}
    try:
        await asyncio.wait(first, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for waiting in first:
            waiting.cancel()
        await asyncio.gather(*first, return_exceptions=True)


class _Lines:
    """Without a terminal: a line for each row that is new or another."""

    def __init__(self, line: Line, *, as_json: bool) -> None:
        self._line = line
        self._as_json = as_json
        self._seen: dict[str, tuple[Any, ...]] = {}
        self._is_lost = False

    def lost(self, since: datetime) -> None:
        if not self._is_lost:
            sys.stderr.write(f"connection lost at {since.astimezone():%H:%M:%S}, trying again\n")
        self._is_lost = True

    def show(self, rows: Sequence[Row]) -> None:
        from frasier.interfaces.cli.output import print_json_line, write_out
        from frasier.kernel.text import strip_control

        self._is_lost = False
        told = {name: (state, text, row) for row in rows for name, state, text in [self._line(row)]}
        for name, (state, text, row) in told.items():
            if self._seen.get(name) == state:
                continue
            if self._as_json:
                print_json_line(row)
            else:
                write_out(strip_control(" ".join(text.split("\n"))) + "\n")
        self._seen = {name: state for name, (state, _, _) in told.items()}
