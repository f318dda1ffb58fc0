"""Following a mission: a screen that is drawn again on a terminal, a line for each event elsewhere."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Protocol
from uuid import UUID

from rich.console import Console, Group
from rich.live import Live
from rich.text import Text

from frasier.interfaces.cli.mission_lines import MissionLines
from frasier.interfaces.cli.mission_screen import render
from frasier.interfaces.cli.refresh_loop import answer_or_stop
from frasier.interfaces.cli.refreshed_screen import lost_notice
from frasier.kernel.errors import StoreError
from frasier.overview import MissionActivity, MissionProgress, read_activity, read_progress
from frasier.store import EFFECTS_CHANNEL, NotifyListener

if TYPE_CHECKING:
    from frasier.interfaces.services import Services

_EVERY_S = 0.25
_PATIENCE_S = 30.0  # how long a lost database may stay away
_OVERLAP = 100  # lines that are read again: one may be committed after a later one


async def watch_mission(
    services: Services,
    mission_id: UUID,
    *,
    stop: asyncio.Event,
    quiet: bool,
    after: int = 0,
    elsewhere: bool = False,
) -> MissionProgress:
    """Follow a mission until it has ended, waits for the founder, or `stop` is set; return its last progress.

    Activity is told behind the line `after`. `elsewhere` says that this process does not work on it.
    """
    console = Console(stderr=True)
    if quiet or not console.is_terminal:
        lines = MissionLines(quiet=quiet, elsewhere=elsewhere)
        return await _follow(services, mission_id, stop, lines, after)
    with Live(console=console, refresh_per_second=8, transient=True) as live:
        return await _follow(services, mission_id, stop, _Screen(live), after)


class _View(Protocol):
    def show(self, progress: MissionProgress, activity: Sequence[MissionActivity]) -> None:
        """Show the progress and the latest lines of activity, some of which were shown before."""
        ...

    def lost(self, since: datetime) -> None:
        """Tell that the database has not answered since then."""
        ...


async def _follow(
    services: Services, mission_id: UUID, stop: asyncio.Event, view: _View, begin: int
) -> MissionProgress:
    after = begin

    async def read() -> tuple[MissionProgress, tuple[MissionActivity, ...]]:
        progress = await services.in_transaction(read_progress, mission_id)
        return progress, await services.in_transaction(read_activity, mission_id, after=after)

    latest: tuple[MissionProgress, tuple[MissionActivity, ...]] | None = None
    silent_since: float | None = None
    async with NotifyListener(services.board.direct_url, EFFECTS_CHANNEL) as published:
        while True:
            try:
                latest = await answer_or_stop(read, view.lost, stop) or latest or await read()
                silent_since = None
            except StoreError:
                # Our own server is being restarted; another one may come back. The time counts from the first failure,
                # not from the last answer: this very process may have been suspended for a while.
                silent_since = silent_since or time.monotonic()
                view.lost(datetime.now(UTC))
                if time.monotonic() - silent_since > _PATIENCE_S:
                    raise
                await asyncio.sleep(_EVERY_S)
                continue
            progress, activity = latest
            after = max((begin, *(line.id - _OVERLAP for line in activity)))
            view.show(progress, activity)
            if progress.over or progress.waits_for_founder or stop.is_set():
                return progress
            await published.wait_or_stop(stop, _EVERY_S)


class _Screen:
    """The display on a terminal."""

    def __init__(self, live: Live) -> None:
        self._live = live
        self._shown = Group()
        self._is_lost = False

    def show(self, progress: MissionProgress, activity: Sequence[MissionActivity]) -> None:  # noqa: ARG002
        self._is_lost = False
        console = self._live.console
        self._shown = render(progress, width=console.width, height=console.height)
        self._live.update(self._shown)

    def lost(self, since: datetime) -> None:
        if not self._is_lost:
            notice = Text(f"▲ {lost_notice(since)}", style="yellow")
            self._live.update(Group(self._shown, notice), refresh=True)
        self._is_lost = True
