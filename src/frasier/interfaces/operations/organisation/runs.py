"""Start a mission, and control one: pause, go on, cancel, try again."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated
from uuid import UUID

from pydantic import Field

from frasier.board import anybody_works
from frasier.interfaces.operations import (
    CliOption,
    Layer,
    OperationContext,
    Output,
    Result,
    StorableInput,
)
from frasier.interfaces.operations.organisation.given_files import (
    Documents,
    Paths,
    Uploads,
    check_at_machine,
    given_files,
)
from frasier.interfaces.operations.organisation.missions import MissionInput
from frasier.interfaces.operations.organisation.services import (
    TEXT_CHARS_MAX,
    Budget,
    Note,
    declare_founders,
    how_it_goes_on,
    services_of,
    usd_micros,
)
from frasier.kernel.deliverable_kind import DeliverableKind
from frasier.kernel.humanize import plural
from frasier.kernel.mission_depth import MissionDepth
from frasier.org.execution import cancel_named, pause_named, resume_named, retry_named
from frasier.org.missions import Mission, MissionStatus
from frasier.work import Directive, Problem


class MissionRunInput(StorableInput):
    """A directive, what to work from, and how much the founder wants to see before."""

    directive: Annotated[str, CliOption(argument="DIRECTIVE")] = Field(
        max_length=TEXT_CHARS_MAX, description="What shall be there at the end"
    )
    kind: Annotated[DeliverableKind | None, CliOption(flags=("--as",))] = Field(
        None, description="What the result shall be; default: the planner chooses"
    )
    depth: MissionDepth | None = Field(
        None, description="How deep the work goes; default: the planner chooses"
    )
    budget: Budget = None
    documents: Documents = ()
    uploads: Uploads = ()
    sources: Paths = ()
    out: str = Field(
        "", max_length=4_000, description="Where its folder is put; only for the founder at the machine"
    )
    web: bool = Field(False, description="Use the web too, although documents are given")
    with_earlier: bool = Field(
        False, description="Use results of earlier missions too, although documents are given"
    )
    plan: bool = Field(False, description="Wait for the founder's approval of plan and price")
    no_questions: Annotated[bool, CliOption(flags=("--questions/--no-questions",))] = Field(
        False, description="The planner asks nothing about an ambiguous directive"
    )
    skip_unreadable: bool = Field(False, description="Go on without documents that cannot be read")


class MissionRunOutput(Output):
    """A mission that was stored, to be worked on, and what was read of its documents; `attended` if somebody works."""

    mission: UUID
    title: str
    status: MissionStatus
    documents: int
    passages: int
    skipped: tuple[Problem, ...]
    attended: bool


async def _run(context: OperationContext, request: MissionRunInput) -> Result[MissionRunOutput]:
    services = services_of(context)
    if request.out:
        check_at_machine(context, "folders")
    async with given_files(
        context, documents=request.documents, uploads=request.uploads, paths=request.sources
    ) as sources:
        started = await services.take_directive(
            Directive(
                text=request.directive,
                destination=Path(request.out) if request.out else services.deliverables,
                sources=sources,
                web=request.web,
                with_earlier=request.with_earlier,
                skip_unreadable=request.skip_unreadable,
                budget_usd_micros=usd_micros(request.budget),
                kind=request.kind,
                depth=request.depth,
                asks_plan=request.plan,
                may_ask=not request.no_questions,
            )
        )
    mission = started.mission
    attended = await services.in_transaction(anybody_works)
    return Result(
        summary=f"{mission.title} is stored with {plural(started.documents, 'document')}, to be planned.",
        data=MissionRunOutput.of(started, mission, mission=mission.id, attended=attended),
        hints=how_it_goes_on(attended=attended),
    )


class MissionStateOutput(Output):
    """A mission after a command; `done` tells what that did. Without one it was the answer to a message.

    `attended` if somebody works.
    """

    mission: UUID | None
    title: str
    status: MissionStatus | None
    done: tuple[str, ...]
    attended: bool

    @property
    def of_mission(self) -> UUID:
        """The mission, of a command that names one."""
        assert self.mission is not None, "a command on a mission tells that mission"
        return self.mission

    @property
    def ended(self) -> bool:
        return self.status is not None and self.status.ended


async def _state(
    context: OperationContext, mission: Mission | None, effects: tuple[str, ...], *, goes_on: bool
) -> Result[MissionStateOutput]:
    attended = await services_of(context).in_transaction(anybody_works)
    return Result(
        summary=" ".join(effects),
        data=MissionStateOutput(
            mission=mission.id if mission else None,
            title=mission.title if mission else "",
            status=mission.status if mission else None,
            done=effects,
            attended=attended,
        ),
        hints=how_it_goes_on(attended=attended or not goes_on),
    )


class MissionNoteInput(MissionInput):
    """A mission, and why something is done to it."""

    note: Note = ""


async def _pause(context: OperationContext, request: MissionNoteInput) -> Result[MissionStateOutput]:
    mission = await services_of(context).in_transaction(pause_named, request.mission, reason=request.note)
    return await _state(context, mission, (f"The mission {mission.title!r} is paused.",), goes_on=False)


async def _cancel(context: OperationContext, request: MissionNoteInput) -> Result[MissionStateOutput]:
    mission = await services_of(context).in_transaction(cancel_named, request.mission, reason=request.note)
    done = f"The mission {mission.title!r} is cancelled; what it made is kept."
    return await _state(context, mission, (done,), goes_on=False)


class MissionResumeInput(MissionInput):
    """A mission to go on with."""

    budget: Budget = None


async def _resume(context: OperationContext, request: MissionResumeInput) -> Result[MissionStateOutput]:
    mission = await services_of(context).in_transaction(
        resume_named, request.mission, budget_usd_micros=usd_micros(request.budget)
    )
    ended = mission.status.ended
    done = f"The mission {mission.title!r} {f'has ended: it is {mission.status}' if ended else 'goes on'}."
    return await _state(context, mission, (done,), goes_on=not ended)


class MissionRetryInput(StorableInput):
    """The mission or step that is tried again, and why."""

    mission: Annotated[str, CliOption(argument="TARGET")] = Field(
        max_length=200, description="A mission, or a step as MISSION/KEY or by its id"
    )
    note: Note = ""


async def _retry(context: OperationContext, request: MissionRetryInput) -> Result[MissionStateOutput]:
    retried = await services_of(context).in_transaction(retry_named, request.mission, note=request.note)
    return await _state(context, retried.mission, retried.done, goes_on=True)


RUN = declare_founders(
    _run,
    name="mission_run",
    title="Start a mission",
    layer=Layer.ORCHESTRATION,
    about="Give the organisation a directive with the documents to work from. It is stored and answered at once, and"
    " worked on by the workers; mission_get shows how far it is, deliverable_get the result.",
)
PAUSE = declare_founders(
    _pause,
    name="mission_pause",
    title="Pause a mission",
    layer=Layer.SURGICAL,
    about="Pause a mission: a running step stops at its next checkpoint, and nothing is lost.",
    idempotent=True,
)
RESUME = declare_founders(
    _resume,
    name="mission_resume",
    title="Go on with a mission",
    layer=Layer.SURGICAL,
    about="Go on with a mission that was paused, and give it another budget if one is named.",
    idempotent=True,
)
CANCEL = declare_founders(
    _cancel,
    name="mission_cancel",
    title="Cancel a mission",
    layer=Layer.SURGICAL,
    about="Cancel a mission; what it made is kept.",
    destructive=True,
    idempotent=True,
)
RETRY = declare_founders(
    _retry,
    name="mission_retry",
    title="Try a mission or a step again",
    layer=Layer.SURGICAL,
    about="Try again every part of a mission that failed, was cancelled or is blocked, or one step.",
)
