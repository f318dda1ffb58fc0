"""Whether a task may begin: what it needs is completed, or somebody looked and it needs nothing."""

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
    meaning="everything that it depends on is completed; where it depends on nothing, somebody has looked",
    hint="Complete what it waits for, or say that you have looked for dependencies: depends_on_reviewed.",
    check=_check,
    reads=("depends_on_reviewed",),
)
