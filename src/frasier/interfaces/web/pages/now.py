"""Now: what waits for the founder, what runs, what it costs, what was delivered, and whether anything is wrong."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from uuid import UUID

from frasier.interfaces.services import Services
from frasier.interfaces.web.page import Fragment, PageContent, PageRequest, PageRoute
from frasier.kernel.errors import NotFound
from frasier.org.planning import MissionStatus
from frasier.overview import (
    MissionProgress,
    MissionSummary,
    Status,
    read_missions,
    read_progress,
    read_status,
)

_RUNNING_SHOWN = 12
_LATEST_SHOWN = 6
_REFRESH_S = 2.0

ENDED = tuple(status for status in MissionStatus if status.ended)
OPEN = tuple(status for status in MissionStatus if not status.ended)


@dataclass(frozen=True, slots=True, kw_only=True)
class NowView:
    """Everything of the page: the state, the missions that are running or paused, what questions are about, and the
    latest that ended.
    """

    status: Status
    running: tuple[MissionProgress, ...]
    asked_about: dict[UUID, MissionProgress]
    latest: tuple[MissionSummary, ...]

    @property
    def more_running(self) -> int:
        open_ones = sum(count for status, count in self.status.missions.items() if not status.ended)
        return max(0, open_ones - len(self.running))


async def read_now(services: Services) -> NowView:
    """Read the state of everything, and the progress of the missions that are shown."""
    status, running, ended = await asyncio.gather(
        services.in_transaction(read_status, services.setup),
        services.in_transaction(read_missions, limit=_RUNNING_SHOWN, statuses=OPEN),
        services.in_transaction(read_missions, limit=_LATEST_SHOWN, statuses=ENDED),
    )
    open_ones = [one.mission for one in running]
    asked = {one.mission for one in status.waiting_for_founder if one.mission}
    shown = list(dict.fromkeys((*open_ones, *asked)))
    progress = dict(
        zip(shown, await asyncio.gather(*(_progress(services, one) for one in shown)), strict=True)
    )
    return NowView(
        status=status,
        running=tuple(found for one in open_ones if (found := progress[one])),
        asked_about={one: found for one, found in progress.items() if found},
        latest=ended,
    )


async def _progress(services: Services, mission: UUID) -> MissionProgress | None:
    try:
        return await services.in_transaction(read_progress, mission)
    except NotFound:
        return None


async def _read(request: PageRequest) -> PageContent:
    view = await read_now(request.services)
    values = {"view": view, "status": view.status}
    runs = any(one.status in {MissionStatus.PLANNING, MissionStatus.IN_PROGRESS} for one in view.running)
    return PageContent(
        title="Now",
        fragments=tuple(
            Fragment(id=f"now-{name}", template=f"now/{name}.html", values=values)
            for name in ("summary", "waiting", "running", "latest", "spend", "health")
        ),
        refresh_s=_REFRESH_S if runs else None,
    )


PAGES = (PageRoute(path="/", section="Now", template="now/page.html", read=_read),)
