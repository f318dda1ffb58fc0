"""Read what waits for the founder, and answer it."""

from __future__ import annotations

from typing import Annotated, Self
from uuid import UUID

from pydantic import Field

from frasier.board import Outage
from frasier.interfaces.operations import (
    CliOption,
    Layer,
    NoInput,
    OperationContext,
    Output,
    Result,
    StorableInput,
)
from frasier.interfaces.operations.memory.file_tiers import FileProposal, UnreadFile, tier_answer
from frasier.interfaces.operations.organisation.services import (
    Note,
    declare_founders,
    how_it_goes_on,
    services_of,
)
from frasier.interfaces.operations.tasks.outputs import DecisionOutput, next_step
from frasier.org.planning import DecisionAnswered, FileAnswered, QuestionAnswered, answer_waiting
from frasier.overview import (
    Announcement,
    AnnouncementDigest,
    Inbox,
    InterruptedMission,
    PausedTask,
    Status,
    UnsettledEffect,
    WaitingQuestion,
    read_inbox,
)


class WaitingOutput(Output):
    """A part of an answer: the decisions about boards and files that wait for the founder."""

    decisions: tuple[DecisionOutput, ...]
    files: tuple[FileProposal, ...]
    unread_files: tuple[UnreadFile, ...]

    @classmethod
    def of_view(cls, view: Inbox | Status) -> Self:
        """Describe a view of what waits."""
        return cls.of(
            view,
            decisions=tuple(map(DecisionOutput.of_brief, view.decisions)),
            files=tuple(map(FileProposal.of_proposal, view.files)),
            unread_files=tuple(map(UnreadFile.of_edit, view.unread_files)),
        )


class InboxOutput(WaitingOutput):
    """Everything that waits for the founder, each kind oldest first, and the latest announcements."""

    questions: tuple[WaitingQuestion, ...]
    blocked: tuple[PausedTask, ...]
    interrupted: tuple[InterruptedMission, ...]
    outages: tuple[Outage, ...]
    effects: tuple[UnsettledEffect, ...]
    announcements: tuple[Announcement, ...]
    digest: tuple[AnnouncementDigest, ...]

    @property
    def for_founder(self) -> int:
        """The number of things that the founder alone can settle."""
        own = sum(pause.is_the_founders for pause in self.blocked)
        return len(self.questions) + len(self.decisions) + len(self.files) + len(self.unread_files) + own


async def _get(context: OperationContext, _request: NoInput) -> Result[InboxOutput]:
    inbox = InboxOutput.of_view(await services_of(context).in_transaction(read_inbox))
    waits = (
        f"{inbox.for_founder} wait for the founder" if inbox.for_founder else "Nothing waits for the founder"
    )
    return Result(
        summary=f"{waits}; {len(inbox.effects)} effects in trouble." if inbox.effects else f"{waits}.",
        data=inbox,
        hints=tuple(advice for question in inbox.questions for advice in question.advice),
    )


class WaitingAnswerInput(StorableInput):
    """The answer to something that waits."""

    question: Annotated[str, CliOption(argument="QUESTION")] = Field(
        max_length=200,
        description="The id of a question, a board's decision or a file, or its end",
    )
    answer: Annotated[str, CliOption(argument="ANSWER")] = Field(
        max_length=200, description="One of the answers that inbox_get shows"
    )
    note: Note = ""


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
        answer_waiting, request.question, request.answer, note=request.note, founder=context.caller
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


GET = declare_founders(
    _get,
    name="inbox_get",
    title="Show the inbox",
    layer=Layer.DISCOVERY,
    about="What waits for the founder: questions with their options, decisions about boards and files, blocks, outages,"
    " effects in trouble; and the latest announcements.",
    read_only=True,
    idempotent=True,
)
DECIDE = declare_founders(
    _decide,
    name="decide",
    title="Answer what waits for the founder",
    layer=Layer.SURGICAL,
    about="Answer a question, or decide about a board's move or a memory file; once. What was answered is refused.",
)
