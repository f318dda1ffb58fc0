"""What a prompt is reminded of, as the memory engine finds it: by words, by meaning and by worth.

The engine opens transactions of its own and may encode, so it is asked before a run opens one. What it finds may
change from one moment to the next. Whoever asks stores the answer in a checkpoint before a model sees it: then a run
that is taken over asks the same questions, and nothing is paid twice.
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

# Enough to find some of paid work behind rehearsals of the same.
_APPROACHES_READ = 20


async def remember(
    engine: MemoryEngine,
    text: str,
    *,
    scopes: tuple[str, ...],
    kinds: frozenset[MemoryKind],
    limit: int,
    track: bool = True,
) -> list[Memory]:
    """What these scopes hold on `text` (its first 10,000 characters count), best first, at most `limit` (1 to 100).

    By words alone where the encoder or its vectors are missing. Nothing for a text without a character.
    """
    text = text[:QUERY_CHARS_MAX]
    if not text.strip():
        return []
    # What binds everybody stands in every prompt already; here it is a hit like any other.
    request = RecallRequest(text=text, kinds=kinds, limit=limit, binding=False, track=track)
    answer = await engine.recall(Caller(name="the organisation", scopes=scopes), request)
    return [hit.memory for hit in answer.hits]


async def lessons_for(engine: MemoryEngine, agent_id: UUID, about: str, *, limit: int = 5) -> list[Memory]:
    """The lessons of the agent, and those that all share, that serve work on `about` best."""
    scopes = (agent_scope(agent_id), SHARED_SCOPE)
    return await remember(engine, about, scopes=scopes, kinds=frozenset({MemoryKind.LESSON}), limit=limit)


async def approaches_to(
    engine: MemoryEngine, agent_id: UUID, about: str, *, rehearsal: bool, limit: int = 3
) -> list[Memory]:
    """How the agent itself went about similar accepted work; what was rehearsed only in a `rehearsal`."""
    memories = await remember(
        engine,
        about,
        scopes=(agent_scope(agent_id),),
        kinds=frozenset({MemoryKind.APPROACH}),
        limit=limit if rehearsal else _APPROACHES_READ,
    )
    usable = [approach for approach in memories if rehearsal or not approach.provenance.get("rehearsal")]
    return usable[:limit]
