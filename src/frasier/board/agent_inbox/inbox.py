"""The inbox: the cards of boards, and for each the notices that it gives an actor."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, fields, replace
from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

from psycopg.rows import DictRow

from frasier.board.board_processes import board_processes
from frasier.board.expired_leases import release_expired
from frasier.store import Statements, Tx
from frasier.workflow import (
    BLOCKED,
    OWNER,
    Actor,
    ActorKind,
    Task,
    Transition,
    is_filled,
    is_open,
    judging_fields,
    owed,
    process_of,
    processes,
    renewers_of,
    task_of,
)

_sql = Statements("frasier.board.agent_inbox")

_ORPHANED_S = 24 * 3600.0
_LEASE_WARNING_S = 300.0
EVER_DAYS = 36_500.0
"""Longer than any board has existed."""


class Notice(StrEnum):
    """The reason why somebody should look at a task."""

    TURN = "turn"
    """It is the role's turn."""
    HELD = "held"
    """The agent holds it itself."""
    RESTORED = "restored"
    """It was paused, and the agent holds it again."""
    LEASE_ENDS = "lease_ends"
    """Its lease ends soon."""
    NOT_MOVED = "not_moved"
    """All that its next move needs is written, and nobody makes the move."""
    BLOCKED = "blocked"
    """It is paused, and the role must act."""
    FOUNDER_DECIDES = "founder_decides"
    """A move of it waits for the founder's decision: nobody else has anything to do until then."""
    APPROVED = "approved"
    """The founder approved a move of it, and nobody has made it."""
    REJECTED = "rejected"
    """The founder rejected a move of it."""
    JUDGEMENT_CLEARED = "judgement_cleared"
    """The content that the role judged was changed: the task goes on when it is judged again."""
    ORPHANED = "orphaned"
    """It stands where it is for a day."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """A task on a board. `waits_for` names the tasks that it needs and that are not completed. `reasons` say why it is
    paused, at `was` with `was_role`, held by `was_held_by`; `asked` lists the founder's pending and answered decisions
    on moves of the task as it is now that were not made yet; `lease_s` is the rest of its lease in seconds, `waits_s`
    the time it has been where it is.
    """

    task: Task
    board: str
    reasons: Sequence[dict[str, Any]]
    blocked_at: datetime | None
    was: str
    was_role: str
    was_held_by: str | None
    asked: Sequence[dict[str, Any]]
    waits_for: Sequence[str]
    lease_s: float | None
    waits_s: float

    @property
    def column(self) -> str:
        """The column in which a board shows it."""
        return column_of(self.task.process, self.task.status)


async def cards(
    tx: Tx,
    boards: Collection[str] = (),
    *,
    ids: Sequence[UUID] | None = None,
    over_days: float | None = None,
    holder: str | None = None,
    concerning: Actor | None = None,
    limit: int | None = None,
    per_status: int | None = None,
) -> list[Card]:
    """List the open tasks of the named boards, or of all; with `over_days` also those that ended within so many days.
    `ids` keeps only those tasks, `holder` only what that member holds or held last, `concerning` only what may give
    that actor a notice, `per_status` at most so many of each status of a process.
    """
    rows = await _sql.all(
        tx,
        "board_tasks",
        boards=list(boards),
        ids=None if ids is None else list(ids),
        over_days=over_days,
        holder=holder,
        limit=limit,
        per_status=per_status,
        name=concerning and concerning.name,
        roles=sorted(_turns_of(concerning)) if concerning else [],
        watches=concerning is not None and _watches_any(concerning),
        decides=concerning is not None and concerning.kind is ActorKind.FOUNDER,
        stands_s=_ORPHANED_S,
    )
    return [_card(row) for row in rows]


async def current_cards(tx: Tx, boards: Collection[str], *, concerning: Actor | None = None) -> list[Card]:
    """List the open tasks as `cards` does, after those whose lease has expired were given back."""
    found = await cards(tx, boards, concerning=concerning)
    if not any(card.lease_s is not None and card.lease_s < 0 for card in found):
        return found
    released = await release_expired(tx, list(board_processes()))
    return await cards(tx, boards, concerning=concerning) if released else found


async def count_cards(tx: Tx, boards: Collection[str], *, over_days: float | None = None) -> dict[str, int]:
    """Count the tasks of the named boards by column, of those that `cards` lists."""
    counts: dict[str, int] = {}
    for row in await _sql.all(tx, "count_cards", boards=list(boards), over_days=over_days):
        column = column_of(row["process"], row["status"])
        counts[column] = counts.get(column, 0) + row["tasks"]
    return counts


def column_of(process: str, status: str) -> str:
    """Return the column in which a board shows a status of a process."""
    if status == BLOCKED:
        return BLOCKED
    return process_of(process).status(status).column or status


async def card_of(tx: Tx, task_id: UUID) -> Card | None:
    """Return the card of one task, whether it has ended or not; None if it is on no board."""
    found = await cards(tx, ids=[task_id], over_days=EVER_DAYS)
    return found[0] if found else None


async def count_ended(
    tx: Tx,
    boards: Collection[str],
    *,
    status: str | None = None,
    role: str | None = None,
    process: str | None = None,
) -> int:
    """Count the ended tasks of the named boards; of that status, role and process if they are named."""
    row = await _sql.one(tx, "count_ended", boards=list(boards), status=status, role=role, process=process)
    return int(row["tasks"])


def _turns_of(actor: Actor) -> Collection[str]:
    return {ActorKind.FOUNDER.value} if actor.kind is ActorKind.FOUNDER else actor.roles


def _watches_any(actor: Actor) -> bool:
    restorers = {role for process in processes().values() for role in process.restorers}
    return actor.kind is ActorKind.FOUNDER or bool(actor.roles & restorers)


def notices(card: Card, actor: Actor) -> list[Notice]:
    """List the reasons why `actor` should look at the card now, most urgent first; empty if there is none."""
    task = card.task
    if task.terminal:
        return []
    again = _notices_of_cleared(card, actor)
    if task.lease_owner is not None:
        return [*again, *_notices_of_held(card, actor)]
    is_turn = _is_turn_of(task, actor)
    if task.status == BLOCKED:
        return [*again, *([Notice.BLOCKED] if is_turn or _watches(task, actor) else [])]
    if _is_asked(card) and (is_turn or actor.kind is ActorKind.FOUNDER):
        return [*again, Notice.FOUNDER_DECIDES]
    if task.held or (task.pending_deps and _is_to_begin(task)):
        return again
    orphaned = card.waits_s > _ORPHANED_S and (is_turn or _watches(task, actor))
    return [*again, *(_notices_of_turn(card) if is_turn else []), *([Notice.ORPHANED] if orphaned else [])]


def calls_for(why: Sequence[Notice], actor: Actor) -> bool:
    """Tell whether `actor` has something to do, and not just something to know."""
    idle = {Notice.HELD} if actor.kind is ActorKind.FOUNDER else {Notice.HELD, Notice.FOUNDER_DECIDES}
    if Notice.HELD not in why:
        idle.add(Notice.NOT_MOVED)  # only the holder can make the move
    return not idle.issuperset(why)


def _is_asked(card: Card) -> bool:
    return any(one["answer"] is None for one in card.asked)


def _notices_of_turn(card: Card) -> list[Notice]:
    """Return the notices for whoever's turn it is, with the founder's answers to what they asked."""
    again = _rejected_again(card)
    answers = sorted(
        Notice(one["answer"])
        for one in card.asked
        if one["move"] not in again or one["answer"] != Notice.REJECTED
    )
    return [*answers, Notice.TURN]


def _notices_of_held(card: Card, actor: Actor) -> list[Notice]:
    """Return the notices of a held task for its holder, the founder, and whoever watches over it."""
    holds, asked = card.task.lease_owner == actor.name, _is_asked(card)
    unmoved = is_finished(card.task) and not asked
    found = [Notice.FOUNDER_DECIDES] * (asked and (holds or actor.kind is ActorKind.FOUNDER))
    if holds:
        found += [Notice.NOT_MOVED] * unmoved
        found += [Notice.RESTORED] * card.task.restored
        found += [Notice.LEASE_ENDS] * (card.lease_s is not None and card.lease_s < _LEASE_WARNING_S)
        found.append(Notice.HELD)
    if _watches(card.task, actor):
        found += [Notice.ORPHANED] * (card.waits_s > _ORPHANED_S)
        found += [Notice.NOT_MOVED] * (unmoved and Notice.NOT_MOVED not in found)
    return found


def _is_turn_of(task: Task, actor: Actor) -> bool:
    if actor.kind is ActorKind.FOUNDER:
        return task.role == ActorKind.FOUNDER
    return task.role in actor.roles


def _notices_of_cleared(card: Card, actor: Actor) -> list[Notice]:
    """Return the notices of cleared judgements: for those who must give one again, and for those who can change what
    the founder then rejected, or send the task back.
    """
    task = _at_its_place(card)
    owing = owed(task) if actor.kind is ActorKind.MEMBER else {}
    if not owing:
        return []
    process = task.definition
    rejected = [process.transitions[name] for name in _rejected_again(card)]
    words = {name for rule in rejected for name in judging_fields(process, rule)}
    can_act = any(actor.roles & renewers_of(task, name) for name in words) or (
        rejected and any(rule.strike and _moves(task, rule, actor) for rule in process.transitions.values())
    )
    has_to = any(actor.roles & renewers_of(task, name) for names in owing.values() for name in names)
    return [Notice.REJECTED] * bool(can_act) + [Notice.JUDGEMENT_CLEARED] * has_to


def _rejected_again(card: Card) -> set[str]:
    """Return the moves behind the task whose judgement the founder, asked for it again, rejected."""
    rejected = {one["move"] for one in card.asked if one["answer"] == Notice.REJECTED}
    return rejected & owed(_at_its_place(card)).keys() if rejected else set()


def _at_its_place(card: Card) -> Task:
    if card.task.status != BLOCKED:
        return card.task
    return replace(card.task, status=card.was, role=card.was_role, lease_owner=card.was_held_by)


def _moves(task: Task, rule: Transition, actor: Actor) -> bool:
    """Tell whether the table lets the actor make the move from the task's position; only a holder moves a held one."""
    return (
        rule.starts_from(task.status, task.role)
        and is_open(task, rule)
        and actor.is_among(rule.actors, task.role)
        and task.lease_owner in {None, actor.name}
    )


def _is_to_begin(task: Task) -> bool:
    """Tell whether open dependencies keep the task from beginning; one that has begun is looked at and handed on."""
    return task.claimable or task.status == task.definition.initial


def _watches(task: Task, actor: Actor) -> bool:
    """Tell whether the actor watches that the task does not get stuck: the founder, and who can end a pause."""
    return actor.kind is ActorKind.FOUNDER or bool(actor.roles & task.definition.restorers)


def is_finished(task: Task) -> bool:
    """Tell whether somebody holds the task and everything that its way on needs is written."""
    ways = [
        rule
        for rule in task.definition.transitions.values()
        if rule.starts_from(task.status, task.role)
        and rule.needs
        and not rule.requires
        and (task.role in rule.actors or OWNER in rule.actors)
    ]
    return task.lease_owner is not None and any(
        all(is_filled(task.fields.get(name)) for name in rule.needs) for rule in ways
    )


def _card(row: DictRow) -> Card:
    """Return the card of a row, which has the columns of the task and the fields of the card; it empties the row of
    the latter.
    """
    beside = {one.name: row.pop(one.name) for one in fields(Card) if one.name != "task"}
    empty = {"reasons": [], "asked": [], "waits_for": [], "was": "", "was_role": ""}
    return Card(task=task_of(row), **beside | {name: beside[name] or none for name, none in empty.items()})
