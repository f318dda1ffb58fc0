"""Now: what waits for the founder, what runs, what it costs, what was delivered, and whether anything is wrong."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import ClassVar
from uuid import UUID

from frasier.interfaces.services import Services
from frasier.interfaces.web.page import Fragment, PageContent, PageRequest, PageRoute
from frasier.kernel.errors import NotFound
from frasier.org.missions import MissionStatus, count_failed_in_question
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


@dataclass(frozen=True, slots=True, kw_only=True)
class NowView:
    """Everything of the page: the state, the newest of the missions that are open, how many are, what questions are
    about, and the latest that ended. One that failed is open while its question waits.
    """

    status: Status
    running: tuple[MissionProgress, ...]
    open_missions: int
    asked_about: dict[UUID, MissionProgress]
    latest: tuple[MissionSummary, ...]
    QUESTIONS_SHOWN: ClassVar = 6  # unfolded

    @property
    def more_running(self) -> int:
        return max(0, self.open_missions - len(self.running))


async def read_now(services: Services) -> NowView:
    """Read the state of everything, and the progress of the missions that are shown."""
    status, running, ended = await asyncio.gather(
        services.in_transaction(read_status, services.setup),
        services.in_transaction(read_missions, limit=_RUNNING_SHOWN, is_open=True),
        services.in_transaction(read_missions, limit=_LATEST_SHOWN, is_open=False),
    )
    in_question = await services.in_transaction(count_failed_in_question)
    open_ones = [one.mission for one in running]
    asked = {one.mission for one in status.waiting_for_founder if one.mission}
    shown = list(dict.fromkeys((*open_ones, *asked)))
    progress = dict(
        zip(shown, await asyncio.gather(*(_progress(services, one) for one in shown)), strict=True)
    )
    return NowView(
        status=status,
        running=tuple(found for one in open_ones if (found := progress[one])),
        open_missions=in_question + sum(n for one, n in status.missions.items() if not one.ended),
        asked_about={one: found for one, found in progress.items() if found},
        latest=tuple(sorted(ended, key=lambda one: one.ended_at or one.created_at, reverse=True)),
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
