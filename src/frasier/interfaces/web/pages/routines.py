"""Team routines: a list, and one with its transcript."""

from __future__ import annotations

from frasier.interfaces.web.page import Fragment, PageContent, PageRequest, PageRoute
from frasier.overview import read_routine, read_routines

_SHOWN = 100


async def _read_list(request: PageRequest) -> PageContent:
    routines = await request.services.in_transaction(read_routines, limit=_SHOWN)
    values = {"routines": routines, "most": _SHOWN}
    return PageContent(
        title="Team routines",
        fragments=(Fragment(id="routines-list", template="routines/list.html", values=values),),
        values={},
    )


async def _read_one(request: PageRequest) -> PageContent:
    page = await request.services.in_transaction(read_routine, request.params["routine"])
    values = {"routine": page.routine, "transcript": page.transcript}
    return PageContent(
        title=page.routine.subject,
        fragments=(Fragment(id="routine", template="routines/transcript.html", values=values),),
        values=values,
    )


PAGES = (
    PageRoute(path="/routines", section="People", template="routines/page.html", read=_read_list),
    PageRoute(path="/routines/{routine}", section="People", template="routines/routine.html", read=_read_one),
)
