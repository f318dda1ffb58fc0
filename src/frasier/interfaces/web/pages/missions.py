"""Missions: the list with its filters, which are in the address."""

from __future__ import annotations

from frasier.interfaces.web.page import Action, Fragment, Page, PageContent, PageRequest
from frasier.overview import read_missions

_PAGE = 25


async def _read(request: PageRequest) -> PageContent:
    missions = await request.services.in_transaction(read_missions, limit=_PAGE)
    return PageContent(
        title="Missions",
        fragments=(
            Fragment(id="mission-list", template="missions/list.html", values={"missions": missions}),
        ),
    )


PAGES = (Page(path="/missions", section="Missions", template="missions/page.html", read=_read),)
ACTIONS: tuple[Action, ...] = ()
