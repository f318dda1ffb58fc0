"""The declared processes: read from their tables, and refused where a table has a hole."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any, TypeVar

from frasier.kernel.errors import ConfigurationError
from frasier.workflow.process import BLOCKED, ActorKind, Process, Status, Transition

Row = TypeVar("Row", Status, Transition)

# What the engine, its recovery and its schema build on, whatever else a process declares.
_LEASED = "active"
_ENDS = frozenset({"completed", "failed", "cancelled"})


@cache
def processes() -> Mapping[str, Process]:
    """The declared processes, by name, read and checked once."""
    folder = files("frasier.workflow").joinpath("processes")
    tables = sorted(
        (entry for entry in folder.iterdir() if entry.name.endswith(".toml")), key=lambda entry: entry.name
    )
    found = [read_process(table.read_text("utf-8")) for table in tables]
    return {process.name: process for process in found}


def read_process(source: str) -> Process:
    """The process that a TOML table declares. Raises ConfigurationError where the table has a hole."""
    try:
        table = tomllib.loads(source)
        process = Process(
            name=table["name"],
            initial=table["initial"],
            claim=table["claim"],
            statuses=_by_name([Status(**row) for row in table["statuses"]]),
            transitions=_by_name([_transition(row) for row in table["transitions"]]),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise ConfigurationError(f"A process cannot be read: {type(error).__name__}: {error}.") from error
    if holes := find_holes(process):
        raise ConfigurationError(f"Process {process.name} is not sound: {'; '.join(holes)}.")
    return process


def _transition(row: Mapping[str, Any]) -> Transition:
    return Transition(
        name=row["name"],
        from_=frozenset(row["from"]),
        to=row["to"],
        actors=frozenset(ActorKind(kind) for kind in row["actors"]),
        requires=frozenset(row.get("requires", ())),
        strike=row.get("strike", False),
    )


def _by_name(rows: list[Row]) -> dict[str, Row]:
    by_name = {row.name: row for row in rows}
    if len(by_name) < len(rows):
        raise ValueError("a name stands twice")
    return by_name


def find_holes(process: Process) -> list[str]:
    """What is wrong with a table, in words; an empty list for a sound one.

    Sound means: every name is declared, every status can be reached and left, and what the engine does by itself
    (claim, release, fail, cancel, retry) is possible wherever it may have to be done.
    """
    unknown = list(_unknown_names(process))
    return unknown or [*_lost_statuses(process), *_wrong_statuses(process), *_missing_moves(process)]


def _unknown_names(process: Process) -> Iterator[str]:
    known = process.statuses.keys()
    if process.initial not in known:
        yield f"the initial status {process.initial} is unknown"
    if process.claim not in process.transitions:
        yield f"the claim {process.claim} is unknown"
    for move in process.transitions.values():
        for name in sorted(move.from_ - known - {BLOCKED}):
            yield f"{move.name} starts from the unknown status {name}"
        if move.to not in known:
            yield f"{move.name} leads to the unknown status {move.to}"
        if not move.actors:
            yield f"nobody may {move.name}"


def _lost_statuses(process: Process) -> Iterator[str]:
    reached = {process.initial, BLOCKED}
    while more := {move.to for move in process.transitions.values() if move.from_ & reached} - reached:
        reached |= more
    for name in sorted(process.statuses.keys() - reached):
        yield f"{name} cannot be reached"
    ending = {status.name for status in process.statuses.values() if status.terminal}
    while (
        more := {name for move in process.transitions.values() if move.to in ending for name in move.from_}
        - ending
    ):
        ending |= more
    for name in sorted({*process.statuses, BLOCKED} - ending):
        yield f"{name} has no way to an end"


def _wrong_statuses(process: Process) -> Iterator[str]:
    claim = process.claim_transition
    for status in process.statuses.values():
        if status.name == BLOCKED:
            yield f"{BLOCKED} is the engine's own status"
        if status.terminal != (status.name in _ENDS):
            yield f"{status.name} must be terminal if, and only if, it is one of {', '.join(sorted(_ENDS))}"
        if status.claimable != (status.name in claim.from_):
            yield f"{status.name} must be claimable if, and only if, {claim.name} starts from it"
        if status.claimable and (status.terminal or status.name == _LEASED):
            yield f"{status.name} cannot be claimable"
    for move in process.transitions.values():
        if (move.to == _LEASED) != (move is claim):
            yield f"{move.name}: the claim, and nothing else, leads to {_LEASED}"
        if move.to == "failed" and "reason" not in move.requires:
            yield f"{move.name} fails without a reason"
        if move.name != "retry" and move.from_ & _ENDS:
            yield f"{move.name} moves what is over; only retry may"


def _missing_moves(process: Process) -> Iterator[str]:
    """The moves that the engine itself makes, and from where: else it could not recover, cascade or cancel."""
    open_statuses = {name for name, status in process.statuses.items() if not status.terminal} | {BLOCKED}
    claimable = {name for name, status in process.statuses.items() if status.claimable}
    needed = (
        (process.claim, claimable, {_LEASED}, {ActorKind.WORKER}),
        ("release", {_LEASED}, claimable, {ActorKind.WORKER, ActorKind.SYSTEM}),
        ("fail", open_statuses, {"failed"}, {ActorKind.SYSTEM}),
        ("cancel", open_statuses, {"cancelled"}, {ActorKind.SYSTEM, ActorKind.FOUNDER}),
        ("retry", {"failed", "cancelled"}, claimable, {ActorKind.FOUNDER}),
    )
    for name, from_, to, actors in needed:
        move = process.transitions.get(name)
        if move is None:
            yield f"there is no {name}"
        elif missing := sorted(from_ - move.from_):
            yield f"{name} does not start from {', '.join(missing)}"
        elif move.to not in to:
            yield f"{name} leads to {move.to}, not to {' or '.join(sorted(to))}"
        elif lacking := sorted(actors - move.actors):
            yield f"{name} is closed to {', '.join(lacking)}"
