"""Recalling: search, look up, list, and what a prompt calls."""

from __future__ import annotations

import math
from typing import Annotated

from pydantic import Field

from frasier.interfaces.operations import (
    CliOption,
    Layer,
    OperationContext,
    OperationInput,
    Reads,
    Result,
    declare,
)
from frasier.interfaces.operations.memory.fields import (
    Anchors,
    IntentField,
    KindsField,
    Label,
    MemoryRef,
    MinSimilarity,
    Moment,
    OccurredBefore,
    OccurredFrom,
    Page,
    ScopesField,
    SessionField,
    Text,
)
from frasier.interfaces.operations.memory.outputs import (
    ListedMemory,
    MemoryDetail,
    MemorySummary,
    RecallOutput,
    recall_summary,
)
from frasier.interfaces.operations.memory.surface import SurfacedOutput, surface
from frasier.interfaces.operations.paging import After, place_key, place_text
from frasier.kernel.advice import Advice
from frasier.kernel.humanize import plural, with_article
from frasier.memory import (
    Detail,
    ImportanceTier,
    MemoryState,
    Order,
    Period,
    RecallRequest,
    Version,
    called_memories,
    deliver_sections,
    find_memory,
    hash_of_file,
    list_memories,
    strength_of,
    versions_of,
)

_BINDING_TOKENS = 1_000
_LISTED_TOKENS = 300


class SearchInput(OperationInput):
    query: Annotated[
        Text, CliOption(argument="TEXT", help="What to recall; without it, the latest.", reads=Reads.TEXT)
    ] = Field("", description="What to find; empty gives the latest")
    concepts: tuple[Label, ...] = Field((), max_length=5, description="2 to 5; a memory must match each")
    scopes: ScopesField = ()
    limit: Page = 10
    kinds: KindsField = Field((), description="Default: all but marker and conversation")
    intent: IntentField = Field(None, description="Default: guessed from the query")
    session: SessionField = None
    repeat: bool = Field(False, description="Also what the session was given")
    detail: Annotated[
        Detail,
        CliOption(flags=("--detail", "-d"), help="How much of each: minimal, compact, standard or full."),
    ] = Field(Detail.STANDARD, description="About 100, 200, 400 tokens a memory, or all of it")
    anchors: Anchors = ()
    max_tokens: int | None = Field(None, ge=50, le=100_000, description="Bounds the texts of all results")
    as_of: Moment | None = Field(None, description="Facts as they held then")
    occurred_from: OccurredFrom = None
    occurred_before: OccurredBefore = None
    min_state: MemoryState = Field(MemoryState.DORMANT, description="The most faded that still counts")
    min_similarity: MinSimilarity = None
    rerank: Annotated[bool, CliOption(help="Let the reranker reorder the best hits.")] = True
    bypass_cache: Annotated[bool, CliOption(help="Search again, even if the answer is known.")] = False


class SearchOutput(RecallOutput, SurfacedOutput):
    """The memories that a search found, with those that come up beside them."""


async def _search(context: OperationContext, request: SearchInput) -> Result[SearchOutput]:
    answer = await context.memory.recall(context.caller, _request(request))
    hits = {hit.memory.id for hit in answer.hits}
    surfaced = await surface(
        context, " ".join((request.query, *request.concepts)), tokens=_BINDING_TOKENS, known=hits
    )
    return Result(
        summary=recall_summary(answer),
        data=SearchOutput.of_answer(answer, request.detail, surfaced),
        hints=answer.hints,
        cache_hit=answer.cache_hit,
        degraded=answer.degraded,
    )


def _request(request: SearchInput) -> RecallRequest:
    others = request.model_dump(exclude={"query", "kinds", "bypass_cache"})
    return RecallRequest(
        text=request.query,
        kinds=frozenset(request.kinds) or None,
        cached=not request.bypass_cache,
        **others,
    )


class GetInput(OperationInput):
    id: MemoryRef
    anchors: Anchors = ()
    versions: bool = Field(False, description="Also what it said before")


class GetOutput(MemoryDetail):
    """A memory with its strength, and which of its sections are given. `stability_days` is null if it does not fade."""

    anchors_found: tuple[str, ...] = ()
    anchors_missing: tuple[str, ...] = ()
    original_tokens: int
    saved_tokens: int = 0
    confidence: float
    stability_days: float | None
    used: int
    file_hash: str | None = None
    versions: tuple[Version, ...] = ()


async def _get(context: OperationContext, request: GetInput) -> Result[GetOutput]:
    engine = context.memory
    memory = await engine.in_transaction(find_memory, context.caller, request.id)
    versions = await engine.in_transaction(versions_of, context.caller, memory.id) if request.versions else []
    strength = await engine.in_transaction(strength_of, memory.id)
    file_hash = await engine.in_transaction(hash_of_file, memory.file_id) if memory.file_id else None
    delivery = deliver_sections(memory.content, request.anchors, context.memory.counter.count)
    if context.counts_use and not request.anchors:
        await context.memory.note_fetched(memory.id)
    missing = f"No section {', '.join(delivery.anchors_missing)}: its beginning is given instead."
    return Result(
        summary=f"“{memory.title}”"
        if memory.title
        else f"{with_article(memory.kind).capitalize()} of {memory.scope}.",
        data=GetOutput.of(
            delivery,
            strength,
            memory,
            content=delivery.text,
            type=memory.memory_type,
            stability_days=strength.stability if math.isfinite(strength.stability) else None,
            used=strength.use_count,
            file_hash=file_hash.hex() if file_hash else None,
            versions=tuple(versions),
        ),
        hints=(missing,) if delivery.anchors_missing and delivery.is_snippet else (),
    )


class MemoryListInput(OperationInput):
    limit: Page = 20
    offset: Annotated[int, CliOption(help="How many to pass over.")] = Field(0, ge=0, le=1_000_000)
    scopes: ScopesField = ()
    kinds: KindsField = ()
    tier: Annotated[ImportanceTier | None, CliOption(help="Only this tier.")] = None
    sort_by: Annotated[
        Order,
        Period,
        CliOption(flags=("--sort",), help="The latest first (created_at, updated_at), or by importance."),
    ] = Order.NEWEST
    archived: Annotated[bool, CliOption(help="Those in the archive instead.")] = False
    occurred_from: OccurredFrom = None
    occurred_before: OccurredBefore = None
    full: bool = Field(False, description="Each memory whole, for an export")
    after: After = None


class MemoryListOutput(SurfacedOutput):
    """A page of memories, and how many there are."""

    memories: tuple[ListedMemory, ...]
    total: int
    next: str = ""


async def _list(context: OperationContext, request: MemoryListInput) -> Result[MemoryListOutput]:
    place = place_key(request.after, (str, int))
    page = await context.memory.in_transaction(
        list_memories,
        context.caller,
        scopes=request.scopes,
        kinds=frozenset(request.kinds) or None,
        tier=request.tier,
        order=request.sort_by,
        archived=request.archived,
        period=Period(since=request.occurred_from, before=request.occurred_before),
        limit=request.limit,
        offset=request.offset,
        after=None if place is None else (place[0], place[1]),
    )
    known = {memory.id for memory in page.memories}
    surfaced = await surface(context, tokens=_LISTED_TOKENS, known=known)
    more = page.offset + len(page.memories)
    return Result(
        summary=f"{len(page.memories)} of {plural(page.total, 'memory', 'memories')}.",
        data=MemoryListOutput.of(
            surfaced,
            page,
            memories=tuple(map(ListedMemory.whole if request.full else ListedMemory.short, page.memories)),
            next=place_text(page.last) if page.last else "",
        ),
        hints=(f"There are more: ask with offset {more}.",) if more < page.total and place is None else (),
    )


class TriggersInput(OperationInput):
    prompt: Annotated[str, CliOption(argument="TEXT", help="A prompt.", reads=Reads.TEXT)] = Field(
        max_length=5_000, description="What the user said"
    )
    limit: Annotated[
        int, CliOption(flags=("--limit", "-n"), help="How many to show at most, 1 to 50.", default=10)
    ] = Field(3, ge=1, le=50)


class TriggeredMemory(MemorySummary):
    """A memory that a prompt calls: the beginning of its text, and the phrases."""

    text: str
    phrases: tuple[str, ...]


class TriggersOutput(SurfacedOutput):
    """The memories that a prompt calls."""

    matches: tuple[TriggeredMemory, ...]


async def _triggers(context: OperationContext, request: TriggersInput) -> Result[TriggersOutput]:
    called = await context.memory.in_transaction(
        called_memories, context.caller, request.prompt, limit=request.limit
    )
    matches = tuple(
        TriggeredMemory.of_memory(
            match.memory, text=context.memory.counter.cut(match.memory.content, 150), phrases=match.phrases
        )
        for match in called
    )
    surfaced = await surface(context, tokens=_LISTED_TOKENS, known={match.memory.id for match in called})
    return Result(
        summary=f"{len(matches)} called." if matches else "No phrase of the prompt calls a memory.",
        data=TriggersOutput.of(surfaced, matches=matches),
        hints=() if matches else (Advice("memory.search", to="find by words and meaning"),),
    )


SEARCH = declare(
    _search,
    name="memory_search",
    title="Search memories",
    layer=Layer.EXPLORATION,
    about="Find memories by words, meaning, links and triggers, best first, each with why it was found.",
    read_only=True,
    idempotent=False,
)
GET = declare(
    _get,
    name="memory_get",
    title="Read a memory",
    layer=Layer.SURGICAL,
    about="Read one memory whole, which counts as a use, or only some sections of it.",
    read_only=True,
)
LIST = declare(
    _list,
    name="memory_list",
    title="List memories",
    layer=Layer.EXPLORATION,
    about="Go through memories page by page.",
    read_only=True,
)
MATCH_TRIGGERS = declare(
    _triggers,
    name="memory_match_triggers",
    title="What a prompt calls",
    layer=Layer.DISCOVERY,
    about="Memories whose trigger phrases stand in the prompt. Fast: call it before you answer.",
    read_only=True,
)
