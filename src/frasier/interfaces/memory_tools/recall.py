"""Recalling: search, look up, list, and what a prompt calls."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from frasier.interfaces.memory_tools.fields import (
    Anchors,
    Label,
    MemoryRef,
    Moment,
    Page,
    ScopesField,
    SessionField,
    Text,
)
from frasier.interfaces.memory_tools.memory_json import hit_shape, memory_line, memory_whole, stub_shape
from frasier.interfaces.memory_tools.triggers import surface
from frasier.interfaces.tools import Layer, Reply, Surroundings, Tool, ToolInput, told
from frasier.kernel.advice import Advice
from frasier.kernel.humanize import plural
from frasier.memory import (
    Detail,
    ImportanceTier,
    Intent,
    MemoryKind,
    MemoryState,
    Order,
    RecallAnswer,
    RecallRequest,
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


class SearchInput(ToolInput):
    query: Text = Field("", description="What to find; empty gives the latest")
    concepts: tuple[Label, ...] = Field((), max_length=5, description="2 to 5; a memory must match each")
    scopes: ScopesField = ()
    limit: Page = 10
    kinds: tuple[MemoryKind, ...] = Field((), description="Default: all but marker and conversation")
    intent: Intent | None = Field(None, description="Default: guessed from the query")
    session: SessionField = None
    repeat: bool = Field(False, description="Also what the session was given before")
    detail: Detail = Field(Detail.STANDARD, description="About 100, 200, 400 tokens a memory, or all of it")
    anchors: Anchors = ()
    max_tokens: int | None = Field(None, ge=50, le=100_000, description="Bounds the texts of all results")
    as_of: Moment | None = Field(None, description="Facts as they held then")
    min_state: MemoryState = Field(MemoryState.DORMANT, description="The most faded that still counts")
    rerank: bool = True
    bypass_cache: bool = False


async def _search(around: Surroundings, given: SearchInput) -> Reply:
    answer = await around.engine.recall(around.caller, _request(given))
    hits = {hit.memory.id for hit in answer.hits}
    surfaced = await surface(
        around, " ".join((given.query, *given.concepts)), tokens=_BINDING_TOKENS, known=hits
    )
    return Reply(
        summary=found_summary(answer),
        data=answer_shape(answer, given.detail) | surfaced,
        hints=answer.hints,
        cache_hit=answer.cache_hit,
        degraded=answer.degraded,
    )


def _request(given: SearchInput) -> RecallRequest:
    return RecallRequest(
        text=given.query,
        concepts=given.concepts,
        scopes=given.scopes,
        kinds=frozenset(given.kinds) or None,
        limit=given.limit,
        intent=given.intent,
        session=given.session,
        repeat=given.repeat,
        detail=given.detail,
        anchors=given.anchors,
        max_tokens=given.max_tokens,
        as_of=given.as_of,
        min_state=given.min_state,
        rerank=given.rerank,
        cached=not given.bypass_cache,
    )


def found_summary(answer: RecallAnswer) -> str:
    """How much was found, and what it was found by."""
    if not answer.hits:
        return "Nothing new was found." if answer.seen else "Nothing was found."
    by = ", ".join(arm.value for arm in answer.arms) or "time"
    known = f" {len(answer.seen)} more were given in this session before." if answer.seen else ""
    return f"{len(answer.hits)} found by {by}.{known}"


def answer_shape(answer: RecallAnswer, detail: Detail) -> dict[str, Any]:
    """The hits with what the answer says about itself."""
    return {"results": [hit_shape(hit, plain=detail is Detail.MINIMAL) for hit in answer.hits]} | told(
        seen=[stub_shape(stub) for stub in answer.seen],
        intent=answer.intent,
        left_out=answer.left_out or None,
        text_tokens=answer.tokens,
        tokens_saved=answer.tokens_saved or None,
        reranked=answer.reranked,
        without_vector=answer.without_vector or None,
    )


class GetInput(ToolInput):
    id: MemoryRef
    anchors: Anchors = ()
    versions: bool = Field(False, description="Also what it said before")


async def _get(around: Surroundings, given: GetInput) -> Reply:
    engine = around.engine
    memory = await engine.in_transaction(find_memory, around.caller, given.id)
    versions = await engine.in_transaction(versions_of, around.caller, memory.id) if given.versions else []
    strength = await engine.in_transaction(strength_of, memory.id)
    file_hash = await engine.in_transaction(hash_of_file, memory.file_id) if memory.file_id else None
    delivery = deliver_sections(memory.content, given.anchors, around.engine.counter.count)
    if not given.anchors:
        await around.engine.note_fetched(memory.id)
    missing = f"No section {', '.join(delivery.anchors_missing)}: its beginning is given instead."
    return Reply(
        summary=f"“{memory.title}”" if memory.title else f"A {memory.kind} of {memory.scope}.",
        data=memory_whole(memory, content=delivery.text)
        | told(
            anchors_found=delivery.anchors_found,
            anchors_missing=delivery.anchors_missing,
            original_tokens=delivery.original_tokens,
            saved_tokens=delivery.saved_tokens or None,
            confidence=strength.confidence,
            stability_days=strength.stability,
            used=strength.use_count,
            file_hash=file_hash.hex() if file_hash else None,
            versions=versions,
        ),
        hints=(missing,) if delivery.anchors_missing and delivery.is_snippet else (),
    )


class ListInput(ToolInput):
    limit: Page = 20
    offset: int = Field(0, ge=0, le=1_000_000)
    scopes: ScopesField = ()
    kinds: tuple[MemoryKind, ...] = ()
    tier: ImportanceTier | None = None
    sort_by: Order = Order.NEWEST
    archived: bool = False


async def _list(around: Surroundings, given: ListInput) -> Reply:
    page = await around.engine.in_transaction(
        list_memories,
        around.caller,
        scopes=given.scopes,
        kinds=frozenset(given.kinds) or None,
        tier=given.tier,
        order=given.sort_by,
        archived=given.archived,
        limit=given.limit,
        offset=given.offset,
    )
    known = {memory.id for memory in page.memories}
    surfaced = await surface(around, tokens=_LISTED_TOKENS, known=known)
    more = page.offset + len(page.memories)
    return Reply(
        summary=f"{len(page.memories)} of {plural(page.total, 'memory', 'memories')}.",
        data={"memories": [memory_line(memory) for memory in page.memories], "total": page.total} | surfaced,
        hints=(f"There are more: ask with offset {more}.",) if more < page.total else (),
    )


class TriggersInput(ToolInput):
    prompt: str = Field(max_length=5_000, description="What the user said")
    limit: int = Field(3, ge=1, le=50)


async def _triggers(around: Surroundings, given: TriggersInput) -> Reply:
    called = await around.engine.in_transaction(
        called_memories, around.caller, given.prompt, limit=given.limit
    )
    matches = []
    for one in called:
        cut = around.engine.counter.cut(one.memory.content, 150)
        matches.append(memory_line(one.memory) | told(text=cut, phrases=one.phrases))
    surfaced = await surface(around, tokens=_LISTED_TOKENS, known={one.memory.id for one in called})
    return Reply(
        summary=f"{len(matches)} called." if matches else "No phrase of the prompt calls a memory.",
        data={"matches": matches} | surfaced,
        hints=() if matches else (Advice("memory.search", to="find by words and meaning"),),
    )


RECALLING = (
    Tool(
        name="memory_search",
        title="Search memories",
        layer=Layer.EXPLORATION,
        about="Find memories by words, meaning, links and triggers, best first, each with why it was found.",
        input=SearchInput,
        run=_search,
        read_only=True,
    ),
    Tool(
        name="memory_get",
        title="Read a memory",
        layer=Layer.SURGICAL,
        about="Read one memory whole, which counts as a use, or only some sections of it.",
        input=GetInput,
        run=_get,
        read_only=True,
        idempotent=True,
    ),
    Tool(
        name="memory_list",
        title="List memories",
        layer=Layer.EXPLORATION,
        about="Go through memories page by page.",
        input=ListInput,
        run=_list,
        read_only=True,
        idempotent=True,
    ),
    Tool(
        name="memory_match_triggers",
        title="What a prompt calls",
        layer=Layer.DISCOVERY,
        about="Memories whose trigger phrases stand in the prompt. Fast: call it before you answer.",
        input=TriggersInput,
        run=_triggers,
        read_only=True,
        idempotent=True,
    ),
)
