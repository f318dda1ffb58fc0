"""What every move leaves behind, in the same transaction: its event and its marker. No marker, no move."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from frasier.kernel.text import shorten
from frasier.memory import mission_scope, save_marker
from frasier.store import Tx, append_event
from frasier.workflow.process import Actor, Transition
from frasier.workflow.task import Task

_NOTE_CHARS = 300
_SHOWN_FIELDS_CHARS = 2_000


def marker_text(task: Task, move: str, role: str, note: str) -> str:
    """The marker's wording: `TASK <move>: <ROLE> <slug> (<project>) — <one sentence>`."""
    project = str(task.fields.get("project") or str(task.group_id)[:8])
    return f"TASK {move}: {role.upper()} {task.slug} ({project}) — {shorten(note or task.title, _NOTE_CHARS)}"


async def record_move(
    tx: Tx,
    task: Task,
    *,
    kind: str,
    marker: str,
    actor: Actor,
    payload: Mapping[str, Any] | None = None,
) -> None:
    """Writes the event and the marker of a move of `task` (its state after the move).

    Both are sent at once where the caller has opened a pipeline.
    """
    shown = {
        name: shorten(value, _SHOWN_FIELDS_CHARS) if isinstance(value, str) else value
        for name, value in (payload or {}).items()
    }
    await append_event(
        tx,
        stream=task.id,
        kind=kind,
        actor=str(actor),
        payload={**shown, "slug": task.slug, "group": str(task.group_id), "attempt": task.attempt},
    )
    await save_marker(
        tx,
        text=marker,
        scope=mission_scope(task.group_id),
        task_id=task.id,
        agent_id=task.assignee,
        actor=str(actor),
    )


async def record_transition(
    tx: Tx, before: Task, after: Task, rule: Transition, actor: Actor, fields: Mapping[str, Any], note: str
) -> None:
    """The event and the marker of a declared transition."""
    sentence = note or str(fields.get("reason") or fields.get("feedback") or "")
    await record_move(
        tx,
        after,
        kind=f"task.{rule.name}",
        marker=marker_text(after, f"{before.status}→{after.status}", before.role, sentence),
        actor=actor,
        payload={**fields, "from": before.status, "to": after.status, "note": sentence},
    )
