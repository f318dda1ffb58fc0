"""Missions: the list, whose filter and page are in the address."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlencode

from frasier.interfaces.web.page import Fragment, PageContent, PageRequest, PageRoute
from frasier.interfaces.web.pages.now import OPEN
from frasier.kernel.ids import parse_id
from frasier.org.planning import MissionStatus, count_missions
from frasier.overview import read_missions

_PAGE = 25
_REFRESH_S = 5.0
_FILTERS: Mapping[str, tuple[MissionStatus, ...]] = {
    "all": tuple(MissionStatus),
    "open": OPEN,
    "delivered": (MissionStatus.DELIVERED,),
    "failed": (MissionStatus.FAILED,),
    "cancelled": (MissionStatus.CANCELLED,),
}


async def _read(request: PageRequest) -> PageContent:
    chosen = request.query.get("status", "all")
    if chosen not in _FILTERS:
        chosen = "all"
    services = request.services
    counts = await services.in_transaction(count_missions)
    missions = await services.in_transaction(
        read_missions,
        limit=_PAGE + 1,
        statuses=None if chosen == "all" else _FILTERS[chosen],
        before=parse_id(request.query.get("before", "")),
    )
    shown = missions[:_PAGE]
    values = {
        "missions": shown,
        "chosen": chosen,
        "filters": [
            (name, _address(name), sum(counts.get(status, 0) for status in statuses))
            for name, statuses in _FILTERS.items()
        ],
        "older": _address(chosen, str(shown[-1].mission)) if len(missions) > _PAGE else "",
        "newest": _address(chosen) if "before" in request.query else "",
    }
    runs = any(one.status in OPEN and one.status is not MissionStatus.PAUSED for one in shown)
    return PageContent(
        title="Missions",
        fragments=(Fragment(id="mission-list", template="missions/list.html", values=values),),
        refresh_s=_REFRESH_S if runs else None,
    )


def _address(chosen: str, before: str = "") -> str:
    query = {**({} if chosen == "all" else {"status": chosen}), **({"before": before} if before else {})}
    return f"/missions?{urlencode(query)}" if query else "/missions"


PAGES = (PageRoute(path="/missions", section="Missions", template="missions/page.html", read=_read),)
