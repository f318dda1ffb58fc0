"""The event and the marker of every move, written in its transaction. No marker, no move."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, TypeGuard

from frasier.kernel.text import shorten
from frasier.memory import save_marker
from frasier.store import Tx, append_event, events_of
from frasier.workflow.processes.process import Actor, Transition
from frasier.workflow.processes.task_rules import rules_of
from frasier.workflow.tasks.summary import summary_of
from frasier.workflow.tasks.task import Task, value_digest

_NOTE_CHARS = 300
_SUMMARY_CHARS = 1_000
_EVENT_FIELD_CHARS = 2_000
# For all fields together: a character takes up to six bytes as JSON, and an event holds 64 KiB.
_EVENT_FIELDS_CHARS = 9_000
_EXCERPT_CHARS = 160


START = "START"
"""The move in the marker of a claim."""


def marker_text(task: Task, move: str, role: str, note: str, *, chars: int = _NOTE_CHARS) -> str:
    """Format a marker: `TASK <move>: <ROLE> <slug> (<group>) — <one sentence>`, with the role that acts; for a START
    `<ROLE> claiming`.
    """
    group = rules_of(task.definition).group_name(task.fields) or str(task.group_id)[:8]
    who = f"{role.upper()} claiming" if move == START else role.upper()
    return f"TASK {move}: {who} {task.slug} ({group}) — {shorten(note or task.title, chars)}"


async def record_move(
    tx: Tx,
    task: Task,
    *,
    kind: str,
    marker: str,
    actor: Actor,
    payload: Mapping[str, Any] | None = None,
    wrote: Mapping[str, Any] | None = None,
    cleared: Collection[str] = (),
) -> None:
    """Write the event and the marker of a move of `task` (its state after the move).

    `wrote` are the fields that it filled, `cleared` those that it emptied: the event has the digest of each value, so
    that the task's fields can be checked against its history. Both are sent at once if the caller has opened a
    pipeline.
    """
    await _append(tx, task, kind, actor, payload or {}, wrote or {}, cleared)
    await save_marker(
        tx,
        text=marker,
        scope=rules_of(task.definition).marker_scope(task),
        task_id=task.id,
        agent_id=task.assignee,
        actor=str(actor),
    )


async def _append(
    tx: Tx,
    task: Task,
    kind: str,
    actor: Actor,
    payload: Mapping[str, Any],
    wrote: Mapping[str, Any],
    cleared: Collection[str],
) -> None:
    chars = min(_EVENT_FIELD_CHARS, _EVENT_FIELDS_CHARS // max(len(payload), 1))
    excerpts = {name: _fit(value, chars) for name, value in payload.items()}
    digests = {name: value_digest(value) for name, value in wrote.items()}
    await append_event(
        tx,
        stream=task.id,
        kind=kind,
        actor=str(actor),
        payload={
            **excerpts,
            **({"wrote": digests} if digests else {}),
            **({"cleared": sorted(cleared)} if cleared else {}),
            "slug": task.slug,
            "group": str(task.group_id),
            "role": task.role,
            "attempt": task.attempt,
            "version": task.version,
        },
    )


def _fit(value: Any, chars: int) -> Any:
    """Shorten a text, or a list of texts, to so many characters; a list that is too long becomes a text."""
    fits = _are_texts(value) and sum(len(text) + 1 for text in value) <= chars
    return value if fits else _excerpt(value, chars)


async def record_edit(
    tx: Tx,
    task: Task,
    actor: Actor,
    filled: Mapping[str, Any],
    emptied: Collection[str],
    judged: Mapping[str, Any],
) -> None:
    """Write the event of an edit, with its effect on judgements. There is no marker, because nothing moved."""
    excerpts = {name: _excerpt(value, _EXCERPT_CHARS) for name, value in filled.items()}
    payload = {"fields": sorted({*filled, *emptied}), "filled": excerpts, **judged}
    await _append(tx, task, "task.edit", actor, payload, filled, emptied)


async def record_change(tx: Tx, task: Task, actor: Actor, parts: Mapping[str, Any]) -> None:
    """Write the event of a change of the plan of a task; a new title is kept whole, as the first one is."""
    titled = {"title": task.title} if "title" in parts else {}
    payload = {"fields": sorted(parts), "filled": dict(parts), **titled}
    await _append(tx, task, "task.edit", actor, payload, {}, ())


def _excerpt(value: Any, chars: int) -> Any:
    """Shorten a value for an event: a text, or a list joined to one."""
    text = "; ".join(value) if _are_texts(value) else value
    return shorten(text, chars) if isinstance(text, str) else text


def _are_texts(value: Any) -> TypeGuard[list[str]]:
    return isinstance(value, list) and all(isinstance(text, str) for text in value)


async def record_transition(
    tx: Tx,
    before: Task,
    after: Task,
    rule: Transition,
    actor: Actor,
    fields: Mapping[str, Any],
    note: str,
    *,
    cleared: Collection[str] = (),
    decided: Mapping[str, Any] | None = None,
) -> None:
    """Write the event and the marker of a declared transition. `decided` holds the founder's decision."""
    records = rules_of(after.definition).records_fields
    role = actor.acting_as(before.role, rule.actors)
    sentence = note or str(fields.get("reason") or fields.get("feedback") or "")
    await record_move(
        tx,
        after,
        kind=f"task.{rule.name}",
        marker=marker_text(after, f"{before.status}→{after.status}", role, sentence),
        actor=actor,
        payload={**fields, **(decided or {}), "from": before.status, "to": after.status, "note": sentence},
        wrote=fields if records else None,
        cleared=cleared if records else (),
    )


async def summary_text(tx: Tx, task: Task, actor: Actor) -> str:
    """Format the summary of a completed task."""
    summary = summary_of(task, await events_of(tx, task.id))
    return marker_text(task, "SUMMARY", actor.acting_as(task.role), summary, chars=_SUMMARY_CHARS)


async def record_summary(tx: Tx, task: Task, actor: Actor) -> None:
    """Write the summary of a completed task, from its events, as a second marker beside that of its last move."""
    await save_marker(
        tx,
        text=await summary_text(tx, task, actor),
        scope=rules_of(task.definition).marker_scope(task),
        task_id=task.id,
        agent_id=task.assignee,
        actor=str(actor),
    )
