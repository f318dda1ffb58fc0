"""Resolve who asks, and the task or board that an input names."""

from __future__ import annotations

from frasier.board import BoardEngine, ResolvedTask, actor_of, resolve_task
from frasier.interfaces.operations import OperationContext
from frasier.interfaces.operations.tasks.inputs import TaskInput
from frasier.kernel.errors import ConfigurationError
from frasier.workflow import Actor


def board_engine(context: OperationContext) -> BoardEngine:
    """Return the engine of boards; raise ConfigurationError where no tasks are served."""
    if context.board is None:
        raise ConfigurationError(
            "No tasks are served here.", hint="`frasier mcp` and `frasier serve` serve them."
        )
    return context.board


async def resolved_task(context: OperationContext, request: TaskInput) -> ResolvedTask:
    """Return the task that the request names; see resolve_task."""
    return await board_engine(context).in_transaction(
        resolve_task, context.caller, request.task, request.board
    )


async def acting_caller(context: OperationContext, board: str | None = None) -> Actor:
    """Return whoever asks, as boards know it, or one of them; see actor_of."""
    return await board_engine(context).in_transaction(actor_of, context.caller, board)
