"""Hints after a deletion: what can still bring the memories back, and which others they had retired."""

from __future__ import annotations

from frasier.kernel.advice import Advice
from frasier.kernel.humanize import plural
from frasier.memory import Deleted

_NAMED_MAX = 3


def remaining_copies(deleted: Deleted) -> tuple[str | Advice, ...]:
    """Tell which files and earlier checkpoints still hold what was deleted, and which memories it had retired."""
    hints: list[str | Advice] = []
    if deleted.files:
        hints.append(
            f"It came from {_named(deleted.files)}, which is unchanged: an edit of the file, or a scan with force,"
            " brings it back. Delete the file as well."
        )
    if deleted.held_in:
        hints.append(
            f"{plural(len(deleted.held_in), 'earlier checkpoint')} can still bring it back:"
            f" {_named(deleted.held_in)}."
        )
        hints += [
            Advice("checkpoint.delete", to="remove that copy", name=name)
            for name in deleted.held_in[:_NAMED_MAX]
        ]
    if deleted.held_elsewhere:
        hints.append(
            f"{plural(deleted.held_elsewhere, 'checkpoint')} that you may not delete can still bring it back:"
            " ask the founder to delete what holds it."
        )
    if deleted.retired:
        hints.append(
            f"{plural(len(deleted.retired), 'memory')} that it denied"
            f" {'is' if len(deleted.retired) == 1 else 'are'} still retired, and not recalled."
        )
        hints += [
            Advice("memory.reinstate", to="bring it back", id=str(memory_id))
            for memory_id in deleted.retired[:_NAMED_MAX]
        ]
    return tuple(hints)


def _named(names: tuple[str, ...]) -> str:
    more = len(names) - _NAMED_MAX
    return ", ".join(names[:_NAMED_MAX]) + (f" and {more} more" if more > 0 else "")
