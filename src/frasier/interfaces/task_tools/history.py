"""What happened to a task, as JSON: each event with what it was about, so that nobody has to look that up elsewhere."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from frasier.board import Board
from frasier.interfaces.tools import told
from frasier.kernel.text import shorten
from frasier.store import Event, effects_of
from frasier.workflow import ActorKind

_SENTENCE_CHARS = 300
_ANSWERED = ("task.decision_approved", "task.decision_rejected")
_SAID = ("note", "reason", "rework_reason", "comment")


async def event_lines(board: Board, task_id: UUID, events: Sequence[Event]) -> list[dict[str, Any]]:
    """The newest `events` of a task, in short: those that come later tell how a question has ended."""
    sent = await _sent(board, task_id, events)
    return [
        _line(event)
        | told(judgements_cleared=event.payload.get("judgements_cleared"), **_about(event, events, sent))
        for event in events
    ]


def _line(event: Event) -> dict[str, Any]:
    said = event.payload
    sentence = next((said[name] for name in _SAID if said.get(name)), "")
    return told(
        at=event.at,
        what=event.kind.removeprefix("task."),
        by=event.actor,
        before=said.get("from"),
        after=said.get("to"),
        fields=said.get("fields") or sorted(said.get("wrote", ())),
        said=shorten(str(sentence), _SENTENCE_CHARS),
    )


def _about(event: Event, newest: Sequence[Event], sent: Mapping[str, str]) -> dict[str, Any]:
    """What only an event of its kind tells."""
    said = event.payload
    match event.kind.split("."):
        case ["task", "evidence"]:
            facts = told(kind=said["kind"], subject=said["subject"], holds=said["holds"])
            return {"evidence": facts | told(**said.get("found", {}), digest=said.get("digest"))}
        case ["task", "block"]:
            return {"owner": said.get("owner"), "action": said.get("action")}
        case ["task", "edit"]:
            return {"filled": said.get("filled"), "emptied": said.get("cleared")}
        case ["task", name] if name.startswith("decision_"):
            return {"decision": _decision(event, newest)}
        case ["effect", _]:
            text = shorten(sent.get(str(said.get("key")), ""), _SENTENCE_CHARS)
            return {"sent": told(effect=said.get("effect"), text=text, error=said.get("error"))}
        case _:
            return {}


def _decision(event: Event, newest: Sequence[Event]) -> dict[str, Any]:
    """The question: about which move, of whom, and what became of it."""
    asked = event.payload
    facts = told(decision=asked["decision"], move=asked["transition"], version=asked.get("version"))
    if event.kind in _ANSWERED:
        return facts
    after = [one for one in newest if one.seq > event.seq]
    of_it = [one for one in after if one.payload.get("decision") == asked["decision"]]
    answer = next((one for one in of_it if one.kind in _ANSWERED), None)
    used = next((one for one in after if _uses(one, asked)), None)
    version = asked.get("version", math.inf)  # reminders that were written earlier do not tell it
    changed = next((one for one in after if one.payload.get("version", 0) > version), None)
    return facts | told(
        asked_of=ActorKind.FOUNDER,
        answer=answer and answer.kind.rpartition("_")[2],
        comment=answer and answer.payload.get("comment"),
        answered_by=answer and answer.actor,
        used_at=used and used.at,
        withdrawn_at=changed.at if changed and not used and not _rejected(answer) else None,
    )


def _uses(event: Event, asked: Mapping[str, Any]) -> bool:
    """Whether the move was made with the decision, or one that relies on it."""
    renewed = event.payload.get("renewed", {}).get(asked["transition"], {})
    made = event.kind == f"task.{asked['transition']}" and event.payload.get("decision") == asked["decision"]
    return bool(made or renewed.get("decision") == asked["decision"])


def _rejected(answer: Event | None) -> bool:
    return answer is not None and answer.kind == "task.decision_rejected"


async def _sent(board: Board, task_id: UUID, events: Sequence[Event]) -> Mapping[str, str]:
    """The texts of what was sent because of the task, by the keys that its events name."""
    if not any(event.kind.startswith("effect.") for event in events):
        return {}
    return {
        one.key: str(one.payload.get("text", "")) for one in await board.in_transaction(effects_of, task_id)
    }
