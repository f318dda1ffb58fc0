"""The end of an answer: it is stored, and its task is finished, in one transaction."""

from __future__ import annotations

from frasier.kernel.text import digest
from frasier.org.planning import FounderMessage, MessageAnswer, answer_message
from frasier.store import Tx
from frasier.work.run_lease import Run
from frasier.workflow import move


async def finish_answer(
    run: Run, tx: Tx, message: FounderMessage, answer: MessageAnswer, *, note: str
) -> None:
    """Store the answer to the run's message and finish its task, in the run's fenced transaction."""
    await answer_message(tx, message, answer)
    await move(
        tx,
        run.task.id,
        "finish",
        actor=run.worker,
        attempt=run.attempt,
        note=note,
        fields={"result_digest": digest(answer.text), "result_size": len(answer.text.encode())},
    )
