"""Recovery: one call tells an agent who it is, what it holds, where it stood, what waits, and what changed since.

It reads tasks, their events and what the agent wrote itself, and nothing else: no similarity search is on this way, so
it answers the same with every search down.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime

from frasier.board.agent_inbox.inbox import Card, Notice, calls_for, cards, notices
from frasier.board.agent_inbox.working_memory import WorkingMemory, read_working_memory
from frasier.board.decisions import Decision, decisions_of
from frasier.store import Event, Tx, events_of
from frasier.workflow import Actor

_CHANGED_TASKS = 20
_CHANGED_EVENTS = 10
_OVER_DAYS = 7.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """A task that the agent holds, with what happened to it last, oldest first."""

    card: Card
    latest: Sequence[Event]


@dataclass(frozen=True, slots=True, kw_only=True)
class Changed:
    """A task that the agent worked on, and what others did to it since the agent's own last move."""

    card: Card
    since: datetime
    events: Sequence[Event]


@dataclass(frozen=True, slots=True, kw_only=True)
class Recovery:
    """Where an agent stands. `paused` is what it held when that was blocked, and holds again afterwards; `waiting` is
    what it could do next, with why; `asked` what it asked the founder.
    """

    actor: Actor
    projects: Sequence[str]
    stood: WorkingMemory | None
    holding: Sequence[Held]
    paused: Sequence[Held]
    waiting: Sequence[tuple[Card, Sequence[Notice]]]
    changed: Sequence[Changed]
    asked: Sequence[Decision]


async def recover(tx: Tx, actor: Actor, projects: Collection[str] = ()) -> Recovery:
    """Where `actor` stands in `projects`, or in all that there are."""
    board = await cards(tx, projects, concerning=actor)
    holding = [card for card in board if card.task.lease_owner == actor.name]
    worked_on = await cards(tx, projects, holder=actor.name, over_days=_OVER_DAYS, limit=_CHANGED_TASKS)
    changed = [await _changed(tx, card, actor) for card in worked_on if card.task.lease_owner != actor.name]
    waiting = [
        (card, why) for card in board if card not in holding and calls_for(why := notices(card, actor), actor)
    ]
    return Recovery(
        actor=actor,
        projects=tuple(projects),
        stood=await read_working_memory(tx, actor),
        holding=[await _held(tx, card) for card in holding],
        paused=[await _held(tx, card) for card in board if card.was_held_by == actor.name],
        waiting=waiting,
        changed=[one for one in changed if one is not None],
        asked=await decisions_of(tx, str(actor)),
    )


async def _held(tx: Tx, card: Card) -> Held:
    return Held(card=card, latest=(await events_of(tx, card.task.id))[-_CHANGED_EVENTS:])


async def _changed(tx: Tx, card: Card, actor: Actor) -> Changed | None:
    events = await events_of(tx, card.task.id)
    own = [place for place, event in enumerate(events) if event.actor == str(actor)]
    if not own:
        return None
    # What was sent because of the task changes nothing of it.
    later = [event for event in events[own[-1] + 1 :] if event.kind.startswith("task.")]
    if not later:
        return None
    return Changed(card=card, since=events[own[-1]].at, events=later[-_CHANGED_EVENTS:])
