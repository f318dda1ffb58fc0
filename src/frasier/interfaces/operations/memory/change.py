"""Change, revert, delete and bring back memories."""

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
from frasier.interfaces.operations.memory.fields import (
    IMPORTANCE,
    TAGS,
    TIER,
    TITLE,
    TRIGGERS,
    TYPE,
    VALID_FROM,
    VALID_UNTIL,
    KeepSecretsField,
    Labels,
    MemoryRef,
    Moment,
    Phrase,
    ScopeField,
)
from frasier.kernel.advice import Advice
from frasier.kernel.errors import InvalidInput
from frasier.kernel.humanize import plural
from frasier.memory import (
    Deleted,
    GateAction,
    ImportanceTier,
    MemoryType,
    Selection,
    Version,
    admissions_of,
    delete_memories,
    delete_memory,
    fields_with_secrets,
    find_memories,
    reinstate,
    restore_archived,
    revert_to_version,
    secrets_notice,
    update_memory,
    versions_of,
)

_NAMED_MAX = 3


class UpdateInput(OperationInput):
    id: MemoryRef
    content: Annotated[str | None, CliOption(flags=("--text",))] = Field(
        None, min_length=10, max_length=100_000
    )
    title: Annotated[str | None, TITLE] = Field(None, max_length=500)
    tags: Annotated[Labels | None, TAGS] = None
    triggers: Annotated[tuple[Phrase, ...] | None, TRIGGERS] = Field(None, max_length=50)
    tier: Annotated[ImportanceTier | None, TIER] = None
    importance: Annotated[int | None, IMPORTANCE] = Field(None, ge=1, le=10)
    type: Annotated[MemoryType | None, TYPE] = None
    valid_from: Annotated[Moment | None, VALID_FROM] = None
    valid_until: Annotated[Moment | None, VALID_UNTIL] = None
    keep_secrets: KeepSecretsField = False
    reason: Annotated[str, CliOption(flags=("--reason", "--note"))] = Field(
        "", max_length=500, description="Why; kept with the earlier version"
    )
    version: Annotated[int | None, CliOption(help="Change it only if it still is at this version.")] = Field(
        None, ge=1, le=2**31 - 1, description="Refuse if it is at another version"
    )


class UpdateOutput(Output):
    """The version that a memory has now, and the fields that were changed."""

    id: UUID
    version: int
    changed: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


async def _update(context: OperationContext, request: UpdateInput) -> Result[UpdateOutput]:
    fields = request.model_dump(
        exclude={"id", "reason", "type", "keep_secrets", "version"}, exclude_none=True
    )
    if request.type is not None:
        fields["memory_type"] = request.type
    if not fields:
        raise InvalidInput(
            "Nothing says what shall change.",
            number="E031",
            kept="The memory says what it said.",
            hint="Give content, title, tags, triggers, tier, importance, type, valid_from or valid_until.",
        )
    held, version = await context.memory.on_memory(
        context.caller,
        request.id,
        update_memory,
        reason=request.reason,
        keep_secrets=request.keep_secrets,
        expected_version=request.version,
        **fields,
    )
    changed = version != held.version
    notice = (
        ""
        if request.keep_secrets
        else secrets_notice(fields_with_secrets(fields | {"reason": request.reason}))
    )
    return Result(
        summary=f"Version {version} is what it says now." if changed else "It says that already.",
        data=UpdateOutput(
            id=held.id,
            version=version,
            changed=tuple(sorted(fields)) if changed else (),
            warnings=(notice,) if notice else (),
        ),
        hints=(
            *(
                (Advice("memory.update", to="store such a text as it is", keep_secrets=True),)
                if notice
                else ()
            ),
            *(
                (
                    Advice(
                        "memory.revert",
                        to="give back the earlier version",
                        id=str(held.id),
                        version=held.version,
                    ),
                )
                if changed
                else ()
            ),
        ),
    )


class OneMemory(OperationInput):
    id: MemoryRef


class MemoryDeleteInput(OneMemory):
    keep_checkpoint: bool = Field(False, description="Else it is final")


class DeleteOutput(Output):
    """A memory that is gone, and what can still bring it back."""

    id: UUID
    title: str = ""
    deleted: int
    files: tuple[str, ...] = ()
    held_in: tuple[str, ...] = ()
    held_elsewhere: int = 0
    checkpoint: str | None = None


async def _delete(context: OperationContext, request: MemoryDeleteInput) -> Result[DeleteOutput]:
    held, deleted = await context.memory.on_memory(
        context.caller, request.id, delete_memory, keep_checkpoint=request.keep_checkpoint
    )
    await context.memory.forget_vectors(deleted.gone)
    return Result(
        summary="Deleted; a checkpoint is kept." if deleted.checkpoint else "Deleted for good.",
        data=DeleteOutput.of(deleted, held, deleted=deleted.count),
        hints=(
            *_way_back(deleted),
            *_remaining_copies(deleted),
            "What is wrong rather than unwanted can be corrected instead, and stays on record.",
        ),
    )


def _way_back(deleted: Deleted) -> tuple[Advice, ...]:
    if deleted.checkpoint is None:
        return ()
    return (Advice("checkpoint.restore", to="bring back what was deleted", name=deleted.checkpoint),)


class BulkDeleteInput(OperationInput):
    confirm: bool = Field(description="Must be true")
    tier: ImportanceTier | None = None
    scope: ScopeField = None
    older_than_days: float | None = Field(None, ge=0, le=36_500)
    ids: Annotated[tuple[MemoryRef, ...], CliOption(argument="MEMORY")] = Field((), max_length=1000)
    skip_checkpoint: Annotated[
        bool, CliOption(flags=("--final",), help="Keep no checkpoint from which they could come back.")
    ] = Field(False, description="Makes it final")


_FILES_MAX = 50


class BulkDeleteOutput(Output):
    """Numbers of memories: deleted, and matched without the caller's right to delete them; what can bring them back.

    `files` names the first of the files that they came from, `file_count` is the number of all.
    """

    deleted: int
    spared: int
    checkpoint: str | None = None
    files: tuple[str, ...] = ()
    file_count: int = 0
    held_in: tuple[str, ...] = ()
    held_elsewhere: int = 0


async def _bulk_delete(context: OperationContext, request: BulkDeleteInput) -> Result[BulkDeleteOutput]:
    memories = await context.memory.in_transaction(find_memories, context.caller, request.ids)
    selection = Selection(
        ids=tuple(memory.id for memory in memories),
        scope=request.scope,
        tier=request.tier,
        older_than_days=request.older_than_days,
    )
    deleted = await context.memory.in_transaction(
        delete_memories,
        context.caller,
        selection,
        confirm=request.confirm,
        skip_checkpoint=request.skip_checkpoint,
    )
    await context.memory.forget_vectors(deleted.gone)
    return Result(
        summary=f"{deleted.count} deleted." if deleted.count else "Nothing matched, nothing was deleted.",
        data=BulkDeleteOutput.of(
            deleted,
            deleted=deleted.count,
            files=deleted.files[:_FILES_MAX],
            file_count=len(deleted.files),
        ),
        hints=(
            *_way_back(deleted),
            *_remaining_copies(deleted),
        ),
    )


class AdmissionOutput(Output):
    """The result of saving a text, `at` that time."""

    action: GateAction
    reason: str = ""
    content: str = ""
    similarity: float
    at: datetime


class VersionsOutput(Output):
    """Earlier versions of a memory, and the results of saving texts like it."""

    id: UUID
    version: int
    versions: tuple[Version, ...] = ()
    said_before: tuple[AdmissionOutput, ...] = ()


async def _versions(context: OperationContext, request: OneMemory) -> Result[VersionsOutput]:
    held, versions = await context.memory.on_memory(context.caller, request.id, versions_of)
    admissions = await context.memory.in_transaction(admissions_of, context.caller, held.id)
    return Result(
        summary=f"It says version {held.version}; {len(versions)} earlier ones are kept.",
        data=VersionsOutput.of(
            held,
            versions=tuple(versions),
            said_before=tuple(
                AdmissionOutput.of(admission, at=admission.created_at) for admission in admissions
            ),
        ),
    )


class RevertInput(OperationInput):
    id: MemoryRef
    version: Annotated[int, CliOption(argument="VERSION", help="The number that `versions` shows.")] = Field(
        ge=1
    )


class RevertOutput(Output):
    """The version that a memory has now."""

    id: UUID
    version: int


async def _revert(context: OperationContext, request: RevertInput) -> Result[RevertOutput]:
    held, version = await context.memory.on_memory(
        context.caller, request.id, revert_to_version, request.version
    )
    return Result(
        summary=f"It says again what it said as version {request.version}.",
        data=RevertOutput(id=held.id, version=version),
    )


class UnarchiveOutput(Output):
    """A memory that can be recalled; `restored` if it was archived."""

    id: UUID
    restored: bool


async def _unarchive(context: OperationContext, request: OneMemory) -> Result[UnarchiveOutput]:
    held, restored = await context.memory.on_memory(context.caller, request.id, restore_archived)
    return Result(
        summary="It is recalled again." if restored else "It was not archived.",
        data=UnarchiveOutput(id=held.id, restored=restored),
    )


class ReinstateOutput(Output):
    """A memory that is recalled again beside the one that had replaced it."""

    id: UUID
    reinstated: bool


async def _reinstate(context: OperationContext, request: OneMemory) -> Result[ReinstateOutput]:
    held, beside = await context.memory.on_memory(context.caller, request.id, reinstate)
    if not beside:
        return Result(summary="It is recalled again.", data=ReinstateOutput(id=held.id, reinstated=True))
    return Result(
        summary="It is recalled again, beside the one that had taken its place.",
        data=ReinstateOutput(id=held.id, reinstated=True),
        hints=(
            "Both are kept as contradicting each other.",
            Advice("memory.correct", to="say which one holds"),
        ),
    )


UPDATE = declare(
    _update,
    name="memory_update",
    title="Change a memory",
    layer=Layer.SURGICAL,
    about="Change the given fields of a memory. What it said before is kept as a version.",
    idempotent=True,
)
DELETE = declare(
    _delete,
    name="memory_delete",
    title="Delete a memory",
    layer=Layer.SURGICAL,
    about="Delete a memory, for good unless keep_checkpoint. If it is wrong rather than unwanted, use memory_correct.",
    destructive=True,
)
BULK_DELETE = declare(
    _bulk_delete,
    name="memory_bulk_delete",
    title="Delete many memories",
    layer=Layer.SURGICAL,
    about="Delete every memory for which all that you give holds, after a checkpoint of them.",
    destructive=True,
)
VERSIONS = declare(
    _versions,
    name="memory_versions",
    title="Earlier versions",
    layer=Layer.DETAIL,
    about="What a memory said before, and what saving made of texts like it.",
    read_only=True,
)
REVERT = declare(
    _revert,
    name="memory_revert",
    title="Back to a version",
    layer=Layer.SURGICAL,
    about="Let a memory say again what it said in an earlier version.",
)
UNARCHIVE = declare(
    _unarchive,
    name="memory_unarchive",
    title="Out of the archive",
    layer=Layer.SURGICAL,
    about="Bring a faded or expired memory back, so that it is recalled again.",
    idempotent=True,
)
REINSTATE = declare(
    _reinstate,
    name="memory_reinstate",
    title="Back from retirement",
    layer=Layer.SURGICAL,
    about="Bring back a memory that was retired because a newer one was saved that says the opposite.",
)


def _remaining_copies(deleted: Deleted) -> tuple[str | Advice, ...]:
    """Tell which files and earlier checkpoints still hold what was deleted, and which memories it had retired."""
    hints: list[str | Advice] = []
    if deleted.files:
        hints.append(
            f"It came from {_named(deleted.files)}, which is unchanged: an edit of the file, or a scan with force,"
            " brings it back. Delete the file as well."
        )
    if deleted.held_in:
        hints.append(
            f"{plural(len(deleted.held_in), 'earlier checkpoint')} can still bring it back:"
            f" {_named(deleted.held_in)}."
        )
        hints += [
            Advice("checkpoint.delete", to="remove that copy", name=name)
            for name in deleted.held_in[:_NAMED_MAX]
        ]
    if deleted.held_elsewhere:
        hints.append(
            f"{plural(deleted.held_elsewhere, 'checkpoint')} that you may not delete can still bring it back:"
            " ask the founder to delete what holds it."
        )
    if deleted.retired:
        hints.append(
            f"{plural(len(deleted.retired), 'memory')} that it denied"
            f" {'is' if len(deleted.retired) == 1 else 'are'} still retired, and not recalled."
        )
        hints += [
            Advice("memory.reinstate", to="bring it back", id=str(memory_id))
            for memory_id in deleted.retired[:_NAMED_MAX]
        ]
    return tuple(hints)


def _named(names: tuple[str, ...]) -> str:
    more = len(names) - _NAMED_MAX
    return ", ".join(names[:_NAMED_MAX]) + (f" and {more} more" if more > 0 else "")
