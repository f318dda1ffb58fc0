"""Approval of moves: tell whether one needs the founder's decision, and use one given for exactly that move."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from frasier.board.boards import ApprovalMode, board_of
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
    stale_task,
)

_sql = Statements("frasier.board.decisions")


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionQuestion:
    """The one move that a decision is about: of one task in one version, with the fields that it would set."""

    task_id: UUID
    transition: str
    version: int
    digest: str
    shown: Mapping[str, Any]

    @property
    def key(self) -> dict[str, Any]:
        """The key of the decision, as statements name its parts."""
        return {
            "task_id": self.task_id,
            "transition": self.transition,
            "version": self.version,
            "digest": self.digest,
        }


class DecisionNeeded(TransitionRefused):
    """The move waits for the founder. `question` is the decision to ask for; None if it was asked for already."""

    code = "decision_needed"

    def __init__(
        self,
        message: str,
        *,
        question: DecisionQuestion | None,
        kept: str,
        hint: str,
        advice: Advice | Sequence[Advice] = (),
    ) -> None:
        super().__init__(message, kept=kept, hint=hint, advice=advice)
        self.question = question


def needs_decision(rule: Transition, actor: Actor) -> bool:
    """Tell whether the founder may have to decide before this actor makes the move, by the mode of its board."""
    return rule.decision and actor.kind is ActorKind.MEMBER


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedMove:
    """A decision that was asked for, of a move not made yet: the fields of the move and the founder's answer."""

    fields: Mapping[str, Any]
    answer: str | None


async def asked_before(tx: Tx, task: Task, transition: str) -> AskedMove | None:
    """Return the decision that was asked for about this move of the task as it is: an approved one before one that
    waits, and that before a rejected one.

    Raises TransitionRefused if several are approved: only the fields tell which one is meant.
    """
    rows = await _sql.all(tx, "asked_of_move", task_id=task.id, transition=transition, version=task.version)
    approved = sum(row["answer"] == "approved" for row in rows)
    if approved > 1:
        raise TransitionRefused(
            f"The founder approved {transition} of {task.slug} {approved} times, each time with other fields.",
            kept=f"{task.slug} is unchanged.",
            hint="Give the fields of the one that you mean.",
            advice=Advice("task.recover", to="see what you asked"),
        )
    return AskedMove(**rows[0]) if rows else None


async def use_decision(tx: Tx, request: MoveRequest, again: Sequence[str] = ()) -> dict[str, Any]:
    """Use the founder's decision, and return what the record of the move says of it; empty if the founder has no part
    in it.

    Raises DecisionNeeded if the board's mode wants a decision that was not given, was given for something else, or was
    used already. The request's answer is what the mover quotes of the founder, which mode semi wants. Moves approved
    before are decided `again` because these fields were changed.
    """
    task, rule = request.task, request.rule
    if not needs_decision(rule, request.actor):
        return {}
    board = await board_of(tx, task.group_id, lock=True)
    if board is None:
        return {}
    mode = board.approval_mode
    if mode is ApprovalMode.SEMI:
        return {"approval_mode": mode, "founder_answer": _quoted_answer(task, rule, request.answer)}
    completes = task.definition.status(rule.to).outcome is Outcome.COMPLETED
    if mode is ApprovalMode.AUTONOMOUS or (mode is ApprovalMode.AUTO_APPROVAL and not completes):
        return {"approval_mode": mode}
    question = _question_of(task, rule, request.fields, again)
    row = await _sql.maybe(
        tx,
        "use_decision",
        **question.key,
    )
    if row is None:
        raise await _needed(tx, task, question)
    fault_point("decision.used")
    return {"approval_mode": mode, "decision": str(row["id"]), "decided_by": row["answered_by"]}


def _quoted_answer(task: TaskView, rule: Transition, answer: str) -> str:
    if not answer.strip():
        raise DecisionNeeded(
            f"{rule.name} of {task.slug} waits for the founder's word.",
            question=None,
            kept=f"{task.slug} is unchanged.",
            hint="Show it to the founder, and wait for the answer.",
            advice=_answer_advice(task, rule),
        )
    return answer.strip()


def _answer_advice(task: TaskView, rule: Transition) -> Advice:
    """Advise to make the move again, with what the founder said."""
    said = "pass the answer on word for word"
    if rule.name == task.definition.claim:
        return Advice("task.claim", to=said, task=task.place, founder_answer="ANSWER")
    return Advice("task.move", to=said, task=task.place, move=rule.name, founder_answer="ANSWER")


def _question_of(
    task: TaskView, rule: Transition, fields: Mapping[str, Any], again: Sequence[str]
) -> DecisionQuestion:
    digest, _ = digest_of({"transition": rule.name, "fields": {**task.fields, **fields}})
    return DecisionQuestion(
        task_id=task.id,
        transition=rule.name,
        version=task.version,
        digest=digest,
        shown={"from": task.status, "role": task.role, "to": rule.to, "said": dict(fields)}
        | ({"again": list(again)} if again else {}),
    )


async def _needed(tx: Tx, task: TaskView, question: DecisionQuestion) -> DecisionNeeded | Stale:
    existing = await _sql.maybe(
        tx,
        "existing_decision",
        **question.key,
    )
    kept = f"{task.slug} is unchanged."
    then = _THEN_AGAIN if question.shown.get("again") else _THEN
    if existing is not None and existing["used_at"] is not None:
        return stale_task(task.slug)  # the move was made with it a moment ago
    if existing is not None and existing["answer"] is None and existing["withdrawn_at"] is None:
        return DecisionNeeded(
            f"{question.transition} of {task.slug} waits for the founder's decision {existing['id']}, which"
            f" {person(existing['asked_by'])} asked for on {moment(existing['asked_at'])}.",
            question=None,
            kept=kept,
            hint=f"Wait until it is made. {then}",
        )
    if existing is not None and existing["answer"] == "rejected":
        return DecisionNeeded(
            f"The founder rejected {question.transition} of {task.slug} on {moment(existing['answered_at'])}:"
            f" {ended(existing['comment'] or 'no reason was given')}",
            question=None,
            kept=kept,
            hint="Change what was rejected, or send it back. The founder is asked again if the task is edited or"
            " the move has other fields: then give all of them, because no rejected field is kept.",
        )
    return DecisionNeeded(
        f"{question.transition} of {task.slug} needs the founder's decision.{await _rejected_before(tx, question)}",
        question=question,
        kept=kept,
        hint=f"The founder is asked; an earlier request for this move is withdrawn. {then}",
    )


async def _rejected_before(tx: Tx, question: DecisionQuestion) -> str:
    """Tell that, when and why the founder rejected the move, if that was the last decision on it."""
    last = await _sql.maybe(tx, "last_answer", task_id=question.task_id, transition=question.transition)
    if last is None or last["answer"] != "rejected":
        return ""
    why = ended(last["comment"] or "no reason was given")
    return f" The founder rejected it before, on {moment(last['answered_at'])}: {why}"


_THEN = (
    "When it is approved, make the move again, without fields: the decision holds those that were shown."
    " Other fields, or an edit of the task, need another decision."
)
_THEN_AGAIN = (
    "It was approved before something changed. When it is approved again, make the same move as now, with the same"
    " fields. Other fields, or an edit of the task, need another decision."
)
