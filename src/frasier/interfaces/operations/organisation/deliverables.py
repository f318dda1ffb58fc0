"""Read results: the text with its statements, verdicts, passages and versions."""

from __future__ import annotations

from pydantic import Field

from frasier.interfaces.operations import Layer, OperationContext, Output, Result, StorableInput
from frasier.interfaces.operations.organisation.services import MissionName, declare_founders, services_of
from frasier.overview import DeliverablePage, read_deliverable


class DeliverableInput(StorableInput):
    """The result of a mission, or of one of its steps, in a version."""

    mission: MissionName = "last"
    step: str = Field("", max_length=100, description="A step's key; default: the final one")
    version: int | None = Field(
        None, ge=1, le=2**31 - 1, description="Default: the approved one, else the newest"
    )


class DeliverableOutput(Output):
    """One version of a result."""

    deliverable: DeliverablePage


async def _get(context: OperationContext, request: DeliverableInput) -> Result[DeliverableOutput]:
    page = await services_of(context).in_transaction(
        read_deliverable, request.mission, step=request.step or None, version=request.version
    )
    state = "approved" if page.approved else "not approved"
    return Result(
        summary=f"{page.title}, version {page.version}, {state}. {page.headline}.",
        data=DeliverableOutput(deliverable=page),
        degraded="made with less than was asked for" if page.degraded else "",
    )


GET = declare_founders(
    _get,
    name="deliverable_get",
    title="Read a deliverable",
    layer=Layer.DETAIL,
    about="The result of a mission as Markdown, with the verdict and the passages of each statement, its sources and"
    " versions.",
    read_only=True,
)
