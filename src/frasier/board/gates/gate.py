"""A gate: its condition, and its check. It believes no text: ids, links and counts are looked up."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeAlias

from frasier.kernel.advice import Advice
from frasier.store import Tx
from frasier.workflow import MoveRequest

Check: TypeAlias = Callable[[Tx, MoveRequest], Awaitable[str]]
"""Returns what is missing, as a part of a sentence; empty if the gate is open."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Gate:
    """A condition of a move. `reads` are the fields that it cannot be passed without: a process that names it must
    declare them.

    `hint` and `advice` say what to do if it is closed; if the fields are answers to `questions`, the hint includes the
    questions as the process words them. `looked_up` tells that the engine gathers its evidence just before the move.
    """

    name: str
    meaning: str
    hint: str
    check: Check
    reads: tuple[str, ...] = ()
    advice: tuple[Advice, ...] = ()
    questions: bool = False
    looked_up: bool = False
