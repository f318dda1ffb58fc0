"""The progress of a task: the shortest way from its beginning through its position to its end. Pure."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

from frasier.workflow import Outcome, Position, Process, Transition, positions_after

Step = tuple[str, Position]
"""A position, and the move that leads to it; the first one has none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Crumb:
    """One position of the way; `here` marks the task's position, `by` is the move that leads to a position ahead."""

    status: str
    role: str
    here: bool = False
    by: str = ""


def breadcrumb(process: Process, *, began: str, status: str, role: str) -> list[Crumb]:
    """Return the way of a task that began with the role `began` and is at `status` with `role`: at least what lies
    behind it, and at least what lies ahead until it is completed. A stage that a shortcut can leave out is named all
    the same.
    """
    start, here = (process.initial, began), (status, role)
    ends = {
        (one.name, who)
        for one in process.statuses.values()
        if one.outcome is Outcome.COMPLETED
        for who in one.roles
    }
    behind = _way(process, start, {here}) or [("", here)]
    ahead = _way(process, here, ends)[1:]
    passed = [Crumb(status=at[0], role=at[1], here=at == here) for _, at in behind]
    return [*passed, *(Crumb(status=at[0], role=at[1], by=move) for move, at in ahead)]


def _way(process: Process, start: Position, ends: set[Position]) -> list[Step]:
    """Return the shortest way without shortcuts; with shortcuts only if there is no other."""
    whole = [move for move in process.transitions.values() if not move.leads_back]
    declared = [move for move in whole if not move.shortcut]
    return _shortest(process, declared, start, ends) or _shortest(process, whole, start, ends)


def _shortest(
    process: Process, moves: Sequence[Transition], start: Position, ends: set[Position]
) -> list[Step]:
    """Return the steps from one position to the nearest of `ends`, both included; empty if there is no way."""
    came_from: dict[Position, tuple[str, Position | None]] = {start: ("", None)}
    ahead = deque([start])
    while ahead:
        at = ahead.popleft()
        if at in ends:
            way: list[Step] = []
            back: Position | None = at
            while back is not None:
                by, before = came_from[back]
                way.append((by, back))
                back = before
            return way[::-1]
        for move in moves:
            for there in sorted(positions_after(process, move, at)):
                if there not in came_from:
                    came_from[there] = (move.name, at)
                    ahead.append(there)
    return []
