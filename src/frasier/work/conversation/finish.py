"""The end of an answer: it is stored, and its task is finished, in one transaction."""

from __future__ import annotations

from frasier.org.conversation import FounderMessage, MessageAnswer, answer_message
from frasier.store import Tx
from frasier.work.finish_run import finish_run
from frasier.work.run_lease import Run


async def finish_answer(
    run: Run, tx: Tx, message: FounderMessage, answer: MessageAnswer, *, note: str
) -> None:
    """Store the answer to the run's message and finish its task, in the run's fenced transaction."""
    await answer_message(tx, message, answer)
    await finish_run(tx, run, answer.text, note=note)
