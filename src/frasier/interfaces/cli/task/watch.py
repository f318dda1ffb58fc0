"""The work that waits for one person, as it changes: a page that is redrawn, or a line for each change."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from frasier.interfaces.cli.output import Page
from frasier.interfaces.cli.task.phrases import NOTICES, add_tasks, and_more, asked, facts, reasons
from frasier.kernel.humanize import plural

if TYPE_CHECKING:
    from frasier.interfaces.operations.tasks.outputs import TaskSummary


def draw_waiting(tasks: Sequence[TaskSummary], at_most: int) -> Page:
    """Draw the work that waits now, at most `at_most` tasks of it."""
    page = Page()
    if tasks:
        page.line((f"{plural(len(tasks), 'task')} to look at", "bold"))
    else:
        page.line("Nothing waits for you.")
    add_tasks(page, tasks[:at_most])
    if more := and_more(len(tasks) - len(tasks[:at_most])):
        page.line(*more)
    return page


def line_of(task: TaskSummary) -> tuple[str, tuple[Any, ...], str]:
    """Return a task's name, the part of it that counts as a change, and its line of text."""
    answers = tuple((move.decision, move.answer) for move in task.asked_founder)
    place = (task.status, task.role, task.held_by)
    state = (*place, task.why, answers, *reasons(task))
    words = ", ".join(NOTICES[why][2] for why in task.why)
    looks = "; ".join([*reasons(task), *(text for text, _ in asked(task))])
    parts = (f"{task.task}  {facts(task)}  [{task.role}]", words, looks, task.title)
    return task.task, state, "  ".join(part for part in parts if part)
