"""Nothing is sent twice within a session: which of many candidates it was sent, and what it is sent now.

A recall asks with more candidates than its page has places, fills the page with those that were not sent, and
notes what it sends, all in one transaction under the session's lock. What it saved is what those cost that
would have been on the page and were withheld: `tokens` of each.
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
class Candidate:
    """Something that may be sent: `tokens` is what it costs as it would be sent.

    `always`: sent however often it was sent before (constitutional memories), and not counted.
    """

    memory_id: UUID
    fingerprint: bytes
    tokens: int
    always: bool = False


def fingerprint(content_hash: bytes, *, anchors: Iterable[str] = (), detail: str) -> bytes:
    """The 16 bytes that stand for what is sent: the content, its sections in any order, and the level of detail.

    An edited memory, another section or more detail has another one.
    """
    hashed = hashlib.blake2b(content_hash, digest_size=16)
    for part in (detail, *sorted(set(anchors))):
        hashed.update(b"\0" + part.encode())  # neither levels nor anchors hold a NUL
    return hashed.digest()


async def already_sent(
    tx: Tx, session_id: str, candidates: Sequence[Candidate], *, rules: SessionRules = RULES
) -> dict[bytes, datetime]:
    """When the session was sent which fingerprints; those that it was not, and those sent always, are left out.

    Holds the session until the transaction ends, so that of two recalls at once the second sees what the first
    sends. The caller has opened the session (open_session), which is where its scope is checked; raises
    NotFound (E071) where there is none.
    """
    await _hold(tx, session_id, rules)
    asked = [candidate.fingerprint for candidate in candidates if not candidate.always]
    rows = await _sql.all(tx, "deliveries_of", session_id=session_id, fingerprints=asked)
    return {row["fingerprint"]: row["sent_at"] for row in rows}


async def mark_sent(
    tx: Tx,
    session_id: str,
    delivered: Sequence[Candidate],
    *,
    asked_by: str = "",
    rules: SessionRules = RULES,
) -> None:
    """Notes that `asked_by` asked, and that the session is sent `delivered`, in the transaction of the answer; what is
    sent again is renewed.

    Of more than `rules.deliveries_max` the oldest are forgotten, under the session's lock. Raises NotFound
    (E071) where there is no such session.
    """
    await _hold(tx, session_id, rules)
    noted = [candidate for candidate in delivered if not candidate.always][: rules.deliveries_max]
    if noted:
        await _sql.run(
            tx,
            "note_deliveries",
            session_id=session_id,
            fingerprints=[candidate.fingerprint for candidate in noted],
            memory_ids=[candidate.memory_id for candidate in noted],
            tokens=[candidate.tokens for candidate in noted],
        )
        await _sql.run(tx, "trim_deliveries", session_id=session_id, most=rules.deliveries_max)
    await _sql.run(tx, "use_session", id=session_id, asked_by=asked_by or None)


async def _hold(tx: Tx, session_id: str, rules: SessionRules) -> None:
    """Locks the session; what was sent before a long silence is forgotten."""
    session = await _sql.maybe(tx, "lock_session", id=session_id)
    if session is None:
        raise unknown_session(session_id)
    if session["idle_s"] > rules.idle_s:
        await _sql.run(tx, "forget_deliveries", session_id=session_id)


def unknown_session(session_id: str) -> NotFound:
    """The error for a session that is not there, or is not the caller's: which of both is not told."""
    return NotFound(
        f"There is no session {session_id[:128]!r}.",
        kept="Nothing was changed.",
        hint="Without an id a new one is opened.",
        advice=Advice("session.list", to="see the sessions"),
        number="E071",
    )
