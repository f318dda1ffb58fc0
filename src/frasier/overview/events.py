"""Events of everything, or of one mission with its tasks."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from uuid import UUID

from frasier.board import get_board
from frasier.org.missions import find_mission
from frasier.store import (
    Event,
    EventCursor,
    InTransaction,
    Tx,
    current_cursor,
    newest_events,
)
from frasier.workflow import groups_of, tasks_of

_GROUPS_KEPT = 10_000


async def read_events(
    tx: Tx,
    mission: str | None,
    *,
    limit: int,
    before_id: int | None = None,
    kind: str | None = None,
    actor: str | None = None,
) -> list[Event]:
    """Read the newest events, oldest first; of that mission alone where it is named. See newest_events for the rest."""
    return await newest_events(
        tx,
        limit=limit,
        streams=await _streams(tx, mission),
        before_id=before_id,
        kind=kind,
        actor=actor,
    )


async def read_newest_events(tx: Tx, mission: str | None, *, limit: int) -> tuple[list[Event], EventCursor]:
    """Read the newest events as read_events does, and the place from which a reader goes on."""
    place = await current_cursor(tx)
    return await newest_events(tx, limit=limit, streams=await _streams(tx, mission), before=place), place


class EventGroups:
    """The mission or board that an event is about, remembered for the events that follow.

    An event of a task is about the task's group, any other about its own stream.
    """

    def __init__(self) -> None:
        self._groups: OrderedDict[UUID, UUID] = OrderedDict()

    async def load(self, in_transaction: InTransaction, events: Iterable[Event]) -> None:
        """Look up what is not known yet, in one statement."""
        streams = {event.stream for event in events}
        if unknown := streams - self._groups.keys():
            groups = await in_transaction(groups_of, unknown)
            self._groups |= {stream: groups.get(stream, stream) for stream in unknown}
        for stream in streams:
            self._groups.move_to_end(stream)
        while len(self._groups) > max(_GROUPS_KEPT, len(streams)):
            self._groups.popitem(last=False)

    def of(self, event: Event) -> UUID:
        """Return the group of an event that was loaded."""
        return self._groups.get(event.stream, event.stream)


async def event_group_of(tx: Tx, *, mission: str | None, board: str | None) -> UUID | None:
    """Return the id of the mission or board of that name, to compare with an event's group; None for neither."""
    if mission is not None:
        return (await find_mission(tx, mission)).id
    return None if board is None else (await get_board(tx, board)).id


async def _streams(tx: Tx, mission: str | None) -> list[UUID] | None:
    """The streams of a mission: itself and its tasks, of which there may be more every time. None is all of them."""
    if mission is None:
        return None
    found = await find_mission(tx, mission)
    return [found.id, *(task.id for task in await tasks_of(tx, found.id))]
