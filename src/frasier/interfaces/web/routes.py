"""Every page, action and file, in the order in which their paths are tried. A module of pages is added here."""

from __future__ import annotations

from frasier.interfaces.web.page import FileDownload, FormAction, PageRoute
from frasier.interfaces.web.pages import answer_forms, deliverable, mission, missions, new, now, plan, step

PAGES: tuple[PageRoute, ...] = (
    *now.PAGES,
    *new.PAGES,
    *missions.PAGES,
    *mission.PAGES,
    *plan.PAGES,
    *step.PAGES,
    *deliverable.PAGES,
)
ACTIONS: tuple[FormAction, ...] = (
    *answer_forms.ACTIONS,
    *new.ACTIONS,
    *plan.ACTIONS,
    *mission.ACTIONS,
    *step.ACTIONS,
)
DOWNLOADS: tuple[FileDownload, ...] = deliverable.DOWNLOADS
