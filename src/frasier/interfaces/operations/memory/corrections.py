"""Corrections: record what was wrong and what is right instead, undo that, and list both."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Self
from uuid import UUID

from pydantic import Field

from frasier.interfaces.operations import (
    CliOption,
    Layer,
    OperationContext,
    OperationInput,
    Output,
    Reads,
    Result,
    declare,
)
from frasier.interfaces.operations.memory.fields import MemoryRef, Page, ScopeField, secret_hints
from frasier.kernel.advice import Advice
from frasier.memory import (
    Caller,
    Correction,
    CorrectionStats,
    CorrectionType,
    ImportanceTier,
    Memory,
    NewMemory,
    WorkOutcome,
    correct_memory,
    correction_stats,
    corrections_of,
    find_correction,
    find_memories,
    find_memory,
    undo_correction,
)


class CorrectInput(OperationInput):
    id: MemoryRef
    type: CorrectionType = Field(
        description="deprecated needs no replacement; refined and merged keep it recalled"
    )
    reason: Annotated[str, CliOption(flags=("--reason", "--note"))] = Field(
        min_length=1, max_length=2_000, description="Why it is wrong"
    )
    replacement_id: Annotated[
        MemoryRef | None,
        CliOption(flags=("--by",), metavar="MEMORY", help="The memory that is right, if there is one."),
    ] = Field(None, description="The memory that is right")
    replacement: Annotated[
        str | None, CliOption(argument="TEXT", help="What is right.", reads=Reads.TEXT)
    ] = Field(None, max_length=100_000, description="Or the right text, which is saved")
    replacement_title: Annotated[
        str, CliOption(flags=("--title", "-t"), help="The title of the right text.")
    ] = Field("", max_length=500)
    scope: ScopeField = Field(None, description="Of the new text; default: where the wrong one is")
    outcome: Annotated[
        WorkOutcome | None,
        CliOption(help="What became of work that relied on it: accepted, modified or rejected."),
    ] = Field(None, description="What became of work that relied on it")
    pattern: str = Field("", max_length=2_000, description="What can be learned beyond this case")


class CorrectionOutput(Output):
    """A recorded correction; not `applied` if nothing else changed."""

    correction_id: UUID
    original_id: UUID
    replacement_id: UUID | None = None
    type: CorrectionType
    reason: str = ""
    pattern: str = ""
    corrected_by: str = ""
    created_at: datetime
    undone_at: datetime | None = None
    applied: bool

    @classmethod
    def of_correction(cls, correction: Correction) -> Self:
        """Describe a correction."""
        return cls.of(correction, correction_id=correction.id, type=correction.correction_type)


async def _correct(context: OperationContext, request: CorrectInput) -> Result[CorrectionOutput]:
    engine = context.memory
    named = [request.id, *([request.replacement_id] if request.replacement_id else [])]
    original, *successors = await engine.in_transaction(find_memories, context.caller, named)
    correction = await engine.in_transaction(
        correct_memory,
        context.caller,
        original.id,
        request.type,
        replacement_id=successors[0].id if successors else None,
        replacement=_replacement(context.caller, original, request),
        reason=request.reason,
        outcome=request.outcome,
        pattern=request.pattern,
        penalise=engine.settings.corrections_penalise,
    )
    return Result(
        summary=_summary(correction),
        data=CorrectionOutput.of_correction(correction),
        hints=(
            Advice("memory.correct_undo", to="take it back", correction_id=str(correction.id)),
            *secret_hints(request),
        ),
    )


def _replacement(caller: Caller, original: Memory, request: CorrectInput) -> NewMemory | None:
    """Make the right text a memory like the one that was wrong."""
    if request.replacement is None:
        return None
    return NewMemory(
        kind=original.kind,
        scope=request.scope or original.scope,
        content=request.replacement,
        title=request.replacement_title or original.title,
        tags=original.tags,
        triggers=original.triggers,
        importance=original.importance,
        provenance={"saved_by": caller.name},
    )


def _summary(correction: Correction) -> str:
    if correction.repeated:
        return "It was corrected so before; that correction stands."
    if not correction.applied:
        return "The correction is on record; nothing else changed."
    gone = correction.correction_type in {CorrectionType.SUPERSEDED, CorrectionType.DEPRECATED}
    return f"{correction.correction_type.capitalize()}{': it is no longer recalled' if gone else ''}."


class UndoInput(OperationInput):
    correction_id: Annotated[
        str,
        CliOption(
            argument="CORRECTION",
            help="A correction's id, as `corrections` shows it; its last 8 characters are enough.",
        ),
    ] = Field(max_length=60, description="As memory_correct gave it; its first or last 8 digits will do")


class UndoOutput(Output):
    """A correction that was undone; `tier` is the original's now."""

    correction_id: UUID
    original_id: UUID
    replacement_id: UUID | None = None
    tier: ImportanceTier


async def _undo(context: OperationContext, request: UndoInput) -> Result[UndoOutput]:
    correction_id = await context.memory.in_transaction(
        find_correction, context.caller, request.correction_id
    )
    undone = await context.memory.in_transaction(undo_correction, context.caller, correction_id)
    return Result(
        summary="It was undone before."
        if undone.repeated
        else "Undone: all that the correction did to what it corrected is taken back.",
        data=UndoOutput.of(undone),
        hints=(
            "What was given as right stays a memory of its own.",
            Advice("memory.delete", to="forget it", id=str(undone.replacement_id)),
        )
        if undone.replacement_id
        else (),
    )


class CorrectionsInput(OperationInput):
    id: Annotated[
        MemoryRef | None, CliOption(argument="MEMORY", help="Only of this memory; all if not said.")
    ] = Field(None, description="Of this memory; default: all")
    limit: Page = 20
    stats: bool = Field(False, description="Also counts by type")


class CorrectionsOutput(Output):
    """Corrections, latest first."""

    corrections: tuple[CorrectionOutput, ...]
    stats: CorrectionStats | None = None


async def _corrections(context: OperationContext, request: CorrectionsInput) -> Result[CorrectionsOutput]:
    engine, caller = context.memory, context.caller
    memory_id = (await engine.in_transaction(find_memory, caller, request.id)).id if request.id else None
    corrections = await engine.in_transaction(corrections_of, caller, memory_id, limit=request.limit)
    stats = await engine.in_transaction(correction_stats, caller) if request.stats else None
    return Result(
        summary=f"{len(corrections)} corrections.",
        data=CorrectionsOutput(
            corrections=tuple(map(CorrectionOutput.of_correction, corrections)),
            stats=stats,
        ),
    )


CORRECT = declare(
    _correct,
    name="memory_correct",
    title="Correct a memory",
    layer=Layer.SURGICAL,
    about="Say that a memory is wrong and what is right. Kept on record, and can be undone.",
)
CORRECT_UNDO = declare(
    _undo,
    name="memory_correct_undo",
    title="Undo a correction",
    layer=Layer.SURGICAL,
    about="Take a correction back, with all that it did to what it corrected; what was given as right stays.",
    idempotent=True,
)
CORRECTIONS = declare(
    _corrections,
    name="memory_corrections",
    title="Corrections",
    layer=Layer.DETAIL,
    about="What was corrected, by whom and why.",
    read_only=True,
)
