"""New: a directive with its documents, what the result shall be, and what it may cost."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path

from frasier.board import anybody_works
from frasier.interfaces.web.form import FILE_BYTES_MAX, FORM_BYTES_MAX
from frasier.interfaces.web.page import Action, ActionRequest, Done, Fragment, Page, PageContent, PageRequest
from frasier.interfaces.web.pages.answers import NOBODY_WORKS
from frasier.kernel.deliverable_kind import DeliverableKind, kind_named
from frasier.work import Directive

_MICROS = 1_000_000


async def _read(request: PageRequest) -> PageContent:
    setup = request.services.setup
    values = {
        "setup": setup,
        "kinds": tuple(DeliverableKind),
        "file_mb": FILE_BYTES_MAX // _MICROS,
        "form_mb": FORM_BYTES_MAX // _MICROS,
        "given": {**request.query, **request.sent},
    }
    return PageContent(
        title="New mission",
        fragments=(Fragment(id="new-form", template="new/form.html", values=values),),
    )


async def _start(request: ActionRequest) -> Done:
    """Start a mission with the documents that were sent."""
    form, services = request.form, request.services
    budget = form.number("budget", what="The budget")
    kind = form.text("kind")
    services.check_settings()
    with tempfile.TemporaryDirectory(prefix="frasier-documents-") as folder:
        files = await asyncio.to_thread(form.save_files, "documents", Path(folder))
        started = await services.take_directive(
            Directive(
                text=form.text("directive"),
                destination=services.deliverables,
                sources=(Path(folder),) if files else (),
                web=form.checked("web"),
                with_earlier=form.checked("with_earlier"),
                skip_unreadable=form.checked("skip_unreadable"),
                budget_usd_micros=None if budget is None else round(budget * _MICROS),
                kind=kind_named(kind) if kind else None,
                asks_plan=form.checked("plan"),
                may_ask=form.checked("questions"),
            )
        )
    begun = f"{started.mission.title!r} is begun."
    attended = await services.in_transaction(anybody_works)
    return Done(text=begun if attended else begun + NOBODY_WORKS, go_to="/")


PAGES = (Page(path="/new", section="New", template="new/page.html", read=_read),)
ACTIONS = (Action(path="/new", act=_start, files=True),)
