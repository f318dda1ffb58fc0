"""Stored post-mortems of missions. They are documents, which their reader computes and understands."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from psycopg.types.json import Jsonb

from frasier.store import Statements, Tx

_sql = Statements("frasier.org.improvement")


@dataclass(frozen=True, slots=True, kw_only=True)
class NewPostMortem:
    """The post-mortem of a mission that ended at `ended_at`. `shape` names the form of its document."""

    mission_id: UUID
    ended_at: datetime
    shape: str
    document: dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredPostMortem(NewPostMortem):
    """A post-mortem as it was stored."""

    stored_at: datetime


async def missions_without_post_mortem(tx: Tx) -> list[UUID]:
    """Return the missions that have ended and whose post-mortem is not stored, those of the latest end first."""
    return [row["id"] for row in await _sql.all(tx, "missions_without_post_mortem")]


async def store_post_mortem(tx: Tx, new: NewPostMortem) -> None:
    """Store a post-mortem; it takes the place of one of the same end."""
    await _sql.run(
        tx,
        "store_post_mortem",
        mission_id=new.mission_id,
        ended_at=new.ended_at,
        shape=new.shape,
        document=Jsonb(new.document),
    )


async def stored_post_mortem(tx: Tx, mission_id: UUID) -> StoredPostMortem | None:
    """Return the post-mortem of the last end of a mission."""
    return await _sql.maybe_as(StoredPostMortem, tx, "stored_post_mortem", mission_id=mission_id)


async def missions_ended_since(tx: Tx, since: datetime | None, *, rehearsal: bool, limit: int) -> list[UUID]:
    """Return the missions that have ended since a moment, with models or rehearsals, the last ones first."""
    rows = await _sql.all(tx, "missions_ended_since", since=since, rehearsal=rehearsal, limit=limit)
    return [row["id"] for row in rows]
