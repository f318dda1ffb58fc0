"""Decisions as they stand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from frasier.kernel.advice import Advice
from frasier.kernel.errors import InvalidInput, NotFound
from frasier.kernel.ids import ID_PART_MIN, ambiguous, id_part, parse_id
from frasier.store import Statements, Tx

_sql = Statements("frasier.board.decisions")


_SHOWN = Advice("task.decisions", to="see what is asked for")


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """One question to the founder about one move. `answer` is approved, rejected or None; a used one is spent.

    `shown` tells from where to where the task would go, and what was said with the move. It is about `version` of the
    task, whose `fields` are as they are now, at `task_version`.
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

    @property
    def project(self) -> str:
        return str(self.fields["project"])

    @property
    def place(self) -> str:
        """The task as a person names it, whatever board it is on."""
        return f"{self.project}/{self.slug}"

    @property
    def is_open(self) -> bool:
        return self.answer is None and self.task_version == self.version


async def find_decision(tx: Tx, decision_id: UUID) -> Decision:
    """The decision; raises NotFound."""
    row = await _sql.maybe(tx, "get", id=decision_id)
    if row is None:
        raise _unknown(str(decision_id))
    return decision_of(row)


async def named_decision(tx: Tx, text: str) -> Decision:
    """The decision whose id is `text`, or begins or ends with it: of several the one that is open, if only one is.

    Raises NotFound, and InvalidInput for too little of an id.
    """
    if (whole := parse_id(text)) is not None:
        return await find_decision(tx, whole)
    if len(text.strip()) < ID_PART_MIN:
        raise InvalidInput(
            f"{text.strip()!r} is too little of an id.",
            kept="Nothing was decided.",
            hint=f"Give at least {ID_PART_MIN} characters of it.",
            advice=_SHOWN,
        )
    part = id_part(text)
    found = [decision_of(row) for row in await _sql.all(tx, "named", part=part)] if part else []
    if not found:
        raise _unknown(text)
    if len(found) > 1 and found[0].is_open == found[1].is_open:
        raise ambiguous(text, "decisions", [f"{one.id} ({one.transition} of {one.slug})" for one in found])
    return found[0]


def _unknown(text: str) -> NotFound:
    return NotFound(f"There is no decision {text[:60]!r}.", kept="Nothing was decided.", advice=_SHOWN)


async def open_decisions(tx: Tx, group_id: UUID | None = None) -> list[Decision]:
    """What waits for the founder, longest first: asked for, not answered, and still about the task as it is."""
    return [decision_of(row) for row in await _sql.all(tx, "open", group_id=group_id)]


async def decisions_of(tx: Tx, asked_by: str) -> list[Decision]:
    """What somebody asked for and has not made use of: open, approved or rejected, about tasks as they are."""
    return [decision_of(row) for row in await _sql.all(tx, "asked_by", asked_by=asked_by)]


def decision_of(row: Mapping[str, Any]) -> Decision:
    """The decision that a row holds."""
    return Decision(**row)
