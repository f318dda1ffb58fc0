"""Links by which anybody may read one deliverable until they end or are revoked; only a hash of a secret is stored."""

from __future__ import annotations

import hmac
import secrets
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from frasier.kernel.advice import Advice
from frasier.kernel.errors import InvalidInput, NotFound
from frasier.kernel.ids import new_id
from frasier.kernel.text import hash_secret
from frasier.org.missions.deliverables import deliverables_of
from frasier.org.missions.missions import Mission, find_mission
from frasier.org.missions.steps import steps_of
from frasier.store import Statements, Tx, append_event, find_row, from_row
from frasier.workflow import FOUNDER

_sql = Statements("frasier.org.missions")

_RANDOM_BYTES = 32
_SECRET_CHARS_MAX = 100
DAYS_MAX = 365
"""The most days that a link may be valid."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShareLink:
    """A stored link, without its secret. It shows the version `deliverable_id`, without one always the approved one.

    It is `valid` until it ends or is revoked.
    """

    id: UUID
    mission_id: UUID
    deliverable_id: UUID | None
    created_at: datetime
    ends_at: datetime
    revoked_at: datetime | None
    valid: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class NewShareLink:
    """A link that was just made, with its secret, which cannot be read again."""

    link: ShareLink
    mission: Mission
    version: int
    secret: str


async def share_deliverable(
    tx: Tx, name: str, *, version: int | None = None, latest: bool = False, days: int = 30
) -> NewShareLink:
    """Make a link to the approved result of a mission, or to another `version` of it, valid for so many days.

    With `latest` it shows whichever version is the approved one when it is opened. Raises InvalidInput where there is
    no approved result, and NotFound for an unknown version.
    """
    if not 1 <= days <= DAYS_MAX:
        raise InvalidInput(f"A link is valid for 1 to {DAYS_MAX} days.", kept="No link was made.")
    if latest and version is not None:
        raise InvalidInput(
            "A link shows one version, or always the latest, and not both.", kept="No link was made."
        )
    mission = await find_mission(tx, name)
    if mission.final_deliverable is None:
        raise InvalidInput(
            f"The mission {mission.title!r} has no approved result yet.",
            kept="No link was made.",
            advice=Advice("mission.show", to="see how far it is", mission=str(mission.id)[-8:]),
        )
    final = next(step for step in await steps_of(tx, mission.id) if step.is_final)
    made = await deliverables_of(tx, [final.task_id])
    shown = next(
        (
            one
            for one in made
            if (one.id == mission.final_deliverable if version is None else one.version == version)
        ),
        None,
    )
    if shown is None:
        known = ", ".join(str(one.version) for one in made)
        raise NotFound(
            f"There is no version {version}.", kept="No link was made.", hint=f"There is: {known}."
        )
    secret = secrets.token_urlsafe(_RANDOM_BYTES)
    row = await _sql.one(
        tx,
        "insert_share_link",
        id=new_id(),
        mission_id=mission.id,
        deliverable_id=None if latest else shown.id,
        secret_hash=hash_secret(secret),
        days=days,
    )
    link = from_row(ShareLink, row)
    await _note(tx, link, "mission.shared")
    return NewShareLink(link=link, mission=mission, version=shown.version, secret=secret)


async def share_links(tx: Tx, mission_id: UUID | None = None, *, limit: int) -> list[ShareLink]:
    """Return the links, newest first, also those that ended; of one mission if it is named."""
    return await _sql.all_as(ShareLink, tx, "share_links", mission_id=mission_id, limit=limit)


async def revoke_share(tx: Tx, name: str) -> ShareLink:
    """Revoke the link of that id, its beginning or end; one that is revoked stays so. Raises NotFound."""
    row = await find_row(tx, _sql, "share_links_like", name, what="links", label=lambda row: str(row["id"]))
    if row is None:
        raise NotFound(
            f"There is no link {name[:60]!r}.", advice=Advice("share.list", to="see those that there are")
        )
    revoked = await _sql.one_as(ShareLink, tx, "revoke_share_link", id=row["id"])
    if row["revoked_at"] is None:
        await _note(tx, revoked, "mission.unshared")
    return revoked


async def open_share(tx: Tx, secret: str) -> ShareLink:
    """Return the valid link with that secret; raises NotFound, the same for unknown, ended and revoked ones."""
    hashed = hash_secret(secret[:_SECRET_CHARS_MAX])
    row = await _sql.maybe(tx, "valid_share_link", secret_hash=hashed)
    if row is None or not hmac.compare_digest(bytes(row.pop("secret_hash")), hashed):
        raise NotFound("This link is not valid, or not any more.", hint="Ask whoever sent it for a new one.")
    return from_row(ShareLink, row)


async def _note(tx: Tx, link: ShareLink, kind: str) -> None:
    await append_event(
        tx,
        stream=link.mission_id,
        kind=kind,
        actor=str(FOUNDER),
        payload={"share": str(link.id), "ends_at": link.ends_at.isoformat()},
    )
