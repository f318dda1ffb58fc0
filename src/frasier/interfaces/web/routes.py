"""Every page, action and file, in the order in which their paths are tried. A module of pages is added here."""

from __future__ import annotations

from frasier.interfaces.web.page import FileDownload, FormAction, PageRoute
from frasier.interfaces.web.pages import (
    answer_forms,
    boards,
    costs,
    deliverable,
    log,
    memory,
    mission,
    missions,
    new,
    now,
    office,
    one_memory,
    outbox,
    people,
    plan,
    policies,
    post_mortem,
    routines,
    settings,
    skills,
    step,
    task,
)

PAGES: tuple[PageRoute, ...] = (
    *now.PAGES,
    *new.PAGES,
    *missions.PAGES,
    *mission.PAGES,
    *plan.PAGES,
    *step.PAGES,
    *deliverable.PAGES,
    *post_mortem.PAGES,
    *boards.PAGES,
    *task.PAGES,
    *people.PAGES,
    *skills.PAGES,
    *routines.PAGES,
    *office.PAGES,
    *memory.PAGES,
    *one_memory.PAGES,
    *costs.PAGES,
    *log.PAGES,
    *outbox.PAGES,
    *settings.PAGES,
    *policies.PAGES,
)
ACTIONS: tuple[FormAction, ...] = (
    *answer_forms.ACTIONS,
    *new.ACTIONS,
    *plan.ACTIONS,
    *mission.ACTIONS,
    *step.ACTIONS,
    *boards.ACTIONS,
    *task.ACTIONS,
    *one_memory.ACTIONS,
    *log.ACTIONS,
    *policies.ACTIONS,
)
DOWNLOADS: tuple[FileDownload, ...] = (*deliverable.DOWNLOADS, *post_mortem.DOWNLOADS)
