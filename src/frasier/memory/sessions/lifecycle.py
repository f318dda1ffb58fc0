"""The life of a session: opened, worked in, completed; interrupted when its process dies, and resumed by another.

Whoever uses a session becomes its owner where it has none that lives. A session that another living process
serves may be used from beside, and stays that process's.
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
from frasier.memory.sessions.dedupe import unknown_session
from frasier.memory.sessions.fields import clean_state, clean_text
from frasier.memory.sessions.owner import is_gone, process_owner
from frasier.memory.sessions.types import RULES, Session, SessionRules, SessionStatus
from frasier.store import Statements, Tx

_sql = Statements("frasier.memory.sessions")
_LATEST = 100

LIST_MAX = 100

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
    """The session of that id, begun or gone on with; a new one where no id is given.

    A new session belongs to `scope`, else to the caller's first; one that is there stays where it is. `owner` is
    this process unless said otherwise. `recovered` is set where the session was interrupted. Raises InvalidInput
    (E071) for what cannot be an id, NotFound (E071) for a session of a foreign scope, and NotAllowed for a
    foreign `scope`.
    """
    session_id = _check_id(session_id) if session_id is not None else str(new_id())
    [home] = caller.allow([scope]) if scope is not None else [caller.home]
    owner = owner or process_owner()
    await _sql.run(tx, "create_session", id=session_id, scope=home, owner=owner)
    standing = await _lock(tx, caller, session_id)
    session = await _take_up(tx, session_id, standing, owner, rules)
    return replace(session, recovered=standing["status"] == SessionStatus.INTERRUPTED)


async def read_session(tx: Tx, caller: Caller, session_id: str) -> Session:
    """The session as it stands; reading is no use of it. Raises NotFound (E071)."""
    row = await _sql.maybe(tx, "read_session", id=_check_id(session_id), scopes=list(caller.scopes))
    if row is None:
        raise unknown_session(session_id)
    return _session(row)


async def list_sessions(
    tx: Tx, caller: Caller, *, status: SessionStatus | None = None, limit: int = 20
) -> list[Session]:
    """The caller's sessions, those used last first; `limit` is 1 to 100."""
    if not 1 <= limit <= LIST_MAX:
        raise InvalidInput(
            f"A limit of {limit} is not between 1 and {LIST_MAX}.",
            number="E032",
            hint="Ask for fewer at once.",
        )
    rows = await _sql.all(tx, "list_sessions", scopes=list(caller.scopes), status=status, limit=limit)
    return [_session(row) for row in rows]


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
    rules: SessionRules = RULES,
) -> Session:
    """Notes where the work stands; what is left out stays. Secrets are taken out of every text.

    Raises NotFound (E071), InvalidInput where something is too long or no JSON, and Stale (E070) where the
    session was completed.
    """
    noted = {
        "task": clean_text("The task", task),
        "last_action": clean_text("The last action", last_action),
        "summary": clean_text("The summary", summary),
        "pending_work": clean_text("The pending work", pending_work),
    }
    cleaned = clean_state(state)
    standing = await _lock(tx, caller, _check_id(session_id))
    if standing["status"] == SessionStatus.COMPLETED:
        raise Stale(
            f"The session {session_id} was completed.",
            kept="The session is as it was.",
            advice=Advice("session.recover", to="take it up again", session=session_id),
            number="E070",
        )
    await _take_up(tx, session_id, standing, owner or process_owner(), rules)
    row = await _sql.one(
        tx, "note_work", id=session_id, state=None if cleaned is None else Jsonb(cleaned), **noted
    )
    return _session(row)


async def complete_session(tx: Tx, caller: Caller, session_id: str) -> Session:
    """Notes that the work of the session is done; doing it twice changes nothing. Raises NotFound (E071)."""
    await _lock(tx, caller, _check_id(session_id))
    return _session(await _sql.one(tx, "complete_session", id=session_id))


async def beat_sessions(tx: Tx, session_ids: Collection[str], owner: str | None = None) -> frozenset[str]:
    """Says that the owner (this process) still serves these sessions; returns those that are still its own.

    A session that is not among them was completed, or given up for dead and perhaps taken by another: resume
    it, or let it go. A beat is no use: a session that is only beaten for still becomes idle.
    """
    rows = await _sql.all(tx, "beat", ids=sorted(set(session_ids)), owner=owner or process_owner())
    return frozenset(row["id"] for row in rows)


async def recover_sessions(tx: Tx, *, silent_for_s: float = RULES.silent_s) -> list[str]:
    """Marks as interrupted the sessions whose process was silent for so long; returns their ids.

    By the database's clock, whoever asks: a session that any living process serves is left alone.
    """
    return [row["id"] for row in await _sql.all(tx, "interrupt_silent", silent_s=silent_for_s)]


async def resume_session(
    tx: Tx,
    caller: Caller,
    session_id: str,
    *,
    owner: str | None = None,
    force: bool = False,
    forget_sent: bool = False,
    rules: SessionRules = RULES,
) -> Session:
    """Takes the session up where it was left, in whatever status; `recovered` is set.

    What it was sent still counts as sent, unless `forget_sent`: for an agent that lost its context. Raises
    NotFound (E071), and Stale (E072) where another living process serves it, which only `force` takes it from.
    """
    owner = owner or process_owner()
    standing = await _lock(tx, caller, _check_id(session_id))
    if not force and _served_by_another(standing, owner, rules):
        raise Stale(
            f"The session {session_id} is served by another process ({standing['owner']}), heard of"
            f" {standing['silent_s']:.0f} s ago.",
            kept="The session is as it was.",
            hint="Stop that process, or take the session from it with force.",
            number="E072",
        )
    if forget_sent:
        await _sql.run(tx, "forget_deliveries", session_id=session_id)
    # Whoever served it has ended or was overruled: no owner keeps it.
    session = await _take_up(tx, session_id, {**standing, "owner": owner}, owner, rules)
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
    done: bool = False,
) -> Session:
    """Note where the work of a session stands, a new one where none is named; complete it where it is `done`."""
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
    return await complete_session(tx, caller, opened.id) if done else session


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


async def expire_sessions(
    tx: Tx, *, completed_days: int = 30, rules: SessionRules = RULES
) -> tuple[int, int]:
    """A job: forgets what idle sessions were sent, and completed sessions after `completed_days` without use.

    Returns how many deliveries and how many sessions. A session with work left in it is kept for good.
    """
    deliveries = await _sql.run(tx, "forget_idle_deliveries", idle_s=rules.idle_s)
    return deliveries, await _sql.run(tx, "forget_completed", days=completed_days)


async def _lock(tx: Tx, caller: Caller, session_id: str) -> DictRow:
    standing = await _sql.maybe(tx, "lock_session", id=session_id)
    if standing is None or standing["scope"] not in caller.scopes:
        raise unknown_session(session_id)
    return standing


async def _take_up(tx: Tx, session_id: str, standing: DictRow, owner: str, rules: SessionRules) -> Session:
    """The session is used; who uses it serves it from now on, where no other living process does."""
    if standing["idle_s"] > rules.idle_s:
        await _sql.run(tx, "forget_deliveries", session_id=session_id)
    kept = standing["owner"] if _served_by_another(standing, owner, rules) else owner
    row = await _sql.one(tx, "take_up_session", id=session_id, owner=kept, beats=kept == owner)
    return _session(row)


def _served_by_another(standing: DictRow, owner: str, rules: SessionRules) -> bool:
    return (
        standing["status"] == SessionStatus.ACTIVE
        and standing["owner"] != owner
        and standing["silent_s"] <= rules.silent_s
        and not is_gone(standing["owner"])
    )


def _check_id(session_id: str) -> str:
    if not _ID.fullmatch(session_id):
        raise InvalidInput(
            f"{session_id[:80]!r} cannot be the id of a session.",
            kept="Nothing was changed.",
            hint="1 to 128 letters, digits, dots, colons, dashes and underscores; the first a letter or digit.",
            number="E071",
        )
    return session_id


def _session(row: DictRow) -> Session:
    return Session(**{**row, "status": SessionStatus(row["status"])})
