"""Every page and every action, in the order in which their paths are tried. A module of pages is added here."""

from __future__ import annotations

from frasier.interfaces.web.page import Action, Page
from frasier.interfaces.web.pages import answers, missions, new, now, plan

PAGES: tuple[Page, ...] = (*now.PAGES, *new.PAGES, *missions.PAGES, *plan.PAGES)
ACTIONS: tuple[Action, ...] = (*answers.ACTIONS, *new.ACTIONS, *plan.ACTIONS)
