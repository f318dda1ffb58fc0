"""Read views of tasks for whoever works on boards; each is read in one transaction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias
from uuid import UUID

from frasier.board.agent_inbox.audit_replay import check_trail
from frasier.board.agent_inbox.inbox import (
    Card,
    Notice,
    card_of,
    cards,
    count_cards,
    count_ended,
    current_cards,
    notices,
)
from frasier.board.agent_inbox.resume import Recovery, recover
from frasier.board.boards import Board
from frasier.board.commands.declare import StoredCommand, list_commands
from frasier.board.commands.requirements import RequiredCommand, required_commands
from frasier.board.decisions.decision_brief import Brief, briefs
from frasier.board.decisions.lists import open_decisions
from frasier.board.members.resolve import boards_of_caller, only_board, resolve_task
from frasier.memory import Caller
from frasier.store import Event, Tx, effects_of, events_of
from frasier.workflow import Actor, Task


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskDetails:
    """One task for `actor`, with the commands that moves of its board require. `card` is None if it is on no board.

    `answered` are the events of its moves that quote the founder, oldest first: see ApprovalMode.SEMI.
    """

    task: Task
    actor: Actor
    card: Card | None
    required: Sequence[RequiredCommand]
    answered: Sequence[Event]


async def read_task(tx: Tx, caller: Caller, name: str, board: str | None = None) -> TaskDetails:
    """Read the task that `name` names; see resolve_task."""
    resolved = await resolve_task(tx, caller, name, board)
    return TaskDetails(
        task=resolved.task,
        actor=resolved.actor,
        card=await card_of(tx, resolved.task.id),
        required=await required_commands(tx, resolved.task.group_id),
        answered=[
            event for event in await events_of(tx, resolved.task.id) if event.payload.get("founder_answer")
        ],
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskList:
    """Tasks with the notices that each gives whoever asks; `counts` by column, and how many have `ended` where none is
    listed.
    """

    listed: Sequence[tuple[Card, Sequence[Notice]]]
    counts: Mapping[str, int]
    ended: int = 0


CardPlace: TypeAlias = tuple[bool, int, float, int]
"""The sort key of a card in a list."""


def card_place(card: Card) -> CardPlace:
    """Return the sort key of a card: open ones first by urgency, then ended ones, newest first."""
    task = card.task
    moment = task.since.timestamp() if task.ended_at is None else -task.ended_at.timestamp()
    return (task.ended_at is not None, -task.priority, moment, task.num)


async def read_tasks(
    tx: Tx,
    caller: Caller,
    board: str | None = None,
    *,
    status: str | None = None,
    role: str | None = None,
    process: str | None = None,
    mine: bool = False,
    over_days: float | None = None,
    per_status: int | None = None,
    after: CardPlace | None = None,
) -> TaskList:
    """List tasks of the named board, or of all that the caller may see, by status, role and process if these are named.

    `over_days` and `per_status` are as in `cards`; with `per_status` the columns are counted. With `mine`, only tasks
    that give the caller a notice are listed, with `after` only those that come behind that place.
    """
    actor, visible = await boards_of_caller(tx, caller, board)
    boards = [one.name for one in visible]
    found: list[Card] = []
    if boards and mine and over_days is None:
        found = await current_cards(tx, boards, concerning=actor)
    elif boards:
        found = await cards(
            tx, boards, over_days=over_days, concerning=actor if mine else None, per_status=per_status
        )
    listed = [
        (card, why)
        for card in found
        if (after is None or card_place(card) > after)
        and status in {None, card.task.status}
        and role in {None, card.task.role}
        and process in {None, card.task.process}
        and ((why := notices(card, actor)) or not mine)
    ]
    counts = await count_cards(tx, boards, over_days=over_days) if per_status else {}
    ended = 0
    if not listed and not mine:
        ended = await count_ended(tx, boards, status=status, role=role, process=process)
    return TaskList(listed=listed, counts=counts, ended=ended)


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskHistory:
    """The events of a task, oldest first, with the texts of its effects by key, and what does not fit its state."""

    events: Sequence[Event]
    problems: Sequence[str]
    effect_texts: Mapping[str, str]


async def read_history(tx: Tx, caller: Caller, name: str, board: str | None = None) -> TaskHistory:
    """Read the events of the task that `name` names, and check that they lead to its state."""
    task = (await resolve_task(tx, caller, name, board)).task
    events = await events_of(tx, task.id)
    return TaskHistory(
        events=events,
        problems=await check_trail(tx, task.id),
        effect_texts=await _effect_texts(tx, task.id, events),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class RecoveryView:
    """The state of an agent's work, with the briefs of its decisions, the commands that moves require by board, and
    the texts of effects by key.
    """

    recovery: Recovery
    asked: Sequence[Brief]
    required: Mapping[UUID, Sequence[RequiredCommand]]
    effect_texts: Mapping[str, str]


async def read_recovery(tx: Tx, caller: Caller, board: str | None = None) -> RecoveryView:
    """Read the state of the caller's work on the named board, or on all that it may see."""
    actor, visible = await boards_of_caller(tx, caller, board)
    recovery = await recover(tx, actor, [one.name for one in visible])
    held = (*recovery.holding, *recovery.paused)
    events_shown = [
        *((one.card.task.id, one.latest) for one in held),
        *((one.card.task.id, one.events) for one in recovery.changed),
    ]
    texts: dict[str, str] = {}
    for task_id, events in events_shown:
        texts |= await _effect_texts(tx, task_id, events)
    groups = {one.card.task.group_id for one in held}
    return RecoveryView(
        recovery=recovery,
        asked=await briefs(tx, recovery.asked),
        required={group: await required_commands(tx, group) for group in groups},
        effect_texts=texts,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenDecisions:
    """The decisions that wait for the founder, longest first, as `actor` sees them."""

    actor: Actor
    briefs: Sequence[Brief]


async def read_open_decisions(tx: Tx, caller: Caller, board: str | None = None) -> OpenDecisions:
    """Read the open decisions of the named board, or of all that the caller may see."""
    actor, visible = await boards_of_caller(tx, caller, board)
    waiting = [decision for one in visible for decision in await open_decisions(tx, one.id)]
    waiting.sort(key=lambda decision: decision.asked_at)
    return OpenDecisions(actor=actor, briefs=await briefs(tx, waiting))


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardCommands:
    """The declared commands of a board, and those that its moves require."""

    board: Board
    declared: Sequence[StoredCommand]
    required: Sequence[RequiredCommand]


async def read_commands(tx: Tx, caller: Caller, board: str | None = None) -> BoardCommands:
    """Read the declared commands of the named board, or of the only one that the caller may see."""
    found = await only_board(tx, caller, board)
    return BoardCommands(
        board=found,
        declared=await list_commands(tx, found.id),
        required=await required_commands(tx, found.id),
    )


async def _effect_texts(tx: Tx, task_id: UUID, events: Sequence[Event]) -> Mapping[str, str]:
    """Read the texts of a task's effects by the keys that its events name."""
    if not any(event.kind.startswith("effect.") for event in events):
        return {}
    return {effect.key: str(effect.payload.get("text", "")) for effect in await effects_of(tx, task_id)}
