"""Rules that a group of tasks adds to its processes: what must hold before a change, and what is spent with it."""

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
    """The part of a task that rules read. They stand below it, as its process is checked with them."""

    @property
    def id(self) -> UUID: ...
    @property
    def slug(self) -> str: ...
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
    """A move or claim that somebody wants to make, with the fields `said` and the founder's `answer` that come with it.

    `after` is what the task would hold with what is said, before the move clears anything.
    """

    task: TaskView
    rule: Transition
    actor: Actor
    after: Mapping[str, Any]
    said: Mapping[str, Any] = field(default_factory=dict)
    answer: str = ""

    def text(self, name: str) -> str:
        """A field's text without the space around it; empty where there is none."""
        value = self.after.get(name)
        return value.strip() if isinstance(value, str) else ""


class GateFacts(Protocol):
    """A gate as the engine knows it: the fields that it reads, and whether these are answers to questions, without
    which it is never passed.
    """

    @property
    def reads(self) -> tuple[str, ...]: ...
    @property
    def questions(self) -> bool: ...


class TaskRules(Protocol):
    """Rules of one kind of task group.

    - `gates`: every gate that its processes may name.
    - `moves_edit`: fields said with a move are checked like an edit's, and an empty value empties one.
    - `records_fields`: the event of a change has the digest of each field, so that fields can be replayed.
    - `binds_judgements`: a judgement holds for exactly what it judged.
    - `pause_keeps_claim`: a pause keeps the claim of whoever held the task, who is told of it and goes on afterwards.
    - `pause_owner_must_act`: a pause names a role that can act for the task.
    - `note_stays`: what the founder notes when a pause ends goes with the task from then on.
    - `wakes_on_change`: somebody waits for any change of a task, not only for one that makes it ready.
    - `summarises`: a completed task leaves a summary in the memory.
    - `failing_action`: what a person must do about a task whose runs keep coming to nothing.
    """

    @property
    def gates(self) -> Mapping[str, GateFacts]: ...

    moves_edit: bool
    records_fields: bool
    binds_judgements: bool
    pause_keeps_claim: bool
    pause_owner_must_act: bool
    note_stays: bool
    wakes_on_change: bool
    summarises: bool
    failing_action: str

    def group_name(self, fields: Mapping[str, Any]) -> str | None:
        """The name of the group of a task that holds `fields`; None where a group has no name of its own."""
        ...

    def marker_scope(self, task: TaskView) -> str:
        """The scope in the memory of the markers of a task."""
        ...

    async def check_gates(self, tx: Tx, request: MoveRequest) -> None:
        """Raise TransitionRefused where a gate of the move is closed. Reads rows only."""
        ...

    async def check_requirements(self, tx: Tx, request: MoveRequest) -> None:
        """Raise TransitionRefused where the group requires more for this very move. Reads rows only."""
        ...

    async def spend(self, tx: Tx, request: MoveRequest) -> None:
        """Use up what serves one task only and opens gates of the move; raise TransitionRefused where it is used."""
        ...

    async def reserve_unique(
        self, tx: Tx, task: TaskView, after: Mapping[str, Any], touched: Collection[str]
    ) -> None:
        """Reserve, of what the task holds `after` a change of the fields `touched`, the values that no two tasks of a
        group may share; raise TransitionRefused where another has one.
        """
        ...

    async def decide(self, tx: Tx, request: MoveRequest, again: Sequence[str] = ()) -> dict[str, Any]:
        """Use the founder's decision where the move needs one, and return what its event says of that.

        What was approved before is decided again because the fields `again` were changed. Raises TransitionRefused
        until the decision is there.
        """
        ...

    def kept_fields(self, request: MoveRequest) -> dict[str, str]:
        """Return the fields that the move itself fills."""
        ...


class PermissiveRules:
    """Rules of groups whose tasks the product's own workers carry out: they permit what the process permits."""

    gates: Mapping[str, GateFacts] = {}
    moves_edit = False
    records_fields = False
    binds_judgements = False
    pause_keeps_claim = False
    pause_owner_must_act = False
    note_stays = True
    wakes_on_change = False
    summarises = False
    failing_action = "look at the worker's log, then retry the step or cancel the mission"

    def group_name(self, _fields: Mapping[str, Any]) -> str | None:
        return None

    def marker_scope(self, task: TaskView) -> str:
        return mission_scope(task.group_id)

    async def check_gates(self, _tx: Tx, _request: MoveRequest) -> None:
        return

    async def check_requirements(self, _tx: Tx, _request: MoveRequest) -> None:
        return

    async def spend(self, _tx: Tx, _request: MoveRequest) -> None:
        return

    async def reserve_unique(
        self, _tx: Tx, _task: TaskView, _after: Mapping[str, Any], _touched: Collection[str]
    ) -> None:
        return

    async def decide(self, _tx: Tx, _request: MoveRequest, _again: Sequence[str] = ()) -> dict[str, Any]:
        return {}

    def kept_fields(self, _request: MoveRequest) -> dict[str, str]:
        return {}


PERMISSIVE = PermissiveRules()


def rules_of(process: Process) -> TaskRules:
    """The rules of the group that a process's tasks belong to."""
    return _load(rules_at(process.group))


@cache
def _load(name: str) -> TaskRules:
    rules: TaskRules = resolve_name(name)
    return rules
