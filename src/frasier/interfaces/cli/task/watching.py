"""What waits for one person, as it changes: a page that is drawn anew, or a line for each change."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from frasier.interfaces.cli.present import Page

Task = dict[str, Any]


def draw_waiting(tasks: Sequence[Task]) -> Page:
    """What waits now."""
    from frasier.interfaces.cli.present import Page, plural
    from frasier.interfaces.cli.task.wording import add_tasks

    page = Page()
    if tasks:
        page.line((f"{plural(len(tasks), 'task')} to look at", "bold"))
    else:
        page.line("Nothing waits for you. ", ("Ctrl-C ends it.", "dim"))
    add_tasks(page, tasks)
    return page


def line_of(task: Task) -> tuple[str, tuple[Any, ...], str]:
    """A task's name, what of it is a change when it is another, and the line that tells of it."""
    from frasier.interfaces.cli.task.wording import NOTICES, facts, reasons

    state = (task["status"], task["role"], task.get("held_by"), tuple(task.get("why", ())), *reasons(task))
    words = ", ".join(NOTICES[why][2] for why in task.get("why", ()))
    said = "; ".join(reasons(task))
    parts = (f"{task['task']}  {facts(task)}  [{task['role']}]", words, said, task.get("title", ""))
    return task["task"], state, "  ".join(part for part in parts if part)
