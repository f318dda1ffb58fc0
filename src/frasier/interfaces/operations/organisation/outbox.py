"""Read the effects outside the database."""

from __future__ import annotations

from pydantic import Field

from frasier.interfaces.operations import Layer, OperationContext, OperationInput, Output, Result
from frasier.interfaces.operations.organisation.services import Limit, declare_founders, services_of
from frasier.kernel.humanize import plural
from frasier.overview import UnsettledEffect, read_effects


class OutboxListInput(OperationInput):
    """The effects that are wanted."""

    limit: Limit = 50
    sent: bool = Field(False, description="Also those that were sent")


class OutboxOutput(Output):
    """Effects, newest first."""

    effects: tuple[UnsettledEffect, ...]


async def _list(context: OperationContext, request: OutboxListInput) -> Result[OutboxOutput]:
    effects = await services_of(context).in_transaction(read_effects, limit=request.limit, sent=request.sent)
    trouble = sum(effect.in_trouble for effect in effects)
    return Result(
        summary=f"{plural(len(effects), 'effect')}, {trouble} in trouble.", data=OutboxOutput(effects=effects)
    )


LIST = declare_founders(
    _list,
    name="outbox_list",
    title="List effects",
    layer=Layer.EXPLORATION,
    about="Publications and announcements on their way, in trouble or in doubt.",
    read_only=True,
    idempotent=True,
)
