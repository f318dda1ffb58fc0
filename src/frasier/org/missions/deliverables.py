"""Deliverables: every version of every step's result, kept for ever."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import asdict, dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any
from uuid import UUID

from psycopg.rows import DictRow
from psycopg.types.json import Jsonb
from pydantic import TypeAdapter

from frasier.kernel.copy_fields import copy_fields
from frasier.kernel.errors import BadReply, NotFound
from frasier.kernel.ids import new_id
from frasier.kernel.text import digest
from frasier.llm import Citations, Reply, Tier, Verification
from frasier.org.missions.deliverable_rules import find_faults
from frasier.org.missions.result_table import ResultTable
from frasier.store import Statements, Tx, parameters_of

if TYPE_CHECKING:
    from frasier.llm.reply_schemas import CritiqueReply

REHEARSAL = "rehearsal"
"""The mark in the provenance of a memory that was made without a model; it is never told to one."""

_sql = Statements("frasier.org.missions")
_VERIFICATION = TypeAdapter(Verification)
_TABLE = TypeAdapter(ResultTable | None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A finished text before it is stored, with its computed properties and its origin."""

    content: str
    citations: Citations
    verification: Verification
    critique: CritiqueReply | None
    questions: tuple[str, ...]
    tier_asked: Tier
    tier_served: Tier
    provider: str
    model: str
    degraded: bool
    rehearsal: bool
    table: ResultTable | None = None
    queries: tuple[str, ...] = ()

    @classmethod
    def of(
        cls,
        reply: Reply,
        *,
        citations: Citations,
        verification: Verification,
        critique: CritiqueReply | None,
        questions: tuple[str, ...],
        degraded: bool = False,
        table: ResultTable | None = None,
        queries: tuple[str, ...] = (),
    ) -> Draft:
        """Build the draft of a model's reply. `degraded` adds other degradations; `queries` found something."""
        return copy_fields(
            cls,
            reply,
            content=reply.text.strip(),
            citations=citations,
            verification=verification,
            critique=critique,
            questions=questions,
            degraded=reply.degraded or degraded,
            table=table,
            queries=queries,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Deliverable:
    """A stored version. `digest` is the SHA-256 of `content`, `author` the agent who wrote it."""

    id: UUID
    task_id: UUID
    mission_id: UUID
    version: int
    attempt: int
    content: str
    digest: str
    citations: Citations
    verification: Verification
    critique: dict[str, Any] | None
    critique_mean: float | None
    questions: list[str] = field(default_factory=list)
    queries: list[str] = field(default_factory=list)
    tier_asked: Tier
    tier_served: Tier
    provider: str
    model: str
    degraded: bool
    rehearsal: bool
    created_at: datetime
    author: UUID | None = None
    table: ResultTable | None = None


async def store_deliverable(
    tx: Tx, *, task_id: UUID, mission_id: UUID, attempt: int, draft: Draft, author: UUID | None = None
) -> Deliverable:
    """Store the next version of a step's result; raise BadReply for a text that breaks the rules.

    The author is the agent who has the step, unless another wrote it before the step was handed over.
    """
    if faults := find_faults(draft.content):
        raise BadReply(f"The text is no deliverable: {' '.join(faults)}")
    row = await _sql.one(
        tx,
        "insert_deliverable",
        id=new_id(),
        task_id=task_id,
        mission_id=mission_id,
        attempt=attempt,
        author=author,
        digest=digest(draft.content),
        critique_mean=draft.critique.mean if draft.critique else None,
        **parameters_of(draft)
        | {
            "citations": Jsonb(asdict(draft.citations)),
            "verification": Jsonb(asdict(draft.verification)),
            "critique": Jsonb(draft.critique.model_dump()) if draft.critique else None,
            "table": Jsonb(asdict(draft.table)) if draft.table else None,
            "questions": list(draft.questions),
            "queries": list(draft.queries),
        },
    )
    return _deliverable(row)


async def get_deliverable(tx: Tx, deliverable_id: UUID) -> Deliverable:
    """Return a version; raise NotFound."""
    row = await _sql.maybe(tx, "get_deliverable", id=deliverable_id)
    if row is None:
        raise NotFound(f"There is no deliverable {deliverable_id}.")
    return _deliverable(row)


async def deliverables_of(tx: Tx, task_ids: list[UUID]) -> list[Deliverable]:
    """Return every version of the given steps, oldest first."""
    return [_deliverable(row) for row in await _sql.all(tx, "deliverables_of", task_ids=task_ids)]


async def accepted_deliverables(tx: Tx, task_ids: list[UUID]) -> dict[UUID, Deliverable]:
    """Return the newest version of each given step that is completed."""
    rows = await _sql.all(tx, "accepted_deliverables", task_ids=task_ids)
    return {row["task_id"]: _deliverable(row) for row in rows}


async def superseded_deliverables(tx: Tx, deliverable_ids: Collection[UUID]) -> set[UUID]:
    """Return those of the given versions that are in force no more: a later one took their place.

    The result of a mission stays in force while a new version of it is made.
    """
    rows = await _sql.all(tx, "superseded_deliverables", deliverable_ids=list(deliverable_ids))
    return {row["id"] for row in rows}


async def find_deliverable_of_text(tx: Tx, sha256: str) -> Deliverable | None:
    """Return the newest version whose text has that SHA-256."""
    row = await _sql.maybe(tx, "deliverable_of_text", digest=sha256)
    return _deliverable(row) if row else None


async def get_deliverables(tx: Tx, deliverable_ids: Collection[UUID]) -> dict[UUID, Deliverable]:
    """Return some versions by their ids."""
    rows = await _sql.all(tx, "get_deliverables", deliverable_ids=list(deliverable_ids))
    return {row["id"]: _deliverable(row) for row in rows}


def _deliverable(row: DictRow) -> Deliverable:
    facts = row["citations"]
    citations = Citations(
        **{**facts, **{name: tuple(facts[name]) for name in ("cited", "unknown", "uncited_examples")}}
    )
    tiers = {"tier_asked": Tier(row["tier_asked"]), "tier_served": Tier(row["tier_served"])}
    verification = _VERIFICATION.validate_python(row["verification"])
    table = _TABLE.validate_python(row.pop("result_table"))
    return Deliverable(
        **{**row, **tiers, "citations": citations, "verification": verification, "table": table}
    )
