"""The readings before and after a step, computed from what its author had at hand and from the accepted version.

They are kept as those that any agent records around a task, in the author's scope. A question counts as known
where a text holds at least half of its words.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from uuid import UUID

from frasier.kernel.text import shorten
from frasier.kernel.tokenizer import tokenize
from frasier.memory import Caller, agent_scope, begin_task, finish_task, is_task_open
from frasier.org.missions.deliverables import Deliverable
from frasier.org.missions.steps import MissionStep
from frasier.store import Tx

_KNOWN_SHARE = 0.5
_GAPS_MAX = 10
_GAP_CHARS = 200


async def begin_step_learning(
    tx: Tx,
    step: MissionStep,
    questions: Sequence[str],
    *,
    round_number: int,
    at_hand: Sequence[str],
    has_inputs: bool,
) -> None:
    """Record the readings before a step's questions are researched: `at_hand` are the texts that its author was given.

    `has_inputs` tells whether there are documents or colleagues' results.
    """
    gaps = unknown_questions(questions, at_hand)
    knowledge = _percent(1 - len(gaps) / len(questions)) if questions else 0
    await begin_task(
        tx,
        _author(step),
        _key(step.task_id, round_number),
        knowledge=knowledge,
        uncertainty=100 - knowledge,
        context=100 if has_inputs else 0,
        gaps=_shortened(gaps),
    )


async def finish_step_learning(
    tx: Tx, step: MissionStep, accepted: Deliverable, *, round_number: int
) -> None:
    """Record the readings after a step, from the version that was accepted, if those before it were recorded."""
    author, key = _author(step), _key(step.task_id, round_number)
    if not await is_task_open(tx, author, key):
        return
    questions = accepted.questions or [step.title]
    unknown = unknown_questions(questions, [accepted.content])
    statements = accepted.verification.statements
    verified = sum(one.verdict == "verified" for one in statements)
    doubtful = [one.text for one in statements if one.verdict == "doubtful"]
    citations = accepted.citations
    await finish_task(
        tx,
        author,
        key,
        knowledge=_percent(1 - len(unknown) / len(questions)),
        uncertainty=_percent(1 - verified / len(statements)) if statements else 100,
        context=_percent(len(citations.cited) / citations.quotable) if citations.quotable else 0,
        gaps_closed=_shortened(one for one in questions if one not in unknown),
        new_gaps=_shortened(doubtful),
    )


def unknown_questions(questions: Sequence[str], texts: Sequence[str]) -> list[str]:
    """Return the questions that none of the texts holds at least half of the words of."""
    known = [set(tokenize(text)) for text in texts]
    return [question for question in questions if not any(_holds(words, question) for words in known)]


def _holds(words: set[str], question: str) -> bool:
    needed = set(tokenize(question))
    return len(needed & words) >= _KNOWN_SHARE * len(needed)


def _percent(share: float) -> int:
    return max(0, min(100, round(100 * share)))


def _shortened(texts: Iterable[str]) -> list[str]:
    return [shorten(text, _GAP_CHARS) for text in texts][:_GAPS_MAX]


def _author(step: MissionStep) -> Caller:
    return Caller(name="the organisation", scopes=(agent_scope(step.agent_id),))


def _key(task_id: UUID, round_number: int) -> str:
    return f"{task_id}:{round_number}"
