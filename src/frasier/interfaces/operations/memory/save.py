"""Save a text or a Markdown file as a memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import Field

from frasier.interfaces.operations import (
    CliOption,
    Layer,
    OperationContext,
    OperationInput,
    Reads,
    Result,
    declare,
)
from frasier.interfaces.operations.memory.fields import (
    IMPORTANCE,
    KEEP_SECRETS,
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
from frasier.interfaces.operations.memory.surface import SurfacedOutput, surface
from frasier.kernel.advice import Advice
from frasier.kernel.errors import InvalidInput, Refused
from frasier.memory import (
    ASKED_FOR,
    Caller,
    FileStatus,
    GateAction,
    ImportanceTier,
    IndexedFile,
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


class LinkTo(OperationInput):
    relation: Relation
    to: MemoryRef


class SourceInput(OperationInput):
    """The text of a new memory, or the file that holds it."""

    content: Annotated[str | None, CliOption(argument="TEXT", help="What to remember.", reads=Reads.TEXT)] = (
        Field(None, max_length=100_000, description="One thing worth knowing later, understandable by itself")
    )
    file_path: Annotated[
        str | None,
        CliOption(
            flags=("--file", "-f"),
            help="A Markdown file in a memory folder: read it; with TEXT, write it first.",
            reads=Reads.PATH,
        ),
    ] = Field(
        None,
        max_length=500,
        description="A Markdown file in the memory folders; with content it is written first",
    )
    expected_hash: Annotated[
        str | None,
        CliOption(
            metavar="SHA256",
            help="With --file and TEXT: write over the file, if it is still the one with this hash.",
        ),
    ] = Field(
        None, pattern="^[0-9a-fA-F]{64}$", description="SHA-256 of that file as you read it: write over it"
    )


class NewMemoryInput(OperationInput):
    """The attributes of a new memory beside its text; those of a NewMemory have the same names."""

    title: Annotated[str, TITLE] = Field("", max_length=500)
    kind: Annotated[
        MemoryKind, CliOption(flags=("--kind", "-k"), help="Such as decision, lesson or approach.")
    ] = MemoryKind.OBSERVATION
    scope: ScopeField = None
    tier: Annotated[ImportanceTier, TIER] = ImportanceTier.NORMAL
    type: Annotated[MemoryType | None, TYPE] = Field(None, description="Default: inferred")
    importance: Annotated[int, IMPORTANCE] = Field(5, ge=1, le=10)
    tags: Annotated[Labels, TAGS] = ()
    triggers: Annotated[tuple[Phrase, ...], TRIGGERS] = Field(
        (), max_length=50, description="Phrases that call it up from a prompt"
    )
    thread: str | None = Field(None, max_length=200, description="The conversation or document it is part of")
    speaker: Annotated[str | None, CliOption(help="Who said it.")] = Field(None, max_length=100)
    occurred_at: Annotated[
        Moment | None, CliOption(help="When it happened, as 2026-05-01 or 2026-05-01T09:30 (UTC).")
    ] = None
    valid_from: Annotated[Moment | None, VALID_FROM] = None
    valid_until: Annotated[Moment | None, VALID_UNTIL] = None


class SaveInput(NewMemoryInput, SourceInput):
    links: Annotated[
        tuple[LinkTo, ...],
        CliOption(
            flags=("--link",),
            help="RELATION=MEMORY, what it is to another, such as caused=01a2…; repeatable.",
        ),
    ] = Field((), max_length=20, description="What it relates to: it `relation` that one")
    force: bool = Field(False, description="Save beside what resembles it; read a file again")
    keep_secrets: KeepSecretsField = False
    dry_run: bool = Field(False, description="Only tell what would happen")


class SaveOutput(SurfacedOutput):
    """The result of saving a text or a file, with the memories that come up beside it.

    `id` is the memory with the content; there is none if a dry run would have created it. `existing_id` is the memory
    that a text was compared with.
    """

    id: UUID | None = None
    action: GateAction | FileStatus
    reason: str = ""
    existing_id: UUID | None = None
    similarity: float | None = None
    contradiction: str = ""
    related: tuple[UUID, ...] = ()
    path: str = ""
    file_hash: str = ""
    version: int | None = None
    moved_from: str = ""
    links_drawn: int | None = None
    unresolved: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    embedding: Literal["pending", "none"] | None = None
    embedding_reason: str = ""
    dry_run: bool


async def _save(context: OperationContext, request: SaveInput) -> Result[SaveOutput]:
    file = context.dialect.name_input("file_path", "--file")
    if request.expected_hash is not None and (request.file_path is None or request.content is None):
        raise InvalidInput(
            "expected_hash is of a file that shall be written over.",
            number="E031",
            kept="Nothing was written.",
            hint=f"Give {file} and the content with it, or leave it out.",
        )
    if request.file_path is not None:
        return await _save_file(context, request)
    if request.content is None:
        raise InvalidInput(
            "There is nothing to save.",
            number="E031",
            kept="Nothing was saved.",
            hint=f"Give content, or with {file} a Markdown file in a memory folder.",
        )
    new = new_memory(context.caller, request)
    warnings = await checked(context, new)
    linked = await context.memory.in_transaction(
        find_memories, context.caller, [link.to for link in request.links]
    )
    ends = [(link.relation, memory.id) for link, memory in zip(request.links, linked, strict=True)]
    saved = await context.memory.save(
        context.caller, new, gate=False if request.force else None, dry_run=request.dry_run
    )
    known = set()
    if saved.id is not None:
        known.add(saved.id)
        if not request.dry_run:
            warnings += await _link(context, saved.id, ends)
    surfaced = await surface(context, new.content, tokens=_SURFACED_TOKENS, known=known)
    return Result(
        summary=_summary(saved),
        data=SaveOutput.of(
            saved,
            surfaced,
            warnings=(*warnings, *saved.warnings),
            embedding_reason=_EMBEDDING[saved.embedding],
        ),
        hints=(*_hints(saved), *_kind_hints(new.kind), *_secrets_advice(request)),
    )


def new_memory(caller: Caller, request: NewMemoryInput, **others: Any) -> NewMemory:
    """Return what a request asks to save. `others` give the attributes that the request has not."""
    scope = caller.home if request.scope is None else request.scope
    attributes = _same_attributes(request, NewMemory) | {"scope": scope, "memory_type": request.type}
    return NewMemory(**attributes | others)


def _same_attributes(request: OperationInput, kind: type[NewMemory | NewFile]) -> dict[str, Any]:
    """Return the values that a request has for attributes of `kind`."""
    names = {field.name for field in fields(kind)} & type(request).model_fields.keys()
    return {name: getattr(request, name) for name in names}


def _secrets_advice(request: SaveInput) -> tuple[Advice, ...]:
    """Advise how to keep what was taken out as a secret."""
    return () if request.keep_secrets or not fields_with_secrets(request.model_dump()) else (KEEP_SECRETS,)


async def checked(context: OperationContext, new: NewMemory) -> list[str]:
    """Return what its author may want to know; raise InvalidInput (E093) for what may not be saved."""
    findings = await context.memory.in_transaction(
        check_before_saving, context.caller, new, count_tokens=context.memory.counter.count
    )
    refuse_errors(findings)
    return [f"{finding.message} {finding.hint}" for finding in findings]


async def _link(
    context: OperationContext, saved_id: UUID, ends: Sequence[tuple[Relation, UUID]]
) -> list[str]:
    """Link the memory, which is saved by now: a refused link is reported, and takes nothing back."""
    refusals = []
    for relation, end in ends:
        try:
            await context.memory.in_transaction(link_memories, context.caller, saved_id, end, relation)
        except Refused as refusal:
            refusals.append(f"Saved, but not linked to {end}: {refusal.message}")
    return refusals


async def _save_file(context: OperationContext, request: SaveInput) -> Result[SaveOutput]:
    """Save a file as it is, or write the content to it first."""
    engine = context.memory
    path = Path(request.file_path or "")
    if request.content is not None:
        _refuse_attributes_without_place_in_file(request)
        indexed = await engine.files.save(
            context.caller,
            path,
            _new_file(request),
            scope=request.scope,
            expected_hash=bytes.fromhex(request.expected_hash) if request.expected_hash else None,
            keep_secrets=request.keep_secrets,
        )
    else:
        indexed = await engine.files.index(
            context.caller,
            path,
            scope=request.scope,
            force=request.force or request.keep_secrets,
            keep_secrets=request.keep_secrets,
            dry_run=request.dry_run,
        )
    surfaced = await surface(context, request.content or request.title, tokens=_SURFACED_TOKENS)
    would = "would be " if request.dry_run else ""
    return Result(
        summary=f"The file {would}{indexed.status}.",
        data=SaveOutput.of(
            indexed,
            surfaced,
            id=None if request.dry_run else indexed.memory_id,
            action=indexed.status,
            file_hash=indexed.sha256.hex(),
            unresolved=tuple(f"{link.kind}: {link.reference}" for link in indexed.unresolved),
            dry_run=request.dry_run,
        ),
        hints=(*_secrets_advice(request), *_file_hints(indexed)),
    )


def _file_hints(indexed: IndexedFile) -> tuple[str | Advice, ...]:
    hints: list[str | Advice] = []
    if indexed.unresolved:
        hints.append("Links to memories that are not there yet are drawn when they are.")
    if indexed.asks_for:
        hints += [
            f"It asks to be {indexed.asks_for}, and is normal until the founder confirms that.",
            Advice("memory.confirm", to="see what waits"),
        ]
    return tuple(hints)


def _refuse_attributes_without_place_in_file(request: SaveInput) -> None:
    if request.dry_run or request.links or request.thread or request.speaker or request.occurred_at:
        raise InvalidInput(
            "A file is written without dry_run, links, thread, speaker and occurred_at.",
            number="E030",
            kept="Nothing was written.",
            hint="Leave them out, or save the content without a file.",
        )


def _new_file(request: SaveInput) -> NewFile:
    attributes = _same_attributes(request, NewFile) | {
        "body": request.content or "",
        "tier": None if request.tier is ImportanceTier.NORMAL else request.tier,
        "memory_type": request.type,
        "links": (),
    }
    return NewFile(**attributes)


def _summary(saved: Saved) -> str:
    if saved.dry_run:
        return f"Would be {saved.action}: {saved.reason} Nothing was changed."
    return f"{saved.action.capitalize()}: {saved.reason}"


def _hints(saved: Saved) -> tuple[str | Advice, ...]:
    if saved.dry_run:
        return ("Call again without dry_run to save it.",)
    if saved.action is GateAction.SUPERSEDED:
        return (Advice("memory.reinstate", to="bring the retired one back", id=str(saved.existing_id)),)
    if saved.contradiction:
        return "Both memories are kept.", Advice("memory.correct", to="say which one holds")
    return ()


def _kind_hints(kind: MemoryKind) -> tuple[str, ...]:
    """Tell that a recall leaves out a kind unless it asks for it."""
    return (f"A recall finds {kind} only where it asks for that kind.",) if kind in ASKED_FOR else ()


SAVE = declare(
    _save,
    name="memory_save",
    title="Save a memory",
    layer=Layer.DETAIL,
    about="Remember a text or a Markdown file. What resembles it is reinforced, updated or linked, and you are told.",
)
