"""What a task taught: measured before it and after it, and told over many."""

from __future__ import annotations

from collections.abc import Sequence

from psycopg.rows import DictRow

from frasier.kernel.advice import Advice
from frasier.kernel.errors import NotFound, Refused
from frasier.memory.access import Caller
from frasier.memory.learning.history import check_limit
from frasier.memory.learning.index import (
    Deltas,
    Reading,
    band_of,
    deltas_between,
    learning_index,
    trend_of,
)
from frasier.memory.learning.texts import (
    SESSION_ID_CHARS_MAX,
    TASK_KEY_CHARS_MAX,
    clean_gaps,
    require,
)
from frasier.memory.learning.types import LearningHistory, TaskLearning
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
    """Records what is known before a task, in the caller's home scope. Each reading is 0 to 100.

    A task that is not finished may be read anew. Raises Refused (E084) for one that is: its record is never
    overwritten. InvalidInput for a reading outside its range (E032) or a missing key (E031).
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
    """Records what is known after a task, and so what it taught: the deltas, the index and its band.

    The same again returns the record as it stands. Raises NotFound where preflight was not called, Refused
    (E084) where the task was finished with other readings, InvalidInput as preflight does.
    """
    key = require("The task's key", task_key, TASK_KEY_CHARS_MAX)
    after = Reading(knowledge=knowledge, uncertainty=uncertainty, context=context)
    closed = clean_gaps("The gaps that were closed", gaps_closed)
    found = clean_gaps("The gaps that were found", new_gaps)
    row = await _sql.maybe(tx, "lock_learning", scope=caller.home, task_key=key)
    if row is None:
        raise NotFound(
            f"What was known before the task {key!r} was not recorded.",
            kept="Nothing was recorded.",
            hint="Record it before the work, under the same key.",
            advice=Advice("memory.preflight", to="record it", task=key),
        )
    known = _learning(row)
    if known.after is not None:
        if (known.after, known.gaps_closed, known.new_gaps) != (after, closed, found):
            raise _finished(key)
        return known
    finished = await _sql.one(
        tx,
        "finish_learning",
        scope=caller.home,
        task_key=key,
        knowledge=after.knowledge,
        uncertainty=after.uncertainty,
        context=after.context,
        index=learning_index(deltas_between(known.before, after)),
        gaps_closed=list(closed),
        new_gaps=list(found),
    )
    return _learning(finished)


async def learning_history(
    tx: Tx, caller: Caller, *, session_id: str | None = None, only_complete: bool = False, limit: int = 10
) -> LearningHistory:
    """What tasks taught in the caller's scopes, or within one session, and the averages of all finished ones.

    Raises InvalidInput (E032) for a limit outside 1 to 100.
    """
    check_limit(limit)
    asked = {"scopes": list(caller.scopes), "session_id": _session(session_id)}
    rows = await _sql.all(tx, "learnings", **asked, only_complete=only_complete, limit=limit)
    average = await _sql.one(tx, "average_learning", **asked)
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
        f"The task {key!r} is finished and its readings are recorded.",
        kept="The record stands as it was.",
        hint=f"Measure the further work under a key of its own, such as {key[:150] + '-2'!r}.",
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
    """The readings after the task, which are there together or not at all."""
    if row["completed_at"] is None:
        return None
    return Reading(
        knowledge=row["post_knowledge"], uncertainty=row["post_uncertainty"], context=row["post_context"]
    )
