"""Saving: a text or a file becomes a memory, is changed, and is taken away."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any
from uuid import UUID

from pydantic import Field

from frasier.interfaces.memory_tools.fields import (
    KEEP_SECRETS,
    Labels,
    MemoryRef,
    Moment,
    Phrase,
    ScopeField,
)
from frasier.interfaces.memory_tools.triggers import surface
from frasier.interfaces.tools import Layer, Reply, Surroundings, Tool, ToolInput, told
from frasier.kernel.advice import Advice
from frasier.kernel.errors import InvalidInput, Refused
from frasier.memory import (
    Caller,
    GateAction,
    ImportanceTier,
    MemoryKind,
    MemoryType,
    NewFile,
    NewMemory,
    Relation,
    Saved,
    check_before_saving,
    fields_with_secrets,
    find_memories,
    link_memories,
    refuse_errors,
)

_SURFACED_TOKENS = 300
_EMBEDDING = {
    "pending": "Its words and triggers are found at once; its vector is made in the background.",
    "none": "No vector is owed: it is found by words, triggers and links.",
}


class LinkTo(ToolInput):
    relation: Relation
    to: MemoryRef


class SaveInput(ToolInput):
    content: str | None = Field(
        None, max_length=100_000, description="One thing worth knowing later, understandable by itself"
    )
    file_path: str | None = Field(
        None,
        max_length=500,
        description="A Markdown file in the memory folders; with content it is written first",
    )
    expected_hash: str | None = Field(
        None, pattern="^[0-9a-fA-F]{64}$", description="SHA-256 of that file as you read it: write over it"
    )
    title: str = Field("", max_length=500)
    kind: MemoryKind = MemoryKind.OBSERVATION
    scope: ScopeField = None
    tier: ImportanceTier = ImportanceTier.NORMAL
    type: MemoryType | None = Field(None, description="Default: inferred")
    importance: int = Field(5, ge=1, le=10)
    tags: Labels = ()
    triggers: tuple[Phrase, ...] = Field(
        (), max_length=50, description="Phrases that call it up from a prompt"
    )
    thread: str | None = Field(None, max_length=200, description="The conversation or document it is part of")
    speaker: str | None = Field(None, max_length=100)
    occurred_at: Moment | None = None
    valid_from: Moment | None = None
    valid_until: Moment | None = None
    links: tuple[LinkTo, ...] = Field(
        (), max_length=20, description="What it relates to: it `relation` that one"
    )
    force: bool = Field(False, description="Save beside what resembles it; read a file again")
    keep_secrets: bool = Field(False, description="Store as it is what looks like a secret")
    dry_run: bool = Field(False, description="Only tell what would happen")


async def _save(around: Surroundings, given: SaveInput) -> Reply:
    if given.expected_hash is not None and (given.file_path is None or given.content is None):
        raise InvalidInput(
            "expected_hash is of a file that shall be written over.",
            number="E031",
            kept="Nothing was written.",
            hint="Give file_path and content with it, or leave it out.",
        )
    if given.file_path is not None:
        return await _save_file(around, given)
    if given.content is None:
        raise InvalidInput(
            "There is nothing to save.",
            number="E031",
            kept="Nothing was saved.",
            hint="Give content, or the file_path of a Markdown file in a memory folder.",
        )
    new = _new_memory(around.caller, given)
    warnings = await _checked(around, new)
    others = await around.engine.in_transaction(
        find_memories, around.caller, [link.to for link in given.links]
    )
    ends = [(link.relation, other.id) for link, other in zip(given.links, others, strict=True)]
    saved = await around.engine.save(
        around.caller, new, gate=False if given.force else None, dry_run=given.dry_run
    )
    known = set()
    if saved.id is not None:
        known.add(saved.id)
        if not given.dry_run:
            warnings += await _link(around, saved.id, ends)
    surfaced = await surface(around, new.content, tokens=_SURFACED_TOKENS, known=known)
    return Reply(
        summary=_said(saved),
        data=_saved_shape(saved, (*warnings, *saved.warnings)) | surfaced,
        hints=(*_hints(saved), *_secrets_advice(given)),
    )


def _new_memory(caller: Caller, given: SaveInput) -> NewMemory:
    return NewMemory(
        kind=given.kind,
        scope=given.scope or caller.home,
        content=given.content or "",
        title=given.title,
        tags=given.tags,
        tier=given.tier,
        importance=given.importance,
        memory_type=given.type,
        triggers=given.triggers,
        thread=given.thread,
        speaker=given.speaker,
        occurred_at=given.occurred_at,
        valid_from=given.valid_from,
        valid_until=given.valid_until,
        keep_secrets=given.keep_secrets,
    )


def _secrets_advice(given: SaveInput) -> tuple[Advice, ...]:
    """Advise how to keep what was taken out as a secret."""
    return () if given.keep_secrets or not fields_with_secrets(given.model_dump()) else (KEEP_SECRETS,)


async def _checked(around: Surroundings, new: NewMemory) -> list[str]:
    """What its author may want to know; raises InvalidInput (E093) for what may not be saved."""
    findings = await around.engine.in_transaction(
        check_before_saving, around.caller, new, count_tokens=around.engine.counter.count
    )
    refuse_errors(findings)
    return [f"{finding.message} {finding.hint}" for finding in findings]


async def _link(around: Surroundings, saved_id: UUID, ends: Sequence[tuple[Relation, UUID]]) -> list[str]:
    """Links the memory, which is saved by now: a link that is refused is told, and takes nothing back."""
    refusals = []
    for relation, end in ends:
        try:
            await around.engine.in_transaction(link_memories, around.caller, saved_id, end, relation)
        except Refused as refusal:
            refusals.append(f"Saved, but not linked to {end}: {refusal.message}")
    return refusals


async def _save_file(around: Surroundings, given: SaveInput) -> Reply:
    """The file as it is, or written with the content first."""
    engine = around.engine
    path = Path(given.file_path or "")
    if given.content is not None:
        _refuse_what_no_file_holds(given)
        indexed = await engine.files.save(
            around.caller,
            path,
            _new_file(given),
            scope=given.scope,
            expected_hash=bytes.fromhex(given.expected_hash) if given.expected_hash else None,
            keep_secrets=given.keep_secrets,
        )
    else:
        indexed = await engine.files.index(
            around.caller,
            path,
            scope=given.scope,
            force=given.force or given.keep_secrets,
            keep_secrets=given.keep_secrets,
            dry_run=given.dry_run,
        )
    surfaced = await surface(around, given.content or given.title, tokens=_SURFACED_TOKENS)
    would = "would be " if given.dry_run else ""
    return Reply(
        summary=f"The file {would}{indexed.status}.",
        data=told(
            id=None if given.dry_run else indexed.memory_id,
            action=indexed.status,
            path=indexed.path,
            file_hash=indexed.sha256.hex(),
            version=indexed.version,
            moved_from=indexed.moved_from,
            reason=indexed.reason,
            links_drawn=indexed.links_drawn,
            unresolved=[f"{link.kind}: {link.reference}" for link in indexed.unresolved],
            warnings=indexed.warnings,
            dry_run=given.dry_run,
        )
        | surfaced,
        hints=(
            *_secrets_advice(given),
            *("Links to memories that are not there yet are drawn when they are.",)
            * bool(indexed.unresolved),
            *(
                (
                    f"It asks to be {indexed.asks_for}, and is normal until the founder confirms that.",
                    Advice("memory.confirm", to="see what waits"),
                )
                if indexed.asks_for
                else ()
            ),
        ),
    )


def _refuse_what_no_file_holds(given: SaveInput) -> None:
    if given.dry_run or given.links or given.thread or given.speaker or given.occurred_at:
        raise InvalidInput(
            "A file is written without dry_run, links, thread, speaker and occurred_at.",
            number="E030",
            kept="Nothing was written.",
            hint="Leave them out, or save the content without file_path.",
        )


def _new_file(given: SaveInput) -> NewFile:
    return NewFile(
        body=given.content or "",
        title=given.title,
        triggers=given.triggers,
        tags=given.tags,
        tier=None if given.tier is ImportanceTier.NORMAL else given.tier,
        memory_type=given.type,
        valid_from=given.valid_from,
        valid_until=given.valid_until,
    )


def _said(saved: Saved) -> str:
    if saved.dry_run:
        return f"Would be {saved.action}: {saved.reason} Nothing was changed."
    return f"{saved.action.capitalize()}: {saved.reason}"


def _saved_shape(saved: Saved, warnings: tuple[str, ...]) -> dict[str, Any]:
    return told(
        id=saved.id,
        action=saved.action,
        reason=saved.reason,
        existing_id=saved.existing_id,
        similarity=saved.similarity,
        contradiction=saved.contradiction,
        related=saved.related,
        warnings=warnings,
        embedding=saved.embedding,
        embedding_reason=_EMBEDDING[saved.embedding],
        dry_run=saved.dry_run,
    )


def _hints(saved: Saved) -> tuple[str | Advice, ...]:
    if saved.dry_run:
        return ("Call again without dry_run to save it.",)
    if saved.action is GateAction.SUPERSEDED:
        return (Advice("memory.reinstate", to="bring the retired one back", id=str(saved.existing_id)),)
    if saved.contradiction:
        return "Both memories are kept.", Advice("memory.correct", to="say which one holds")
    return ()


SAVE = Tool(
    name="memory_save",
    title="Save a memory",
    layer=Layer.DETAIL,
    about="Remember a text or a Markdown file. What resembles it is reinforced, updated or linked, and you are told.",
    input=SaveInput,
    run=_save,
)
