"""Operations on missions."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from pydantic import Field

from frasier.interfaces.operations import Layer, OperationContext, Output, Result, declare
from frasier.interfaces.operations.operation import OperationInput
from frasier.interfaces.operations.organisation.founder import founder_services
from frasier.org.planning import MissionStatus
from frasier.overview import read_missions


class MissionsInput(OperationInput):
    """The number of missions that are wanted."""

    limit: int = Field(20, ge=1, le=1_000, description="How many to list at most, newest first")


class MissionOutput(Output):
    """A mission as a line of a list. Costs are in US dollars."""

    mission: UUID
    title: str
    status: MissionStatus
    created_at: datetime
    cost_usd: float


class MissionsOutput(Output):
    """The newest missions."""

    missions: tuple[MissionOutput, ...]


async def _missions(context: OperationContext, request: MissionsInput) -> Result[MissionsOutput]:
    services = founder_services(context, "list the missions")
    missions = await services.in_transaction(read_missions, limit=request.limit)
    return Result(
        summary=f"{len(missions)} missions.",
        data=MissionsOutput(missions=tuple(MissionOutput.of(one) for one in missions)),
    )


MISSIONS = declare(
    _missions,
    name="mission_list",
    title="Missions",
    layer=Layer.DISCOVERY,
    about="The newest missions, with status and cost.",
    read_only=True,
    idempotent=True,
)
