"""The office: where each agent is and what it does, as a list; a script draws the same as a room."""

from __future__ import annotations

from frasier.interfaces.web.page import Fragment, PageContent, PageRequest, PageRoute
from frasier.overview import OfficePlace, read_office

_REFRESH_S = 1.0


async def _read(request: PageRequest) -> PageContent:
    agents = await request.services.in_transaction(read_office)
    busy = any(agent.place in {OfficePlace.DESK, OfficePlace.REVIEW} for agent in agents)
    return PageContent(
        title="Office",
        fragments=(Fragment(id="office-list", template="office/list.html", values={"agents": agents}),),
        # Phases and reports pass without an event.
        refresh_s=_REFRESH_S if busy else None,
    )


PAGES = (PageRoute(path="/office", section="Office", template="office/page.html", read=_read),)
