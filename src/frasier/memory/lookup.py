"""Memories found without words: the founder's directives, a task's markers, an agent's latest."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from uuid import UUID

from frasier.kernel.errors import InvalidInput
from frasier.kernel.text import estimate_tokens, fit_tokens
from frasier.memory.rows import memory_of
from frasier.memory.types import Memory, MemoryKind
from frasier.store import Statements, Tx

_sql = Statements("frasier.memory")

_DIRECTIVES_READ = 200


async def founder_directives(tx: Tx, *, tokens: int = 2000) -> list[Memory]:
    """What the founder directed, for every prompt: the weightiest first, then the newest.

    As many whole directives as fit into `tokens` (estimated); one that does not fit leaves its place to
    shorter ones. Never empty where there is a directive: if none fits, the first is cut, and says so itself.
    """
    if tokens < 1:
        raise InvalidInput(
            f"{tokens} tokens hold no directive.", number="E032", hint="Give a budget of 1 token or more."
        )
    directives = [memory_of(row) for row in await _sql.all(tx, "founder_directives", limit=_DIRECTIVES_READ)]
    chosen: list[Memory] = []
    left = tokens
    for directive in directives:
        cost = estimate_tokens(directive.content)
        if cost <= left:
            chosen.append(directive)
            left -= cost
    if directives and not chosen:
        chosen.append(replace(directives[0], content=fit_tokens(directives[0].content, tokens)))
    return chosen


async def markers_of(tx: Tx, task_id: UUID, *, limit: int) -> list[Memory]:
    """The markers of a task, newest first, at once after saving."""
    rows = await _sql.all(tx, "markers_of_task", task_id=task_id, limit=limit)
    return [memory_of(row) for row in rows]


async def recent_of_agent(tx: Tx, agent_id: UUID, kinds: Iterable[MemoryKind], limit: int) -> list[Memory]:
    """What the agent saved last of these kinds, newest first."""
    rows = await _sql.all(tx, "recent_of_agent", agent_id=agent_id, kinds=sorted(set(kinds)), limit=limit)
    return [memory_of(row) for row in rows]
