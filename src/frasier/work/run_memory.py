"""The memory of a run: recall for prompts through the memory engine.

The engine opens transactions of its own and may encode, so it is called before a run opens one. Its results may change
at any moment. Callers store them in a checkpoint before a model sees them: then a run that is taken over repeats the
same questions, and nothing is paid for twice.
"""

from __future__ import annotations

from uuid import UUID

from frasier.memory import (
    QUERY_CHARS_MAX,
    SHARED_SCOPE,
    Caller,
    Memory,
    MemoryEngine,
    MemoryKind,
    RecallRequest,
    agent_scope,
)
from frasier.org.planning import REHEARSAL

# Enough to reach what paid work left behind, beside rehearsals of the same.
_READ_BEHIND_REHEARSALS = 20


async def remember(
    engine: MemoryEngine,
    text: str,
    *,
    scopes: tuple[str, ...],
    kinds: frozenset[MemoryKind],
    limit: int,
    rehearsed: bool = True,
    track: bool = True,
) -> list[Memory]:
    """Recall at most `limit` (1 to 100) memories about the first 10,000 characters of `text`, best first.

    Lexical only if the encoder or its vectors are missing. Empty for an empty text. Unless `rehearsed`, what a
    rehearsal left behind is left out.
    """
    text = text[:QUERY_CHARS_MAX]
    if not text.strip():
        return []
    wanted = limit if rehearsed else max(limit, _READ_BEHIND_REHEARSALS)
    # Directives stand in every prompt already; here they are hits like any other.
    request = RecallRequest(text=text, kinds=kinds, limit=wanted, binding=False, track=track)
    answer = await engine.recall(Caller(name="the organisation", scopes=scopes), request)
    memories = [hit.memory for hit in answer.hits]
    return [memory for memory in memories if rehearsed or not memory.provenance.get(REHEARSAL)][:limit]


async def lessons_for(
    engine: MemoryEngine, agent_id: UUID, about: str, *, rehearsal: bool, limit: int = 5
) -> list[Memory]:
    """Return the best lessons for work on `about`, of the agent and shared by all; rehearsed ones only in a
    `rehearsal`.
    """
    return await remember(
        engine,
        about,
        scopes=(agent_scope(agent_id), SHARED_SCOPE),
        kinds=frozenset({MemoryKind.LESSON}),
        limit=limit,
        rehearsed=rehearsal,
    )


async def approaches_to(
    engine: MemoryEngine, agent_id: UUID, about: str, *, rehearsal: bool, limit: int = 3
) -> list[Memory]:
    """Return the approaches of the agent to similar accepted work; rehearsed ones only in a `rehearsal`."""
    return await remember(
        engine,
        about,
        scopes=(agent_scope(agent_id),),
        kinds=frozenset({MemoryKind.APPROACH}),
        limit=limit,
        rehearsed=rehearsal,
    )
