"""`/api/v1/memory`: the one endpoint of the task-boundary protocol, for agents that were written for it.

What is contributed is said: a task marker, `content`, or `contribute`. Everything else is a question, and a question
is never stored. (Where length decided instead, agents found their own questions as the answers to them.)
"""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from frasier.interfaces.http.protocol_markers import TaskMarker, is_question, read_marker
from frasier.interfaces.http.query_contribute import contributed_json, save_contribution
from frasier.interfaces.tools import Layer, Reply, Surroundings, Tool, ToolInput
from frasier.kernel.errors import InvalidInput
from frasier.kernel.text import shorten
from frasier.memory import MemoryKind, NewMemory, RecallAnswer, RecallRequest

_SOURCES = 5
_RESPONSE_SOURCES = 3
_PREVIEW_CHARS = 120
# Agents look for markers here, which are left out of other recalls. What was said in talks is not theirs.
_KINDS = frozenset(MemoryKind) - {MemoryKind.CONVERSATION}

Label = Annotated[str, Field(max_length=200)]


class ProtocolInput(ToolInput):
    """`prompt`, `query`, `message` and `text` are names of the same: what the agent says."""

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
    limit: Annotated[int, Field(strict=True, ge=1, le=50)] = _SOURCES
    idempotency_key: str | None = None

    @property
    def said(self) -> str:
        """What the agent says, however it named it; raises InvalidInput where it says nothing or two things."""
        given = [said for said in (self.prompt, self.query, self.message, self.text) if said is not None]
        if len(given) > 1:
            raise InvalidInput(
                "prompt, query, message and text are one thing, and several of them are given.",
                number="E030",
                kept="Nothing was saved.",
                hint="Send one of them.",
            )
        said = given[0] if given else ""
        if not said.strip() and self.content is None:
            raise InvalidInput(
                "Neither a question nor anything to remember is given.",
                number="E031",
                hint="Send prompt with a question, a task marker, or content.",
            )
        return said


async def _speak(surroundings: Surroundings, given: ProtocolInput) -> Reply:
    said = given.said
    new = _contribution(surroundings, given, said)
    contributed = None
    if new is not None:
        done = await save_contribution(surroundings, new, given.idempotency_key)
        contributed = contributed_json(done)
    asked = said if new is None or given.content is not None else ""
    answer = await _look_up(surroundings, given, asked) if asked.strip() else None
    return Reply(
        summary="Contributed." if contributed else "Answered.",
        data={
            "result": {"response": _response(answer), "sources": _sources(answer)},
            "contributed": contributed,
            "degraded": answer.degraded if answer else "",
            "without_vector": answer.without_vector if answer else 0,
            "trace": {
                "session_id": given.session_id,
                "thoughts_retrieved": len(answer.hits) if answer else 0,
                "thoughts_contributed": int(contributed is not None and not contributed["repeated"]),
            },
        },
    )


def _contribution(surroundings: Surroundings, given: ProtocolInput, said: str) -> NewMemory | None:
    """What is to be remembered of it, or None where something is asked."""
    if given.read_only:
        if given.contribute or given.content is not None:
            raise InvalidInput(
                "A read-only request contributes nothing.",
                number="E030",
                kept="Nothing was saved.",
                hint="Leave read_only out, or contribute and content.",
            )
        return None
    marker = read_marker(said if given.content is None else given.content)
    if marker is not None:
        return _marker_memory(surroundings, given, marker)
    if given.content is None and not given.contribute:
        return None
    content = said if given.content is None else given.content
    if is_question(content):
        raise InvalidInput(
            "A question is not remembered.",
            number="E030",
            kept="Nothing was saved.",
            hint="Ask it without contribute and content; what you know, say as a statement.",
        )
    return NewMemory(
        kind=MemoryKind.OBSERVATION,
        scope=surroundings.caller.home if given.scope is None else given.scope,
        content=content,
        speaker=given.agent_name or given.agent_id or None,
        keep_secrets=given.keep_secrets,
        provenance=_provenance(given),
    )


def _marker_memory(surroundings: Surroundings, given: ProtocolInput, marker: TaskMarker) -> NewMemory:
    """A marker is found by its task's thread, and by its role, task and project as words."""
    return NewMemory(
        kind=MemoryKind.MARKER,
        scope=surroundings.caller.home if given.scope is None else given.scope,
        content=marker.text,
        tags=tuple(tag for tag in (given.agent_id[:100], marker.project) if tag),
        thread=f"{marker.project}/{marker.slug}",
        speaker=given.agent_name[:100] or marker.role,
        keep_secrets=given.keep_secrets,
        provenance=_provenance(given) | {"move": marker.move, "role": marker.role, "task": marker.slug},
    )


def _provenance(given: ProtocolInput) -> dict[str, str]:
    """Who says that it said so: the token's name is what is known of it."""
    told = {
        "agent": given.agent_id or given.agent_name,
        "context": given.context,
        "session": given.session_id,
    }
    return {"via": "http"} | {name: text for name, text in told.items() if text}


async def _look_up(surroundings: Surroundings, given: ProtocolInput, asked: str) -> RecallAnswer:
    # The protocol's session only groups what was said: an agent that lost its context asks the same again.
    request = RecallRequest(
        text=asked,
        scopes=() if given.scope is None else (given.scope,),
        kinds=_KINDS,
        limit=given.limit,
    )
    return await surroundings.engine.recall(surroundings.caller, request)


def _response(answer: RecallAnswer | None) -> str:
    return "\n\n".join(hit.delivered.text for hit in answer.hits[:_RESPONSE_SOURCES]) if answer else ""


def _sources(answer: RecallAnswer | None) -> list[dict[str, Any]]:
    return [
        {
            "thought_id": str(hit.memory.id),
            "contributor": hit.memory.speaker or hit.memory.provenance.get("saved_by", ""),
            "score": round(hit.score, 6),
            "content_preview": shorten(" ".join(hit.memory.content.split()), _PREVIEW_CHARS),
            "content": hit.delivered.text,
            "without_vector": hit.without_vector,
            "category": hit.memory.kind,
            "created_at": hit.memory.created_at.isoformat(),
        }
        for hit in (answer.hits if answer else ())
    ]


SPEAK = Tool(
    name="memory",
    title="Memory",
    layer=Layer.DISCOVERY,
    about="Answers a question, or keeps a task marker or a contribution.",
    input=ProtocolInput,
    run=_speak,
)
