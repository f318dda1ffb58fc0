"""The three questions that a liaison answers before it decides. See single_use for the rule that no answer serves two
tasks.
"""

from __future__ import annotations

from frasier.board.gates.gate import Gate
from frasier.store import Tx
from frasier.workflow import MoveRequest

APPROVAL_QUESTIONS = ("liaison_q1_approval", "liaison_q2_approval", "liaison_q3_approval")
COMPLETION_QUESTIONS = ("liaison_q1_complete", "liaison_q2_complete", "liaison_q3_complete")

_CHARS_MIN = 20


def _check_answers(request: MoveRequest, questions: tuple[str, ...]) -> str:
    answers = {name: request.text(name) for name in questions}
    if short := [name for name, answer in answers.items() if len(answer) < _CHARS_MIN]:
        return f"{', '.join(short)} {'has' if len(short) == 1 else 'have'} less than {_CHARS_MIN} characters"
    if len({answer.casefold() for answer in answers.values()}) < len(answers):
        return "two of the answers are the same"
    return ""


async def _approval(_tx: Tx, request: MoveRequest) -> str:
    return _check_answers(request, APPROVAL_QUESTIONS)


async def _completion(_tx: Tx, request: MoveRequest) -> str:
    return _check_answers(request, COMPLETION_QUESTIONS)


_MEANING = "whoever decides has looked at the task, and shows it by three different answers"
_HINT = f"Look at the task itself, and answer each question in {_CHARS_MIN} characters or more:"

LIAISON_APPROVAL = Gate(
    name="approval_questions",
    meaning=_MEANING,
    hint=_HINT,
    check=_approval,
    reads=APPROVAL_QUESTIONS,
    questions=True,
)
LIAISON_COMPLETION = Gate(
    name="completion_questions",
    meaning=_MEANING,
    hint=_HINT,
    check=_completion,
    reads=COMPLETION_QUESTIONS,
    questions=True,
)
