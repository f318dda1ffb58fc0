"""Single use: a search session, a saved lesson and the words of a judgement each serve one task.

Each is a row under a unique key, so that of two who want it at once exactly one has it. The rows are written before the
task is: whoever waits here for another holds no task that the other could wait for.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from psycopg.rows import DictRow

from frasier.board.gates.text_digest import words_digest
from frasier.kernel.errors import TransitionRefused
from frasier.kernel.ids import parse_id
from frasier.store import Statements, Tx
from frasier.workflow import MoveRequest, TaskView, stale_task

_sql = Statements("frasier.board.gates")


class UsedElsewhere(TransitionRefused):
    """The proof or the text belongs to another task."""

    code = "used_elsewhere"


async def use_proofs(tx: Tx, request: MoveRequest) -> None:
    """Reserve for the task, for good, the session and the memory by which it passes the gates of the move.

    Raises UsedElsewhere.
    """
    gates, after, proofs = request.rule.gates, request.after, {}
    if "memory_query" in gates:
        session = str(after["memory_query_session"]).strip()
        proofs["session", session] = "memory_query_session"
    if "memory_contribution" in gates:
        proofs["memory", str(parse_id(str(after["memory_contribution_id"]).strip()))] = (
            "memory_contribution_id"
        )
    await _reserve(tx, request.task, proofs)


async def use_words(tx: Tx, task: TaskView, after: Mapping[str, Any], touched: Collection[str]) -> None:
    """Reserve for the task the words that it holds `after` a change of the fields `touched`, and release all others.

    Raises UsedElsewhere if another task of the board holds the same.
    """
    own = [name for name, field in task.definition.fields.items() if field.own_words]
    if not set(own) & set(touched):
        return
    held = {
        ("words", f"{task.group_id}:{words_digest(text)}"): name
        for name in own
        if isinstance(text := after.get(name), str) and text.strip()
    }
    await _reserve(tx, task, held)
    # Last: whoever releases words has reserved what it needs, and so waits for nobody who waits for these rows.
    await _sql.run(tx, "release_words", id=task.id, keys=[key for _, key in held])


async def _reserve(tx: Tx, task: TaskView, fields: Mapping[tuple[str, str], str]) -> None:
    """Reserve what some fields use; `fields` are their names by the kind and key of that."""
    if not fields:
        return
    used = await _sql.all(tx, "reserve", id=task.id, **_keys(fields))
    if len(used) == len(fields):
        return
    fresh = [(row["kind"], row["key"]) for row in used if row["fresh"]]
    await _sql.run(tx, "release", id=task.id, **_keys(fresh))
    others = {
        (row["kind"], row["key"]): row
        for row in await _sql.all(tx, "reserved_by_others", id=task.id, **_keys(fields))
    }
    for pair, field in fields.items():
        if pair in others:
            raise _refusal(task, field, others[pair])
    raise stale_task(task.slug)  # another task has given it up this very moment


def _keys(pairs: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    ordered = sorted(pairs)
    return {"kinds": [kind for kind, _ in ordered], "keys": [key for _, key in ordered]}


def _refusal(task: TaskView, field: str, row: DictRow) -> UsedElsewhere:
    kind = row["kind"]
    other = row["slug"] if row["group_id"] == task.group_id else "a task of another board"
    return UsedElsewhere(
        f"{field} of {task.slug} is that of {other}: {_WHAT[kind]}.",
        kept=f"{task.slug} is unchanged.",
        hint=_HINTS[kind],
    )


_WHAT = {
    "session": "a search of the memory serves one task",
    "memory": "what was learned is handed in for one task",
    "words": "the words are the same, but for case, space and punctuation",
}
_HINTS = {
    "session": "Search the memory for this task, in a session of its own.",
    "memory": "Save what you learned from this task as a memory of its own.",
    "words": "Look at this task itself, and say of it what you see.",
}
