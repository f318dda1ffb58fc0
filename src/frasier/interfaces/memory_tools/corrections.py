"""Corrections: what was wrong, what is right instead, and taking that back."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from frasier.interfaces.memory_tools.fields import MemoryRef, Page, ScopeField, secret_hints
from frasier.interfaces.tools import Layer, Reply, Surroundings, Tool, ToolInput, as_json, told
from frasier.kernel.advice import Advice
from frasier.memory import (
    Caller,
    Correction,
    CorrectionType,
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


class CorrectInput(ToolInput):
    id: MemoryRef
    type: CorrectionType = Field(
        description="deprecated needs no replacement; refined and merged keep it recalled"
    )
    reason: str = Field(min_length=1, max_length=2_000, description="Why it is wrong")
    replacement_id: MemoryRef | None = Field(None, description="The memory that is right")
    replacement: str | None = Field(None, max_length=100_000, description="Or the right text, which is saved")
    replacement_title: str = Field("", max_length=500)
    scope: ScopeField = Field(None, description="Of the new text; default: where the wrong one is")
    outcome: WorkOutcome | None = Field(None, description="What became of work that relied on it")
    pattern: str = Field("", max_length=2_000, description="What can be learned beyond this case")


async def _correct(around: Surroundings, given: CorrectInput) -> Reply:
    engine = around.engine
    named = [given.id, *([given.replacement_id] if given.replacement_id else [])]
    original, *successors = await engine.in_transaction(find_memories, around.caller, named)
    correction = await engine.in_transaction(
        correct_memory,
        around.caller,
        original.id,
        given.type,
        replacement_id=successors[0].id if successors else None,
        replacement=_replacement(around.caller, original, given),
        reason=given.reason,
        outcome=given.outcome,
        pattern=given.pattern,
        penalise=engine.settings.corrections_penalise,
    )
    return Reply(
        summary=_said(correction),
        data=_shape(correction),
        hints=(
            Advice("memory.correct_undo", to="take it back", correction_id=str(correction.id)),
            *secret_hints(given),
        ),
    )


def _replacement(caller: Caller, original: Memory, given: CorrectInput) -> NewMemory | None:
    """What is right, as a memory like the one that was wrong."""
    if given.replacement is None:
        return None
    return NewMemory(
        kind=original.kind,
        scope=given.scope or original.scope,
        content=given.replacement,
        title=given.replacement_title or original.title,
        tags=original.tags,
        triggers=original.triggers,
        importance=original.importance,
        provenance={"saved_by": caller.name},
    )


def _said(correction: Correction) -> str:
    if correction.repeated:
        return "It was corrected so before; that correction stands."
    if not correction.applied:
        return "The correction is on record; nothing else changed."
    gone = correction.correction_type in {CorrectionType.SUPERSEDED, CorrectionType.DEPRECATED}
    return f"{correction.correction_type.capitalize()}{': it is no longer recalled' if gone else ''}."


def _shape(correction: Correction) -> dict[str, Any]:
    return told(
        correction_id=correction.id,
        original_id=correction.original_id,
        replacement_id=correction.replacement_id,
        type=correction.correction_type,
        reason=correction.reason,
        pattern=correction.pattern,
        corrected_by=correction.corrected_by,
        created_at=correction.created_at,
        undone_at=correction.undone_at,
        applied=correction.applied,
    )


class UndoInput(ToolInput):
    correction_id: str = Field(
        max_length=60, description="As memory_correct gave it; its first or last 8 digits will do"
    )


async def _undo(around: Surroundings, given: UndoInput) -> Reply:
    called = await around.engine.in_transaction(find_correction, around.caller, given.correction_id)
    undone = await around.engine.in_transaction(undo_correction, around.caller, called)
    return Reply(
        summary="It was undone before."
        if undone.repeated
        else "Undone: all that the correction did to what it corrected is taken back.",
        data=told(
            correction_id=undone.correction_id,
            original_id=undone.original_id,
            replacement_id=undone.replacement_id,
            tier=undone.tier,
        ),
        hints=(
            "What was given as right stays a memory of its own.",
            Advice("memory.delete", to="forget it", id=str(undone.replacement_id)),
        )
        if undone.replacement_id
        else (),
    )


class CorrectionsInput(ToolInput):
    id: MemoryRef | None = Field(None, description="Of this memory; default: all")
    limit: Page = 20
    stats: bool = Field(False, description="Also counts by type")


async def _corrections(around: Surroundings, given: CorrectionsInput) -> Reply:
    engine, caller = around.engine, around.caller
    of = (await engine.in_transaction(find_memory, caller, given.id)).id if given.id else None
    corrections = await engine.in_transaction(corrections_of, caller, of, limit=given.limit)
    stats = await engine.in_transaction(correction_stats, caller) if given.stats else None
    return Reply(
        summary=f"{len(corrections)} corrections.",
        data={"corrections": [_shape(one) for one in corrections]}
        | ({"stats": as_json(stats)} if stats else {}),
    )


CORRECTING = (
    Tool(
        name="memory_correct",
        title="Correct a memory",
        layer=Layer.SURGICAL,
        about="Say that a memory is wrong and what is right. Kept on record, and can be undone.",
        input=CorrectInput,
        run=_correct,
    ),
    Tool(
        name="memory_correct_undo",
        title="Undo a correction",
        layer=Layer.SURGICAL,
        about="Take a correction back, with all that it did to what it corrected; what was given as right stays.",
        input=UndoInput,
        run=_undo,
        idempotent=True,
    ),
    Tool(
        name="memory_corrections",
        title="Corrections",
        layer=Layer.DETAIL,
        about="What was corrected, by whom and why.",
        input=CorrectionsInput,
        run=_corrections,
        read_only=True,
        idempotent=True,
    ),
)
