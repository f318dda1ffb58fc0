"""Every page and every action, in the order in which their paths are tried. A module of pages is added here."""

from __future__ import annotations

from frasier.interfaces.web.page import Action, Page
from frasier.interfaces.web.pages import missions, new, now

_MODULES = (now, new, missions)

PAGES: tuple[Page, ...] = tuple(page for module in _MODULES for page in module.PAGES)
ACTIONS: tuple[Action, ...] = tuple(action for module in _MODULES for action in module.ACTIONS)
