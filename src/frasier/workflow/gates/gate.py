"""A gate: what it wants to see, and how it looks for it. It believes no text: ids, links and counts are looked up."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol, TypeAlias
from uuid import UUID

from frasier.kernel.advice import Advice
from frasier.store import Tx
from frasier.workflow.process import Actor, Process, Transition


class Gated(Protocol):
    """What gates see of a task. They stand below it: its process names them."""

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
    def strikes(self) -> int: ...
    @property
    def definition(self) -> Process: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """A move that somebody wants to make. `after` is what the task would hold with what is said, before anything is
    cleared.
    """

    task: Gated
    rule: Transition
    actor: Actor
    after: Mapping[str, Any]

    def text(self, name: str) -> str:
        """A field's text without the space around it; empty where there is none."""
        value = self.after.get(name)
        return value.strip() if isinstance(value, str) else ""


Check: TypeAlias = Callable[[Tx, Attempt], Awaitable[str]]
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
