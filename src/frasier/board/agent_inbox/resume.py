"""Recovery: one call tells an agent who it is, what it holds, where it stood, what waits, and what changed since.

It reads tasks, their events and the agent's working memory. It uses no similarity search, so it answers the same with
every search down.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime

from frasier.board.agent_inbox.inbox import Card, Notice, calls_for, cards, current_cards, notices
from frasier.board.agent_inbox.working_memory import WorkingMemory, read_working_memory
from frasier.board.decisions.lists import Decision, decisions_of
from frasier.store import Event, Tx, events_of
from frasier.workflow import Actor

_CHANGED_TASKS = 20
_CHANGED_EVENTS = 10
_OVER_DAYS = 7.0


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldTask:
    """A task that the agent holds, with its latest events, oldest first."""

    card: Card
    latest: Sequence[Event]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangedTask:
    """A task that the agent worked on, and what others did to it since the agent's own last move."""

    card: Card
    since: datetime
    events: Sequence[Event]


@dataclass(frozen=True, slots=True, kw_only=True)
class Recovery:
    """The state of an agent's work. `paused` are tasks that it held when they were blocked, and will hold again;
    `waiting` are tasks that it could work on next, with the reasons; `asked` are its decisions that wait for the
    founder or for use.
    """

    actor: Actor
    boards: Sequence[str]
    stood: WorkingMemory | None
    holding: Sequence[HeldTask]
    paused: Sequence[HeldTask]
    waiting: Sequence[tuple[Card, Sequence[Notice]]]
    changed: Sequence[ChangedTask]
    asked: Sequence[Decision]


async def recover(tx: Tx, actor: Actor, boards: Collection[str] = ()) -> Recovery:
    """Return the state of `actor`'s work on `boards`, or on all boards."""
    open_cards = await current_cards(tx, boards, concerning=actor)
    holding = [card for card in open_cards if card.task.lease_owner == actor.name]
    worked_on = await cards(tx, boards, holder=actor.name, over_days=_OVER_DAYS, limit=_CHANGED_TASKS)
    changed = [await _changed(tx, card, actor) for card in worked_on if card.task.lease_owner != actor.name]
    waiting = [
        (card, why)
        for card in open_cards
        if card not in holding and calls_for(why := notices(card, actor), actor)
    ]
    return Recovery(
        actor=actor,
        boards=tuple(boards),
        stood=await read_working_memory(tx, actor),
        holding=[await _held(tx, card) for card in holding],
        paused=[await _held(tx, card) for card in open_cards if card.was_held_by == actor.name],
        waiting=waiting,
        changed=[one for one in changed if one is not None],
        asked=await decisions_of(tx, str(actor)),
    )


async def _held(tx: Tx, card: Card) -> HeldTask:
    return HeldTask(card=card, latest=(await events_of(tx, card.task.id))[-_CHANGED_EVENTS:])


async def _changed(tx: Tx, card: Card, actor: Actor) -> ChangedTask | None:
    events = await events_of(tx, card.task.id)
    own = [place for place, event in enumerate(events) if event.actor == str(actor)]
    if not own:
        return None
    # Effects of the task change nothing of it.
    later = [event for event in events[own[-1] + 1 :] if event.kind.startswith("task.")]
    if not later:
        return None
    return ChangedTask(card=card, since=events[own[-1]].at, events=later[-_CHANGED_EVENTS:])
