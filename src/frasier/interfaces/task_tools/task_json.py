"""Tasks as JSON: in a list as little as serves to choose by, alone everything."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias
from uuid import UUID

from frasier.board import Board, Brief, Card, Decision, Evidence, Notice, breadcrumb, required_commands
from frasier.interfaces.tools import told
from frasier.kernel.humanize import person
from frasier.kernel.text import shorten
from frasier.workflow import BLOCKED, Task, changed_since, is_open, owed, said_again_by

_TITLE_CHARS = 120


def task_line(card: Card, why: Iterable[Notice] = ()) -> dict[str, Any]:
    """A task in a list."""
    task = card.task
    return told(
        task=f"{card.project}/{task.slug}",
        title=shorten(task.title, _TITLE_CHARS),
        process=task.process,
        status=task.status,
        role=task.role,
        column=card.column,
        why=list(why),
        priority=task.priority or None,
        held_by=task.lease_owner,
        lease_s=None if card.lease_s is None else round(card.lease_s),
        waits_for=task.pending_deps or None,
        waits_s=round(card.waits_s),
        asked_founder=asked_lines(card),
        judgements_cleared=cleared_lines(task),
    ) | pause_line(card)


def pause_line(card: Card) -> dict[str, Any]:
    """Why a task is paused, where, and whose claim goes on afterwards under which attempt; empty where it is not."""
    return told(
        blocked=card.reasons,
        was=card.was,
        was_role=card.was_role,
        was_held_by=card.was_held_by,
        attempt=card.task.attempt if card.was_held_by else None,
        judgements_cleared=cleared_lines(replace(card.task, status=card.was, role=card.was_role))
        if card.was
        else None,
    )


def cleared_lines(task: Task) -> list[dict[str, Any]]:
    """Each approval or review behind the task that was cleared: what changed since, and the fields that say it again,
    with who says each; empty for a task that is over, or paused, see pause_line.
    """
    if task.terminal or task.status == BLOCKED:
        return []
    return [
        told(
            move=name,
            changed=changed_since(task.judgements, task.definition.transitions[name]),
            say_again={field: sorted(said_again_by(task, field)) for field in fields},
            founder_may_decide=task.definition.transitions[name].decision or None,
        )
        for name, fields in owed(task).items()
    ]


def asked_lines(card: Card) -> list[dict[str, Any]]:
    """What the founder was asked about its moves as it is now, and answered; what was made with it is left out."""
    return [told(**one) for one in card.asked]


Required: TypeAlias = Mapping[str, Sequence[str]]
"""By the name of a move, the commands that the founder requires for it."""


async def required_in(board: Board, project_id: UUID) -> Required:
    """The names of a project's required commands, by the move that requires them."""
    named: dict[str, list[str]] = {}
    for one in await board.in_transaction(required_commands, project_id):
        named.setdefault(one.move, []).append(one.name if one.kept.enabled else f"{one.name} (switched off)")
    return named


def task_whole(task: Task, required: Required) -> dict[str, Any]:
    """Everything about a task as it is, with what can be done with it, and what that requires."""
    named = {"task": _name_of(task), "title": task.title}
    return (
        named
        | task_place(task)
        | told(
            waits_for=task.pending_deps or None,
            process=task.process,
            priority=task.priority,
            fields=_as_declared(task),
            id=task.id,
            strikes=task.strikes or None,
            judgements_cleared=cleared_lines(task),
            outcome=task.outcome,
            created_at=task.created_at,
            since=task.since,
            ended_at=task.ended_at,
            ways=[] if task.terminal and not _reopening(task) else _ways(task, required),
            breadcrumb=_crumbs(task, required),
        )
    )


def task_place(task: Task) -> dict[str, Any]:
    """Where a task is, and under which attempt: what whoever moves it has to know."""
    return told(
        task=_name_of(task),
        status=task.status,
        role=task.role,
        version=task.version,
        attempt=task.attempt if task.lease_owner else None,
        held_by=task.lease_owner,
        lease_until=task.lease_until,
    )


def _name_of(task: Task) -> str:
    return f"{task.fields.get('project')}/{task.slug}"


def _as_declared(task: Task) -> dict[str, Any]:
    """What it holds, in the order in which its process tells of it."""
    declared = [name for name in task.definition.fields if name in task.fields]
    return {name: task.fields[name] for name in (*declared, *sorted(task.fields.keys() - declared))}


def _reopening(task: Task) -> bool:
    return any(rule.reopens for rule in task.definition.transitions.values())


def _ways(task: Task, required: Required) -> list[dict[str, Any]]:
    """The moves that there are from here: by whom, and with what."""
    process = task.definition
    return [
        told(
            move=rule.name,
            to=rule.to,
            by=process.who_may(rule, task.role),
            say=rule.requires,
            needs=rule.needs,
            gates=rule.gates,
            requires_commands=required.get(rule.name, ()),
            founder_may_decide=rule.decision or None,
        )
        for rule in process.transitions.values()
        if rule.starts_from(task.status, task.role) and is_open(task, rule)
    ]


def _crumbs(task: Task, required: Required) -> str:
    """The way in one line; where it is stands in brackets, and what has to end well before a move in braces."""
    if task.status not in task.definition.statuses:
        return ""
    crumbs = breadcrumb(
        task.definition,
        began=task.definition.creation.roles[0],
        status=task.status,
        role=task.role,
    )
    return " → ".join(
        f"[{one.status}+{one.role}]"
        if one.here
        else "".join(f"{{{name}}} → " for name in required.get(one.by, ())) + f"{one.status}+{one.role}"
        for one in crumbs
    )


def decision_line(brief: Brief) -> dict[str, Any]:
    """A question to the founder, with everything that it is about and that it is bound to."""
    decision = brief.decision
    return told(
        decision=decision.id,
        project=decision.project,
        task=decision.slug,
        title=decision.title,
        move=decision.transition,
        version=decision.version,
        work=brief.work,
        criteria=brief.criteria,
        tests=told(passed=brief.passed, total=brief.total),
        evidence=[evidence_line(one, of_this_work=brief.is_of_this_work(one)) for one in brief.evidence],
        others=brief.others,
        questions=brief.questions,
        shown=decision.shown,
        asked_by=decision.asked_by,
        asked_at=decision.asked_at,
        answer=decision.answer,
        comment=decision.comment,
        answered_by=decision.answered_by,
        answered_at=decision.answered_at,
        used_at=decision.used_at,
    )


def evidence_line(evidence: Evidence, *, of_this_work: bool) -> dict[str, Any]:
    """What was looked up or run, and whether that was on the work as it is."""
    found = evidence.found
    return told(
        kind=evidence.kind,
        subject=evidence.subject,
        holds=evidence.holds,
        of_this_work=of_this_work,
        passed=found.get("passed"),
        total=found.get("total"),
        exit_code=found.get("exit_code"),
        why=found.get("why"),
        by=evidence.gathered_by,
        at=evidence.gathered_at,
    )


def how_to_make(decision: Decision) -> str:
    """What is left to do about an approved move."""
    if "again" in decision.shown:
        return f"{person(decision.asked_by)} makes the move that was refused again: it goes on now."
    return f"{person(decision.asked_by)} makes the move now, without fields: those that were shown go with it, once."
