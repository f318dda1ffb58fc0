"""Sessions of the founder's page: a login link opens one, once; only hashes of their secrets are stored."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from frasier.kernel.advice import Advice
from frasier.kernel.errors import NotAllowed, NotFound
from frasier.kernel.ids import matching_id, new_id, only_match
from frasier.kernel.text import hash_secret, shorten, strip_control
from frasier.store import Statements, Tx, append_event, from_row

_sql = Statements("frasier.org.governance")

LINK_MINUTES = 15
"""The time in which a login link can be used."""
IDLE_HOURS = 72
"""The time that a session lasts without use."""
SESSION_DAYS = 30
"""The longest time that a session lasts."""

_RANDOM_BYTES = 32
_DEVICE_CHARS_MAX = 200
_ACTOR = "founder"


@dataclass(frozen=True, slots=True, kw_only=True)
class PageSession:
    """A session of a browser on the founder's page; a `read_only` one decides nothing. `device` is what the browser
    says of itself.
    """

    id: UUID
    read_only: bool
    device: str
    created_at: datetime
    seen_at: datetime
    expires_at: datetime
    revoked_at: datetime | None


async def issue_login_link(tx: Tx, *, read_only: bool = False) -> str:
    """Return the secret of a new login link, which opens one session within LINK_MINUTES."""
    secret = _new_secret()
    await _sql.run(
        tx,
        "insert_login_link",
        id=new_id(),
        secret_hash=hash_secret(secret),
        read_only=read_only,
        minutes=LINK_MINUTES,
    )
    return secret


async def open_page_session(tx: Tx, link_secret: str, *, device: str = "") -> tuple[str, PageSession]:
    """Use the link up and open a session; return the session's secret with it. Raises NotAllowed for a link that is
    unknown, used or too old.
    """
    link = await _sql.maybe(tx, "use_login_link", secret_hash=hash_secret(link_secret))
    if link is None:
        raise NotAllowed(
            "This login link was used before, or is too old.",
            kept="Nothing was shown or changed.",
            advice=Advice("page.open", to="get a new one"),
        )
    secret = _new_secret()
    row = await _sql.one(
        tx,
        "insert_session",
        id=new_id(),
        secret_hash=hash_secret(secret),
        read_only=link["read_only"],
        device=shorten(strip_control(device), _DEVICE_CHARS_MAX),
        days=SESSION_DAYS,
    )
    session = from_row(PageSession, row)
    payload = {"read_only": session.read_only, "device": session.device}
    await append_event(tx, stream=session.id, kind="page.session_opened", actor=_ACTOR, payload=payload)
    return secret, session


async def find_page_session(tx: Tx, secret: str) -> PageSession | None:
    """Return the open session of this secret and note that it is used; None if there is none."""
    row = await _sql.maybe(tx, "find_session", secret_hash=hash_secret(secret), idle_hours=IDLE_HOURS)
    if row is None:
        return None
    await _sql.run(tx, "touch_session", id=row["id"])
    return from_row(PageSession, row)


async def list_page_sessions(tx: Tx) -> list[PageSession]:
    """Return the open sessions, newest first."""
    return await _sql.all_as(PageSession, tx, "open_sessions", idle_hours=IDLE_HOURS)


async def revoke_page_sessions(tx: Tx, name: str | None = None) -> int:
    """End the open session whose id is `name`, or begins or ends with it; without one all. Return how many ended.

    Raises NotFound for an unknown session, and InvalidInput if several match.
    """
    only = None
    if name is not None:
        matches = matching_id(name, await list_page_sessions(tx))
        session = only_match(name, "sessions", matches, lambda session: f"{session.id} ({session.device})")
        if session is None:
            raise NotFound(
                f"No open session has the id {name[:60]!r}.",
                kept="Nothing was changed.",
                advice=Advice("page.sessions", to="see the open ones"),
            )
        only = session.id
    ended = await _sql.all(tx, "revoke_sessions", id=only)
    for row in ended:
        await append_event(tx, stream=row["id"], kind="page.session_ended", actor=_ACTOR)
    return len(ended)


def _new_secret() -> str:
    return secrets.token_urlsafe(_RANDOM_BYTES)
