"""Improvement proposals: a list, and one with its figures, its log and the forms to decide about it."""

from __future__ import annotations

from frasier.interfaces.web import page_operations
from frasier.interfaces.web.operations import run, sentence
from frasier.interfaces.web.page import (
    ActionRequest,
    ActionResult,
    FormAction,
    Fragment,
    PageContent,
    PageRequest,
    PageRoute,
)
from frasier.overview import read_improvement, read_improvements

_SHOWN = 100


async def _read_list(request: PageRequest) -> PageContent:
    proposals = await request.services.in_transaction(read_improvements, limit=_SHOWN)
    values = {"proposals": proposals, "most": _SHOWN}
    return PageContent(
        title="Improvement proposals",
        fragments=(Fragment(id="proposals-list", template="proposals/list.html", values=values),),
        values={},
    )


async def _read_one(request: PageRequest) -> PageContent:
    page = await request.services.in_transaction(read_improvement, request.params["proposal"])
    values = {"view": page, "one": page.summary}
    return PageContent(
        title=page.summary.title,
        fragments=(Fragment(id="proposal", template="proposals/facts.html", values=values),),
        values=values,
    )


async def _accept(request: ActionRequest) -> ActionResult:
    arguments = {"proposal": request.params["proposal"], "why": request.form.text("why")}
    return ActionResult(text=sentence(await run(request.services, page_operations.ACCEPT, arguments)))


async def _refuse(request: ActionRequest) -> ActionResult:
    arguments = {"proposal": request.params["proposal"], "why": request.form.text("why")}
    return ActionResult(text=sentence(await run(request.services, page_operations.REFUSE, arguments)))


PAGES = (
    PageRoute(path="/proposals", section="People", template="proposals/page.html", read=_read_list),
    PageRoute(
        path="/proposals/{proposal}", section="People", template="proposals/proposal.html", read=_read_one
    ),
)
ACTIONS = (
    FormAction(path="/proposals/{proposal}/accept", act=_accept),
    FormAction(path="/proposals/{proposal}/refuse", act=_refuse),
)
