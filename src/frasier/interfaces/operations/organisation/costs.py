"""Read what was spent."""

from __future__ import annotations

from datetime import date

from pydantic import Field

from frasier.interfaces.operations import Layer, OperationContext, Output, Result, StorableInput
from frasier.interfaces.operations.organisation.services import declare_founders, services_of
from frasier.kernel.humanize import dollars, plural
from frasier.overview import Bill, read_costs


class CostInput(StorableInput):
    """The part of the bill that is wanted."""

    since: date | None = Field(None, description="Only what was spent from this day (UTC) on")
    mission: str | None = Field(
        None, max_length=100, description="Only this mission: its id, a part of it, or `last`"
    )


class CostOutput(Output):
    """The bill, in US dollars."""

    costs: Bill


async def _get(context: OperationContext, request: CostInput) -> Result[CostOutput]:
    services = services_of(context)
    bill = await services.in_transaction(
        read_costs, services.setup.caps, since=request.since, mission=request.mission
    )
    total = bill.total
    return Result(
        summary=f"{dollars(total.cost_usd)} for {plural(total.calls, 'call')}.", data=CostOutput(costs=bill)
    )


GET = declare_founders(
    _get,
    name="cost_get",
    title="Show costs",
    layer=Layer.EXPLORATION,
    about="What was spent in US dollars, by tier, model, mission and day, and how full the caps are.",
    read_only=True,
)
