"""Save many memories in one call, each through the gate and on its own; an export is read in again this way."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Annotated, Any
from uuid import UUID

from pydantic import Field, WithJsonSchema

from frasier.interfaces.advice import error_facts
from frasier.interfaces.operations import (
    Layer,
    OperationContext,
    OperationInput,
    Output,
    Result,
    declare,
    read_fields,
)
from frasier.interfaces.operations.memory.fields import KeepSecretsField, ScopeName
from frasier.interfaces.operations.memory.save import NewMemoryInput, checked, new_memory
from frasier.kernel.errors import InvalidInput, Refused
from frasier.memory import GateAction, import_memory

BULK_MAX = 100


class BulkMemory(NewMemoryInput):
    """A memory as memory_save takes it, or as memory_list gives it in full.

    What only a list has (version, created_at, archived_at, provenance) says where an exported memory comes from.
    """

    content: str = Field(max_length=100_000)
    id: str | None = Field(None, min_length=1, max_length=120)
    snippet: str = ""
    version: int | None = None
    created_at: datetime | None = None
    archived_at: datetime | None = None
    provenance: dict[str, Any] = Field(default_factory=dict)

    def origin(self) -> dict[str, Any]:
        """Return what the provenance of the saved memory tells of the exported one."""
        facts = {
            "id": self.id,
            "saved_by": self.provenance.get("saved_by"),
            "created_at": self.created_at.isoformat() if self.created_at else None,
        }
        known = {name: value for name, value in facts.items() if value}
        return {"imported": known} if self.created_at else {}


class BulkSaveInput(OperationInput):
    memories: tuple[Annotated[Any, WithJsonSchema({"type": "object"})], ...] = Field(
        min_length=1,
        max_length=BULK_MAX,
        description="Each as memory_save takes it (content, title, kind, …) or memory_list gives it in full; with an id"
        " it is saved once, however often you send it",
    )
    scope: ScopeName | None = Field(None, description="Of all of them, instead of their own")
    keep_secrets: KeepSecretsField = False


class SaveOutcome(StrEnum):
    """The result for one memory."""

    SAVED = "saved"
    DUPLICATE = "duplicate"
    REFUSED = "refused"


class BulkSaved(Output):
    """The result for one of the memories, by its place in the call (from 0); `code` is that of a refusal."""

    index: int
    outcome: SaveOutcome
    id: UUID | None = None
    action: GateAction | None = None
    reason: str = ""
    code: str = ""
    warnings: tuple[str, ...] = ()


class BulkSaveOutput(Output):
    """Numbers of memories: saved, there already, refused; `results` has each in the order of the call."""

    saved: int
    duplicate: int
    refused: int
    results: tuple[BulkSaved, ...]


async def _bulk_save(context: OperationContext, request: BulkSaveInput) -> Result[BulkSaveOutput]:
    results = [await _save_one(context, request, index) for index in range(len(request.memories))]
    counts = {outcome.value: sum(result.outcome is outcome for result in results) for outcome in SaveOutcome}
    return Result(
        summary=f"{counts['saved']} saved, {counts['duplicate']} there already, {counts['refused']} refused.",
        data=BulkSaveOutput(**counts, results=tuple(results)),
        hints=("What was refused has kept nothing else from being saved. Correct it and send it again.",)
        if counts["refused"]
        else (),
    )


async def _save_one(context: OperationContext, request: BulkSaveInput, index: int) -> BulkSaved:
    """Save one of the memories in a transaction of its own; report its refusal instead of raising it."""
    try:
        memory = _read(context, request.memories[index])
        others: dict[str, Any] = {"keep_secrets": request.keep_secrets, "provenance": memory.origin()}
        if request.scope is not None:
            others["scope"] = request.scope
        new = new_memory(context.caller, memory, **others)
        warnings = await checked(context, new)
        engine = context.memory
        contributed = await engine.in_transaction(
            import_memory,
            context.caller,
            new,
            origin_id=memory.id,
            archived=memory.archived_at is not None,
            gate=engine.settings.gate,
        )
    except Refused as refusal:
        facts = error_facts(refusal, context.dialect)
        reason = f"{facts['message']} {facts.get('hint', '')}".rstrip()
        return BulkSaved(index=index, outcome=SaveOutcome.REFUSED, code=refusal.code, reason=reason)
    saved = contributed.saved
    if saved is None:
        reason = "It is there already, under this id."
        return BulkSaved(index=index, outcome=SaveOutcome.DUPLICATE, id=contributed.id, reason=reason)
    engine.encode_soon(contributed.id, new.content)
    return BulkSaved(
        index=index,
        outcome=SaveOutcome.DUPLICATE if saved.action is GateAction.REINFORCED else SaveOutcome.SAVED,
        id=contributed.id,
        action=saved.action,
        reason=saved.reason,
        warnings=(*warnings, *saved.warnings),
    )


def _read(context: OperationContext, values: object) -> BulkMemory:
    takes = f"A memory takes {', '.join(NewMemoryInput.model_fields)}, content and id."
    if not isinstance(values, dict):
        raise InvalidInput("It is not a JSON object.", number="E030", hint=takes)
    return read_fields(BulkMemory, values, context.dialect, hint=takes)


BULK_SAVE = declare(
    _bulk_save,
    name="memory_bulk_save",
    title="Save many memories",
    layer=Layer.DETAIL,
    about="Save up to 100 memories at once, as memory_save does; a refused one costs no other. Also imports an export.",
)
