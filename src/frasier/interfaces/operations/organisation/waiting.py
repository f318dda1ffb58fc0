"""Read what waits for the founder."""

from __future__ import annotations

from typing import Self

from frasier.board import Outage
from frasier.interfaces.operations import (
    Layer,
    NoInput,
    OperationContext,
    Output,
    Result,
)
from frasier.interfaces.operations.memory.file_tiers import FileProposal, UnreadFile
from frasier.interfaces.operations.organisation.services import (
    declare_founders,
    services_of,
)
from frasier.interfaces.operations.tasks.outputs import DecisionOutput
from frasier.overview import (
    Announcement,
    AnnouncementDigest,
    Inbox,
    InterruptedMission,
    PackageSummary,
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
    skills: tuple[PackageSummary, ...]
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
        others = (self.questions, self.decisions, self.files, self.unread_files, self.skills)
        return sum(map(len, others)) + own


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


GET = declare_founders(
    _get,
    name="inbox_get",
    title="Show the inbox",
    layer=Layer.DISCOVERY,
    about="What waits for the founder: questions with their options, decisions about boards and files, blocks, outages,"
    " effects in trouble; and the latest announcements.",
    read_only=True,
)
