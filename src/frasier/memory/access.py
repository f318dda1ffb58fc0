"""Who asks: a caller reads and writes its own scopes only, and only the founder writes what binds everybody."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from frasier.kernel.errors import InvalidInput, NotAllowed
from frasier.memory.scopes import check_scope

SCOPES_MAX = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """Whoever uses the memory. `name` goes into the record of what it does; `founder` is the founder's credential.

    `scopes` are those that it reads and writes; the first is where it saves when nothing else is said.
    """

    name: str
    scopes: tuple[str, ...]
    founder: bool = False

    def __post_init__(self) -> None:
        if not 1 <= len(self.scopes) <= SCOPES_MAX:
            raise InvalidInput(
                f"A caller has 1 to {SCOPES_MAX} scopes, this one {len(self.scopes)}.",
                number="E032",
                kept="Nothing was read or changed.",
                hint="Name those that are needed.",
            )
        for scope in self.scopes:
            check_scope(scope)

    @property
    def home(self) -> str:
        """The scope that is meant where none is named."""
        return self.scopes[0]

    def allow(self, scopes: Iterable[str]) -> tuple[str, ...]:
        """`scopes` in their order, or all of the caller's where none is named; raises NotAllowed for another's."""
        asked = tuple(dict.fromkeys(check_scope(scope) for scope in scopes)) or self.scopes
        foreign = [scope for scope in asked if scope not in self.scopes]
        if foreign:
            raise NotAllowed(
                f"{self.name} may not use the scope {foreign[0]}.",
                kept="Nothing was read or written.",
                hint=f"Its scopes are {', '.join(self.scopes)}.",
            )
        return asked

    def require_founder(self, what: str) -> None:
        """Raises NotAllowed where the caller does not hold the founder's credential."""
        if not self.founder:
            raise NotAllowed(
                f"Only the founder can {what}.",
                kept="Nothing was changed.",
                hint="Do it at the command line of the founder's machine, or with a founder's token.",
            )
