"""`query` and `contribute`: two endpoints, so that nothing that was asked can be taken for something to remember."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from frasier.interfaces.http.datetime_params import Moment
from frasier.interfaces.http.recall_json import answer_json, found_sentence
from frasier.interfaces.tools import Layer, Reply, Surroundings, Tool, ToolInput
from frasier.memory import (
    Contributed,
    Detail,
    ImportanceTier,
    Intent,
    MemoryKind,
    MemoryType,
    NewMemory,
    RecallRequest,
    contribute,
)

Whole = Annotated[int, Field(strict=True)]


class QueryInput(ToolInput):
    query: str = Field(min_length=1)
    concepts: tuple[str, ...] = ()
    scopes: tuple[str, ...] = ()
    kinds: frozenset[MemoryKind] | None = None
    limit: Whole = 10
    detail: Detail = Detail.STANDARD
    anchors: Annotated[tuple[str, ...], Field(max_length=20)] = ()
    max_tokens: Whole | None = None
    intent: Intent | None = None
    as_of: Moment | None = None
    session: str | None = None
    repeat: bool = False


class ContributeInput(ToolInput):
    content: str = Field(min_length=1)
    kind: MemoryKind = MemoryKind.OBSERVATION
    title: str = ""
    tags: tuple[str, ...] = ()
    scope: str | None = None
    tier: ImportanceTier = ImportanceTier.NORMAL
    importance: Whole = 5
    type: MemoryType | None = None
    triggers: tuple[str, ...] = ()
    thread: str | None = None
    speaker: str | None = None
    occurred_at: Moment | None = None
    valid_from: Moment | None = None
    valid_until: Moment | None = None
    keep_secrets: bool = False
    idempotency_key: str | None = None


async def _query(surroundings: Surroundings, asked: QueryInput) -> Reply:
    request = RecallRequest(
        text=asked.query,
        concepts=asked.concepts,
        scopes=asked.scopes,
        kinds=asked.kinds,
        limit=asked.limit,
        detail=asked.detail,
        anchors=asked.anchors,
        max_tokens=asked.max_tokens,
        intent=asked.intent,
        as_of=asked.as_of,
        session=asked.session,
        repeat=asked.repeat,
    )
    answer = await surroundings.engine.recall(surroundings.caller, request)
    return Reply(
        summary=found_sentence(answer),
        data=answer_json(answer),
        hints=answer.hints,
        cache_hit=answer.cache_hit,
        degraded=answer.degraded,
    )


async def _contribute(surroundings: Surroundings, given: ContributeInput) -> Reply:
    new = NewMemory(
        kind=given.kind,
        scope=surroundings.caller.home if given.scope is None else given.scope,
        content=given.content,
        title=given.title,
        tags=given.tags,
        tier=given.tier,
        importance=given.importance,
        memory_type=given.type,
        triggers=given.triggers,
        thread=given.thread,
        speaker=given.speaker,
        occurred_at=given.occurred_at,
        valid_from=given.valid_from,
        valid_until=given.valid_until,
        keep_secrets=given.keep_secrets,
        provenance={"via": "http"},
    )
    done = await save_contribution(surroundings, new, given.idempotency_key)
    return Reply(summary="Contributed.", data=contributed_json(done))


async def save_contribution(surroundings: Surroundings, new: NewMemory, key: str | None) -> Contributed:
    """Saves what somebody contributed, once for each key."""
    engine = surroundings.engine
    done = await engine.in_transaction(
        contribute, surroundings.caller, new, key=key, gate=engine.settings.gate
    )
    if done.saved is not None:
        engine.encode_soon(done.id, new.content)
    return done


def contributed_json(done: Contributed) -> dict[str, Any]:
    """The id that the contribution has, and what was done with it; `repeated` where it had been sent before."""
    if done.saved is None:
        return {"id": str(done.id), "action": "none", "repeated": True}
    saved = done.saved
    return {
        "id": str(done.id),
        "action": saved.action,
        "repeated": False,
        "reason": saved.reason,
        "similarity": round(saved.similarity, 4),
        "existing_id": str(saved.existing_id) if saved.existing_id else None,
        "related": [str(related) for related in saved.related],
        "warnings": list(saved.warnings),
        "embedding": saved.embedding,
    }


QUERY = Tool(
    name="query",
    title="Query",
    layer=Layer.DISCOVERY,
    about="Finds what answers a question. Nothing is stored.",
    input=QueryInput,
    run=_query,
    read_only=True,
)
CONTRIBUTE = Tool(
    name="contribute",
    title="Contribute",
    layer=Layer.SURGICAL,
    about="Remembers what is given.",
    input=ContributeInput,
    run=_contribute,
)
