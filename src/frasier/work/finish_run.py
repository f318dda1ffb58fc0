"""The end of a run whose task is finished by it."""

from __future__ import annotations

from frasier.kernel.text import digest
from frasier.store import Tx
from frasier.work.run_lease import Run
from frasier.workflow import move


async def finish_run(tx: Tx, run: Run, result: str, *, note: str | None = None, **fields: str) -> None:
    """Finish the run's task, with the digest and the size of its result; the note is the result where none is given."""
    await move(
        tx,
        run.task.id,
        "finish",
        actor=run.worker,
        attempt=run.attempt,
        note=result if note is None else note,
        fields={"result_digest": digest(result), "result_size": len(result.encode()), **fields},
    )
