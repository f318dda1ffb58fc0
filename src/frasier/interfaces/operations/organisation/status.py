"""Read the state of everything."""

from __future__ import annotations

from frasier.board import BusyWorker, Outage
from frasier.interfaces.operations import Layer, NoInput, OperationContext, Result
from frasier.interfaces.operations.organisation.services import declare_founders, services_of
from frasier.interfaces.operations.organisation.waiting import WaitingOutput
from frasier.kernel.humanize import plural
from frasier.llm import Tier
from frasier.org.missions import MissionStatus
from frasier.overview import (
    InterruptedMission,
    LatestMission,
    ModelTrouble,
    OpenTasks,
    PausedTask,
    RulesInForce,
    Spend,
    UnsettledEffect,
    WaitingCounts,
    WaitingQuestion,
    read_status,
)


class OrganisationStatusOutput(WaitingOutput):
    """The state of everything, see frasier.overview.Status."""

    rehearsal: bool
    models: dict[Tier, str]
    web_search: bool
    database: str
    missions: dict[MissionStatus, int]
    tasks: OpenTasks
    board_tasks: OpenTasks
    waiting_for_founder: tuple[WaitingQuestion, ...]
    blocked_for_founder: tuple[PausedTask, ...]
    interrupted: tuple[InterruptedMission, ...]
    effects_in_trouble: int
    effects: tuple[UnsettledEffect, ...]
    standing_rules: RulesInForce
    outages: tuple[Outage, ...]
    model_troubles: tuple[ModelTrouble, ...]
    spend: dict[str, Spend]
    workers: tuple[BusyWorker, ...]
    heartbeat: bool
    waits_for: WaitingCounts
    latest: tuple[LatestMission, ...]


async def _get(context: OperationContext, _request: NoInput) -> Result[OrganisationStatusOutput]:
    services = services_of(context)
    status = OrganisationStatusOutput.of_view(await services.in_transaction(read_status, services.setup))
    running = sum(number for name, number in status.missions.items() if not name.ended)
    workers = plural(len(status.workers), "worker") if status.workers else "nobody"
    if not status.workers and status.waits_for.attended:
        workers = "a worker without a task"
    return Result(
        summary=f"{plural(running, 'mission')} under way, {status.waits_for.decision} for the founder to decide,"
        f" {workers} at work.",
        data=status,
    )


GET = declare_founders(
    _get,
    name="status_get",
    title="Show the state of everything",
    layer=Layer.DISCOVERY,
    about="How everything stands: missions by status, open tasks, what waits for the founder, spend against the caps,"
    " workers, outages and other troubles.",
    read_only=True,
)
