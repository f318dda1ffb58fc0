"""Events of a task as operations answer with them, each with what it was about."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from pydantic import Field

from frasier.interfaces.operations import Output
from frasier.kernel.text import shorten
from frasier.store import Event
from frasier.workflow import ActorKind

_SENTENCE_CHARS = 300
_ANSWERED = ("task.decision_approved", "task.decision_rejected")
_WITHDRAWN = "task.decision_withdrawn"
_SENTENCES = ("note", "reason", "rework_reason", "comment")


class EventEvidence(Output):
    """Something looked up or run: its result, and the digest of what was seen."""

    kind: str
    subject: str
    holds: bool
    passed: int | None = None
    total: int | None = None
    exit_code: int | None = None
    why: str = ""
    digest: str = ""


class EventDecision(Output):
    """The decision that an event is about. The event that asked for it tells what became of it."""

    decision: UUID
    move: str
    version: int | None = None
    asked_of: ActorKind | None = None
    answer: str | None = None
    comment: str = ""
    answered_by: str | None = None
    used_at: datetime | None = None
    withdrawn_at: datetime | None = None
    replaced: bool = False


class SentEffect(Output):
    """An effect because of the task."""

    effect: str | None = None
    text: str = ""
    error: str = ""


class EventOutput(Output):
    """An event of a task, in short."""

    at: datetime
    what: str
    by: str
    before: str = ""
    after: str = ""
    fields: tuple[str, ...] = ()
    said: str = ""
    judgements_cleared: dict[str, str] = Field(default_factory=dict)
    evidence: EventEvidence | None = None
    owner: str = ""
    action: str = ""
    filled: dict[str, Any] = Field(default_factory=dict)
    emptied: tuple[str, ...] = ()
    decision: EventDecision | None = None
    sent: SentEffect | None = None
    founder_answer: str = ""


def event_outputs(events: Sequence[Event], effect_texts: Mapping[str, str]) -> tuple[EventOutput, ...]:
    """Describe the newest `events` of a task: those that come later tell what became of a decision."""
    return tuple(
        EventOutput(
            at=event.at,
            what=event.kind.removeprefix("task."),
            by=event.actor,
            before=event.payload.get("from") or "",
            after=event.payload.get("to") or "",
            fields=event.payload.get("fields") or sorted(event.payload.get("wrote", ())),
            said=_sentence(event.payload),
            founder_answer=shorten(str(event.payload.get("founder_answer") or ""), _SENTENCE_CHARS),
            judgements_cleared=event.payload.get("judgements_cleared") or {},
            **_subject(event, events, effect_texts),
        )
        for event in events
    )


def _sentence(payload: Mapping[str, Any]) -> str:
    sentence = next((payload[name] for name in _SENTENCES if payload.get(name)), "")
    return shorten(str(sentence), _SENTENCE_CHARS)


def _subject(event: Event, newest: Sequence[Event], effect_texts: Mapping[str, str]) -> dict[str, Any]:
    """The fields that only an event of its kind has."""
    payload = event.payload
    match event.kind.split("."):
        case ["task", "evidence"]:
            facts = {name: payload[name] for name in ("kind", "subject", "holds")}
            digest = payload.get("digest") or ""
            return {"evidence": EventEvidence(**facts, **payload.get("found", {}), digest=digest)}
        case ["task", "block"]:
            return {"owner": payload.get("owner") or "", "action": payload.get("action") or ""}
        case ["task", "edit"]:
            return {"filled": payload.get("filled") or {}, "emptied": payload.get("cleared") or ()}
        case ["task", name] if name.startswith("decision_"):
            return {"decision": _decision(event, newest)}
        case ["effect", _]:
            text = shorten(effect_texts.get(str(payload.get("key")), ""), _SENTENCE_CHARS)
            return {
                "sent": SentEffect(effect=payload.get("effect"), text=text, error=payload.get("error") or "")
            }
        case _:
            return {}


def _decision(event: Event, newest: Sequence[Event]) -> EventDecision:
    asked = event.payload
    facts = {name: asked.get(name) for name in ("decision", "version")} | {"move": asked["transition"]}
    if event.kind in _ANSWERED:
        return EventDecision(**facts)
    later = [other for other in newest if other.seq > event.seq]
    same = [other for other in later if other.payload.get("decision") == asked["decision"]]
    replaced = next((other for other in same if other.kind == _WITHDRAWN), None)
    answer = next((other for other in same if other.kind in _ANSWERED), None)
    used = next((other for other in later if _uses(other, asked)), None)
    version = asked.get("version", math.inf)  # reminders that were written earlier do not tell it
    changed = next((other for other in later if other.payload.get("version", 0) > version), None)
    outcome = (
        {
            "answer": answer.kind.rpartition("_")[2],
            "comment": answer.payload.get("comment") or "",
            "answered_by": answer.actor,
        }
        if answer
        else {}
    )
    return EventDecision(
        **facts,
        **outcome,
        asked_of=ActorKind.FOUNDER,
        used_at=used.at if used else None,
        replaced=replaced is not None or event.kind == _WITHDRAWN,
        withdrawn_at=replaced.at
        if replaced
        else changed.at
        if changed and not used and not _is_rejection(answer)
        else None,
    )


def _uses(event: Event, question: Mapping[str, Any]) -> bool:
    """Whether the move was made with the decision, or one that relies on it."""
    renewed = event.payload.get("renewed", {}).get(question["transition"], {})
    made = (
        event.kind == f"task.{question['transition']}"
        and event.payload.get("decision") == question["decision"]
    )
    return bool(made or renewed.get("decision") == question["decision"])


def _is_rejection(answer: Event | None) -> bool:
    return answer is not None and answer.kind == "task.decision_rejected"
