"""Checkpoints: all memories as they are now, kept under a name and put back whole."""

from __future__ import annotations

from pydantic import Field

from frasier.interfaces.memory_tools.fields import Page, ScopesField
from frasier.interfaces.tools import Layer, Reply, Surroundings, Tool, ToolInput, as_json
from frasier.memory import (
    RestoreMode,
    create_checkpoint,
    delete_checkpoint,
    list_checkpoints,
    restore_checkpoint,
)


class CreateInput(ToolInput):
    name: str = Field(max_length=100, description="Letters, digits, - and _")
    scopes: ScopesField = ()


async def _create(around: Surroundings, given: CreateInput) -> Reply:
    made = await around.engine.in_transaction(
        create_checkpoint, around.caller, given.name, scopes=given.scopes
    )
    return Reply(summary=f"Kept as {made.name}.", data=as_json(made))


class ListInput(ToolInput):
    limit: Page = 20


async def _list(around: Surroundings, given: ListInput) -> Reply:
    found = await around.engine.in_transaction(list_checkpoints, around.caller, limit=given.limit)
    return Reply(summary=f"{len(found)} checkpoints.", data={"checkpoints": as_json(found)})


class RestoreInput(ToolInput):
    name: str = Field(max_length=100)
    mode: RestoreMode = Field(
        RestoreMode.MERGE, description="merge adds what is missing; clear removes what is there first"
    )


async def _restore(around: Surroundings, given: RestoreInput) -> Reply:
    restored = await around.engine.in_transaction(
        restore_checkpoint, around.caller, given.name, mode=given.mode
    )
    await around.engine.forget_vectors(restored.gone)
    told = as_json(restored)
    del told["gone"]  # internal numbers
    undo = (f"What was there before the restore is kept as {restored.safety}.",) if restored.safety else ()
    return Reply(
        summary=f"{restored.added} put back, {restored.removed} removed, {restored.present} were there.",
        data=told,
        hints=undo,
    )


class DeleteInput(ToolInput):
    name: str = Field(max_length=100)


async def _delete(around: Surroundings, given: DeleteInput) -> Reply:
    await around.engine.in_transaction(delete_checkpoint, around.caller, given.name)
    return Reply(summary=f"The checkpoint {given.name} is deleted.", data={"name": given.name})


CHECKPOINTS = (
    Tool(
        name="checkpoint_create",
        title="Make a checkpoint",
        layer=Layer.DETAIL,
        about="Keep all memories as they are now under a name.",
        input=CreateInput,
        run=_create,
    ),
    Tool(
        name="checkpoint_list",
        title="Checkpoints",
        layer=Layer.DETAIL,
        about="The checkpoints that there are, newest first.",
        input=ListInput,
        run=_list,
        read_only=True,
        idempotent=True,
    ),
    Tool(
        name="checkpoint_restore",
        title="Restore a checkpoint",
        layer=Layer.DETAIL,
        about="Put the memories of a checkpoint back, all or nothing.",
        input=RestoreInput,
        run=_restore,
        destructive=True,
        idempotent=True,
    ),
    Tool(
        name="checkpoint_delete",
        title="Delete a checkpoint",
        layer=Layer.DETAIL,
        about="Delete a checkpoint; the memories stay.",
        input=DeleteInput,
        run=_delete,
        destructive=True,
    ),
)
