"""The one tool that chooses by itself: how much to look for, and whether to go on with a session."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from pydantic import Field

from frasier.interfaces.memory_tools.fields import Anchors, ScopesField, SessionField
from frasier.interfaces.memory_tools.recall import answer_shape, found_summary
from frasier.interfaces.memory_tools.triggers import surface
from frasier.interfaces.tools import Layer, Reply, Surroundings, Tool, ToolInput, told
from frasier.kernel.advice import Advice
from frasier.kernel.errors import NotFound
from frasier.kernel.tokenizer import tokenize
from frasier.memory import (
    Detail,
    Intent,
    RecallRequest,
    Session,
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
    """How much context is wanted."""

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


class ContextInput(ToolInput):
    input: str = Field(max_length=10_000, description="What you are about to do or answer")
    mode: Mode = Field(Mode.AUTO, description="quick 800 tokens, deep 2000, focused 1500, resume 1200")
    intent: Intent | None = None
    scopes: ScopesField = ()
    session: SessionField = None
    repeat: bool = Field(False, description="Also what the session was given before")
    limit: int | None = Field(None, ge=1, le=50)
    anchors: Anchors = ()


async def _context(around: Surroundings, given: ContextInput) -> Reply:
    intent = given.intent or classify(given.input).intent
    mode, reason = _route(given, intent)
    plan = _PLANS[mode]
    session = await _session(around, given) if mode is Mode.RESUME else None
    known = _state(session) if session else {}
    surfaced = await surface(around, given.input, tokens=plan.tokens // 3)
    left = plan.tokens - _cost(around, known) - _cost(around, surfaced)
    answer = await around.engine.recall(
        around.caller,
        RecallRequest(
            text=_question(given, session),
            scopes=given.scopes,
            limit=given.limit or plan.limit,
            intent=given.intent,
            session=given.session or (session.id if session else None),
            # Whoever resumes has lost what the session was given.
            repeat=given.repeat or mode is Mode.RESUME,
            detail=plan.detail,
            anchors=given.anchors or (_RESUME_ANCHORS if mode is Mode.RESUME else ()),
            max_tokens=max(left, _TEXTS_LEAST),
        ),
    )
    data: dict[str, Any] = told(mode=mode, why_this_mode=reason, session=known)
    hints: list[str | Advice] = list(answer.hints)
    if mode is Mode.RESUME and session is None:
        hints[:0] = ["There is no session to resume.", Advice("session.save", to="begin one")]
    return Reply(
        summary=f"{mode.capitalize()} context: {found_summary(answer)}",
        data=data | answer_shape(answer, plan.detail) | surfaced,
        hints=tuple(hints),
        cache_hit=answer.cache_hit,
        degraded=answer.degraded,
    )


def _route(given: ContextInput, intent: Intent) -> tuple[Mode, str]:
    if given.mode is not Mode.AUTO:
        return given.mode, "asked for"
    words = given.input.casefold()
    if _RESUME_WORDS & set(tokenize(words)) or any(phrase in words for phrase in _RESUME_PHRASES):
        return Mode.RESUME, "it asks to go on"
    if intent in _DEEP:
        return Mode.DEEP, f"the intent is {intent}"
    return Mode.FOCUSED, f"the intent is {intent}"


async def _session(around: Surroundings, given: ContextInput) -> Session | None:
    """The session that is meant: the named one, else the one with unfinished work that was used last."""
    engine = around.engine
    if given.session is not None:
        try:
            return await engine.in_transaction(read_session, around.caller, given.session)
        except NotFound:  # where the words alone chose to resume, it may be a session that begins now
            if given.mode is Mode.RESUME:
                raise
    return await engine.in_transaction(latest_unfinished_session, around.caller)


def _state(session: Session) -> dict[str, Any]:
    return told(
        id=session.id,
        status=session.status,
        task=session.task,
        last_action=session.last_action,
        summary=session.summary,
        pending_work=session.pending_work,
        state=session.state,
        updated_at=session.updated_at,
    )


def _question(given: ContextInput, session: Session | None) -> str:
    """What to look for: what a session is about says more than the wish to go on with it."""
    if session is None:
        return given.input
    about = f"{session.task} {session.pending_work}".strip()
    return f"{about} {given.input}"[:10_000] if about else given.input


def _cost(around: Surroundings, facts: Mapping[str, Any]) -> int:
    return around.engine.counter.count(str(facts)) if facts else 0


CONTEXT = Tool(
    name="memory_context",
    title="Context for the work at hand",
    layer=Layer.ORCHESTRATION,
    about="Start here. Gives what is worth knowing for the task within a token budget; resumes a session.",
    input=ContextInput,
    run=_context,
    read_only=True,
)
