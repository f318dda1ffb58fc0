"""Checkpoints: all memories as they are now, kept under a name and put back whole."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated
from uuid import UUID

from pydantic import Field

from frasier.interfaces.operations import (
    CliOption,
    Layer,
    OperationContext,
    OperationInput,
    Output,
    Result,
    declare,
)
from frasier.interfaces.operations.memory.fields import Page, ScopesField
from frasier.kernel.humanize import plural
from frasier.memory import (
    RestoreMode,
    create_checkpoint,
    delete_checkpoint,
    list_checkpoints,
    restore_checkpoint,
)

CheckpointName = Annotated[
    str, Field(max_length=100), CliOption(argument="NAME", help="Letters, digits, - and _.")
]


class CheckpointOutput(Output):
    """The memories of some scopes as they were at one time; see Checkpoint."""

    id: UUID
    name: str
    scopes: tuple[str, ...]
    made_by: str
    counts: dict[str, int]
    automatic: bool
    partial: bool
    size_bytes: int
    created_at: datetime
    used_at: datetime

    @property
    def memories(self) -> int:
        """The number of memories in the checkpoint."""
        return self.counts.get("memories", 0)


class CheckpointCreateInput(OperationInput):
    name: CheckpointName = Field(description="Letters, digits, - and _")
    scopes: ScopesField = ()


async def _create(context: OperationContext, request: CheckpointCreateInput) -> Result[CheckpointOutput]:
    checkpoint = await context.memory.in_transaction(
        create_checkpoint, context.caller, request.name, scopes=request.scopes
    )
    return Result(summary=f"Kept as {checkpoint.name}.", data=CheckpointOutput.of(checkpoint))


class CheckpointListInput(OperationInput):
    limit: Page = 20


class CheckpointListOutput(Output):
    """Checkpoints, the newest first."""

    checkpoints: tuple[CheckpointOutput, ...]


async def _list(context: OperationContext, request: CheckpointListInput) -> Result[CheckpointListOutput]:
    checkpoints = await context.memory.in_transaction(list_checkpoints, context.caller, limit=request.limit)
    return Result(
        summary=f"{len(checkpoints)} checkpoints.",
        data=CheckpointListOutput(checkpoints=tuple(map(CheckpointOutput.of, checkpoints))),
    )


class CheckpointRestoreInput(OperationInput):
    name: CheckpointName
    mode: RestoreMode = Field(
        RestoreMode.MERGE,
        description="merge adds what is missing and changes nothing; clear first removes what you may delete",
    )


class RestoreOutput(Output):
    """The result of a restore, in numbers of memories, links and vectors; see Restored."""

    name: str
    mode: RestoreMode
    removed: int
    added: int
    present: int
    changed: int
    withheld: int
    spared: int
    edges: int
    owed: int
    safety: str | None


async def _restore(context: OperationContext, request: CheckpointRestoreInput) -> Result[RestoreOutput]:
    restored = await context.memory.in_transaction(
        restore_checkpoint, context.caller, request.name, mode=request.mode
    )
    await context.memory.forget_vectors(restored.gone)
    hints = [f"What was there before the restore is kept as {restored.safety}."] if restored.safety else []
    if restored.spared:
        hints.append(
            f"{plural(restored.spared, 'memory was', 'memories were')} not removed: only the author or the founder can."
        )
    if restored.changed and request.mode is RestoreMode.MERGE:
        hints.append(
            "To have the changed ones as they were, restore with clear, or revert each to its version."
        )
    changed = f", {restored.changed} of them changed since and left as they are" if restored.changed else ""
    return Result(
        summary=f"{restored.added} put back, {restored.removed} removed, {restored.present} were there{changed}.",
        data=RestoreOutput.of(restored),
        hints=tuple(hints),
    )


class DeleteInput(OperationInput):
    name: CheckpointName


class CheckpointDeleteOutput(Output):
    """The name of the checkpoint that was deleted."""

    name: str


async def _delete(context: OperationContext, request: DeleteInput) -> Result[CheckpointDeleteOutput]:
    await context.memory.in_transaction(delete_checkpoint, context.caller, request.name)
    return Result(
        summary=f"The checkpoint {request.name} is deleted.", data=CheckpointDeleteOutput(name=request.name)
    )


CHECKPOINT_CREATE = declare(
    _create,
    name="checkpoint_create",
    title="Make a checkpoint",
    layer=Layer.DETAIL,
    about="Keep all memories as they are now under a name.",
)
CHECKPOINT_LIST = declare(
    _list,
    name="checkpoint_list",
    title="Checkpoints",
    layer=Layer.DETAIL,
    about="The checkpoints that there are, newest first.",
    read_only=True,
)
CHECKPOINT_RESTORE = declare(
    _restore,
    name="checkpoint_restore",
    title="Restore a checkpoint",
    layer=Layer.DETAIL,
    about="Put the memories of a checkpoint back, all or nothing.",
    destructive=True,
    idempotent=True,
)
CHECKPOINT_DELETE = declare(
    _delete,
    name="checkpoint_delete",
    title="Delete a checkpoint",
    layer=Layer.DETAIL,
    about="Delete a checkpoint; the memories stay.",
    destructive=True,
)
