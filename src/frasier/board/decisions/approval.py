"""Whether a move needs the founder's decision, and the use of one that was given for exactly this move."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from frasier.board.boards import ApprovalMode, project_of
from frasier.kernel.advice import Advice
from frasier.kernel.errors import Stale, TransitionRefused
from frasier.kernel.fault_points import fault_point
from frasier.kernel.humanize import ended, moment, person
from frasier.store import Statements, Tx
from frasier.workflow import (
    Actor,
    ActorKind,
    MoveRequest,
    Outcome,
    Task,
    TaskView,
    Transition,
    digest_of,
    moved_first,
)

_sql = Statements("frasier.board.decisions")


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """The one move that a decision is about: of one task in one version, with what it would hold."""

    task_id: UUID
    transition: str
    version: int
    digest: str
    shown: Mapping[str, Any]

    @property
    def exactly(self) -> dict[str, Any]:
        """What it is bound to, as statements name it."""
        return {
            "task_id": self.task_id,
            "transition": self.transition,
            "version": self.version,
            "digest": self.digest,
        }


class DecisionNeeded(TransitionRefused):
    """The move waits for the founder. `wanted` says which move; None where nobody has to be asked by us."""

    code = "decision_needed"

    def __init__(
        self,
        message: str,
        *,
        wanted: Wanted | None,
        kept: str,
        hint: str,
        advice: Advice | Sequence[Advice] = (),
    ) -> None:
        super().__init__(message, kept=kept, hint=hint, advice=advice)
        self.wanted = wanted


def needs_decision(rule: Transition, actor: Actor) -> bool:
    """Whether the founder may have to decide before this actor makes the move, by the mode of its project."""
    return rule.decision and actor.kind is ActorKind.MEMBER


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A move that the founder was asked about and that was not made yet: what was said with it, and the answer."""

    said: Mapping[str, Any]
    answer: str | None


async def asked_before(tx: Tx, task: Task, transition: str) -> Asked | None:
    """What the founder was asked about this move of the task as it is; what is approved before what waits, and that
    before what was rejected.

    Raises TransitionRefused where several are approved: which is meant, only its fields tell.
    """
    rows = await _sql.all(tx, "asked_of_move", task_id=task.id, transition=transition, version=task.version)
    approved = sum(row["answer"] == "approved" for row in rows)
    if approved > 1:
        raise TransitionRefused(
            f"The founder approved {transition} of {task.slug} {approved} times, with other fields each.",
            kept=f"{task.slug} is unchanged.",
            hint="Say the fields of the one that is meant.",
            advice=Advice("task.recover", to="see what you asked"),
        )
    return Asked(**rows[0]) if rows else None


async def use_decision(tx: Tx, request: MoveRequest, again: Sequence[str] = ()) -> dict[str, Any]:
    """What the record of the move says of the founder's part in it; empty where the founder has none.

    Raises DecisionNeeded where the project's mode wants a decision that was not given, was given for something else,
    or was used already. The request's answer is what the mover says that the founder said, which mode semi wants. What
    was approved before is decided `again` because these fields were changed.
    """
    task, rule = request.task, request.rule
    if not needs_decision(rule, request.actor):
        return {}
    project = await project_of(tx, task.group_id, keep=True)
    if project is None:
        return {}
    mode = project.approval_mode
    if mode is ApprovalMode.SEMI:
        return {"approval_mode": mode, "founder_answer": _said_answer(task, rule, request.answer)}
    completes = task.definition.status(rule.to).outcome is Outcome.COMPLETED
    if mode is ApprovalMode.AUTONOMOUS or (mode is ApprovalMode.AUTO_APPROVAL and not completes):
        return {"approval_mode": mode}
    wanted = _wanted(task, rule, request.said, again)
    row = await _sql.maybe(
        tx,
        "use_decision",
        **wanted.exactly,
    )
    if row is None:
        raise await _needed(tx, task, wanted)
    fault_point("decision.used")
    return {"approval_mode": mode, "decision": str(row["id"]), "decided_by": row["answered_by"]}


def _said_answer(task: TaskView, rule: Transition, answer: str) -> str:
    if not answer.strip():
        raise DecisionNeeded(
            f"{rule.name} of {task.slug} waits for the founder's word.",
            wanted=None,
            kept=f"{task.slug} is unchanged.",
            hint="Show it to the founder, and wait for the answer.",
            advice=_answered(task, rule),
        )
    return answer.strip()


def _answered(task: TaskView, rule: Transition) -> Advice:
    """Advise to make the move again, with what the founder said."""
    said = "pass the answer on word for word"
    if rule.name == task.definition.claim:
        return Advice("task.claim", to=said, task=task.slug, founder_answer="ANSWER")
    return Advice("task.move", to=said, task=task.slug, move=rule.name, founder_answer="ANSWER")


def _wanted(task: TaskView, rule: Transition, said: Mapping[str, Any], again: Sequence[str]) -> Wanted:
    digest, _ = digest_of({"transition": rule.name, "fields": {**task.fields, **said}})
    return Wanted(
        task_id=task.id,
        transition=rule.name,
        version=task.version,
        digest=digest,
        shown={"from": task.status, "role": task.role, "to": rule.to, "said": dict(said)}
        | ({"again": list(again)} if again else {}),
    )


async def _needed(tx: Tx, task: TaskView, wanted: Wanted) -> DecisionNeeded | Stale:
    standing = await _sql.maybe(
        tx,
        "standing_decision",
        **wanted.exactly,
    )
    kept = f"{task.slug} is unchanged."
    then = _THEN_AGAIN if wanted.shown.get("again") else _THEN
    if standing is not None and standing["used_at"] is not None:
        return moved_first(task.slug)  # the move was made with it a moment ago
    if standing is not None and standing["answer"] is None:
        return DecisionNeeded(
            f"{wanted.transition} of {task.slug} waits for the founder's decision {standing['id']}, which"
            f" {person(standing['asked_by'])} asked for on {moment(standing['asked_at'])}.",
            wanted=None,
            kept=kept,
            hint=f"There is nothing to do until it is made. {then}",
        )
    if standing is not None and standing["answer"] == "rejected":
        return DecisionNeeded(
            f"The founder rejected {wanted.transition} of {task.slug} on {moment(standing['answered_at'])}:"
            f" {ended(standing['comment'] or 'no reason was given')}",
            wanted=None,
            kept=kept,
            hint="Change what was rejected, or send it back. The founder is asked anew where the task was edited, or"
            " other fields are said with the move: then all of them, as nothing that was rejected is kept.",
        )
    return DecisionNeeded(
        f"{wanted.transition} of {task.slug} needs the founder's decision.",
        wanted=wanted,
        kept=kept,
        hint=f"The founder is asked. {then}",
    )


_THEN = (
    "When it is approved, make the move again, without fields: those that were shown go with the decision."
    " Other fields, or an edit of the task, ask anew."
)
_THEN_AGAIN = (
    "It was approved before something changed. When it is approved again, make the same move as now, with the same"
    " fields. Other fields, or an edit of the task, ask anew."
)
