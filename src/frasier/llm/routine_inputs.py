"""The typed inputs of the requests of team routines."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class SpokenTurn:
    """The words of a colleague in a routine."""

    name: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RoutineTurnInputs:
    """The inputs of a colleague's words in a routine of some `kind` about a subject.

    `part` is what this colleague brings to it, a line each; `deliverable` is the version that it is about, if any;
    `said` is what others said before.
    """

    kind: str
    subject: str
    part: tuple[str, ...] = ()
    deliverable: str = ""
    said: tuple[SpokenTurn, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RoutineOutcomeInputs:
    """The inputs of the one outcome of a routine, one of the `outcomes`. `part` is what was known before."""

    kind: str
    subject: str
    outcomes: tuple[str, ...]
    part: tuple[str, ...] = ()
    said: tuple[SpokenTurn, ...] = ()
