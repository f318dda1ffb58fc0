"""The operation behind `/api/v1/memory`, the single endpoint of the task-boundary protocol.

A contribution is explicit: a task marker, `content`, or `contribute`. Everything else is a question, and a question is
never stored. (When the length of the text decided, agents found their own questions as the answers to them.)
"""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Self
from uuid import UUID

from pydantic import Field

from frasier.interfaces.http.protocol_markers import TaskMarker, is_question, read_marker
from frasier.interfaces.http.query_contribute import ContributeOutput, save_contribution
from frasier.interfaces.operations import Layer, OperationContext, OperationInput, Output, Result, declare
from frasier.kernel.errors import InvalidInput
from frasier.kernel.text import shorten
from frasier.memory import MemoryKind, NewMemory, RecallAnswer, RecallHit, RecallRequest

_DEFAULT_LIMIT = 5
_RESPONSE_SOURCES = 3
_PREVIEW_CHARS = 120
# Includes markers, which other recalls leave out: agents look for them here. Excludes conversations with the founder.
_KINDS = frozenset(MemoryKind) - {MemoryKind.CONVERSATION}

Label = Annotated[str, Field(max_length=200)]


class ProtocolInput(OperationInput):
    """A request of the protocol. `prompt`, `query`, `message` and `text` are four names of one field."""

    prompt: str | None = None
    query: str | None = None
    message: str | None = None
    text: str | None = None
    content: str | None = None
    contribute: bool = False
    read_only: bool = False
    keep_secrets: bool = False
    agent_id: Label = ""
    agent_name: Label = ""
    context: Annotated[str, Field(max_length=2000)] = ""
    session_id: Label = ""
    scope: str | None = None
    limit: Annotated[int, Field(strict=True, ge=1, le=50)] = _DEFAULT_LIMIT
    idempotency_key: str | None = None

    @property
    def prompt_text(self) -> str:
        """The text of the request, under whichever name; raise InvalidInput if it is missing or sent twice."""
        texts = [text for text in (self.prompt, self.query, self.message, self.text) if text is not None]
        if len(texts) > 1:
            raise InvalidInput(
                "prompt, query, message and text are names of one field, and several of them were sent.",
                number="E030",
                kept="Nothing was saved.",
                hint="Send only one of them.",
            )
        text = texts[0] if texts else ""
        if not text.strip() and self.content is None:
            raise InvalidInput(
                "The request has neither a question nor anything to save.",
                number="E031",
                hint="Send prompt with a question, a task marker, or content.",
            )
        return text


class ProtocolSource(Output):
    """A memory found for a question."""

    thought_id: UUID
    contributor: str
    score: float
    content_preview: str
    content: str
    without_vector: bool
    category: MemoryKind
    created_at: datetime

    @classmethod
    def of_hit(cls, hit: RecallHit) -> Self:
        """Convert a hit of a recall to the names of the protocol."""
        memory = hit.memory
        return cls(
            thought_id=memory.id,
            contributor=memory.speaker or memory.provenance.get("saved_by", ""),
            score=hit.score,
            content_preview=shorten(" ".join(memory.content.split()), _PREVIEW_CHARS),
            content=hit.delivered.text,
            without_vector=hit.without_vector,
            category=memory.kind,
            created_at=memory.created_at,
        )


class ProtocolResult(Output):
    """The answer to a question; empty if the request has none."""

    response: str
    sources: tuple[ProtocolSource, ...]


class ProtocolTrace(Output):
    """Numbers of memories read and written."""

    session_id: str
    thoughts_retrieved: int
    thoughts_contributed: int


class ProtocolOutput(Output):
    """The answer to a question, and the result of a contribution."""

    result: ProtocolResult
    contributed: ContributeOutput | None
    degraded: str
    without_vector: int
    trace: ProtocolTrace


async def _answer_or_save(context: OperationContext, request: ProtocolInput) -> Result[ProtocolOutput]:
    prompt_text = request.prompt_text
    new = _contribution(context, request, prompt_text)
    contributed = await save_contribution(context, new, request.idempotency_key) if new else None
    question = prompt_text if new is None or request.content is not None else ""
    answer = await _recall(context, request, question) if question.strip() else RecallAnswer(hits=())
    return Result(
        summary="Contributed." if contributed else "Answered.",
        data=ProtocolOutput.of(
            answer,
            result=ProtocolResult(
                response="\n\n".join(hit.delivered.text for hit in answer.hits[:_RESPONSE_SOURCES]),
                sources=tuple(map(ProtocolSource.of_hit, answer.hits)),
            ),
            contributed=contributed,
            trace=ProtocolTrace(
                session_id=request.session_id,
                thoughts_retrieved=len(answer.hits),
                thoughts_contributed=int(contributed is not None and not contributed.repeated),
            ),
        ),
    )


def _contribution(context: OperationContext, request: ProtocolInput, prompt_text: str) -> NewMemory | None:
    """Return the memory to save, or None if the request only asks a question."""
    if request.read_only:
        if request.contribute or request.content is not None:
            raise InvalidInput(
                "A read-only request contributes nothing.",
                number="E030",
                kept="Nothing was saved.",
                hint="Leave read_only out, or contribute and content.",
            )
        return None
    marker = read_marker(prompt_text if request.content is None else request.content)
    if marker is not None:
        return _marker_memory(context, request, marker)
    if request.content is None and not request.contribute:
        return None
    content = prompt_text if request.content is None else request.content
    if is_question(content):
        raise InvalidInput(
            "A question is not remembered.",
            number="E030",
            kept="Nothing was saved.",
            hint="Ask it without contribute and content; write what you know as a statement.",
        )
    return NewMemory(
        kind=MemoryKind.OBSERVATION,
        scope=context.caller.home if request.scope is None else request.scope,
        content=content,
        speaker=request.agent_name or request.agent_id or None,
        keep_secrets=request.keep_secrets,
        provenance=_provenance(request),
    )


def _marker_memory(context: OperationContext, request: ProtocolInput, marker: TaskMarker) -> NewMemory:
    """Return a marker as a memory, found by the thread of its task and by its role, task and project as words."""
    return NewMemory(
        kind=MemoryKind.MARKER,
        scope=context.caller.home if request.scope is None else request.scope,
        content=marker.text,
        tags=tuple(tag for tag in (request.agent_id[:100], marker.project) if tag),
        thread=f"{marker.project}/{marker.slug}",
        speaker=request.agent_name[:100] or marker.role,
        keep_secrets=request.keep_secrets,
        provenance=_provenance(request) | {"move": marker.move, "role": marker.role, "task": marker.slug},
    )


def _provenance(request: ProtocolInput) -> dict[str, str]:
    """Return the sender's own description of itself; only the name of its token is verified."""
    sender = {
        "agent": request.agent_id or request.agent_name,
        "context": request.context,
        "session": request.session_id,
    }
    return {"via": "http"} | {name: text for name, text in sender.items() if text}


async def _recall(context: OperationContext, request: ProtocolInput, question: str) -> RecallAnswer:
    # The session of the protocol is not the session of a recall: an agent that lost its context asks the same again.
    recall = RecallRequest(
        text=question,
        scopes=() if request.scope is None else (request.scope,),
        kinds=_KINDS,
        limit=request.limit,
    )
    return await context.memory.recall(context.caller, recall)


EXTERNAL_MEMORY = declare(
    _answer_or_save,
    name="memory",
    title="Memory",
    layer=Layer.DISCOVERY,
    about="Answers a question, or saves a task marker or a contribution.",
)
