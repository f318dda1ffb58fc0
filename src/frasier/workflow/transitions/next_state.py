"""What a task is after a declared move. Pure: the statement that moves it stores what is said here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from frasier.workflow.processes.process import Outcome, Status, Transition
from frasier.workflow.processes.task_rules import rules_of
from frasier.workflow.tasks.fields import split_filled
from frasier.workflow.tasks.judgements import Settled
from frasier.workflow.tasks.task import Task, digest_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """What a move fills, and what it leaves empty; with what its judgements are given for from then on."""

    filled: Mapping[str, Any]
    cleared: frozenset[str]
    judgements: Mapping[str, Mapping[str, Any]]


def change_of(task: Task, rule: Transition, said: Mapping[str, Any], settled: Settled) -> Change:
    """The change that a move makes: where moves edit fields, an empty value empties one; our own are stored as said."""
    if not rules_of(task.definition).moves_edit:
        return Change(filled=said, cleared=rule.clears, judgements=settled.judgements)
    filled, emptied = split_filled(said)
    cleared = rule.clears | set(emptied) | set(settled.emptied)
    return Change(filled=filled, cleared=cleared, judgements=settled.judgements)


def task_after(
    task: Task, rule: Transition, change: Change, *, moment: datetime, delay_s: float, failed_run: bool
) -> Task:
    """The task after the move, which happens at `moment`; `delay_s` and `failed_run` are as move has them."""
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


def _result(task: Task, target: Status, filled: Mapping[str, Any]) -> tuple[str | None, int | None]:
    """Digest and size of what a task came to: said with the move where its process has deliverables, else all that the
    task holds when it is completed.
    """
    if "result_digest" in task.definition.fields:
        return filled.get("result_digest"), filled.get("result_size")
    return digest_of({**task.fields, **filled}) if target.outcome is Outcome.COMPLETED else (None, None)
