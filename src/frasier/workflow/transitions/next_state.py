"""Computation of a task after a declared move. Pure: the statement that moves the task stores this result."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from frasier.workflow.processes.process import Outcome, TaskStatus, Transition
from frasier.workflow.processes.task_rules import rules_of
from frasier.workflow.tasks.fields import split_filled
from frasier.workflow.tasks.judgements import JudgementUpdate
from frasier.workflow.tasks.task import Task, digest_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """The fields that a move fills and those that it clears, with the judgements of the task after it."""

    filled: Mapping[str, Any]
    cleared: frozenset[str]
    judgements: Mapping[str, Mapping[str, Any]]


def change_of(task: Task, rule: Transition, fields: Mapping[str, Any], update: JudgementUpdate) -> Change:
    """Compute the change of a move. If the rules treat moves as edits, an empty value clears a field; otherwise
    values are stored as they are.
    """
    if not rules_of(task.definition).moves_edit:
        return Change(filled=fields, cleared=rule.clears, judgements=update.judgements)
    filled, emptied = split_filled(fields)
    cleared = rule.clears | set(emptied) | set(update.emptied)
    return Change(filled=filled, cleared=cleared, judgements=update.judgements)


def task_after(
    task: Task, rule: Transition, change: Change, *, moment: datetime, delay_s: float, failed_run: bool
) -> Task:
    """Compute the task after a move at `moment`; `delay_s` and `failed_run` are those of move."""
    target = task.definition.status(rule.to)
    digest, size = _result(task, target, change.filled)
    fields = {
        name: value for name, value in {**task.fields, **change.filled}.items() if name not in change.cleared
    }
    return replace(
        task,
        status=rule.to,
        role=task.definition.next_role(rule, role=task.role, fields=change.filled, task=task.slug),
        claimable=target.claimable,
        ready=target.claimable and task.pending_deps == 0 and not task.held,
        version=task.version + 1,
        since=moment,
        run_after=moment + timedelta(seconds=delay_s),
        lease_owner=None,
        lease_until=None,
        strikes=task.strikes + rule.strike,
        failures=task.failures + failed_run,
        result_digest=task.result_digest if digest is None else digest,
        result_size=task.result_size if size is None else size,
        fields=fields,
        judgements=dict(change.judgements),
        failure=change.filled["reason"] if target.outcome is Outcome.FAILED else None,
        outcome=target.outcome,
        ended_at=None if target.outcome is None else moment,
        updated_at=moment,
    )


def _result(task: Task, target: TaskStatus, filled: Mapping[str, Any]) -> tuple[str | None, int | None]:
    """Return the digest and the size of a task's result: passed with the move if the process declares them, else
    computed from all fields when the task is completed.
    """
    if "result_digest" in task.definition.fields:
        return filled.get("result_digest"), filled.get("result_size")
    return digest_of({**task.fields, **filled}) if target.outcome is Outcome.COMPLETED else (None, None)
