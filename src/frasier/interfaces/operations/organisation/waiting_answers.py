"""Answer what waits for the founder."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

from pydantic import Field

from frasier.interfaces.operations import (
    CliOption,
    Layer,
    OperationContext,
    Output,
    Result,
    StorableInput,
)
from frasier.interfaces.operations.memory.file_tiers import tier_answer
from frasier.interfaces.operations.organisation.services import (
    Budget,
    Note,
    declare_founders,
    how_it_goes_on,
    services_of,
    usd_micros,
)
from frasier.interfaces.operations.tasks.outputs import next_step
from frasier.org.execution import DecisionAnswered, FileAnswered, QuestionAnswered, answer_waiting


class WaitingAnswerInput(StorableInput):
    """The answer to something that waits."""

    question: Annotated[str, CliOption(argument="QUESTION")] = Field(
        max_length=200,
        description="The id of a question, a board's decision or a file, or its end",
    )
    answer: Annotated[str, CliOption(argument="ANSWER")] = Field(
        max_length=4_000,
        description="One of the answers that inbox_get shows; to a question that asks for words (kind"
        " `clarification` or `escalation`) any other text is the answer",
    )
    note: Note = ""
    budget: Budget = Field(
        None,
        description="To go on where a mission's budget is used up: the most it may cost in all, in US dollars;"
        " default: what the question proposes",
    )
    digest: str = Field(
        "",
        max_length=100,
        description="The `digest` of the question as it was read: the answer holds for nothing else; default: as it is",
    )


class WaitingAnswerOutput(Output):
    """An answer as it was recorded: to a `question`, about the `move` of a `task` on a board, or about a `file`.

    `done` tells what it led to, `then` what somebody else does next.
    """

    answer: str
    done: str
    then: str = ""
    unattended: bool = False
    question: UUID | None = None
    mission: UUID | None = None
    decision: UUID | None = None
    task: str = ""
    move: str = ""
    file: str = ""
    tier: str = ""


async def _decide(context: OperationContext, request: WaitingAnswerInput) -> Result[WaitingAnswerOutput]:
    answered = await services_of(context).in_transaction(
        answer_waiting,
        request.question,
        request.answer,
        note=request.note,
        digest=request.digest,
        budget_usd_micros=usd_micros(request.budget),
        founder=context.caller,
    )
    data = _answered(answered)
    return Result(
        summary=" ".join(filter(None, (data.done, data.then))),
        data=data,
        hints=how_it_goes_on(attended=not data.unattended),
    )


def _answered(answered: QuestionAnswered | DecisionAnswered | FileAnswered) -> WaitingAnswerOutput:
    match answered:
        case QuestionAnswered():
            return WaitingAnswerOutput.of(answered)
        case DecisionAnswered(decision=decision):
            return WaitingAnswerOutput(
                answer=answered.answer,
                done=f"{decision.transition} of {decision.place} is {decision.answer}.",
                then=next_step(decision) if answered.approved else "",
                decision=decision.id,
                task=decision.place,
                move=decision.transition,
            )
    return WaitingAnswerOutput(
        answer=answered.answer,
        done=tier_answer(answered.proposal, confirm=answered.confirmed),
        file=answered.proposal.path,
        tier=answered.proposal.tier,
    )


DECIDE = declare_founders(
    _decide,
    name="decide",
    title="Answer what waits for the founder",
    layer=Layer.SURGICAL,
    about="Answer a question, or decide about a board's move or a memory file; once.",
)
