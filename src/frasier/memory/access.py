"""The caller of the memory: it reads and writes only its own scopes, and only the founder writes binding memories."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from frasier.kernel.errors import InvalidInput, NotAllowed
from frasier.memory.scopes import check_scope

SCOPES_MAX = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """A user of the memory. `name` is recorded with its actions; `founder` is true for the founder's credential.

    `scopes` are those that it may read and write; the first is the default for saving. One that is `read_only` may
    change nothing; one that is an `observer` may read what is the founder's.
    """

    name: str
    scopes: tuple[str, ...]
    founder: bool = False
    read_only: bool = False
    observer: bool = False

    def __post_init__(self) -> None:
        if not 1 <= len(self.scopes) <= SCOPES_MAX:
            raise InvalidInput(
                f"A caller must have 1 to {SCOPES_MAX} scopes; this one has {len(self.scopes)}.",
                number="E032",
                kept="Nothing was read or changed.",
                hint="Name only the scopes that are needed.",
            )
        for scope in self.scopes:
            check_scope(scope)

    @property
    def home(self) -> str:
        """The default scope, used when none is named."""
        return self.scopes[0]

    def allow(self, scopes: Iterable[str]) -> tuple[str, ...]:
        """Return `scopes` in order, or all of the caller's if none is named; raise NotAllowed for a foreign scope."""
        requested = tuple(dict.fromkeys(check_scope(scope) for scope in scopes)) or self.scopes
        foreign = [scope for scope in requested if scope not in self.scopes]
        if foreign:
            raise NotAllowed(
                f"{self.name} may not use the scope {foreign[0]}.",
                kept="Nothing was read or written.",
                hint=f"Its scopes are {', '.join(self.scopes)}.",
            )
        return requested

    def require_observer(self, action: str) -> None:
        """Raise NotAllowed unless the caller may read what is the founder's."""
        if not self.observer:
            self.require_founder(action)

    def require_founder(self, action: str) -> None:
        """Raise NotAllowed unless the caller holds the founder's credential."""
        if not self.founder:
            raise NotAllowed(
                f"Only the founder can {action}.",
                kept="Nothing was changed.",
                hint="Run it at the command line of the founder's machine, or use a founder's token.",
            )
