"""Retry an approved move with the fields that the founder approved."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from frasier.board.decisions.approval import AskedMove, DecisionNeeded, asked_before, use_decision
from frasier.kernel.errors import TransitionRefused
from frasier.store import Tx
from frasier.workflow import Actor, Task, Transition, request_move


async def approved_fields(
    tx: Tx,
    task: Task,
    rule: Transition,
    *,
    actor: Actor,
    attempt: int | None,
    answer: str,
    refused: TransitionRefused,
) -> Mapping[str, Any]:
    """Return the fields of the move that the founder was asked about and approved.

    Raises DecisionNeeded if that decision still waits or was rejected, and `refused`, the reason why the move cannot be
    made by itself, if nothing was asked.
    """
    earlier = await asked_before(tx, task, rule.name)
    if earlier is None or _is_another_question(earlier, refused):
        raise refused
    if earlier.answer != "approved":
        # Whoever may not make the move is told that, and not what others wait for.
        request = request_move(
            task, rule.name, actor=actor, fields=earlier.fields, attempt=attempt, answer=answer
        )
        await use_decision(tx, request)
        raise refused  # the mode wants no decision any more, and nothing was said
    return earlier.fields


def _is_another_question(earlier: AskedMove, refused: TransitionRefused) -> bool:
    """Tell whether the move lacks only a decision of its own, which was not asked for when another was rejected."""
    return earlier.answer == "rejected" and isinstance(refused, DecisionNeeded)
