"""Rules that a task group adds to its processes: what must hold before a change, and what is spent with it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from pkgutil import resolve_name
from typing import Any, Protocol
from uuid import UUID

from frasier.memory import mission_scope
from frasier.store import Tx
from frasier.workflow.processes.groups import rules_at
from frasier.workflow.processes.process import Actor, Process, Transition


class TaskView(Protocol):
    """The part of a task that rules read. Rules stand below tasks, because the validation of a process needs them."""

    @property
    def id(self) -> UUID: ...
    @property
    def slug(self) -> str: ...
    @property
    def place(self) -> str: ...
    @property
    def group_id(self) -> UUID: ...
    @property
    def status(self) -> str: ...
    @property
    def role(self) -> str: ...
    @property
    def since(self) -> datetime: ...
    @property
    def attempt(self) -> int: ...
    @property
    def version(self) -> int: ...
    @property
    def strikes(self) -> int: ...
    @property
    def fields(self) -> dict[str, Any]: ...
    @property
    def definition(self) -> Process: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveRequest:
    """A move or claim that an actor requests, with the `fields` and the founder's `answer` that come with it.

    `after` is what the task would hold with these fields, before the move clears any.
    """

    task: TaskView
    rule: Transition
    actor: Actor
    after: Mapping[str, Any]
    fields: Mapping[str, Any] = field(default_factory=dict)
    answer: str = ""

    def text(self, name: str) -> str:
        """Return a field's text without surrounding space; empty if the field has no text."""
        value = self.after.get(name)
        return value.strip() if isinstance(value, str) else ""


class GateFacts(Protocol):
    """The properties of a gate that the engine needs: the fields that it reads, and whether these are answers to
    questions, without which it never opens.
    """

    @property
    def reads(self) -> tuple[str, ...]: ...
    @property
    def questions(self) -> bool: ...


class TaskRules:
    """Rules of one kind of task group. These here are of groups whose tasks the product's own workers carry out: they
    permit what the process permits.

    - `gates`: every gate that its processes may name.
    - `moves_edit`: fields passed with a move are checked like an edit's, and an empty value empties one.
    - `records_fields`: the event of a change has the digest of each field, so that fields can be replayed.
    - `binds_judgements`: a judgement holds for exactly what it judged.
    - `pause_keeps_claim`: a pause keeps the claim of the task's holder, who is informed of it and goes on afterwards.
    - `pause_owner_must_act`: a pause names a role that can act for the task.
    - `lease_ends_writes`: the attempt of a lease that is over makes no move and no edit, even before it is given back.
    - `note_stays`: the founder's note at the end of a pause stays with the task.
    - `wakes_on_change`: agents wait for any change of a task, not only for one that makes it ready.
    - `summarises`: a completed task leaves a summary in the memory.
    - `failing_action`: what a person must do about a task whose runs keep failing.
    """

    gates: Mapping[str, GateFacts] = {}
    moves_edit = False
    records_fields = False
    binds_judgements = False
    pause_keeps_claim = False
    pause_owner_must_act = False
    lease_ends_writes = False
    note_stays = True
    wakes_on_change = False
    summarises = False
    failing_action = "look at the worker's log, then retry the step or cancel the mission"

    def group_name(self, fields: Mapping[str, Any]) -> str | None:
        """Return the name of the group of a task that holds these fields; None if its group has no name."""
        return fields.get("mission")

    def name_in_group(self, task: TaskView) -> str:
        """Return the name of a task as every interface understands it."""
        return task.slug

    def marker_scope(self, task: TaskView) -> str:
        """Return the memory scope of a task's markers."""
        return mission_scope(task.group_id)

    async def check_gates(self, _tx: Tx, _request: MoveRequest) -> None:
        """Check the gates of the move. Raises TransitionRefused if one is closed. Reads rows only."""

    async def check_requirements(self, _tx: Tx, _request: MoveRequest) -> None:
        """Check what the group requires for this very move. Raises TransitionRefused. Reads rows only."""

    async def spend(self, _tx: Tx, _request: MoveRequest) -> None:
        """Use up the single-use items that open gates of the move. Raises TransitionRefused if one was used before."""

    async def reserve_unique(
        self, _tx: Tx, _task: TaskView, _after: Mapping[str, Any], _touched: Collection[str]
    ) -> None:
        """Reserve the values that no two tasks of a group may share, of the fields touched by a change to `_after`.

        Raises TransitionRefused if another task has one.
        """

    async def decide(self, _tx: Tx, _request: MoveRequest, _again: Sequence[str] = ()) -> dict[str, Any]:
        """Use the founder's decision if the move needs one; return what its event records of it.

        `_again` are the fields changed since an earlier approval, which make it necessary to decide again. Raises
        TransitionRefused until the decision is there.
        """
        return {}

    def kept_fields(self, _request: MoveRequest) -> dict[str, str]:
        """Return the fields that the move itself fills."""
        return {}


PERMISSIVE = TaskRules()


def rules_of(process: Process) -> TaskRules:
    """Return the rules of the group to which a process belongs."""
    return _load(rules_at(process.group))


@cache
def _load(name: str) -> TaskRules:
    rules: TaskRules = resolve_name(name)
    return rules
