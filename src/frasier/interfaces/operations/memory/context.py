"""The one tool that chooses by itself: how much to look for, and whether to go on with a session."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Annotated

from pydantic import Field

from frasier.interfaces.operations import (
    CliOption,
    Layer,
    OperationContext,
    OperationInput,
    Output,
    Reads,
    Result,
    as_json,
    declare,
)
from frasier.interfaces.operations.memory.fields import (
    Anchors,
    IntentField,
    MinSimilarity,
    ScopesField,
    SessionField,
)
from frasier.interfaces.operations.memory.outputs import RecallOutput, WorkState, recall_summary
from frasier.interfaces.operations.memory.surface import SurfacedOutput, surface
from frasier.kernel.advice import Advice
from frasier.kernel.errors import NotFound
from frasier.kernel.tokenizer import tokenize
from frasier.memory import (
    Detail,
    Intent,
    RecallRequest,
    Session,
    SessionStatus,
    classify,
    latest_unfinished_session,
    read_session,
)

_RESUME_ANCHORS = ("state", "next-steps", "summary", "blockers")
_RESUME_WORDS = frozenset(tokenize("resume continue"))
_RESUME_PHRASES = ("where were we", "where was i", "pick up where", "left off", "carry on")
_DEEP = frozenset({Intent.ADD_FEATURE, Intent.REFACTOR, Intent.SECURITY_AUDIT})
_TEXTS_LEAST = 100


class Mode(StrEnum):
    """Amounts of context."""

    AUTO = "auto"
    QUICK = "quick"
    DEEP = "deep"
    FOCUSED = "focused"
    RESUME = "resume"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Plan:
    """`tokens` bounds the texts of the whole answer; what binds everybody takes at most a third of it."""

    tokens: int
    limit: int
    detail: Detail


_PLANS: Mapping[Mode, _Plan] = {
    Mode.QUICK: _Plan(tokens=800, limit=5, detail=Detail.COMPACT),
    Mode.DEEP: _Plan(tokens=2000, limit=15, detail=Detail.STANDARD),
    Mode.FOCUSED: _Plan(tokens=1500, limit=8, detail=Detail.STANDARD),
    Mode.RESUME: _Plan(tokens=1200, limit=5, detail=Detail.STANDARD),
}


class ContextInput(OperationInput):
    input: Annotated[str, CliOption(argument="TEXT", help="What you are about to do.", reads=Reads.TEXT)] = (
        Field(max_length=10_000, description="What you are about to do or answer")
    )
    mode: Annotated[
        Mode, CliOption(flags=("--mode", "-m"), help="How much: auto, quick, deep, focused or resume.")
    ] = Field(Mode.AUTO, description="quick 800 tokens, deep 2000, focused 1500, resume 1200")
    intent: IntentField = None
    scopes: ScopesField = ()
    session: SessionField = None
    repeat: bool = Field(False, description="Also what the session was given")
    limit: Annotated[
        int | None, CliOption(flags=("--limit", "-n"), help="How many to show at most, 1 to 50.")
    ] = Field(None, ge=1, le=50)
    anchors: Anchors = ()
    min_similarity: MinSimilarity = None


class ResumedSession(WorkState):
    """A session that is resumed, and where its work stands."""

    id: str
    status: SessionStatus
    updated_at: datetime


class ContextOutput(RecallOutput, SurfacedOutput):
    """The memories worth knowing for a piece of work, and the reason for their number."""

    mode: Mode
    why_this_mode: str
    session: ResumedSession | None = None


async def _context(context: OperationContext, request: ContextInput) -> Result[ContextOutput]:
    intent = request.intent or classify(request.input).intent
    mode, reason = _route(request, intent)
    plan = _PLANS[mode]
    session = await _session(context, request) if mode is Mode.RESUME else None
    known = ResumedSession.of(session) if session else None
    surfaced = await surface(context, request.input, tokens=plan.tokens // 3)
    left = plan.tokens - _cost(context, known) - _cost(context, surfaced)
    answer = await context.memory.recall(
        context.caller,
        RecallRequest(
            text=_question(request, session),
            scopes=request.scopes,
            limit=request.limit or plan.limit,
            intent=request.intent,
            session=request.session or (session.id if session else None),
            # Whoever resumes has lost what the session was given.
            repeat=request.repeat or mode is Mode.RESUME,
            detail=plan.detail,
            anchors=request.anchors or (_RESUME_ANCHORS if mode is Mode.RESUME else ()),
            max_tokens=max(left, _TEXTS_LEAST),
            min_similarity=request.min_similarity,
        ),
    )
    hints: list[str | Advice] = list(answer.hints)
    if mode is Mode.RESUME and session is None:
        hints[:0] = ["There is no session to resume.", Advice("session.save", to="begin one")]
    return Result(
        summary=f"{mode.capitalize()} context: {recall_summary(answer)}",
        data=ContextOutput.of_answer(
            answer, plan.detail, surfaced, mode=mode, why_this_mode=reason, session=known
        ),
        hints=tuple(hints),
        cache_hit=answer.cache_hit,
        degraded=answer.degraded,
    )


def _route(request: ContextInput, intent: Intent) -> tuple[Mode, str]:
    if request.mode is not Mode.AUTO:
        return request.mode, "asked for"
    words = request.input.casefold()
    if _RESUME_WORDS & set(tokenize(words)) or any(phrase in words for phrase in _RESUME_PHRASES):
        return Mode.RESUME, "it asks to go on"
    if intent in _DEEP:
        return Mode.DEEP, f"the intent is {intent}"
    return Mode.FOCUSED, f"the intent is {intent}"


async def _session(context: OperationContext, request: ContextInput) -> Session | None:
    """The session that is meant: the named one, else the one with unfinished work that was used last."""
    engine = context.memory
    if request.session is not None:
        try:
            return await engine.in_transaction(read_session, context.caller, request.session)
        except NotFound:  # where the words alone chose to resume, it may be a session that begins now
            if request.mode is Mode.RESUME:
                raise
    return await engine.in_transaction(latest_unfinished_session, context.caller)


def _question(request: ContextInput, session: Session | None) -> str:
    """Return the text to search for: the subject of a session says more than the wish to go on with it."""
    if session is None:
        return request.input
    about = f"{session.task} {session.pending_work}".strip()
    return f"{about} {request.input}"[:10_000] if about else request.input


def _cost(context: OperationContext, output: Output | None) -> int:
    return context.memory.counter.count(str(as_json(output))) if output and as_json(output) else 0


CONTEXT = declare(
    _context,
    name="memory_context",
    title="Context for the work at hand",
    layer=Layer.ORCHESTRATION,
    about="Start here. Gives what is worth knowing for the task within a token budget; resumes a session.",
    read_only=True,
    idempotent=False,
)
