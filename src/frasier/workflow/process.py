"""A process: a declared table of statuses and legal transitions. What is not declared does not happen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from frasier.kernel.errors import TransitionRefused

BLOCKED = "blocked"
"""The pause that every process has: entered by `block`, left by `restore` to the exact place before."""


class ActorKind(StrEnum):
    """Who may make a move."""

    FOUNDER = "founder"
    WORKER = "worker"
    REVIEWER = "reviewer"
    POLICY = "policy"
    SYSTEM = "system"


@dataclass(frozen=True, slots=True)
class Actor:
    """Who makes a move: a kind, and the name by which the audit trail knows them."""

    kind: ActorKind
    name: str

    def __str__(self) -> str:
        return f"{self.kind}:{self.name}"


SYSTEM = Actor(ActorKind.SYSTEM, "frasier")
POLICY = Actor(ActorKind.POLICY, "autonomy")
FOUNDER = Actor(ActorKind.FOUNDER, "founder")


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    """`role` must act next. A `claimable` task can be taken by a worker; a `terminal` one is over."""

    name: str
    role: str
    meaning: str
    claimable: bool = False
    terminal: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Transition:
    """One legal move: from which statuses, by whom, and with which fields filled. A `strike` is a rejection."""

    name: str
    from_: frozenset[str]
    to: str
    actors: frozenset[ActorKind]
    requires: frozenset[str] = frozenset()
    strike: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Process:
    """A checked table. `claim` names the transition by which a worker takes a task."""

    name: str
    initial: str
    claim: str
    statuses: Mapping[str, Status]
    transitions: Mapping[str, Transition]

    def status(self, name: str) -> Status:
        return self.statuses[name]

    @property
    def claim_transition(self) -> Transition:
        return self.transitions[self.claim]

    def permit(
        self, transition: str, *, status: str, actor: Actor, fields: Mapping[str, Any], task: str
    ) -> Transition:
        """The declared transition, or TransitionRefused: which rule, what is missing, and who may do it."""
        rule = self.transitions.get(transition)
        if rule is None:
            raise TransitionRefused(
                f"{self.name} knows no transition {transition!r}.",
                kept=f"{task} is unchanged.",
                hint=self._ways_from(status),
            )
        if status not in rule.from_:
            raise TransitionRefused(
                f"{task} is {status}; {transition} starts from {' or '.join(sorted(rule.from_))}.",
                kept=f"{task} is unchanged.",
                hint=self._ways_from(status),
            )
        if actor.kind not in rule.actors:
            raise TransitionRefused(
                f"{actor} may not {transition} {task}.",
                kept=f"{task} is unchanged.",
                hint=f"It can be done by: {', '.join(sorted(rule.actors))}.",
            )
        missing = sorted(name for name in rule.requires if not _is_filled(fields.get(name)))
        if missing:
            raise TransitionRefused(
                f"{transition} of {task} lacks {', '.join(missing)}.",
                kept=f"{task} is unchanged.",
                hint="Give what is lacking, and ask again.",
            )
        return rule

    def _ways_from(self, status: str) -> str:
        legal = sorted(name for name, move in self.transitions.items() if status in move.from_)
        return f"From {status} there is: {', '.join(legal) or 'nothing'}."


def _is_filled(value: Any) -> bool:
    return bool(value.strip() if isinstance(value, str) else value)
