"""What every page shows around its own: its title, and how much waits for the founder."""

from __future__ import annotations

from frasier.interfaces.services import Services
from frasier.interfaces.web.page import Fragment
from frasier.overview import count_waiting


async def shell_fragments(services: Services, title: str) -> tuple[Fragment, ...]:
    """Read the fragments that every page has."""
    values = {"waiting": await services.in_transaction(count_waiting), "title": title}
    return (
        Fragment(id="title", template="parts/title.html", values=values),
        Fragment(id="nav-waiting", template="parts/nav_waiting.html", values=values),
    )
