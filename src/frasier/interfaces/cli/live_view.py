"""The live view of a mission: the graph, the phase and agent of each step, and the costs."""

from __future__ import annotations

import asyncio
import sys
import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Protocol
from uuid import UUID

from rich.console import Console, Group
from rich.live import Live
from rich.table import Table
from rich.text import Text

from frasier.interfaces.cli.icons import MARKS
from frasier.interfaces.cli.refresh_loop import answer_or_stop
from frasier.interfaces.cli.refreshed_screen import lost_notice
from frasier.interfaces.cli.waiting import questions_of, trouble_text
from frasier.kernel.errors import StoreError
from frasier.kernel.text import strip_control
from frasier.overview import MissionProgress, StepProgress, read_progress
from frasier.store import EFFECTS_CHANNEL, NotifyListener

if TYPE_CHECKING:
    from frasier.interfaces.services import Services

_EVERY_S = 0.25
_PATIENCE_S = 30.0  # how long a lost database may stay away


async def watch_mission(
    services: Services, mission_id: UUID, *, stop: asyncio.Event, quiet: bool
) -> MissionProgress:
    """Follow a mission until it has ended, waits for the founder, or `stop` is set; return its last progress."""
    console = Console(stderr=True)
    if quiet or not console.is_terminal:
        return await _follow(services, mission_id, stop, _Lines(quiet=quiet))
    with Live(console=console, refresh_per_second=8, transient=True) as live:
        return await _follow(services, mission_id, stop, _Screen(live))


class _View(Protocol):
    def show(self, progress: MissionProgress) -> None:
        """Show the progress."""
        ...

    def lost(self, since: datetime) -> None:
        """Tell that the database has not answered since then."""
        ...


async def _follow(services: Services, mission_id: UUID, stop: asyncio.Event, view: _View) -> MissionProgress:
    async def read() -> MissionProgress:
        return await services.in_transaction(read_progress, mission_id)

    latest: MissionProgress | None = None
    silent_since: float | None = None
    async with NotifyListener(services.board.direct_url, EFFECTS_CHANNEL) as published:
        while True:
            try:
                progress = await answer_or_stop(read, view.lost, stop) or latest or await read()
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
            latest = progress
            view.show(progress)
            if progress.over or progress.waits_for_founder or stop.is_set():
                return progress
            await published.wait_or_stop(stop, _EVERY_S)


class _Screen:
    """The display on a terminal."""

    def __init__(self, live: Live) -> None:
        self._live = live
        self._shown = Group()
        self._is_lost = False

    def show(self, progress: MissionProgress) -> None:
        self._is_lost = False
        self._shown = render(progress)
        self._live.update(self._shown)

    def lost(self, since: datetime) -> None:
        if not self._is_lost:
            notice = Text(f"▲ {lost_notice(since)}", style="yellow")
            self._live.update(Group(self._shown, notice), refresh=True)
        self._is_lost = True


class _Lines:
    """Output without a terminal: a line on standard error for each step whose state changed, and for a lost database.

    Where it is to be `quiet`, only the latter.
    """

    def __init__(self, *, quiet: bool) -> None:
        self._quiet = quiet
        self._seen: dict[str, str] = {}
        self._told: set[str] = set()
        self._is_lost = False

    def lost(self, since: datetime) -> None:
        if not self._is_lost:
            sys.stderr.write(f"{lost_notice(since)}\n")
            sys.stderr.flush()
        self._is_lost = True

    def show(self, progress: MissionProgress) -> None:
        self._is_lost = False
        if self._quiet:
            return
        for step in progress.steps:
            if self._seen.get(step.key) != step.status:
                self._seen[step.key] = step.status
                sys.stderr.write(f"{MARKS[step.status][0]} {step.status:<9} {step.agent:<8} {step.title}\n")
        troubles = {trouble.cause: trouble_text(trouble) for trouble in progress.model_troubles}
        for cause in troubles.keys() - self._told:
            sys.stderr.write(strip_control(f"▲ {troubles[cause]}\n"))
        self._told = set(troubles)
        sys.stderr.flush()


def render(progress: MissionProgress) -> Group:
    """Return the whole view as a Rich renderable."""
    head = Text.assemble((progress.title, "bold"))
    spent = f"${progress.cost_usd:.4f}"
    if progress.budget_usd is not None:
        spent += f" of ${progress.budget_usd:.2f}"
    facts = Text.assemble(
        (progress.status.replace("_", " "), "bold green" if progress.path else "bold cyan"),
        (f" · {progress.seconds:.0f} s · {progress.calls} calls · {spent}", "dim"),
    )
    if progress.rehearsal:
        facts.append(" · rehearsal: no model is configured", style="yellow")
    table = Table(box=None, pad_edge=False, show_header=False, padding=(0, 2, 0, 0))
    for step in progress.steps:
        table.add_row(*_row(step))
    troubles = [Text(f"▲ {trouble_text(trouble)}", style="yellow") for trouble in progress.model_troubles]
    waiting = [Text(f"■ {line}", style="magenta") for line in questions_of(progress)]
    return Group(head, facts, Text(), table, *troubles, *waiting)


def _row(step: StepProgress) -> tuple[Text, Text, Text]:
    mark, style = MARKS[step.status]
    tree = "  " * max(step.level - 1, 0) + ("└ " if step.level else "")
    title = Text.assemble((f"{mark} ", style), (tree, "dim"), step.title)
    return title, Text(step.agent, style="cyan"), Text.assemble(*_state(step, style))


def _state(step: StepProgress, style: str) -> list[tuple[str, str]]:
    """Return what a step is doing or, once it is done, how it was approved."""
    if step.status != "completed" or not step.version:
        return [(step.phase or step.status, style)]
    approvals = [
        review.by + (f" {review.overall:.1f}" if review.overall else "")
        for review in step.reviews
        if review.verdict == "approved"
    ]
    parts = [f"version {step.version}", f"approved by {', '.join(approvals)}"]
    if step.verification is not None:
        parts.insert(1, step.verification.headline)
    if step.degraded:
        parts.append("degraded")
    return [(" · ".join(parts), "dim")]
