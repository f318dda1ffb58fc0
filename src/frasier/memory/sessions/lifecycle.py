"""Open, update, complete, recover and resume sessions.

A session is owned by the process that serves it. Using a session whose owner is dead takes ownership; using one
that another living process serves is allowed and leaves the ownership unchanged.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

from psycopg.rows import DictRow
from psycopg.types.json import Jsonb

from frasier.kernel.advice import Advice
from frasier.kernel.errors import InvalidInput, Stale
from frasier.kernel.ids import new_id
from frasier.memory.access import Caller
from frasier.memory.list_limit import check_limit
from frasier.memory.sessions.dedupe import unknown_session
from frasier.memory.sessions.notes import clean_state, clean_text
from frasier.memory.sessions.types import RULES, Session, SessionRules, SessionStatus
from frasier.store import Statements, Tx, from_row, process_has_ended, process_name

_sql = Statements("frasier.memory.sessions")
_LATEST = 100
_COMPLETED_DAYS = 30

# The schema holds the same pattern.
_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:-]{0,127}")


async def open_session(
    tx: Tx,
    caller: Caller,
    session_id: str | None = None,
    *,
    scope: str | None = None,
    owner: str | None = None,
    rules: SessionRules = RULES,
) -> Session:
    """Open the session of that id, creating it if needed; without an id, a new one.

    A new session belongs to `scope`, by default the caller's first; an existing one keeps its scope. `owner` is
    this process by default. `recovered` is set if the session was interrupted. Raises InvalidInput (E071) for an
    invalid id, NotFound (E071) for a session outside the caller's scopes, and NotAllowed for such a `scope`.
    """
    session_id = _check_id(session_id) if session_id is not None else str(new_id())
    [home] = caller.allow([scope]) if scope is not None else [caller.home]
    owner = owner or process_name()
    await _sql.run(tx, "create_session", id=session_id, scope=home, owner=owner)
    locked = await _lock(tx, caller, session_id)
    session = await _take_up(tx, session_id, locked, owner, rules)
    return replace(session, recovered=locked["status"] == SessionStatus.INTERRUPTED)


async def read_session(tx: Tx, caller: Caller, session_id: str) -> Session:
    """The session as stored; reading does not count as use. Raises NotFound (E071)."""
    row = await _sql.maybe(tx, "read_session", id=_check_id(session_id), scopes=list(caller.scopes))
    if row is None:
        raise unknown_session(session_id)
    return from_row(Session, row)


async def list_sessions(
    tx: Tx, caller: Caller, *, status: SessionStatus | None = None, limit: int = 20
) -> list[Session]:
    """The caller's sessions, most recently used first; `limit` is 1 to 100."""
    check_limit(limit, hint="Ask for fewer at once.")
    return await _sql.all_as(
        Session, tx, "list_sessions", scopes=list(caller.scopes), status=status, limit=limit
    )


async def update_session(
    tx: Tx,
    caller: Caller,
    session_id: str,
    *,
    task: str | None = None,
    last_action: str | None = None,
    summary: str | None = None,
    pending_work: str | None = None,
    state: Mapping[str, Any] | None = None,
    owner: str | None = None,
) -> Session:
    """Record the state of the work; omitted fields keep their values. Secrets are removed from every text.

    Raises NotFound (E071), InvalidInput if a value is too long or not JSON, and Stale (E070) if the session was
    completed.
    """
    texts = {
        "task": clean_text("The task", task),
        "last_action": clean_text("The last action", last_action),
        "summary": clean_text("The summary", summary),
        "pending_work": clean_text("The pending work", pending_work),
    }
    cleaned = clean_state(state)
    locked = await _lock(tx, caller, _check_id(session_id))
    if locked["status"] == SessionStatus.COMPLETED:
        raise Stale(
            f"The session {session_id} is completed.",
            kept="The session is unchanged.",
            advice=Advice("session.recover", to="resume it", session=session_id),
            number="E070",
        )
    await _take_up(tx, session_id, locked, owner or process_name(), RULES)
    return await _sql.one_as(
        Session,
        tx,
        "update_session",
        id=session_id,
        state=None if cleaned is None else Jsonb(cleaned),
        **texts,
    )


async def complete_session(tx: Tx, caller: Caller, session_id: str) -> Session:
    """Mark the session as completed; idempotent. Raises NotFound (E071)."""
    await _lock(tx, caller, _check_id(session_id))
    return await _sql.one_as(Session, tx, "complete_session", id=session_id)


async def beat_sessions(tx: Tx, session_ids: Collection[str], owner: str | None = None) -> frozenset[str]:
    """Record a heartbeat of the owner (by default this process); returns the sessions that it still owns.

    A session missing from the result was completed, or declared dead and perhaps taken over: resume it or drop it.
    A heartbeat does not count as use: a session without other activity still becomes idle.
    """
    rows = await _sql.all(tx, "record_heartbeat", ids=sorted(set(session_ids)), owner=owner or process_name())
    return frozenset(row["id"] for row in rows)


async def recover_sessions(tx: Tx) -> list[str]:
    """Mark the sessions as interrupted whose process has sent no heartbeat for too long; returns their ids.

    The database's clock decides, in every process alike; sessions of living processes are left alone.
    """
    return [row["id"] for row in await _sql.all(tx, "interrupt_silent_sessions", silent_s=RULES.silent_s)]


async def resume_session(
    tx: Tx,
    caller: Caller,
    session_id: str,
    *,
    owner: str | None = None,
    force: bool = False,
    forget_sent: bool = False,
) -> Session:
    """Resume the session, whatever its status; `recovered` is set.

    Earlier deliveries still count as sent unless `forget_sent`, which is for an agent that lost its context. Raises
    NotFound (E071), and Stale (E072) if another living process serves it and `force` is not set.
    """
    owner = owner or process_name()
    locked = await _lock(tx, caller, _check_id(session_id))
    if not force and _served_by_another(locked, owner, RULES):
        raise Stale(
            f"Another process ({locked['owner']}) serves the session {session_id};"
            f" its last heartbeat was {locked['silent_s']:.0f} s ago.",
            kept="The session is unchanged.",
            hint="Stop that process, or take over the session with force.",
            number="E072",
        )
    if forget_sent:
        await _sql.run(tx, "delete_deliveries", session_id=session_id)
    # The previous owner is dead or overruled, so this one takes over.
    session = await _take_up(tx, session_id, {**locked, "owner": owner}, owner, RULES)
    return replace(session, recovered=True)


async def save_session(
    tx: Tx,
    caller: Caller,
    session_id: str | None,
    *,
    task: str | None = None,
    last_action: str | None = None,
    summary: str | None = None,
    pending_work: str | None = None,
    state: Mapping[str, Any] | None = None,
    completed: bool = False,
) -> Session:
    """Note where the work of a session stands, a new one where none is named; complete it where it is `completed`."""
    opened = await open_session(tx, caller, session_id)
    session = await update_session(
        tx,
        caller,
        opened.id,
        task=task,
        last_action=last_action,
        summary=summary,
        pending_work=pending_work,
        state=state,
    )
    return await complete_session(tx, caller, opened.id) if completed else session


async def resume_latest_session(
    tx: Tx, caller: Caller, session_id: str | None, *, force: bool = False, forget_sent: bool = True
) -> Session | None:
    """Take up a session, see resume_session: the latest with unfinished work where none is named. None where none is
    left.
    """
    if session_id is None:
        latest = await latest_unfinished_session(tx, caller)
        if latest is None:
            return None
        session_id = latest.id
    return await resume_session(tx, caller, session_id, force=force, forget_sent=forget_sent)


async def latest_unfinished_session(tx: Tx, caller: Caller) -> Session | None:
    """Read the session with unfinished work that was used last."""
    latest = await list_sessions(tx, caller, limit=_LATEST)
    return next((one for one in latest if one.status is not SessionStatus.COMPLETED), None)


async def expire_sessions(tx: Tx) -> tuple[int, int]:
    """Delete the deliveries of idle sessions, and completed sessions unused for 30 days; run as a job.

    Returns the numbers of deliveries and sessions deleted. Sessions that are not completed are never deleted.
    """
    deliveries = await _sql.run(tx, "delete_idle_deliveries", idle_s=RULES.idle_s)
    return deliveries, await _sql.run(tx, "delete_completed_sessions", days=_COMPLETED_DAYS)


async def _lock(tx: Tx, caller: Caller, session_id: str) -> DictRow:
    locked = await _sql.maybe(tx, "lock_session", id=session_id)
    if locked is None or locked["scope"] not in caller.scopes:
        raise unknown_session(session_id)
    return locked


async def _take_up(tx: Tx, session_id: str, locked: DictRow, owner: str, rules: SessionRules) -> Session:
    """Record a use of the session; `owner` takes it over unless another living process serves it."""
    if locked["idle_s"] > rules.idle_s:
        await _sql.run(tx, "delete_deliveries", session_id=session_id)
    new_owner = locked["owner"] if _served_by_another(locked, owner, rules) else owner
    return await _sql.one_as(
        Session, tx, "activate_session", id=session_id, owner=new_owner, beats=new_owner == owner
    )


def _served_by_another(locked: DictRow, owner: str, rules: SessionRules) -> bool:
    return (
        locked["status"] == SessionStatus.ACTIVE
        and locked["owner"] != owner
        and locked["silent_s"] <= rules.silent_s
        and not process_has_ended(locked["owner"])
    )


def _check_id(session_id: str) -> str:
    if not _ID.fullmatch(session_id):
        raise InvalidInput(
            f"{session_id[:80]!r} is not a valid session id.",
            kept="Nothing was changed.",
            hint="Use 1 to 128 letters, digits, dots, colons, dashes and underscores, starting with a letter or digit.",
            number="E071",
        )
    return session_id
