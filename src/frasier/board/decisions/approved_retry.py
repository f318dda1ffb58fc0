"""A move that is made again without its fields: what the founder approved goes with it, or its fate is told."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from frasier.board.decisions import Asked, DecisionNeeded, asked_before, use_decision
from frasier.kernel.errors import TransitionRefused
from frasier.store import Tx
from frasier.workflow import Actor, Task, Transition, request_move


async def approved_said(
    tx: Tx,
    task: Task,
    rule: Transition,
    *,
    actor: Actor,
    attempt: int | None,
    answer: str,
    refused: TransitionRefused,
) -> Mapping[str, Any]:
    """What was said with the move when the founder was asked, and approved it.

    Raises DecisionNeeded where that question still waits, or was rejected, and `refused`, which is why the move cannot
    be made by itself, where nothing was asked.
    """
    asked = await asked_before(tx, task, rule.name)
    if asked is None or _is_another_question(asked, refused):
        raise refused
    if asked.answer != "approved":
        # Whoever may not make the move is told that, and not what others wait for.
        request = request_move(
            task, rule.name, actor=actor, fields=asked.said, attempt=attempt, answer=answer
        )
        await use_decision(tx, request)
        raise refused  # the mode wants no decision any more, and nothing was said
    return asked.said


def _is_another_question(asked: Asked, refused: TransitionRefused) -> bool:
    """Whether the move lacks nothing but a decision of its own, which was not asked for when another was rejected."""
    return asked.answer == "rejected" and isinstance(refused, DecisionNeeded)
