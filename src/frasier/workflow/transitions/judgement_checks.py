"""Checks of the judgements that a move relies on: one that was cleared must be given again first."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from frasier.kernel.advice import Advice
from frasier.kernel.errors import TransitionRefused
from frasier.store import Tx
from frasier.workflow.processes.process import ActorKind, MissingFields, Transition
from frasier.workflow.processes.task_rules import MoveRequest, rules_of
from frasier.workflow.tasks.judgements import (
    JudgementUpdate,
    changed_since,
    fields_to_renew,
    is_open,
    judged_fields,
    judging_fields,
    mismatched_fields,
    renewers_of,
)
from frasier.workflow.tasks.task import Task


class JudgementCleared(TransitionRefused):
    """Refusal of a move, because a review or approval that it relies on judged something else than the task holds
    now.
    """

    code = "judgement_cleared"


def check_open(task: Task, transition: str) -> None:
    """Check that no judgement which the move revokes still holds, see judgements.is_open. Raises TransitionRefused."""
    rule = task.definition.transitions.get(transition)
    if rule and rule.starts_from(task.status, task.role) and not is_open(task, rule):
        raise TransitionRefused(
            f"{rule.name} of {task.slug} starts from {task.status} only after what"
            f" {' or '.join(sorted(rule.revokes))} judged was changed.",
            kept=f"{task.slug} is unchanged.",
            hint="Change what is wrong, where you may.",
            advice=Advice("task.get", to="see the possible moves", task=task.place),
        )


def check_judgements(task: Task, rule: Transition, update: JudgementUpdate) -> None:
    """Check the judgements that the move takes. Raises MissingFields if one is bound to other fields than the move
    judges.
    """
    process = task.definition
    fields = {*mismatched_fields(process, rule, update), *(rule.needs & set(update.emptied))}
    if missing := sorted(fields):
        raise MissingFields(
            f"{process.called(rule.name)} of {task.slug} lacks {', '.join(missing)}: what the task has there judged"
            " something else.",
            kept=f"{task.slug} is unchanged.",
            hint="Read the task as it is now, and pass your judgement with the move.",
            move=process.called(rule.name),
            rule=rule,
            missing=missing,
        )


async def renew_judgements(
    tx: Tx, task: Task, request: MoveRequest, update: JudgementUpdate, lapsed: Sequence[Transition]
) -> dict[str, dict[str, str]]:
    """Renew the `lapsed` judgements on which the requested move relies.

    Returns for each, by the name of its move, who gave it again and the founder's decision. Raises JudgementCleared
    if a part of one is missing, TransitionRefused if one of its gates is closed, and DecisionNeeded if the founder
    has to decide again.
    """
    process, rules, renewed = task.definition, rules_of(task.definition), {}
    missing = {name for move in lapsed for name in fields_to_renew(process, move, update)}
    needs_a_person = any(move.decision for move in lapsed) and request.actor.kind not in _MAY_ASK_FOUNDER
    if missing or needs_a_person:
        raise _judgement_cleared(task, request.rule, lapsed, update, missing)
    for move in lapsed:
        judged_or_judging = {*judged_fields(process, move, update.fields), *judging_fields(process, move)}
        fields = {name: value for name, value in request.fields.items() if name in judged_or_judging}
        renewal = replace(request, rule=move, after=update.fields, fields=fields)
        await rules.check_gates(tx, renewal)
        decided = await rules.decide(tx, renewal, changed_since(update.judgements, move))
        authors = [update.judgements[name]["by"] for name in judging_fields(process, move)]
        renewed[move.name] = {
            "by": str(decided.get("decided_by") or next(iter(authors), request.actor)),
            "decision": str(decided.get("decision", "")),
        }
    return renewed


_MAY_ASK_FOUNDER = {ActorKind.FOUNDER, ActorKind.MEMBER}
"""Actors whose moves may need a decision of the founder; the engine makes no such move."""


def _judgement_cleared(
    task: Task,
    rule: Transition,
    lapsed: Sequence[Transition],
    update: JudgementUpdate,
    missing: Collection[str],
) -> JudgementCleared:
    process = task.definition
    changed = sorted({name for move in lapsed for name in changed_since(update.judgements, move)})
    judged_by = " and ".join(move.name for move in lapsed)
    current = replace(task, judgements=dict(update.judgements))
    authors = "; ".join(
        f"{name} by {' or '.join(sorted(renewers_of(current, name) or process.fields[name].writers))}"
        for name in sorted(missing)
    )
    back = sorted(
        move.name
        for move in process.transitions.values()
        if move.strike and move.starts_from(task.status, task.role) and is_open(current, move)
    )
    to_renew = f" To be given again: {authors}." if authors else ""
    alternative = f" If it is not right any more: {' or '.join(back)}." if back else ""
    return JudgementCleared(
        f"{process.called(rule.name)} of {task.slug} relies on {judged_by}, and"
        f" {', '.join(changed) or 'what was judged'} changed since.{to_renew}",
        kept=f"{task.slug} is unchanged.",
        hint=(
            "They must judge the task as it is now; then make the move again."
            if authors
            else "A member of the team must make the move; the founder is asked then."
        )
        + alternative,
        advice=Advice("task.edit", to="write the fields of a judgement", task=task.place) if missing else (),
    )
