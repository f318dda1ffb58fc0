"""Shared deliverables: which links there are, and what whoever holds the secret of one may read."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from frasier.kernel.copy_fields import copy_fields
from frasier.kernel.errors import NotFound
from frasier.org.missions import (
    ShareLink,
    deliverables_of,
    find_mission,
    get_mission,
    open_share,
    share_links,
    steps_of,
    titles_of,
)
from frasier.overview.deliverable import DeliverableText, page_of
from frasier.store import Tx


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedDeliverable(DeliverableText):
    """A deliverable as whoever has the link reads it, and nothing else of its mission; until `ends_at`."""

    ends_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class ShareSummary:
    """A link as a line, `valid` until it ends or is revoked. `version` is None where it follows the approved one."""

    share: UUID
    mission: UUID
    title: str
    version: int | None
    created_at: datetime
    ends_at: datetime
    revoked_at: datetime | None
    valid: bool


async def read_shared(tx: Tx, secret: str) -> SharedDeliverable:
    """Read the deliverable of the link with that secret; raises NotFound if there is none that is valid."""
    link = await open_share(tx, secret)
    mission = await get_mission(tx, link.mission_id)
    final = next(step for step in await steps_of(tx, mission.id) if step.is_final)
    versions = await deliverables_of(tx, [final.task_id])
    wanted = link.deliverable_id or mission.final_deliverable
    shown = next((one for one in versions if one.id == wanted), None)
    if shown is None:
        raise NotFound("The result of this link is not there any more.")
    page = await page_of(tx, mission, final, versions, shown, mission.final_deliverable)
    return copy_fields(SharedDeliverable, page, ends_at=link.ends_at)


async def read_shares(tx: Tx, mission: str | None = None, *, limit: int) -> tuple[ShareSummary, ...]:
    """Read the links, newest first; those of one mission if it is named."""
    only = (await find_mission(tx, mission)).id if mission else None
    links = await share_links(tx, only, limit=limit)
    return await summaries_of(tx, *links)


async def summaries_of(tx: Tx, *links: ShareLink) -> tuple[ShareSummary, ...]:
    """Return links as lines."""
    missions = {link.mission_id for link in links}
    titles = await titles_of(tx, list(missions))
    finals = [step.task_id for one in missions for step in await steps_of(tx, one) if step.is_final]
    versions = {made.id: made.version for made in await deliverables_of(tx, finals)}
    return tuple(
        ShareSummary(
            share=link.id,
            mission=link.mission_id,
            title=titles[link.mission_id],
            version=versions[link.deliverable_id] if link.deliverable_id else None,
            created_at=link.created_at,
            ends_at=link.ends_at,
            revoked_at=link.revoked_at,
            valid=link.valid,
        )
        for link in links
    )
