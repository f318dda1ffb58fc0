"""Hand-over notes: what an accepted result found, leaves open, and where it misleads, for the steps that build on it.

They are computed from the accepted version: its verification, the questions that it does not answer, and the gaps that
its last critique named.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from uuid import UUID

from frasier.kernel.humanize import plural
from frasier.kernel.text import shorten
from frasier.org.missions.deliverables import Deliverable
from frasier.org.missions.step_learning import unknown_questions
from frasier.store import Statements, Tx, from_row

_sql = Statements("frasier.org.missions")

_NOTES_MAX = 5
_NOTE_CHARS = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class HandoverNotes:
    """The notes that go with an accepted version: what was `found`, what is `unsettled`, and the `traps` in it."""

    deliverable_id: UUID
    task_id: UUID
    found: str
    unsettled: list[str]
    traps: list[str]

    @property
    def lines(self) -> tuple[str, ...]:
        """The notes as they are told to a colleague, a line each."""
        return (
            f"Found: {self.found}",
            *(f"Open: {one}" for one in self.unsettled),
            *(f"Trap: {one}" for one in self.traps),
        )


async def store_handover_notes(tx: Tx, accepted: Deliverable) -> None:
    """Store the notes of a version that is accepted."""
    await _sql.run(
        tx,
        "insert_handover_notes",
        deliverable_id=accepted.id,
        task_id=accepted.task_id,
        found=found_in(accepted),
        unsettled=unsettled_in(accepted),
        traps=traps_in(accepted),
    )


async def handover_notes_of(tx: Tx, deliverable_ids: Collection[UUID]) -> dict[UUID, HandoverNotes]:
    """Return the notes of versions, by version."""
    rows = await _sql.all(tx, "handover_notes_of", ids=list(deliverable_ids))
    return {row["deliverable_id"]: from_row(HandoverNotes, row) for row in rows}


def found_in(accepted: Deliverable) -> str:
    """Return how much of a version is verified, and from how many sources it is."""
    cited = plural(len(accepted.citations.cited), "source")
    return f"{accepted.verification.headline}, from {cited}."


def unsettled_in(accepted: Deliverable) -> list[str]:
    """Return the questions that a version does not answer, and the gaps that its critique named."""
    gaps = (accepted.critique or {}).get("gaps", [])
    return _shortened([*unknown_questions(accepted.questions, [accepted.content]), *gaps])


def traps_in(accepted: Deliverable) -> list[str]:
    """Return the statements of a version that its sources do not carry, and that it was made with less than asked."""
    doubtful = [
        f"“{shorten(one.text, _NOTE_CHARS // 2)}” is doubtful: {'; '.join(one.findings)}"
        for one in accepted.verification.statements
        if one.verdict == "doubtful"
    ]
    lesser = ["It was made by a lower tier than asked for, or with fewer means."] if accepted.degraded else []
    return _shortened([*doubtful, *lesser])


def _shortened(notes: list[str]) -> list[str]:
    return [shorten(" ".join(note.split()), _NOTE_CHARS) for note in dict.fromkeys(notes)][:_NOTES_MAX]
