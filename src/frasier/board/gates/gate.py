"""A gate: what it wants to see, and how it looks for it. It believes no text: ids, links and counts are looked up."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeAlias

from frasier.kernel.advice import Advice
from frasier.store import Tx
from frasier.workflow import MoveRequest

Check: TypeAlias = Callable[[Tx, MoveRequest], Awaitable[str]]
"""What is missing, as a part of a sentence; empty where the gate is open."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Gate:
    """`reads` are the fields that it cannot be passed without somewhere: a process that names it must declare them.

    `hint` and `advice` tell what to do where it is closed; where the fields are answers to `questions`, what each asks
    is told with it, as the process means it. What it wants is `looked_up` by the engine just before the move.
    """

    name: str
    meaning: str
    hint: str
    check: Check
    reads: tuple[str, ...] = ()
    advice: tuple[Advice, ...] = ()
    questions: bool = False
    looked_up: bool = False
