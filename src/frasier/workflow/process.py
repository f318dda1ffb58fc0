"""A process: a declared table of statuses and legal transitions. What is not declared does not happen."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib.resources import files
from typing import Any

from frasier.kernel.errors import ConfigurationError, TransitionRefused

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
    needs_result: bool
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
            legal = sorted(name for name, move in self.transitions.items() if status in move.from_)
            raise TransitionRefused(
                f"{self.name} knows no transition {transition!r}.",
                kept=f"{task} is unchanged.",
                hint=f"From {status} there is: {', '.join(legal) or 'nothing'}.",
            )
        if status not in rule.from_:
            raise TransitionRefused(
                f"{task} is {status}; {transition} starts from {' or '.join(sorted(rule.from_))}.",
                kept=f"{task} is unchanged.",
            )
        if actor.kind not in rule.actors:
            raise TransitionRefused(
                f"{actor} may not {transition} {task}.",
                kept=f"{task} is unchanged.",
                hint=f"It can be done by: {', '.join(sorted(rule.actors))}.",
            )
        missing = sorted(name for name in rule.requires if fields.get(name) in (None, "", 0))
        if missing:
            raise TransitionRefused(
                f"{transition} of {task} lacks {', '.join(missing)}.", kept=f"{task} is unchanged."
            )
        return rule


def read_process(source: str) -> Process:
    """The process that a TOML table declares. Raises ConfigurationError where the table has a hole."""
    table = tomllib.loads(source)
    statuses = {row["name"]: Status(**row) for row in table["statuses"]}
    transitions = {
        row["name"]: Transition(
            name=row["name"],
            from_=frozenset(row["from"]),
            to=row["to"],
            actors=frozenset(ActorKind(kind) for kind in row["actors"]),
            requires=frozenset(row.get("requires", ())),
            strike=row.get("strike", False),
        )
        for row in table["transitions"]
    }
    process = Process(
        name=table["name"],
        initial=table["initial"],
        claim=table["claim"],
        needs_result=table["needs_result"],
        statuses=statuses,
        transitions=transitions,
    )
    if holes := find_holes(process):
        raise ConfigurationError(f"Process {process.name} is not sound: {'; '.join(holes)}.")
    return process


def find_holes(process: Process) -> list[str]:
    """What is wrong with a table: unknown or unreachable statuses, dead ends, a claim that leads nowhere."""
    known = set(process.statuses)
    holes = [
        f"{move.name} names the unknown status {name}"
        for move in process.transitions.values()
        for name in sorted((move.from_ | {move.to}) - known - {BLOCKED})
    ]
    if process.initial not in known:
        return [*holes, f"the initial status {process.initial} is unknown"]
    claim = process.transitions.get(process.claim)
    if claim is None or not any(process.statuses[name].claimable for name in claim.from_ & known):
        holes.append(f"the claim {process.claim} does not start from a claimable status")
    reached = {process.initial}
    while more := {
        move.to for move in process.transitions.values() if move.from_ & reached and move.to not in reached
    }:
        reached |= more
    holes += [f"{name} cannot be reached" for name in sorted(known - reached)]
    for status in process.statuses.values():
        ways_out = [move for move in process.transitions.values() if status.name in move.from_]
        if not status.terminal and not ways_out:
            holes.append(f"{status.name} has no way out")
    for move in process.transitions.values():
        if not move.actors:
            holes.append(f"nobody may {move.name}")
    return holes


@cache
def processes() -> Mapping[str, Process]:
    """The declared processes, by name, read and checked once."""
    folder = files("frasier.workflow").joinpath("processes")
    found = (
        read_process(entry.read_text("utf-8")) for entry in folder.iterdir() if entry.name.endswith(".toml")
    )
    return {process.name: process for process in sorted(found, key=lambda process: process.name)}
