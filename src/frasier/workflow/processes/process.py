"""A process: a declared table of positions and legal transitions. What is not declared does not happen.

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
"""The pause that every process has: entered by `block`, left by `restore` to the exact place before."""

CLAIM = "claim"
"""What people do to take a task."""

OWNER = "owner"
"""In a table: whoever has the role that the task's position names."""


class GroupKind(StrEnum):
    """Kind of group that the tasks of a process belong to; a task has the id of its own as `group_id`."""

    MISSION = "mission"
    BOARD = "board"
    CONVERSATION = "conversation"
    ORGANISATION = "organisation"


class ActorKind(StrEnum):
    """What somebody is who makes a move. A `member` is an agent or program with a credential and roles of its own."""

    FOUNDER = "founder"
    WORKER = "worker"
    REVIEWER = "reviewer"
    POLICY = "policy"
    SYSTEM = "system"
    MEMBER = "member"


@dataclass(frozen=True, slots=True)
class Actor:
    """Who makes a move: a kind, the name by which the audit trail knows them, and for a member the roles it has, and
    the projects that it has them in, all where there are none.
    """

    kind: ActorKind
    name: str
    roles: frozenset[str] = frozenset()
    projects: frozenset[str] = frozenset()

    def __str__(self) -> str:
        return f"{self.kind}:{self.name}"

    @property
    def person(self) -> str:
        """The actor as people are told; the record has the whole of it, as `str` gives it."""
        return person(str(self))

    def acting_as(self, role: str, actors: Collection[str] = ()) -> str:
        """The role in which somebody acts at a position of the role `role`, in a move that is open to `actors`: that
        role, where they have it and it may; else one of theirs that may, and of who has no roles what they are.
        """
        if self.kind is not ActorKind.MEMBER:
            return self.kind
        if role in self.roles and (not actors or role in actors or OWNER in actors):
            return role
        return min(self.roles & set(actors) or self.roles, default=self.kind)

    def is_among(self, actors: frozenset[str], owner: str) -> bool:
        """Whether a table that names `actors` means this one, at a position of the role `owner`."""
        if self.kind is not ActorKind.MEMBER:
            return self.kind in actors
        return bool(self.roles & actors) or (OWNER in actors and owner in self.roles)


SYSTEM = Actor(ActorKind.SYSTEM, "frasier")
POLICY = Actor(ActorKind.POLICY, "autonomy")
FOUNDER = Actor(ActorKind.FOUNDER, "founder")


class Outcome(StrEnum):
    """How a task is over."""

    COMPLETED = "completed"
    FAILED = "failed"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    """`roles` are those that may have to act next here, the usual one first. A `claimable` task can be taken under a
    lease; one with an `outcome` is over. `column` is where a board shows it.
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
    """One legal move: from which positions, by whom, and with which fields filled.

    `of` are the roles of the positions that it starts from, all where it is empty. `role` is that of the position
    that it leads to: a name, the name of a field in braces whose value it is, or empty for the role before (or the
    only one that the status has). `clears` are fields that it empties, `gates` the checks that must hold, by name.
    `requires` are said with the move itself; `needs` are what the task must hold by then.
    `decision` is one that the founder may want to make. `judges` are the fields that a review, an answer or an approval
    given for the move is about; where there are none, what its creation requires and the deliverables that are filled.
    Where none of the moves that it `revokes` starts, it starts only once the judgement that one of them was is cleared.
    A `strike` is a rejection; what `reopens` is over before; a `shortcut` leaves out stages that the process has, so it
    is no part of the way that is told as a task's.
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
        """Whether the task goes back by it: it relies on nothing that was judged."""
        return self.strike or self.reopens or self.name == "release"

    @property
    def role_field(self) -> str:
        """The field that says who acts next; empty where none does."""
        return self.role[1:-1] if self.role.startswith("{") else ""


class FieldKind(StrEnum):
    """What a field holds. A `link` is an https address, a `role` one of the process's roles."""

    TEXT = "text"
    NUMBER = "number"
    FLAG = "flag"
    LIST = "list"
    LINK = "link"
    ROLE = "role"


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """What a task of the process may hold besides its title: `writers` are who may fill it; none but the engine where
    that is empty.

    What is `with_move` is said with a move that requires it and stands as it was said: no edit and no other move
    touches it. A `deliverable` is part of the work: tests count for exactly what these held when they were run.
    A `judgement` says what its writer thinks of the work: it holds for what it judged, and an edit of that clears it.
    What is said in `own_words` is a judgement, and said of this task: no other one of its group holds the same words.
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
        """Whether it is a judgement."""
        return self.judgement or self.own_words


@dataclass(frozen=True, slots=True, kw_only=True)
class Creation:
    """How a task of the process begins: who may make one, who may act first, what must be said, and whether it has to
    be about another task (`parent`).
    """

    actors: frozenset[str] = frozenset()
    roles: tuple[str, ...] = ()
    requires: frozenset[str] = frozenset()
    parent: bool = False


class MissingFields(TransitionRefused):
    """The table lets this actor make the move `rule` from here, but fields that it takes are not filled: `missing`."""

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
    """A checked table. Its tasks belong to a `group`, whose rules they follow (see task_rules).

    `claim` names the transition by which a task is taken. Where there is no `creation`, the engine alone makes its
    tasks. `blockers` and `restorers` are the roles of members who may pause a task and end the pause; the founder and
    the system always may.
    """

    name: str
    group: GroupKind
    initial: str
    claim: str
    creation: Creation = Creation()
    blockers: frozenset[str] = frozenset()
    restorers: frozenset[str] = frozenset()
    statuses: Mapping[str, Status]
    transitions: Mapping[str, Transition] = field(repr=False)
    fields: Mapping[str, Field] = field(repr=False, default_factory=dict)

    def status(self, name: str) -> Status:
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
        """The declared transition, or TransitionRefused: which rule, what is missing, and who may do it.

        `fields` are said with the move, `held` are those that the task has.
        """
        kept = f"{task} is unchanged."
        rule = self.transitions.get(transition)
        if rule is None:
            raise TransitionRefused(
                f"{self.name} has no move {transition!r}.",
                kept=kept,
                hint=self._ways_from(status, role),
            )
        called = self.called(transition)
        if status not in rule.from_:
            raise TransitionRefused(
                f"{task} is {status}; {called} starts from {' or '.join(sorted(rule.from_))}.",
                kept=kept,
                hint=self._ways_from(status, role),
            )
        if not rule.starts_from(status, role):
            raise TransitionRefused(
                f"{task} is {status} with {role}; {called} starts with {' or '.join(sorted(rule.of))}.",
                kept=kept,
                hint=self._ways_from(status, role),
            )
        if not actor.is_among(rule.actors, role):
            raise TransitionRefused(
                f"{actor.person} may not {called} {task}.",
                kept=kept,
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
                kept=kept,
                move=called,
                rule=rule,
                missing=missing,
            )
        return rule

    def called(self, transition: str) -> str:
        """What people call a transition: the one that takes a task is `claim`, whatever the table calls it."""
        return CLAIM if transition == self.claim else transition

    def who_may(self, rule: Transition, role: str) -> frozenset[str]:
        """Those who may make the move at a position of that role."""
        return frozenset(role if actor == OWNER else actor for actor in rule.actors)

    def next_role(self, rule: Transition, *, role: str, fields: Mapping[str, Any], task: str) -> str:
        """Who acts next after the move; raises TransitionRefused where a field names a role that cannot."""
        allowed = self.status(rule.to).roles
        if rule.role_field:
            named = fields.get(rule.role_field)
            if named not in allowed:
                raise TransitionRefused(
                    f"{rule.role_field} of {task} is {named!r:.80}; after {rule.name} it can be"
                    f" {' or '.join(allowed)}.",
                    kept=f"{task} is unchanged.",
                    hint="Say who must act next.",
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
        return f"From {status} there is: {', '.join(legal) or 'nothing'}."


def is_filled(value: Any) -> bool:
    """Whether a field holds anything: no blank text, and no list of nothing but these."""
    if isinstance(value, list):
        return any(not isinstance(one, str) or one.strip() for one in value)
    return bool(value.strip() if isinstance(value, str) else value)
