"""The legend of a board: every role that acts, what each notice means, and the status that every process has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from frasier.board import Notice
from frasier.interfaces.operations.tasks.read import ProcessOutput

BLOCKED_MEANING = "paused at its exact place until somebody acts"
"""The one status that no process definition has, because every process has it."""

NOTICE_WORDS: Mapping[Notice, str] = {
    Notice.TURN: "your turn",
    Notice.HELD: "you hold it",
    Notice.RESTORED: "the pause is over: renew it, and go on",
    Notice.LEASE_ENDS: "its lease ends soon",
    Notice.NOT_MOVED: "written, and not moved",
    Notice.BLOCKED: "blocked",
    Notice.FOUNDER_DECIDES: "the founder decides",
    Notice.APPROVED: "the founder approved it, and it is not made yet",
    Notice.REJECTED: "the founder rejected it",
    Notice.JUDGEMENT_CLEARED: "what was judged has changed: say it again",
    Notice.ORPHANED: "stands for more than a day",
}
"""The words of each notice."""


def roles_of(tables: Sequence[ProcessOutput]) -> list[str]:
    """Return every role that may have to act, by name."""
    return sorted({role for table in tables for status in table.statuses for role in status.roles})
