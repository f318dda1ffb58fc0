"""Missions: directives carried out as graphs of steps."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from frasier.kernel.advice import Advice
from frasier.kernel.deliverable_kind import DeliverableKind
from frasier.kernel.errors import NotFound, Stale
from frasier.kernel.ids import parse_id
from frasier.kernel.mission_depth import MissionDepth
from frasier.store import Statements, Tx, append_event, find_row, from_row
from frasier.workflow import SYSTEM, Actor

_sql = Statements("frasier.org.missions")

PUBLISH_FOLDER = "publish.folder"
"""The kind of effect that writes a mission's folder."""


class MissionStatus(StrEnum):
    """The status of a mission.

    `completed`: the final deliverable is approved and stored. `delivered`: its folder is confirmed to be there.
    """

    PLANNING = "planning"
    IN_PROGRESS = "in_progress"
    PAUSED = "paused"
    COMPLETED = "completed"
    DELIVERED = "delivered"
    FAILED = "failed"
    CANCELLED = "cancelled"

    @property
    def ended(self) -> bool:
        return self in {MissionStatus.DELIVERED, MissionStatus.FAILED, MissionStatus.CANCELLED}

    @property
    def depends_on_answers(self) -> bool:
        """Whether an open question decides how the mission goes on: also of one that failed, which it may take up."""
        return not self.ended or self is MissionStatus.FAILED


@dataclass(frozen=True, slots=True, kw_only=True)
class Mission:
    """A mission. `kind` is that of the deliverable and `depth` that of the work, where the founder asks for one.

    `final_deliverable` is the approved one; while a new version is made, that before it. With `asks_plan` its plan
    waits for the founder's approval; with `may_ask` the planner may ask one question.
    """

    id: UUID
    title: str
    directive: str
    status: MissionStatus
    status_before_pause: str | None
    destination: str
    delivered_path: str | None
    rehearsal: bool
    web_search: bool
    source_count: int
    skipped_sources: list[str]
    kind: DeliverableKind | None
    depth: MissionDepth | None
    with_earlier: bool
    asks_plan: bool
    may_ask: bool
    failure: str | None
    final_deliverable: UUID | None
    created_at: datetime
    updated_at: datetime
    completed_at: datetime | None
    delivered_at: datetime | None

    @property
    def ended_at(self) -> datetime | None:
        """The moment of its end; None while it goes on."""
        return self.delivered_at or (self.updated_at if self.status.ended else None)

    @property
    def uses_earlier_results(self) -> bool:
        """Whether results of earlier missions are sources: where the founder wants them, or gave no documents."""
        return self.with_earlier or self.source_count == 0

    @property
    def has_other_sources(self) -> bool:
        """Whether anything may be researched beside documents: the web, or results of earlier missions."""
        return self.web_search or self.uses_earlier_results


async def lock_mission(tx: Tx, mission_id: UUID) -> None:
    """Lock a mission against changes until the transaction ends."""
    await _sql.one(tx, "lock_mission", id=mission_id)


async def get_mission(tx: Tx, mission_id: UUID) -> Mission:
    """Return the mission; raise NotFound."""
    row = await _sql.maybe(tx, "get_mission", id=mission_id)
    if row is None:
        raise NotFound(
            f"There is no mission {mission_id}.", advice=Advice("mission.list", to="see those that there are")
        )
    return from_row(Mission, row)


async def find_mission(tx: Tx, text: str) -> Mission:
    """Find the mission by its id, or a unique end or beginning of it; "last" means the newest."""
    if (exact := parse_id(text)) is not None:
        return await get_mission(tx, exact)
    row = await find_row(
        tx, _sql, "missions_like", text, what="missions", label=lambda row: f"{row['id']} ({row['title']})"
    )
    if row is not None:
        return from_row(Mission, row)
    if text == "last":
        raise NotFound(
            "There is no mission yet.", advice=Advice("mission.start", to="start one", sources="DIR")
        )
    raise NotFound(
        f"There is no mission {text!r}.", advice=Advice("mission.list", to="see those that there are")
    )


async def list_missions(
    tx: Tx,
    *,
    limit: int = 50,
    statuses: Collection[MissionStatus] | None = None,
    is_open: bool | None = None,
    before: UUID | None = None,
) -> list[Mission]:
    """Return missions, newest first: of those `statuses` and older than the mission `before`, if these are given.

    One that failed is open as long as a question about it waits for the founder.
    """
    return await _sql.all_as(
        Mission,
        tx,
        "list_missions",
        limit=limit,
        statuses=None if statuses is None else sorted(statuses),
        is_open=is_open,
        before=before,
    )


async def open_missions_of_means(tx: Tx, *, rehearsal: bool) -> list[UUID]:
    """Return the missions that have not ended and are carried out by the rehearsal, or by models."""
    return [row["id"] for row in await _sql.all(tx, "open_missions_of_means", rehearsal=rehearsal)]


async def count_missions(tx: Tx) -> dict[MissionStatus, int]:
    """Count the missions by status; a status without missions is omitted."""
    counts = {row["status"]: int(row["missions"]) for row in await _sql.all(tx, "count_missions")}
    return {status: counts[status] for status in MissionStatus if status in counts}


async def count_failed_in_question(tx: Tx) -> int:
    """Count the missions that failed and whose question waits for the founder."""
    return int((await _sql.one(tx, "count_failed_in_question"))["missions"])


async def titles_of(tx: Tx, ids: Iterable[UUID]) -> dict[UUID, str]:
    """Return the titles of the missions that exist."""
    return {row["id"]: row["title"] for row in await _sql.all(tx, "titles_of", ids=list(ids))}


async def set_status(
    tx: Tx, mission: Mission, status: MissionStatus, *, actor: Actor, reason: str = ""
) -> Mission:
    """Move a mission from its known status; raise Stale if it was changed meanwhile."""
    row = await _sql.maybe(
        tx,
        "set_status",
        id=mission.id,
        expected=mission.status,
        status=status,
        failure=reason if status is MissionStatus.FAILED else None,
    )
    if row is None:
        raise Stale(f"The mission {mission.title!r} was changed by somebody else first.")
    await append_event(
        tx, stream=mission.id, kind=f"mission.{status}", actor=str(actor), payload={"reason": reason}
    )
    return from_row(Mission, row)


async def complete_mission(tx: Tx, mission: Mission, *, deliverable_id: UUID, digest: str) -> None:
    """Complete a mission with its final deliverable, which is named in the same statement."""
    await _sql.one(tx, "complete_mission", id=mission.id, deliverable=deliverable_id)
    payload = {"deliverable": str(deliverable_id), "digest": digest}
    await append_event(tx, stream=mission.id, kind="mission.completed", actor=str(SYSTEM), payload=payload)


async def mark_delivered(tx: Tx, mission_id: UUID, path: str) -> Mission | None:
    """Mark a completed mission as delivered to an existing folder; return None for one that is not completed."""
    row = await _sql.maybe(tx, "deliver_mission", id=mission_id, path=path)
    if row is None:
        return None
    await append_event(
        tx, stream=mission_id, kind="mission.delivered", actor=str(SYSTEM), payload={"path": path}
    )
    return from_row(Mission, row)
