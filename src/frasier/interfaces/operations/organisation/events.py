"""Read and verify the audit log."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from frasier.board import SAMPLE, ReplayReport
from frasier.interfaces.operations import Layer, OperationContext, Output, Result, StorableInput
from frasier.interfaces.operations.organisation.services import Limit, declare_founders, services_of
from frasier.kernel.humanize import plural
from frasier.overview import read_events
from frasier.store import AuditVerification, Event


class EventListInput(StorableInput):
    """The events that are wanted."""

    limit: Limit = 20
    mission: str | None = Field(
        None, max_length=100, description="Only this mission and its tasks: id, part of it, or `last`"
    )
    before: int | None = Field(
        None, ge=1, le=2**63 - 1, description="Only those older than this event, to read on"
    )


class EventListOutput(Output):
    """The newest events, oldest first, and the one that further ones are older than."""

    events: tuple[Event, ...]
    next: int | None = None


async def _list(context: OperationContext, request: EventListInput) -> Result[EventListOutput]:
    read = await services_of(context).in_transaction(
        read_events, request.mission, limit=request.limit + 1, before_id=request.before
    )
    events = read[-request.limit :]
    more = events[0].id if len(read) > request.limit else None
    return Result(
        summary=f"{plural(len(events), 'event')}.", data=EventListOutput(events=tuple(events), next=more)
    )


class EventVerifyInput(StorableInput):
    """The extent of the verification beside all chains and seals."""

    tasks: Literal["sample", "all"] = Field("sample", description="Whose history is replayed")


class EventVerifyOutput(Output):
    """The result of recomputing the chains and seals of the audit log, and of replaying tasks from their events."""

    verified: bool
    log: AuditVerification
    replays: ReplayReport


async def _verify(context: OperationContext, request: EventVerifyInput) -> Result[EventVerifyOutput]:
    services = services_of(context)
    log = await services.audit_log.verify()
    replays = await services.board.replay_tasks(sample=None if request.tasks == "all" else SAMPLE)
    verified = not (log.problems or replays.differing)
    state = "verifies" if verified else "does NOT verify"
    return Result(
        summary=f"The audit log {state}: {plural(log.events, 'event')}, {plural(log.seals, 'seal')}.",
        data=EventVerifyOutput(verified=verified, log=log, replays=replays),
    )


LIST = declare_founders(
    _list,
    name="event_list",
    title="List events",
    layer=Layer.EXPLORATION,
    about="The newest events of the audit log, oldest first; of one mission with its tasks if it is named.",
    read_only=True,
)
VERIFY = declare_founders(
    _verify,
    name="event_verify",
    title="Verify the audit log",
    layer=Layer.EXPLORATION,
    about="Recompute every chain and seal of the audit log, and replay tasks from their events. Slow on a large log.",
    read_only=True,
)
