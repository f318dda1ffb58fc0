"""Hold a stand-up, and read team routines: who said what, what it cost, and what came of it."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

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
from frasier.interfaces.operations.organisation.services import (
    Limit,
    declare_founders,
    how_it_goes_on,
    services_of,
)
from frasier.interfaces.operations.paging import More, first_of, more_hint
from frasier.kernel.advice import Advice
from frasier.kernel.humanize import moment, plural
from frasier.org.execution import hold_stand_up
from frasier.overview import RoutinePage, RoutineSummary, SpokenLine, read_routine, read_routines


class StandUpInput(StorableInput):
    """The team of a stand-up."""

    team: Annotated[str, CliOption(flags=("--team",))] = Field(
        "", max_length=100, description="A team's id or name; empty for everybody"
    )


class StandUpOutput(Output):
    """The stand-up; none where nothing has happened `since` the last one. `is_repeated`: today's was held before."""

    routine: RoutineSummary | None
    is_repeated: bool
    since: datetime | None


async def _stand_up(context: OperationContext, request: StandUpInput) -> Result[StandUpOutput]:
    services = services_of(context)
    held = await services.in_transaction(hold_stand_up, request.team)
    page = None
    if held.routine is not None:
        page = (await services.in_transaction(read_routine, str(held.routine.task_id))).routine
    data = StandUpOutput(routine=page, is_repeated=held.is_repeated, since=held.since)
    if page is None:
        since = f" since the last one, {moment(held.since)}" if held.since else ""
        return Result(
            summary=f"Nothing has happened{since}, so no stand-up is held. It cost nothing.", data=data
        )
    show = Advice("routine.show", to="read what was said", routine=str(page.routine)[-8:])
    if held.is_repeated:
        return Result(summary="Today's stand-up was held before; this is it.", data=data, hints=(show,))
    attended = await services.in_transaction(anybody_works)
    return Result(
        summary=f"{page.subject} is held when a worker takes it up.",
        data=data,
        hints=(show, *how_it_goes_on(attended=attended)),
    )


class RoutineListInput(StorableInput):
    """The routines that are wanted."""

    mission: Annotated[str, CliOption(flags=("--mission", "-m"))] = Field(
        "", max_length=200, description="Only those of one mission: its id, a part of it, or `last`"
    )
    limit: Limit = 20


class RoutineListOutput(Output):
    """Routines, newest first."""

    routines: tuple[RoutineSummary, ...]
    more: More = False


async def _list(context: OperationContext, request: RoutineListInput) -> Result[RoutineListOutput]:
    read = await services_of(context).in_transaction(
        read_routines, mission=request.mission, limit=request.limit + 1
    )
    routines, more = first_of(read, request.limit)
    return Result(
        summary=f"{plural(len(routines), 'routine')}.",
        data=RoutineListOutput(routines=routines, more=more),
        hints=more_hint(more=more),
    )


class RoutineInput(StorableInput):
    """The name of a routine."""

    routine: Annotated[str, CliOption(argument="ROUTINE")] = Field(
        max_length=200, description="A routine's id, its beginning or end, or `last`"
    )


class RoutineOutput(Output):
    """A routine with its transcript, cost and outcome."""

    routine: RoutineSummary
    transcript: tuple[SpokenLine, ...]


async def _get(context: OperationContext, request: RoutineInput) -> Result[RoutineOutput]:
    page: RoutinePage = await services_of(context).in_transaction(read_routine, request.routine)
    return Result(
        summary=f"{page.routine.subject}: {page.routine.outcome or page.routine.state}.",
        data=RoutineOutput(routine=page.routine, transcript=page.transcript),
    )


STAND_UP = declare_founders(
    _stand_up,
    name="routine_stand_up",
    title="Hold a stand-up",
    layer=Layer.SURGICAL,
    about="Have a team hold today's stand-up, once a day and only where something happened; a worker carries it out.",
    idempotent=True,
)
LIST = declare_founders(
    _list,
    name="routine_list",
    title="List team routines",
    layer=Layer.DISCOVERY,
    about="The newest stand-ups, brainstorms, debates and mentorings with cost and outcome.",
    read_only=True,
)
GET = declare_founders(
    _get,
    name="routine_get",
    title="Show a team routine",
    layer=Layer.DETAIL,
    about="One routine: who said what, what it cost, its outcome and what became of it.",
    read_only=True,
)
