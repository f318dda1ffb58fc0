"""Process: a declared table of positions and legal transitions. A move that is not declared cannot be made.

A position is a status together with the role that must act next.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from frasier.kernel.advice import Advice
from frasier.kernel.errors import TransitionRefused
from frasier.kernel.humanize import person

BLOCKED = "blocked"
"""The status of a paused task in every process: entered by `block`, left by `restore` to the exact position before."""

CLAIM = "claim"
"""The name under which every interface offers the transition that claims a task."""

OWNER = "owner"
"""In a table: a member who has the role of the task's position."""


class GroupKind(StrEnum):
    """The kind of group that the tasks of a process belong to; a task has the id of its group as `group_id`."""

    MISSION = "mission"
    BOARD = "board"
    CONVERSATION = "conversation"
    ORGANISATION = "organisation"


class ActorKind(StrEnum):
    """The kinds of actors. A `member` is an agent or program with a credential and roles of its own."""

    FOUNDER = "founder"
    WORKER = "worker"
    REVIEWER = "reviewer"
    POLICY = "policy"
    SYSTEM = "system"
    MEMBER = "member"


@dataclass(frozen=True, slots=True)
class Actor:
    """The maker of a move: a kind, the name in the audit log, and for a member its roles and the boards on which it
    has them (every board if there are none).
    """

    kind: ActorKind
    name: str
    roles: frozenset[str] = frozenset()
    boards: frozenset[str] = frozenset()

    def __str__(self) -> str:
        return f"{self.kind}:{self.name}"

    @property
    def person(self) -> str:
        """The name of the actor for people; events have the full form that `str` gives."""
        return person(str(self))

    def acting_as(self, role: str, actors: Collection[str] = ()) -> str:
        """Return the role in which the actor makes a move that is open to `actors`, at a position of `role`.

        It is `role`, if a member has it and it may make the move; else one of the member's roles that may. An actor
        that is no member acts as its kind.
        """
        if self.kind is not ActorKind.MEMBER:
            return self.kind
        if role in self.roles and (not actors or role in actors or OWNER in actors):
            return role
        return min(self.roles & set(actors) or self.roles, default=self.kind)

    def is_among(self, actors: frozenset[str], owner: str) -> bool:
        """Return whether a table that lists `actors` includes this actor, at a position of the role `owner`."""
        if self.kind is not ActorKind.MEMBER:
            return self.kind in actors
        return bool(self.roles & actors) or (OWNER in actors and owner in self.roles)


SYSTEM = Actor(ActorKind.SYSTEM, "frasier")
POLICY = Actor(ActorKind.POLICY, "autonomy")
FOUNDER = Actor(ActorKind.FOUNDER, "founder")


class Outcome(StrEnum):
    """The result of an ended task."""

    COMPLETED = "completed"
    FAILED = "failed"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskStatus:
    """A status of a process. `roles` are those that may have to act next, the usual one first. A `claimable` task can
    be claimed under a lease; one with an `outcome` has ended. `column` is where a board shows it.
    """

    name: str
    roles: tuple[str, ...]
    meaning: str
    claimable: bool = False
    outcome: Outcome | None = None
    column: str = ""

    @property
    def terminal(self) -> bool:
        return self.outcome is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Transition:
    """One legal move: the positions from which it starts, its actors, and the fields that it takes.

    - `of`: the roles of the positions from which it starts; empty for all.
    - `role`: the role of the resulting position: a name, the name of a field in braces whose value is the role, or
      empty for the role before (or the only one that the status has).
    - `requires`: fields that are passed with the move itself; `needs`: fields that the task must have by then.
    - `clears`: fields that it empties; `gates`: the names of conditions that must hold.
    - `decision`: the founder may want to decide about it.
    - `judges`: the fields that a review, answer or approval of the move is about; if empty, the fields that creation
      requires and the work fields that are filled.
    - `revokes`: moves whose judgement must be cleared before this move starts, unless one of them starts from the
      position too.
    - `strike`: it is a rejection; `reopens`: it starts from an ended task; `shortcut`: it leaves out stages of the
      process, so it is not part of the way shown for a task.
    """

    name: str
    from_: frozenset[str]
    to: str
    actors: frozenset[str]
    of: frozenset[str] = frozenset()
    role: str = ""
    requires: frozenset[str] = frozenset()
    needs: frozenset[str] = frozenset()
    clears: frozenset[str] = frozenset()
    gates: tuple[str, ...] = ()
    decision: bool = False
    judges: frozenset[str] = frozenset()
    revokes: frozenset[str] = frozenset()
    strike: bool = False
    reopens: bool = False
    shortcut: bool = False

    def starts_from(self, status: str, role: str) -> bool:
        return status in self.from_ and (not self.of or role in self.of)

    @property
    def leads_back(self) -> bool:
        """Whether the move sends the task back, and so relies on no judgement."""
        return self.strike or self.reopens or self.name == "release"

    @property
    def role_field(self) -> str:
        """The field whose value is the role that acts next; empty if there is none."""
        return self.role[1:-1] if self.role.startswith("{") else ""


class FieldKind(StrEnum):
    """The kinds of field values. A `link` is an https address, a `role` one of the process's roles."""

    TEXT = "text"
    NUMBER = "number"
    FLAG = "flag"
    LIST = "list"
    LINK = "link"
    ROLE = "role"


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """A declared field of the tasks of a process. Only `writers` may fill it; if there are none, only the engine
    does.

    - `with_move`: it is set by a move that requires it and not changed afterwards, by an edit or by another move.
    - `deliverable`: it is a work field; test runs count for exactly the values that these had.
    - `judgement`: it is its writer's judgement of the work, bound to the fields that it judged; an edit of those
      clears it.
    - `own_words`: it is a judgement whose text no other task of the group may repeat.
    """

    name: str
    meaning: str
    kind: FieldKind = FieldKind.TEXT
    writers: frozenset[str] = frozenset()
    with_move: bool = False
    deliverable: bool = False
    own_words: bool = False
    judgement: bool = False

    @property
    def judges(self) -> bool:
        """Whether the field is a judgement."""
        return self.judgement or self.own_words


@dataclass(frozen=True, slots=True, kw_only=True)
class Creation:
    """The rules for creating a task of the process: who may create one, which roles may act first, which fields are
    required, and whether it must belong to another task (`parent`).
    """

    actors: frozenset[str] = frozenset()
    roles: tuple[str, ...] = ()
    requires: frozenset[str] = frozenset()
    parent: bool = False


class MissingFields(TransitionRefused):
    """Refusal of a move that the process allows this actor from here, because the fields `missing` are not filled."""

    def __init__(
        self,
        message: str,
        *,
        kept: str,
        move: str,
        rule: Transition,
        missing: Sequence[str],
        hint: str = "",
        advice: Sequence[Advice] = (),
    ) -> None:
        super().__init__(
            message, kept=kept, hint=hint, advice=advice, facts={"move": move, "missing": list(missing)}
        )
        self.rule = rule
        self.missing = tuple(missing)


@dataclass(frozen=True, slots=True, kw_only=True)
class Process:
    """A validated process. Its tasks belong to a `group`, whose rules they follow (see task_rules).

    `claim` names the transition by which a task is claimed. Without a `creation`, only the engine creates its tasks.
    `blockers` and `restorers` are the roles of members who may pause a task and end the pause; the founder and the
    system always may.
    """

    name: str
    group: GroupKind
    initial: str
    claim: str
    creation: Creation = Creation()
    blockers: frozenset[str] = frozenset()
    restorers: frozenset[str] = frozenset()
    statuses: Mapping[str, TaskStatus]
    transitions: Mapping[str, Transition] = field(repr=False)
    fields: Mapping[str, Field] = field(repr=False, default_factory=dict)

    def status(self, name: str) -> TaskStatus:
        return self.statuses[name]

    @property
    def claim_transition(self) -> Transition:
        return self.transitions[self.claim]

    @property
    def roles(self) -> frozenset[str]:
        """Every role that may have to act."""
        return frozenset(role for status in self.statuses.values() for role in status.roles)

    def permit(
        self,
        transition: str,
        *,
        status: str,
        role: str,
        actor: Actor,
        fields: Mapping[str, Any],
        task: str,
        held: Mapping[str, Any] | None = None,
    ) -> Transition:
        """Return the declared transition. Raises TransitionRefused with the rule that was broken, what is missing,
        and who may.

        `fields` are passed with the move, `held` are those that the task has.
        """
        unchanged = f"{task} is unchanged."
        rule = self.transitions.get(transition)
        if rule is None:
            raise TransitionRefused(
                f"{self.name} has no move {transition!r}.",
                kept=unchanged,
                hint=self._ways_from(status, role),
            )
        called = self.called(transition)
        if status not in rule.from_:
            raise TransitionRefused(
                f"{task} is {status}; {called} starts from {' or '.join(sorted(rule.from_))}.",
                kept=unchanged,
                hint=self._ways_from(status, role),
            )
        if not rule.starts_from(status, role):
            raise TransitionRefused(
                f"{task} is {status} with {role}; {called} starts with {' or '.join(sorted(rule.of))}.",
                kept=unchanged,
                hint=self._ways_from(status, role),
            )
        if not actor.is_among(rule.actors, role):
            raise TransitionRefused(
                f"{actor.person} may not {called} {task}.",
                kept=unchanged,
                hint=f"It can be done by: {', '.join(sorted(self.who_may(rule, role)))}.",
            )
        after = {**(held or {}), **fields}
        missing = sorted(
            {name for name in rule.requires if not is_filled(fields.get(name))}
            | {name for name in rule.needs if not is_filled(after.get(name))}
        )
        if missing:
            raise MissingFields(
                f"{called} of {task} lacks {', '.join(missing)}.",
                kept=unchanged,
                move=called,
                rule=rule,
                missing=missing,
            )
        return rule

    def called(self, transition: str) -> str:
        """Return the name of a transition for people: the one that claims a task is `claim`, whatever the table calls
        it.
        """
        return CLAIM if transition == self.claim else transition

    def who_may(self, rule: Transition, role: str) -> frozenset[str]:
        """Return the roles and kinds of actors that may make the move at a position of that role."""
        return frozenset(role if actor == OWNER else actor for actor in rule.actors)

    def next_role(self, rule: Transition, *, role: str, fields: Mapping[str, Any], task: str) -> str:
        """Return the role that acts next after the move. Raises TransitionRefused if a field names a role that
        cannot.
        """
        allowed = self.status(rule.to).roles
        if rule.role_field:
            named = fields.get(rule.role_field)
            if named not in allowed:
                raise TransitionRefused(
                    f"{rule.role_field} of {task} is {named!r:.80}; after {rule.name} it can be"
                    f" {' or '.join(allowed)}.",
                    kept=f"{task} is unchanged.",
                    hint="Name the role that must act next.",
                )
            return str(named)
        if rule.role:
            return rule.role
        return allowed[0] if len(allowed) == 1 else role

    def _ways_from(self, status: str, role: str) -> str:
        legal = sorted(
            self.called(name) for name, move in self.transitions.items() if move.starts_from(status, role)
        )
        legal += ["restore"] if status == BLOCKED else []
        return f"Moves from {status}: {', '.join(legal) or 'none'}."


def is_filled(value: Any) -> bool:
    """Return whether a field has a value: blank text, and a list of nothing but blank texts, do not count."""
    if isinstance(value, list):
        return any(not isinstance(item, str) or item.strip() for item in value)
    return bool(value.strip() if isinstance(value, str) else value)
