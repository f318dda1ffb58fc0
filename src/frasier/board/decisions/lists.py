"""Look up decisions: by id, those that are open, and those of whoever asked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from frasier.kernel.advice import Advice
from frasier.kernel.errors import InvalidInput, NotFound
from frasier.kernel.ids import CANDIDATES, ID_PART_MIN, id_part, only_match, parse_id
from frasier.store import Statements, Tx

_sql = Statements("frasier.board.decisions")


_SHOWN = Advice("task.decisions", to="see what is asked for")


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """One question to the founder about one move. `answer` is "approved", "rejected" or None; `used_at` is set once it
    is used, `withdrawn_at` once another request replaced it.

    `shown` has the positions between which the task would move, and the fields of the move. It is about `version` of
    the task, whose `fields` are as they are now, at `task_version`.
    """

    id: UUID
    task_id: UUID
    slug: str
    title: str
    process: str
    fields: Mapping[str, Any]
    task_version: int
    transition: str
    version: int
    digest: str
    shown: Mapping[str, Any]
    asked_by: str
    asked_at: datetime
    answer: str | None
    comment: str
    answered_by: str | None
    answered_at: datetime | None
    used_at: datetime | None
    reminded_at: datetime | None
    withdrawn_at: datetime | None

    @property
    def board(self) -> str:
        return str(self.fields["board"])

    @property
    def place(self) -> str:
        """The task as people name it across boards: board/name."""
        return f"{self.board}/{self.slug}"

    @property
    def is_open(self) -> bool:
        return self.answer is None and self.withdrawn_at is None and self.task_version == self.version


async def find_decision(tx: Tx, decision_id: UUID) -> Decision:
    """Return the decision; raises NotFound."""
    row = await _sql.maybe(tx, "get", id=decision_id)
    if row is None:
        raise _unknown(str(decision_id))
    return decision_of(row)


async def named_decision(tx: Tx, text: str) -> Decision:
    """Return the decision whose id is `text`, or begins or ends with it: of several the open one, if only one is open.

    Raises NotFound, and InvalidInput if `text` is too short for a part of an id.
    """
    if (whole := parse_id(text)) is not None:
        return await find_decision(tx, whole)
    if len(text.strip()) < ID_PART_MIN:
        raise InvalidInput(
            f"{text.strip()!r} is too short for an id.",
            kept="Nothing was decided.",
            hint=f"Give at least {ID_PART_MIN} characters of it.",
            advice=_SHOWN,
        )
    part = id_part(text)
    rows = await _sql.all(tx, "decisions_like", part=part, limit=CANDIDATES)
    matches = [decision_of(row) for row in rows]
    alike = [match for match in matches if match.is_open == matches[0].is_open]
    decision = only_match(text, "decisions", alike, lambda one: f"{one.id} ({one.transition} of {one.slug})")
    if decision is None:
        raise _unknown(text)
    return decision


def _unknown(text: str) -> NotFound:
    return NotFound(f"There is no decision {text[:60]!r}.", kept="Nothing was decided.", advice=_SHOWN)


async def open_decisions(tx: Tx, group_id: UUID | None = None) -> list[Decision]:
    """List the decisions that wait for the founder, longest first: not answered, and still about the task as it is."""
    return [decision_of(row) for row in await _sql.all(tx, "open", group_id=group_id)]


async def decisions_of(tx: Tx, asked_by: str) -> list[Decision]:
    """List the unused decisions that somebody asked for: open, approved or rejected, about tasks as they are."""
    return [decision_of(row) for row in await _sql.all(tx, "asked_by", asked_by=asked_by)]


def decision_of(row: Mapping[str, Any]) -> Decision:
    """Return the decision that a row holds."""
    return Decision(**row)
