"""Changing and taking away: a memory says something else, says again what it said, or is deleted."""

from __future__ import annotations

from pydantic import Field

from frasier.interfaces.memory_tools.fields import Labels, MemoryRef, Moment, Phrase, ScopeField
from frasier.interfaces.tools import Layer, Reply, Surroundings, Tool, ToolInput, as_json, told
from frasier.kernel.advice import Advice
from frasier.kernel.errors import InvalidInput
from frasier.memory import (
    ImportanceTier,
    MemoryType,
    Selection,
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


class UpdateInput(ToolInput):
    id: MemoryRef
    content: str | None = Field(None, min_length=10, max_length=100_000)
    title: str | None = Field(None, max_length=500)
    tags: Labels | None = None
    triggers: tuple[Phrase, ...] | None = Field(None, max_length=50)
    tier: ImportanceTier | None = None
    importance: int | None = Field(None, ge=1, le=10)
    type: MemoryType | None = None
    valid_from: Moment | None = None
    valid_until: Moment | None = None
    keep_secrets: bool = Field(False, description="Store as it is what looks like a secret")
    reason: str = Field("", max_length=500, description="Why; kept with the earlier version")


async def _update(around: Surroundings, given: UpdateInput) -> Reply:
    fields = given.model_dump(exclude={"id", "reason", "type", "keep_secrets"}, exclude_none=True)
    if given.type is not None:
        fields["memory_type"] = given.type
    if not fields:
        raise InvalidInput(
            "Nothing says what shall change.",
            number="E031",
            kept="The memory says what it said.",
            hint="Give content, title, tags, triggers, tier, importance, type, valid_from or valid_until.",
        )
    held, version = await around.engine.on_memory(
        around.caller,
        given.id,
        update_memory,
        reason=given.reason,
        keep_secrets=given.keep_secrets,
        **fields,
    )
    changed = version != held.version
    notice = (
        "" if given.keep_secrets else secrets_notice(fields_with_secrets(fields | {"reason": given.reason}))
    )
    return Reply(
        summary=f"Version {version} is what it says now." if changed else "It says that already.",
        data=told(
            id=held.id,
            version=version,
            changed=sorted(fields) if changed else [],
            warnings=[notice] if notice else [],
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


class OneMemory(ToolInput):
    id: MemoryRef


async def _delete(around: Surroundings, given: OneMemory) -> Reply:
    held, deleted = await around.engine.on_memory(around.caller, given.id, delete_memory)
    await around.engine.forget_vectors(deleted.gone)
    return Reply(
        summary="Deleted for good.",
        data=told(id=held.id, title=held.title, deleted=deleted.count),
        hints=("What is wrong rather than unwanted can be corrected instead, and stays on record.",),
    )


class BulkDeleteInput(ToolInput):
    confirm: bool = Field(description="Must be true")
    tier: ImportanceTier | None = None
    scope: ScopeField = None
    older_than_days: float | None = Field(None, ge=0, le=36_500)
    ids: tuple[MemoryRef, ...] = Field((), max_length=1000)
    skip_checkpoint: bool = Field(False, description="Makes it final")


async def _bulk_delete(around: Surroundings, given: BulkDeleteInput) -> Reply:
    found = await around.engine.in_transaction(find_memories, around.caller, given.ids)
    selection = Selection(
        ids=tuple(memory.id for memory in found),
        scope=given.scope,
        tier=given.tier,
        older_than_days=given.older_than_days,
    )
    deleted = await around.engine.in_transaction(
        delete_memories,
        around.caller,
        selection,
        confirm=given.confirm,
        skip_checkpoint=given.skip_checkpoint,
    )
    await around.engine.forget_vectors(deleted.gone)
    return Reply(
        summary=f"{deleted.count} deleted." if deleted.count else "Nothing matched, nothing was deleted.",
        data=told(deleted=deleted.count, spared=deleted.spared, checkpoint=deleted.checkpoint),
        hints=(Advice("checkpoint.restore", to="bring them back", name=deleted.checkpoint),)
        if deleted.checkpoint
        else (),
    )


async def _versions(around: Surroundings, given: OneMemory) -> Reply:
    held, versions = await around.engine.on_memory(around.caller, given.id, versions_of)
    admissions = await around.engine.in_transaction(admissions_of, around.caller, held.id)
    return Reply(
        summary=f"It says version {held.version}; {len(versions)} earlier ones are kept.",
        data=told(
            id=held.id,
            version=held.version,
            versions=as_json(versions),
            said_before=[
                told(
                    action=one.action,
                    reason=one.reason,
                    content=one.content,
                    similarity=one.similarity,
                    at=one.created_at,
                )
                for one in admissions
            ],
        ),
    )


class RevertInput(ToolInput):
    id: MemoryRef
    version: int = Field(ge=1)


async def _revert(around: Surroundings, given: RevertInput) -> Reply:
    held, version = await around.engine.on_memory(around.caller, given.id, revert_to_version, given.version)
    return Reply(
        summary=f"It says again what it said as version {given.version}.",
        data=told(id=held.id, version=version),
    )


async def _restore(around: Surroundings, given: OneMemory) -> Reply:
    held, restored = await around.engine.on_memory(around.caller, given.id, restore_archived)
    return Reply(
        summary="It is recalled again." if restored else "It was not archived.",
        data=told(id=held.id, restored=restored),
    )


async def _reinstate(around: Surroundings, given: OneMemory) -> Reply:
    held, _ = await around.engine.on_memory(around.caller, given.id, reinstate)
    return Reply(
        summary="It is recalled again, beside the one that had taken its place.",
        data=told(id=held.id, reinstated=True),
        hints=(
            "Both are kept as contradicting each other.",
            Advice("memory.correct", to="say which one holds"),
        ),
    )


CHANGING = (
    Tool(
        name="memory_update",
        title="Change a memory",
        layer=Layer.SURGICAL,
        about="Change the given fields of a memory. What it said before is kept as a version.",
        input=UpdateInput,
        run=_update,
        idempotent=True,
    ),
    Tool(
        name="memory_delete",
        title="Delete a memory",
        layer=Layer.SURGICAL,
        about="Delete one memory for good. If it is wrong rather than unwanted, use memory_correct.",
        input=OneMemory,
        run=_delete,
        destructive=True,
    ),
    Tool(
        name="memory_bulk_delete",
        title="Delete many memories",
        layer=Layer.SURGICAL,
        about="Delete every memory for which all that you give holds, after a checkpoint of them.",
        input=BulkDeleteInput,
        run=_bulk_delete,
        destructive=True,
    ),
    Tool(
        name="memory_versions",
        title="Earlier versions",
        layer=Layer.DETAIL,
        about="What a memory said before, and what saving made of texts like it.",
        input=OneMemory,
        run=_versions,
        read_only=True,
        idempotent=True,
    ),
    Tool(
        name="memory_revert",
        title="Back to a version",
        layer=Layer.SURGICAL,
        about="Let a memory say again what it said in an earlier version.",
        input=RevertInput,
        run=_revert,
    ),
    Tool(
        name="memory_unarchive",
        title="Out of the archive",
        layer=Layer.SURGICAL,
        about="Bring a faded or expired memory back, so that it is recalled again.",
        input=OneMemory,
        run=_restore,
        idempotent=True,
    ),
    Tool(
        name="memory_reinstate",
        title="Back from retirement",
        layer=Layer.SURGICAL,
        about="Bring back a memory that was retired because a newer one was saved that says the opposite.",
        input=OneMemory,
        run=_reinstate,
    ),
)
