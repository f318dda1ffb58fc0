"""Outbox: what is done outside the database, and what of it is on its way, in trouble or in doubt."""

from __future__ import annotations

from frasier.interfaces.web.page import Fragment, PageContent, PageRequest, PageRoute
from frasier.overview import read_effects

_SHOWN = 100


async def _read(request: PageRequest) -> PageContent:
    sent = request.query.get("sent") == "1"
    effects = await request.services.in_transaction(read_effects, limit=_SHOWN, sent=sent)
    values = {"effects": effects, "most": _SHOWN, "sent": sent}
    return PageContent(
        title="Outbox",
        fragments=(Fragment(id="outbox-effects", template="outbox/effects.html", values=values),),
        values={"sent": sent},
    )


PAGES = (PageRoute(path="/outbox", section="Outbox", template="outbox/page.html", read=_read),)
