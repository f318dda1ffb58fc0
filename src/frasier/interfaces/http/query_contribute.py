"""The operations `query` and `contribute`: separate endpoints, so that a question is never saved as a memory."""

from __future__ import annotations

from typing import Annotated, Literal
from uuid import UUID

from pydantic import Field

from frasier.interfaces.http.query_output import QueryOutput, query_summary
from frasier.interfaces.operations import Layer, OperationContext, OperationInput, Output, Result, declare
from frasier.interfaces.operations.memory.fields import MinSimilarity, Moment
from frasier.interfaces.operations.memory.save import NewMemoryInput, new_memory
from frasier.memory import (
    Detail,
    GateAction,
    Intent,
    MemoryKind,
    NewMemory,
    RecallRequest,
    contribute,
)

StrictInt = Annotated[int, Field(strict=True)]


class QueryInput(OperationInput):
    """A question, and the limits of its answer."""

    query: str = Field(min_length=1)
    concepts: tuple[str, ...] = ()
    scopes: tuple[str, ...] = ()
    kinds: frozenset[MemoryKind] | None = None
    limit: StrictInt = 10
    detail: Detail = Detail.STANDARD
    anchors: Annotated[tuple[str, ...], Field(max_length=20)] = ()
    max_tokens: StrictInt | None = None
    intent: Intent | None = None
    as_of: Moment | None = None
    occurred_from: Moment | None = None
    occurred_before: Moment | None = None
    session: str | None = None
    repeat: bool = False
    min_similarity: MinSimilarity = None


class ContributeInput(NewMemoryInput):
    """A new memory, validated less strictly than in tools: the memory itself checks some attributes."""

    content: str = Field(min_length=1)
    title: str = ""
    tags: tuple[str, ...] = ()
    scope: str | None = None
    importance: StrictInt = 5
    triggers: tuple[str, ...] = ()
    occurred_at: Moment | None = None
    valid_from: Moment | None = None
    valid_until: Moment | None = None
    keep_secrets: bool = False
    idempotency_key: str | None = None


async def _query(context: OperationContext, request: QueryInput) -> Result[QueryOutput]:
    others = request.model_dump(exclude={"query"})
    answer = await context.memory.recall(context.caller, RecallRequest(text=request.query, **others))
    return Result(
        summary=query_summary(answer),
        data=QueryOutput.of_answer(answer),
        hints=answer.hints,
        cache_hit=answer.cache_hit,
        degraded=answer.degraded,
    )


class ContributeOutput(Output):
    """The memory that holds a contribution; `repeated` is true if the same key was sent before."""

    id: UUID
    action: GateAction | Literal["none"]
    repeated: bool


class NewContribution(ContributeOutput):
    """The result of a newly saved contribution: see Saved."""

    reason: str
    similarity: float
    existing_id: UUID | None
    related: tuple[UUID, ...]
    warnings: tuple[str, ...]
    embedding: Literal["pending", "none"]


async def _contribute(context: OperationContext, request: ContributeInput) -> Result[ContributeOutput]:
    new = new_memory(context.caller, request, provenance={"via": "http"})
    return Result(summary="Contributed.", data=await save_contribution(context, new, request.idempotency_key))


async def save_contribution(context: OperationContext, new: NewMemory, key: str | None) -> ContributeOutput:
    """Save a contribution, once for each idempotency key."""
    engine = context.memory
    contributed = await engine.in_transaction(
        contribute, context.caller, new, key=key, gate=engine.settings.gate
    )
    if contributed.saved is None:
        return ContributeOutput(id=contributed.id, action="none", repeated=True)
    engine.encode_soon(contributed.id, new.content)
    return NewContribution.of(contributed, contributed.saved, repeated=False)


QUERY = declare(
    _query,
    name="query",
    title="Query",
    layer=Layer.DISCOVERY,
    about="Finds what answers a question. Nothing is stored.",
    read_only=True,
    idempotent=False,
)
CONTRIBUTE = declare(
    _contribute,
    name="contribute",
    title="Contribute",
    layer=Layer.SURGICAL,
    about="Saves a memory.",
)
