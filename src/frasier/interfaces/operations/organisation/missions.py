"""List missions."""

from __future__ import annotations

from uuid import UUID

from pydantic import Field

from frasier.interfaces.operations import Layer, OperationContext, Output, Result, StorableInput
from frasier.interfaces.operations.organisation.services import (
    Limit,
    MissionName,
    declare_founders,
    services_of,
)
from frasier.interfaces.operations.paging import first_of
from frasier.kernel.advice import Advice
from frasier.kernel.humanize import plural
from frasier.org.missions import MissionStatus, count_missions
from frasier.overview import MissionSummary, read_missions


class MissionListInput(StorableInput):
    """The missions that are wanted."""

    limit: Limit = 20
    status: tuple[MissionStatus, ...] = Field(
        (), max_length=len(MissionStatus), description="Only those with one of these; default: all"
    )
    before: UUID | None = Field(None, description="Only those older than this mission, to read on")


class MissionListOutput(Output):
    """Missions, newest first, how many there are of these statuses, and the one that further ones are older than."""

    missions: tuple[MissionSummary, ...]
    total: int
    next: UUID | None = None


async def _list(context: OperationContext, request: MissionListInput) -> Result[MissionListOutput]:
    in_transaction = services_of(context).in_transaction
    read = await in_transaction(
        read_missions, limit=request.limit + 1, statuses=request.status or None, before=request.before
    )
    missions, more = first_of(read, request.limit)
    counts = await in_transaction(count_missions)
    return Result(
        summary=f"{plural(len(missions), 'mission')}.",
        data=MissionListOutput(
            missions=missions,
            total=sum(counts.get(status, 0) for status in request.status or MissionStatus),
            next=missions[-1].mission if more else None,
        ),
        hints=()
        if missions or request.before
        else (Advice("mission.start", to="start one", directive="TEXT"),),
    )


class MissionInput(StorableInput):
    """The name of a mission."""

    mission: MissionName = "last"


LIST = declare_founders(
    _list,
    name="mission_list",
    title="List missions",
    layer=Layer.DISCOVERY,
    about="Missions, newest first, with status, steps done, cost and the number of open questions to the founder.",
    read_only=True,
)
