"""The gate of dependencies: all are completed, or there are none and somebody has confirmed that."""

from __future__ import annotations

from frasier.board.gates.gate import Gate
from frasier.store import Statements, Tx
from frasier.workflow import MoveRequest

_sql = Statements("frasier.board.gates")


async def _check(tx: Tx, request: MoveRequest) -> str:
    found = await _sql.one(tx, "dependencies", id=request.task.id)
    if found["waits_for"]:
        return f"it waits for {', '.join(found['waits_for'])}"
    if not found["needed"] and request.after.get("depends_on_reviewed") is not True:
        return "it depends on nothing, and depends_on_reviewed is not true"
    return ""


DEPENDENCIES = Gate(
    name="dependencies",
    meaning="everything that the task depends on is completed; if there is nothing, somebody has confirmed that",
    hint="Complete what it waits for, or change what it needs by an edit; of a task that needs nothing, set"
    " depends_on_reviewed once you have looked for dependencies.",
    check=_check,
    reads=("depends_on_reviewed",),
)
