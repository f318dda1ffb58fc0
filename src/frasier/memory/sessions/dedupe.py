"""Deduplicate deliveries within a session: look up which candidates were sent, and record what is sent now.

A recall passes more candidates than its page holds, fills the page with those not yet sent, and records what it
sends, in one transaction under the session's lock. The saving is the sum of `tokens` of the candidates that would
have been on the page and were withheld.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from frasier.kernel.advice import Advice
from frasier.kernel.errors import NotFound
from frasier.memory.sessions.types import RULES, SessionRules
from frasier.store import Statements, Tx

_sql = Statements("frasier.memory.sessions")


@dataclass(frozen=True, slots=True, kw_only=True)
class DeliveryCandidate:
    """A memory that may be sent; `tokens` is its size in the form in which it would be sent."""

    memory_id: UUID
    fingerprint: bytes
    tokens: int


def fingerprint(content_hash: bytes, *, anchors: Iterable[str] = (), detail: str) -> bytes:
    """The 16-byte fingerprint of a delivery: the content, its sections in any order, and the level of detail.

    It changes with an edit of the memory, another section or another level of detail.
    """
    hashed = hashlib.blake2b(content_hash, digest_size=16)
    for part in (detail, *sorted(set(anchors))):
        hashed.update(b"\0" + part.encode())  # neither levels nor anchors contain a NUL
    return hashed.digest()


async def already_sent(
    tx: Tx, session_id: str, candidates: Sequence[DeliveryCandidate], *, rules: SessionRules = RULES
) -> dict[bytes, datetime]:
    """The fingerprints of the candidates that the session was sent, with the time.

    Locks the session until the transaction ends, so that of two concurrent recalls the second sees what the first
    sends. The caller must have opened the session (open_session), which checks its scope; raises NotFound (E071)
    if there is none.
    """
    await _lock(tx, session_id, rules)
    fingerprints = [candidate.fingerprint for candidate in candidates]
    rows = await _sql.all(tx, "find_deliveries", session_id=session_id, fingerprints=fingerprints)
    return {row["fingerprint"]: row["sent_at"] for row in rows}


async def mark_sent(
    tx: Tx,
    session_id: str,
    delivered: Sequence[DeliveryCandidate],
    *,
    asked_by: str = "",
    rules: SessionRules = RULES,
) -> None:
    """Record a recall by `asked_by` and that the session is sent `delivered`, in the transaction of the answer.

    Repeated deliveries are renewed; beyond `rules.deliveries_max` the oldest are deleted, under the session's lock.
    Raises NotFound (E071) if there is no such session.
    """
    await _lock(tx, session_id, rules)
    recorded = delivered[: rules.deliveries_max]
    if recorded:
        await _sql.run(
            tx,
            "record_deliveries",
            session_id=session_id,
            fingerprints=[candidate.fingerprint for candidate in recorded],
            memory_ids=[candidate.memory_id for candidate in recorded],
            tokens=[candidate.tokens for candidate in recorded],
        )
        await _sql.run(tx, "trim_deliveries", session_id=session_id, limit=rules.deliveries_max)
    await _sql.run(tx, "record_session_use", id=session_id, asked_by=asked_by or None)


async def _lock(tx: Tx, session_id: str, rules: SessionRules) -> None:
    """Lock the session, and delete its deliveries if it was idle for too long."""
    session = await _sql.maybe(tx, "lock_session", id=session_id)
    if session is None:
        raise unknown_session(session_id)
    if session["idle_s"] > rules.idle_s:
        await _sql.run(tx, "delete_deliveries", session_id=session_id)


def unknown_session(session_id: str) -> NotFound:
    """The error for a session that does not exist or is not the caller's, without telling which."""
    return NotFound(
        f"There is no session {session_id[:128]!r}.",
        kept="Nothing was changed.",
        hint="Omit the id to open a new session.",
        advice=Advice("session.list", to="see the sessions"),
        number="E071",
    )
