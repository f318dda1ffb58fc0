"""Record the readings before and after a task, and report what tasks taught."""

from __future__ import annotations

from collections.abc import Sequence

from psycopg.rows import DictRow

from frasier.kernel.advice import Advice
from frasier.kernel.errors import NotFound, Refused
from frasier.memory.access import Caller
from frasier.memory.learning.learning_index import (
    Deltas,
    Reading,
    band_of,
    deltas_between,
    learning_index,
    trend_of,
)
from frasier.memory.learning.note_text import (
    SESSION_ID_CHARS_MAX,
    TASK_KEY_CHARS_MAX,
    clean_gaps,
    require,
)
from frasier.memory.learning.types import LearningHistory, TaskLearning
from frasier.memory.list_limit import check_limit
from frasier.store import Statements, Tx

_sql = Statements("frasier.memory.learning")


async def begin_task(
    tx: Tx,
    caller: Caller,
    task_key: str,
    *,
    knowledge: int,
    uncertainty: int,
    context: int,
    gaps: Sequence[str] = (),
    session_id: str | None = None,
) -> TaskLearning:
    """Record the readings before a task, each 0 to 100, in the caller's home scope.

    The readings of an unfinished task may be replaced. Raises Refused (E084) for a finished task, whose record is
    never overwritten, and InvalidInput for a reading out of range (E032) or a missing key (E031).
    """
    key = require("The task's key", task_key, TASK_KEY_CHARS_MAX)
    before = Reading(knowledge=knowledge, uncertainty=uncertainty, context=context)
    row = await _sql.maybe(
        tx,
        "begin_learning",
        scope=caller.home,
        task_key=key,
        session_id=_session(session_id),
        knowledge=before.knowledge,
        uncertainty=before.uncertainty,
        context=before.context,
        gaps=list(clean_gaps("The knowledge gaps", gaps)),
    )
    if row is None:
        raise _finished(key)
    return _learning(row)


async def finish_task(
    tx: Tx,
    caller: Caller,
    task_key: str,
    *,
    knowledge: int,
    uncertainty: int,
    context: int,
    gaps_closed: Sequence[str] = (),
    new_gaps: Sequence[str] = (),
) -> TaskLearning:
    """Record the readings after a task; the result has the deltas, the learning index and its band.

    Repeating the same call returns the existing record. Raises NotFound without a preceding begin_task, Refused
    (E084) if the task was finished with other readings, and InvalidInput as begin_task does.
    """
    key = require("The task's key", task_key, TASK_KEY_CHARS_MAX)
    after = Reading(knowledge=knowledge, uncertainty=uncertainty, context=context)
    closed = clean_gaps("The gaps that were closed", gaps_closed)
    discovered = clean_gaps("The gaps that were found", new_gaps)
    row = await _sql.maybe(tx, "lock_learning", scope=caller.home, task_key=key)
    if row is None:
        raise NotFound(
            f"The readings before the task {key!r} are missing.",
            kept="Nothing was recorded.",
            hint="Record them before the work, under the same key.",
            advice=Advice("memory.preflight", to="record them", task=key),
        )
    recorded = _learning(row)
    if recorded.after is not None:
        if (recorded.after, recorded.gaps_closed, recorded.new_gaps) != (after, closed, discovered):
            raise _finished(key)
        return recorded
    finished = await _sql.one(
        tx,
        "finish_learning",
        scope=caller.home,
        task_key=key,
        knowledge=after.knowledge,
        uncertainty=after.uncertainty,
        context=after.context,
        index=learning_index(deltas_between(recorded.before, after)),
        gaps_closed=list(closed),
        new_gaps=list(discovered),
    )
    return _learning(finished)


async def is_task_open(tx: Tx, caller: Caller, task_key: str) -> bool:
    """Return whether the readings before a task are recorded in the caller's home scope, and those after it are not."""
    row = await _sql.maybe(tx, "lock_learning", scope=caller.home, task_key=task_key)
    return row is not None and row["completed_at"] is None


async def learning_history(
    tx: Tx, caller: Caller, *, session_id: str | None = None, only_complete: bool = False, limit: int = 10
) -> LearningHistory:
    """The learning records in the caller's scopes or of one session, and the averages of all finished ones.

    Raises InvalidInput (E032) for a limit outside 1 to 100.
    """
    check_limit(limit, hint="20 is usual.")
    params = {"scopes": list(caller.scopes), "session_id": _session(session_id)}
    rows = await _sql.all(tx, "list_learnings", **params, only_complete=only_complete, limit=limit)
    average = await _sql.one(tx, "average_learning", **params)
    deltas = index = None
    if average["completed"]:
        deltas = Deltas(
            knowledge=average["knowledge"], uncertainty=average["uncertainty"], context=average["context"]
        )
        index = learning_index(deltas)
    return LearningHistory(
        records=tuple(_learning(row) for row in rows),
        started=average["started"],
        completed=average["completed"],
        average_deltas=deltas,
        average_index=index,
        trend=None if index is None else trend_of(index),
    )


def _session(session_id: str | None) -> str | None:
    return None if session_id is None else require("The session's id", session_id, SESSION_ID_CHARS_MAX)


def _finished(key: str) -> Refused:
    return Refused(
        f"The task {key!r} is already finished.",
        kept="Its recorded readings are unchanged.",
        hint=f"Record further work under a new key, such as {key[:150] + '-2'!r}.",
        number="E084",
    )


def _learning(row: DictRow) -> TaskLearning:
    before, after = _before(row), _after(row)
    deltas = None if after is None else deltas_between(before, after)
    index = None if deltas is None else learning_index(deltas)
    return TaskLearning(
        scope=row["scope"],
        task_key=row["task_key"],
        session_id=row["session_id"],
        before=before,
        after=after,
        deltas=deltas,
        index=index,
        band=None if index is None else band_of(index),
        knowledge_gaps=tuple(row["knowledge_gaps"]),
        gaps_closed=tuple(row["gaps_closed"]),
        new_gaps=tuple(row["new_gaps"]),
        started_at=row["started_at"],
        completed_at=row["completed_at"],
    )


def _before(row: DictRow) -> Reading:
    return Reading(
        knowledge=row["pre_knowledge"], uncertainty=row["pre_uncertainty"], context=row["pre_context"]
    )


def _after(row: DictRow) -> Reading | None:
    """The readings after the task; None while it is unfinished."""
    if row["completed_at"] is None:
        return None
    return Reading(
        knowledge=row["post_knowledge"], uncertainty=row["post_uncertainty"], context=row["post_context"]
    )
