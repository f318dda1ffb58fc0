"""What a move relies on: judgements of what the task holds now. Those that were cleared are given again first."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from frasier.kernel.advice import Advice
from frasier.kernel.errors import TransitionRefused
from frasier.store import Tx
from frasier.workflow.processes.process import ActorKind, MissingFields, Transition
from frasier.workflow.processes.task_rules import MoveRequest, rules_of
from frasier.workflow.tasks.judgements import (
    Settled,
    changed_since,
    is_open,
    judged,
    judging_fields,
    said_again_by,
    to_say_again,
    uncovered,
)
from frasier.workflow.tasks.task import Task


class JudgementCleared(TransitionRefused):
    """A review or an approval that the move relies on was given for something else than the task holds now."""

    code = "judgement_cleared"


def check_open(task: Task, transition: str) -> None:
    """Raises TransitionRefused where the move starts from where the task is and revokes what holds, see
    judgements.is_open.
    """
    rule = task.definition.transitions.get(transition)
    if rule and rule.starts_from(task.status, task.role) and not is_open(task, rule):
        raise TransitionRefused(
            f"{rule.name} of {task.slug} starts from {task.status} only once what"
            f" {' or '.join(sorted(rule.revokes))} judged was changed.",
            kept=f"{task.slug} is unchanged.",
            hint="Change what is wrong, where you may.",
            advice=Advice("task.get", to="see the moves that there are", task=task.slug),
        )


def check_said(task: Task, rule: Transition, settled: Settled) -> None:
    """Raises MissingFields where a judgement that the move takes was given for something else than it judges."""
    process = task.definition
    said = {*uncovered(process, rule, settled), *(rule.needs & set(settled.emptied))}
    if missing := sorted(said):
        raise MissingFields(
            f"{process.called(rule.name)} of {task.slug} lacks {', '.join(missing)}: what the task has there was said"
            " of something else.",
            kept=f"{task.slug} is unchanged.",
            hint="Look at the task as it is now, and say it with the move.",
            move=process.called(rule.name),
            rule=rule,
            missing=missing,
        )


async def renew_relied(
    tx: Tx, task: Task, request: MoveRequest, settled: Settled, relied: Sequence[Transition]
) -> dict[str, dict[str, str]]:
    """Of the moves whose judgements were cleared and are `relied` on by the requested one: by whom each was given
    again, and with which decision of the founder.

    Raises JudgementCleared where a part of one is missing, TransitionRefused where a gate of it is closed, and
    DecisionNeeded where the founder has to decide of it again.
    """
    process, rules, again = task.definition, rules_of(task.definition), {}
    missing = {name for one in relied for name in to_say_again(process, one, settled)}
    by_nobody = any(one.decision for one in relied) and request.actor.kind not in _DECIDED_FOR
    if missing or by_nobody:
        raise _cleared(task, request.rule, relied, settled, missing)
    for one in relied:
        part = {*judged(process, one, settled.fields), *judging_fields(process, one)}
        said = {name: value for name, value in request.said.items() if name in part}
        renewal = replace(request, rule=one, after=settled.fields, said=said)
        await rules.check_gates(tx, renewal)
        decided = await rules.decide(tx, renewal, changed_since(settled.judgements, one))
        spoken = [settled.judgements[name]["by"] for name in judging_fields(process, one)]
        again[one.name] = {
            "by": str(decided.get("decided_by") or next(iter(spoken), request.actor)),
            "decision": str(decided.get("decision", "")),
        }
    return again


_DECIDED_FOR = {ActorKind.FOUNDER, ActorKind.MEMBER}
"""Who makes moves that the founder may have to decide of; the engine makes none."""


def _cleared(
    task: Task, rule: Transition, relied: Sequence[Transition], settled: Settled, missing: Collection[str]
) -> JudgementCleared:
    process = task.definition
    changed = sorted({name for one in relied for name in changed_since(settled.judgements, one)})
    judged_by = " and ".join(one.name for one in relied)
    left = replace(task, judgements=dict(settled.judgements))
    who = "; ".join(
        f"{name} by {' or '.join(sorted(said_again_by(left, name) or process.fields[name].writers))}"
        for name in sorted(missing)
    )
    back = sorted(
        one.name
        for one in process.transitions.values()
        if one.strike and one.starts_from(task.status, task.role) and is_open(left, one)
    )
    otherwise = f" If it is not right any more: {' or '.join(back)}." if back else ""
    return JudgementCleared(
        f"{process.called(rule.name)} of {task.slug} relies on {judged_by}, and"
        f" {', '.join(changed) or 'what was judged'} changed since.{f' To be said again: {who}.' if who else ''}",
        kept=f"{task.slug} is unchanged.",
        hint=(
            "They look at the task as it is now, and say it again; then make the move again."
            if who
            else "A member of the team makes the move: the founder is asked then."
        )
        + otherwise,
    )
