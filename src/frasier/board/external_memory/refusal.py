"""The refusal of a move that the external memory could not document: the task stays where it is."""

from __future__ import annotations

from frasier.kernel.advice import Advice
from frasier.kernel.errors import FrasierError, TransitionRefused


def as_refusal(error: FrasierError, task_slug: str) -> TransitionRefused:
    """Return the refusal of a move that could not be documented, with the reason. Raise it `from` the error."""
    why = error.message.strip().rstrip(".")
    if why.startswith("The "):
        why = f"the {why.removeprefix('The ')}"
    return TransitionRefused(
        f"The external memory cannot document this move ({why}), so {task_slug} stays where it is.",
        kept=f"{task_slug} is unchanged.",
        hint="Try again; if it stays down, block the task, which needs no external memory.",
        advice=Advice("task.block", to="block it"),
    )
