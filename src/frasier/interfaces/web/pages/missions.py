"""Missions: the list, whose filter and page are in the address."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from frasier.interfaces.services import Services
from frasier.interfaces.web.page import Fragment, PageContent, PageRequest, PageRoute
from frasier.kernel.ids import parse_id
from frasier.org.missions import MissionStatus, count_failed_in_question, count_missions
from frasier.overview import read_missions

_PAGE = 25
_REFRESH_S = 5.0
_FILTERS: Mapping[str, Mapping[str, Any]] = {
    "all": {},
    "open": {"is_open": True},
    "delivered": {"statuses": (MissionStatus.DELIVERED,)},
    "failed": {"statuses": (MissionStatus.FAILED,), "is_open": False},
    "cancelled": {"statuses": (MissionStatus.CANCELLED,)},
}
_MOVING = (MissionStatus.PLANNING, MissionStatus.IN_PROGRESS, MissionStatus.COMPLETED)


async def _read(request: PageRequest) -> PageContent:
    chosen = request.query.get("status", "all")
    if chosen not in _FILTERS:
        chosen = "all"
    services = request.services
    counts = await _count(services)
    missions = await services.in_transaction(
        read_missions,
        limit=_PAGE + 1,
        before=parse_id(request.query.get("before", "")),
        **_FILTERS[chosen],
    )
    shown = missions[:_PAGE]
    values = {
        "missions": shown,
        "chosen": chosen,
        "filters": [(name, _address(name), counts[name]) for name in _FILTERS],
        "older": _address(chosen, str(shown[-1].mission)) if len(missions) > _PAGE else "",
        "newest": _address(chosen) if "before" in request.query else "",
    }
    runs = any(one.status in _MOVING for one in shown)
    return PageContent(
        title="Missions",
        fragments=(Fragment(id="mission-list", template="missions/list.html", values=values),),
        refresh_s=_REFRESH_S if runs else None,
    )


async def _count(services: Services) -> dict[str, int]:
    """Count the missions of each filter."""
    by_status = await services.in_transaction(count_missions)
    in_question = await services.in_transaction(count_failed_in_question)
    return {
        "all": sum(by_status.values()),
        "open": in_question + sum(count for status, count in by_status.items() if not status.ended),
        "delivered": by_status.get(MissionStatus.DELIVERED, 0),
        "failed": by_status.get(MissionStatus.FAILED, 0) - in_question,
        "cancelled": by_status.get(MissionStatus.CANCELLED, 0),
    }


def _address(chosen: str, before: str = "") -> str:
    query = {**({} if chosen == "all" else {"status": chosen}), **({"before": before} if before else {})}
    return f"/missions?{urlencode(query)}" if query else "/missions"


PAGES = (PageRoute(path="/missions", section="Missions", template="missions/page.html", read=_read),)
