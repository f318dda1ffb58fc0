"""Read where the time and the money of a mission went."""

from __future__ import annotations

from frasier.interfaces.operations import Layer, OperationContext, Output, Result
from frasier.interfaces.operations.organisation.missions import MissionInput
from frasier.interfaces.operations.organisation.services import declare_founders, services_of
from frasier.kernel.humanize import dollars, duration, plural
from frasier.overview import MissionTelemetry, read_telemetry


class TelemetryOutput(Output):
    """The telemetry of a mission: every task with its stretches of time, runs, phases and calls."""

    telemetry: MissionTelemetry


async def _get(context: OperationContext, request: MissionInput) -> Result[TelemetryOutput]:
    telemetry = await services_of(context).in_transaction(read_telemetry, request.mission)
    runs = sum(len(task.runs) for task in telemetry.tasks)
    usd = telemetry.spending.usd_micros / 1_000_000
    return Result(
        summary=f"{telemetry.title}: {duration(telemetry.wall_seconds)}, {plural(runs, 'run')},"
        f" {plural(telemetry.spending.calls, 'call')}, {dollars(usd)}.",
        data=TelemetryOutput(telemetry=telemetry),
    )


GET = declare_founders(
    _get,
    name="telemetry_get",
    title="Show a mission's telemetry",
    layer=Layer.DETAIL,
    about="Where the time and the money of a mission went, from the rows that its runners stamped: for the mission and"
    " each task, run and phase the time in the queue, at work, and waiting for a model, a person, reviews or a lease;"
    " models, tokens and costs; retries and failures; and the critical path.",
    read_only=True,
)
