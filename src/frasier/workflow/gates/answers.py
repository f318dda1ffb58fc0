"""The three questions that a liaison answers before it decides: each answer its own, none copied from another task."""

from __future__ import annotations

from frasier.store import Statements, Tx
from frasier.workflow.gates.gate import Attempt, Gate

_sql = Statements("frasier.workflow.gates")

APPROVAL_QUESTIONS = ("liaison_q1_approval", "liaison_q2_approval", "liaison_q3_approval")
COMPLETION_QUESTIONS = ("liaison_q1_complete", "liaison_q2_complete", "liaison_q3_complete")

_CHARS_MIN = 20


async def _look(tx: Tx, attempt: Attempt, questions: tuple[str, ...]) -> str:
    answers = {name: attempt.text(name) for name in questions}
    if short := [name for name, answer in answers.items() if len(answer) < _CHARS_MIN]:
        return f"{', '.join(short)} {'has' if len(short) == 1 else 'have'} less than {_CHARS_MIN} characters"
    if len({answer.casefold() for answer in answers.values()}) < len(answers):
        return "two of the answers are the same"
    same = await _sql.all(
        tx,
        "same_answers",
        id=attempt.task.id,
        group_id=attempt.task.group_id,
        questions=[*APPROVAL_QUESTIONS, *COMPLETION_QUESTIONS],
        answers=list(answers.values()),
    )
    return f"an answer is that of {', '.join(row['slug'] for row in same)}" if same else ""


async def _approval(tx: Tx, attempt: Attempt) -> str:
    return await _look(tx, attempt, APPROVAL_QUESTIONS)


async def _completion(tx: Tx, attempt: Attempt) -> str:
    return await _look(tx, attempt, COMPLETION_QUESTIONS)


_MEANING = "whoever decides has looked: three answers of its own, none of them another task's"
_HINT = "Look at the task itself, and answer {} for it."

LIAISON_APPROVAL = Gate(
    name="approval_questions",
    meaning=_MEANING,
    hint=_HINT.format(", ".join(APPROVAL_QUESTIONS)),
    check=_approval,
    reads=APPROVAL_QUESTIONS,
)
LIAISON_COMPLETION = Gate(
    name="completion_questions",
    meaning=_MEANING,
    hint=_HINT.format(", ".join(COMPLETION_QUESTIONS)),
    check=_completion,
    reads=COMPLETION_QUESTIONS,
)
