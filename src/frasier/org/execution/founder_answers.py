"""The founder's answer to whatever waits under an id: a question, a board's decision, or a memory file."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from uuid import UUID

from frasier.board import Decision, actor_of, answer_decision, anybody_works, named_decision
from frasier.kernel.advice import Advice
from frasier.kernel.errors import InvalidInput, NotFound, Stale
from frasier.memory import Caller, TierProposal, answer_tier_proposal, find_tier_proposal
from frasier.org.conversation import AS_YOU_THINK_BEST, ASKS_FOR_WORDS, CONTINUE
from frasier.org.execution.escalations import decide
from frasier.org.governance import FounderQuestion, find_question, questions_of_entry, shown_digest
from frasier.org.missions import get_mission
from frasier.store import Tx

_APPROVE, _REJECT = "approve", "reject"
_YES, _NO = "yes", "no"
_ID_CHARS = 8
_PLACEHOLDER = "ANSWER"
"""The word that stands for the founder's own in commands that are shown; taken literally, it is no answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionAnswered:
    """`done` tells what the answer led to. `unattended` where its mission could go on and nobody works."""

    question: UUID
    mission: UUID | None
    answer: str
    done: str
    unattended: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionAnswered:
    """A board's decision as it was given."""

    decision: Decision
    answer: str

    @property
    def approved(self) -> bool:
        return self.answer == _APPROVE


@dataclass(frozen=True, slots=True, kw_only=True)
class FileAnswered:
    """The tier that a memory file asked for, and the answer."""

    proposal: TierProposal
    answer: str

    @property
    def confirmed(self) -> bool:
        return self.answer == _YES


async def answer_waiting(
    tx: Tx,
    identity: str,
    answer: str,
    *,
    note: str = "",
    digest: str = "",
    budget_usd_micros: int | None = None,
    founder: Caller,
) -> QuestionAnswered | DecisionAnswered | FileAnswered:
    """Answer what waits under `identity`, an id or its end; once. `founder` is the founder's credential.
    `digest` names what the founder was shown of a question (`shown_digest`); the budget goes with a question about
    the one of a mission.

    Raises NotFound where nothing that waits has that id, InvalidInput where several things have it or the answer is
    none of the options of a question that does not ask for words, and Stale where it was answered before or is not what
    was shown any more.
    """
    said = answer.strip().lower()
    question = decision = proposal = None
    with suppress(NotFound):
        question = await find_question(tx, identity)
    with suppress(NotFound):
        decision = await named_decision(tx, identity)
    with suppress(NotFound):
        proposal = await find_tier_proposal(tx, founder, identity)
    if sum(found is not None for found in (question, decision, proposal)) > 1:
        raise InvalidInput(
            f"{identity!r} fits several things that wait for you.", hint="Give more of the id."
        )
    if question:
        if digest and digest != shown_digest(await questions_of_entry(tx, question)):
            raise Stale(
                "More or something else waits for this answer than you were shown.",
                kept="Nothing was decided.",
                advice=Advice("inbox.show", to="see what it is about now"),
            )
        return await _answer_question(tx, question, answer, note, budget_usd_micros)
    if budget_usd_micros is not None:
        raise InvalidInput("A budget goes with a question of a mission only.", kept="Nothing was decided.")
    if decision:
        _check(answer, (_APPROVE, _REJECT), to="this decision")
        decided = await answer_decision(
            tx,
            str(decision.id),
            approve=said == _APPROVE,
            comment=note,
            actor=await actor_of(tx, founder),
        )
        return DecisionAnswered(decision=decided, answer=said)
    if proposal:
        _check(answer, (_YES, _NO), to="this")
        await answer_tier_proposal(tx, founder, proposal, confirm=said == _YES)
        return FileAnswered(proposal=proposal, answer=said)
    raise NotFound(
        f"Nothing that waits has the id {identity[:60]!r}.",
        advice=Advice("inbox.show", to="see what is open"),
    )


async def _answer_question(
    tx: Tx, question: FounderQuestion, text: str, note: str, budget_usd_micros: int | None
) -> QuestionAnswered:
    answer, note = _option_and_note(question, text, note)
    done = await decide(tx, question, answer, note=note, budget_usd_micros=budget_usd_micros)
    ended = question.mission_id is None or (await get_mission(tx, question.mission_id)).status.ended
    return QuestionAnswered(
        question=question.id,
        mission=question.mission_id,
        answer=answer,
        done=done,
        unattended=not ended and not await anybody_works(tx, question.mission_id),
    )


def _option_and_note(question: FounderQuestion, text: str, note: str) -> tuple[str, str]:
    """Return the option that an answer chooses, and its note. A question that asks for words is answered by any text
    that is no option.

    Raises InvalidInput where such a question would go on without an answer.
    """
    option, note = text.strip().lower(), note.strip()
    if question.kind not in ASKS_FOR_WORDS:
        return option, note
    if option and option not in question.options and text.strip() != _PLACEHOLDER:
        return CONTINUE, " ".join(filter(None, (text.strip(), note)))
    if option in {CONTINUE, _PLACEHOLDER.lower()} and not note:
        name = str(question.id)[-_ID_CHARS:]
        raise InvalidInput(
            f"This question asks for an answer in words: {question.question}",
            kept="Nothing was decided, and the question stays open.",
            advice=(
                Advice("question.decide", to="answer it", question=name, answer=_PLACEHOLDER),
                Advice(
                    "question.decide",
                    to="leave it open to those who work",
                    question=name,
                    answer=AS_YOU_THINK_BEST,
                ),
            ),
        )
    return option, note


def _check(answer: str, options: tuple[str, ...], *, to: str) -> None:
    if answer.strip().lower() not in options:
        raise InvalidInput(f"{answer[:60]!r} is no answer to {to}.", hint=f"It can be: {', '.join(options)}.")
