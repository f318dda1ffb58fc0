"""Read a step of a mission, and give the founder's verdict on it or on a plan."""

from __future__ import annotations

from typing import Annotated, TypeAlias
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
from frasier.interfaces.operations.organisation.services import (
    Note,
    StepName,
    declare_founders,
    how_it_goes_on,
    services_of,
)
from frasier.org.execution import Decided, StepJudged, approve_named, reject_named
from frasier.org.missions import MissionStatus
from frasier.overview import StepPage, read_step

JudgedName: TypeAlias = Annotated[
    str,
    Field(
        max_length=200,
        description="A step that was delivered, as MISSION/KEY or by its id, or a mission whose plan waits",
    ),
    CliOption(argument="NAME"),
]
PlanDigest: TypeAlias = Annotated[
    str, Field(max_length=64, description="The digest of the plan that was shown, or its beginning")
]


class StepInput(StorableInput):
    """The name of a step."""

    step: StepName


class StepOutput(Output):
    """A step with its versions, critique, reviews, phases and calls."""

    step: StepPage


async def _get(context: OperationContext, request: StepInput) -> Result[StepOutput]:
    step = await services_of(context).in_transaction(read_step, request.step)
    return Result(
        summary=f"{step.title} is {step.status.replace('_', ' ')} with {step.agent}.",
        data=StepOutput(step=step),
    )


class ApproveInput(StorableInput):
    """The version or plan that the founder approves."""

    id: JudgedName
    digest: PlanDigest = ""
    note: Note = ""


class RejectInput(StorableInput):
    """The version or plan that the founder sends back, and why."""

    id: JudgedName
    digest: PlanDigest = ""
    reason: Annotated[Note, CliOption(flags=("--note",))] = Field(
        "", description="What must be different; a step needs it, a plan without it cancels its mission"
    )


class VerdictOutput(Output):
    """A verdict as it was carried out, on a plan or on a version of a step; `done` tells its effect."""

    mission: UUID
    title: str
    mission_status: MissionStatus
    approved: bool
    done: str
    unattended: bool
    step: UUID | None = None
    key: str = ""
    status: str = ""
    version: int | None = None


async def _approve(context: OperationContext, request: ApproveInput) -> Result[VerdictOutput]:
    return _verdict(
        await services_of(context).in_transaction(
            approve_named, request.id, digest=request.digest, note=request.note
        )
    )


async def _reject(context: OperationContext, request: RejectInput) -> Result[VerdictOutput]:
    return _verdict(
        await services_of(context).in_transaction(
            reject_named, request.id, digest=request.digest, reason=request.reason
        )
    )


def _verdict(verdict: Decided | StepJudged) -> Result[VerdictOutput]:
    mission = verdict.mission
    of_step = (
        {
            "step": verdict.task.id,
            "key": verdict.task.slug,
            "status": verdict.task.status,
            "version": verdict.version,
        }
        if isinstance(verdict, StepJudged)
        else {}
    )
    data = VerdictOutput(
        mission=mission.id,
        title=mission.title,
        mission_status=mission.status,
        approved=verdict.approved,
        done=verdict.done,
        unattended=verdict.unattended,
        **of_step,
    )
    return Result(summary=verdict.done, data=data, hints=how_it_goes_on(attended=not verdict.unattended))


GET = declare_founders(
    _get,
    name="step_get",
    title="Show a step",
    layer=Layer.DETAIL,
    about="One step of a mission: its instruction, versions with critique, reviews and verification, calls and costs."
    " deliverable_get has the text of a version.",
    read_only=True,
)
APPROVE = declare_founders(
    _approve,
    name="step_approve",
    title="Approve a step or a plan",
    layer=Layer.SURGICAL,
    about="Approve the version of a step that waits for a verdict, in place of its reviewers, or a mission's plan.",
)
REJECT = declare_founders(
    _reject,
    name="step_reject",
    title="Send a step or a plan back",
    layer=Layer.SURGICAL,
    about="Send a version of a step back with the reason, which its author is told; or a plan, which is made again"
    " with a reason and cancels the mission without one.",
)
