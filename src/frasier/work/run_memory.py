"""The memory of a run: recall for prompts through the memory engine.

The engine opens transactions of its own and may encode, so it is called before a run opens one. Its results may change
at any moment. Callers store them in a checkpoint before a model sees them: then a run that is taken over repeats the
same questions, and nothing is paid for twice.
"""

from __future__ import annotations

from uuid import UUID

from frasier.kernel.tokenizer import tokenize
from frasier.memory import (
    QUERY_CHARS_MAX,
    SHARED_SCOPE,
    Caller,
    Memory,
    MemoryEngine,
    MemoryKind,
    RecallHit,
    RecallRequest,
    agent_scope,
)
from frasier.org.execution import EARLIER_WORK
from frasier.org.missions import FOUNDER_ANSWER, REHEARSAL

# Enough to reach what paid work left behind, beside rehearsals of the same.
_READ_BEHIND_REHEARSALS = 20
# A recall always has a best hit; what is told unasked must have to do with the work, by meaning or by words.
_SIMILARITY_MIN = 0.3
_SHARED_WORDS_MIN = 2
_EARLIER_PASSAGES = 20
_APPROACHES = 3


async def remember(
    engine: MemoryEngine,
    text: str,
    *,
    scopes: tuple[str, ...],
    kinds: frozenset[MemoryKind],
    limit: int,
    rehearsed: bool = True,
    track: bool = True,
    relevant: bool = False,
) -> list[Memory]:
    """Recall at most `limit` (1 to 100) memories about the first 10,000 characters of `text`, best first.

    Lexical only if the encoder or its vectors are missing. Empty for an empty text. Unless `rehearsed`, what a
    rehearsal left behind is left out. With `relevant`, so is what is neither close to the text in its meaning nor
    shares two words with it.
    """
    text = text[:QUERY_CHARS_MAX]
    if not text.strip():
        return []
    wanted = limit if rehearsed else max(limit, _READ_BEHIND_REHEARSALS)
    # Directives stand in every prompt already; here they are hits like any other.
    request = RecallRequest(text=text, kinds=kinds, limit=wanted, binding=False, track=track)
    answer = await engine.recall(Caller(name="the organisation", scopes=scopes), request)
    words = set(tokenize(text))
    memories = [hit.memory for hit in answer.hits if not relevant or _is_relevant(hit, words)]
    return [memory for memory in memories if rehearsed or not memory.provenance.get(REHEARSAL)][:limit]


def _is_relevant(hit: RecallHit, words: set[str]) -> bool:
    if hit.cosine is not None and hit.cosine >= _SIMILARITY_MIN:
        return True
    memory = hit.memory
    shared = words & set(tokenize(" ".join((memory.title, memory.content, *memory.tags))))
    return len(shared) >= min(_SHARED_WORDS_MIN, len(words))


async def lessons_for(
    engine: MemoryEngine, agent_id: UUID, about: str, *, rehearsal: bool, limit: int = 6
) -> list[Memory]:
    """Return what bears on work on `about`: the agent's lessons, those shared by all, and the founder's decisions.

    Rehearsed ones only in a `rehearsal`.
    """
    memories = await remember(
        engine,
        about,
        scopes=(agent_scope(agent_id), SHARED_SCOPE),
        kinds=frozenset({MemoryKind.LESSON, MemoryKind.DECISION}),
        limit=limit * 2,
        rehearsed=rehearsal,
        relevant=True,
    )
    # Decisions that others saved are none of the founder's.
    return [m for m in memories if m.kind is MemoryKind.LESSON or FOUNDER_ANSWER in m.provenance][:limit]


async def earlier_results(engine: MemoryEngine, about: str, *, rehearsal: bool) -> list[Memory]:
    """Return passages of the results of earlier missions on `about`, one of each mission."""
    passages = await remember(
        engine,
        about,
        scopes=(EARLIER_WORK,),
        kinds=frozenset({MemoryKind.PASSAGE}),
        limit=_EARLIER_PASSAGES,
        rehearsed=rehearsal,
        track=False,
        relevant=True,
    )
    return list({passage.provenance["mission"]: passage for passage in reversed(passages)}.values())[::-1]


async def approaches_to(engine: MemoryEngine, agent_id: UUID, about: str, *, rehearsal: bool) -> list[Memory]:
    """Return the approaches of the agent to similar accepted work; rehearsed ones only in a `rehearsal`."""
    return await remember(
        engine,
        about,
        scopes=(agent_scope(agent_id),),
        kinds=frozenset({MemoryKind.APPROACH}),
        limit=_APPROACHES,
        rehearsed=rehearsal,
    )
