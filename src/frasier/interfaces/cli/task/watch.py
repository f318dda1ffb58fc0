"""What waits for one person, as it changes: a page that is drawn anew, or a line for each change."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from frasier.interfaces.cli.output import Page

Task = dict[str, Any]


def draw_waiting(tasks: Sequence[Task], at_most: int) -> Page:
    """What waits now, `at_most` so many tasks of it."""
    from frasier.interfaces.cli.output import Page
    from frasier.interfaces.cli.task.phrases import add_tasks, and_more
    from frasier.kernel.humanize import plural

    page = Page()
    if tasks:
        page.line((f"{plural(len(tasks), 'task')} to look at", "bold"))
    else:
        page.line("Nothing waits for you.")
    add_tasks(page, tasks[:at_most])
    if more := and_more(len(tasks) - len(tasks[:at_most])):
        page.line(*more)
    return page


def line_of(task: Task) -> tuple[str, tuple[Any, ...], str]:
    """A task's name, what of it is a change when it is another, and the line that tells of it."""
    from frasier.interfaces.cli.task.phrases import NOTICES, asked, facts, reasons

    answers = tuple((one["decision"], one.get("answer")) for one in task.get("asked_founder", ()))
    place = (task["status"], task["role"], task.get("held_by"))
    state = (*place, tuple(task.get("why", ())), answers, *reasons(task))
    words = ", ".join(NOTICES[why][2] for why in task.get("why", ()))
    said = "; ".join([*reasons(task), *(text for text, _ in asked(task))])
    parts = (f"{task['task']}  {facts(task)}  [{task['role']}]", words, said, task.get("title", ""))
    return task["task"], state, "  ".join(part for part in parts if part)
