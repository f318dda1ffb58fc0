"""The frame of every page: its title, and how much waits for the founder."""

from __future__ import annotations

from frasier.interfaces.web.page import Fragment


def shell_fragments(title: str, waiting: int) -> tuple[Fragment, ...]:
    """Return the fragments that every page has."""
    values = {"waiting": waiting, "title": title}
    return (
        Fragment(id="title", template="parts/title.html", values=values),
        Fragment(id="nav-waiting", template="parts/nav_waiting.html", values=values),
    )
