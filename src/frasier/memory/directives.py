"""Standing directives, permanent until withdrawn, and constitutional facts: the founder's, binding for all work."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from frasier.kernel.errors import InvalidInput
from frasier.kernel.text import estimate_tokens, fit_tokens
from frasier.memory.types import Memory
from frasier.store import Statements, Tx, from_row

_sql = Statements("frasier.memory")

# More than can be recorded, so that every directive in force can be listed and withdrawn.
_READ_MAX = 10_000
_FACTS_TOKENS = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class FittedDirectives:
    """The directives that fit a prompt, and those that are cut or missing for lack of room."""

    included: tuple[Memory, ...]
    left_out: tuple[Memory, ...]


async def list_directives(tx: Tx) -> list[Memory]:
    """Return every directive in force: the most important first, then the newest."""
    return await _sql.all_as(Memory, tx, "directives_in_force", limit=_READ_MAX)


async def fit_directives(tx: Tx, *, tokens: int = 2000, without: Collection[UUID] = ()) -> FittedDirectives:
    """Select the directives in force for a prompt with room for `tokens` (estimated), in the order of list_directives.

    Directives whose ids are in `without` are ignored. One that does not fit makes way for shorter ones. If none fits,
    the first is included but truncated (its text says so), and it also counts as left out.
    """
    if tokens < 1:
        raise InvalidInput(
            f"A budget of {tokens} tokens holds no directive.",
            number="E032",
            hint="Use a budget of at least 1 token.",
        )
    directives = await list_directives(tx)
    included, left_out = _fit([one for one in directives if one.id not in without], tokens)
    if left_out and not included:
        first = left_out[0]
        included.append(replace(first, content=fit_tokens(first.content, tokens)))
    return FittedDirectives(included=tuple(included), left_out=tuple(left_out))


async def constitutional_facts(tx: Tx, scopes: Collection[str]) -> list[Memory]:
    """Return the constitutional memories of the scopes that are no directives, as many as fit into a prompt."""
    rows = await _sql.all(tx, "constitutional_facts", scopes=list(scopes), limit=_READ_MAX)
    return _fit([from_row(Memory, row) for row in rows], _FACTS_TOKENS)[0]


def _fit(memories: Sequence[Memory], tokens: int) -> tuple[list[Memory], list[Memory]]:
    """Split memories into those that fit into `tokens`, in order, and the others."""
    included: list[Memory] = []
    left_out: list[Memory] = []
    for memory in memories:
        cost = estimate_tokens(memory.content)
        if cost <= tokens:
            included.append(memory)
            tokens -= cost
        else:
            left_out.append(memory)
    return included, left_out


async def find_directives(tx: Tx, part: str, *, limit: int) -> list[Memory]:
    """Return at most `limit` directives, withdrawn ones included, whose id begins or ends with `part` (digits only)."""
    return await _sql.all_as(Memory, tx, "directives_like", part=part, limit=limit)


async def withdraw_directive(tx: Tx, directive_id: UUID) -> bool:
    """End a directive; it stays readable by its id. Return False if it is not in force. For the founder only."""
    return await _sql.maybe(tx, "withdraw_directive", id=directive_id) is not None
