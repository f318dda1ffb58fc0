"""New: a directive with its documents, what the result shall be, and what it may cost."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path

from frasier.interfaces.web import page_operations
from frasier.interfaces.web.form import FILE_BYTES_MAX, FORM_BYTES_MAX
from frasier.interfaces.web.founder import run_as_founder
from frasier.interfaces.web.page import (
    ActionRequest,
    ActionResult,
    FormAction,
    Fragment,
    PageContent,
    PageRequest,
    PageRoute,
)
from frasier.kernel.deliverable_kind import DeliverableKind
from frasier.kernel.mission_depth import MissionDepth

_MICROS = 1_000_000
_CHOSEN_AT_FIRST = ("plan", "questions")


async def _read(request: PageRequest) -> PageContent:
    setup = request.services.setup
    values = {
        "setup": setup,
        "kinds": tuple(DeliverableKind),
        "depths": tuple(MissionDepth),
        "file_mb": FILE_BYTES_MAX // _MICROS,
        "form_mb": FORM_BYTES_MAX // _MICROS,
        "given": {**request.query, **request.sent},
        "sent": bool(request.sent),
        "chosen": request.sent or _CHOSEN_AT_FIRST,
    }
    return PageContent(
        title="New mission",
        fragments=(Fragment(id="new-form", template="new/form.html", values=values),),
    )


async def _start(request: ActionRequest) -> ActionResult:
    """Start a mission with the documents that were sent."""
    form, services = request.form, request.services
    budget = form.number("budget", what="The budget")
    services.check_settings()
    with tempfile.TemporaryDirectory(prefix="frasier-documents-") as folder:
        files = await asyncio.to_thread(form.save_files, "documents", Path(folder))
        done = await run_as_founder(
            services,
            page_operations.RUN,
            has_files=True,
            directive=form.text("directive"),
            kind=form.text("kind") or None,
            depth=form.text("depth") or None,
            budget=budget,
            sources=(folder,) if files else (),
            web=form.checked("web"),
            with_earlier=form.checked("with_earlier"),
            plan=form.checked("plan"),
            no_questions=not form.checked("questions"),
            skip_unreadable=form.checked("skip_unreadable"),
        )
    return ActionResult(text=done, go_to="/")


PAGES = (PageRoute(path="/new", section="New", template="new/page.html", read=_read),)
ACTIONS = (FormAction(path="/new", act=_start, files=True),)
