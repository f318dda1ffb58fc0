"""Standing directives: the founder's rules for all work, permanent until withdrawn."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from uuid import UUID

from frasier.kernel.errors import InvalidInput
from frasier.kernel.text import estimate_tokens, fit_tokens
from frasier.memory.rows import memory_of
from frasier.memory.types import Memory
from frasier.store import Statements, Tx

_sql = Statements("frasier.memory")

# More than can be recorded, so that whatever is in force can be listed and withdrawn.
_READ_MAX = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class FittedDirectives:
    """The directives that a prompt holds, and those that are not whole in it for want of room."""

    included: tuple[Memory, ...]
    left_out: tuple[Memory, ...]


async def list_directives(tx: Tx) -> list[Memory]:
    """Every directive in force: the weightiest first, then the newest."""
    return [memory_of(row) for row in await _sql.all(tx, "directives_in_force", limit=_READ_MAX)]


async def fit_directives(tx: Tx, *, tokens: int = 2000, without: Collection[UUID] = ()) -> FittedDirectives:
    """The directives in force for a prompt with room for `tokens` (estimated), in the order of list_directives.

    It is as if those of the ids `without` were not in force.

    A directive that does not fit leaves its place to shorter ones. Where none fits, the first is included cut, says
    so itself, and counts as left out too.
    """
    if tokens < 1:
        raise InvalidInput(
            f"{tokens} tokens hold no directive.", number="E032", hint="Give a budget of 1 token or more."
        )
    included: list[Memory] = []
    left_out: list[Memory] = []
    remaining = tokens
    for directive in await list_directives(tx):
        if directive.id in without:
            continue
        cost = estimate_tokens(directive.content)
        if cost <= remaining:
            included.append(directive)
            remaining -= cost
        else:
            left_out.append(directive)
    if left_out and not included:
        first = left_out[0]
        included.append(replace(first, content=fit_tokens(first.content, tokens)))
    return FittedDirectives(included=tuple(included), left_out=tuple(left_out))


async def find_directives(tx: Tx, part: str, *, limit: int) -> list[Memory]:
    """At most `limit` directives whose id is `part`, or begins or ends with it (digits only); withdrawn ones too."""
    return [memory_of(row) for row in await _sql.all(tx, "directives_like", part=part, limit=limit)]


async def withdraw_directive(tx: Tx, directive_id: UUID) -> bool:
    """End a directive; it stays readable by its id. False where it is not in force. On the founder's behalf only."""
    return await _sql.maybe(tx, "withdraw_directive", id=directive_id) is not None
