"""Events of everything, or of one mission with its tasks."""

from __future__ import annotations

from uuid import UUID

from frasier.org.planning import find_mission
from frasier.store import Event, EventPosition, Tx, current_place, events_since, newest_events
from frasier.workflow import tasks_of


async def read_events(
    tx: Tx, mission: str | None, *, limit: int, before_id: int | None = None
) -> list[Event]:
    """Read the newest events, oldest first; of that mission alone where it is named, or older than an event."""
    return await newest_events(tx, limit=limit, streams=await _streams(tx, mission), before_id=before_id)


async def read_newest_events(tx: Tx, mission: str | None, *, limit: int) -> tuple[list[Event], EventPosition]:
    """Read the newest events as read_events does, and the place from which `read_events_since` goes on."""
    place = await current_place(tx)
    return await newest_events(tx, limit=limit, streams=await _streams(tx, mission), before=place), place


async def read_events_since(
    tx: Tx, place: EventPosition, mission: str | None, *, limit: int
) -> tuple[list[Event], EventPosition]:
    """Read what happened after a place, at most `limit` events of all, and the place to go on from."""
    found, place = await events_since(tx, place, limit=limit)
    streams = await _streams(tx, mission)  # after the events: the tasks that they made are among them
    return [event for event in found if streams is None or event.stream in streams], place


async def _streams(tx: Tx, mission: str | None) -> list[UUID] | None:
    """The streams of a mission: itself and its tasks, of which there may be more every time. None is all of them."""
    if mission is None:
        return None
    found = await find_mission(tx, mission)
    return [found.id, *(task.id for task in await tasks_of(tx, found.id))]
