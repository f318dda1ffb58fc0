"""One line about a memory: its name, kind, owner, and age. Pure but for the age."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, TypeAlias

from frasier.interfaces.cli.output import ago, short
from frasier.kernel.text import shorten

if TYPE_CHECKING:
    from frasier.interfaces.operations.memory.outputs import FoundMemory, MemoryDetail, MemorySummary
    from frasier.memory import LinkedMemory

    AnyMemory: TypeAlias = FoundMemory | MemoryDetail | MemorySummary | LinkedMemory

_NAME_CHARS = 100


def since(moment: datetime | None) -> str:
    """Return the time since a moment; empty if there is no moment."""
    return ago(moment) if moment else ""


def day(moment: datetime | None) -> str:
    """Format a moment in the founder's time zone, to the minute; empty if there is no moment."""
    return f"{moment.astimezone():%Y-%m-%d %H:%M}" if moment else ""


def origin(memory: AnyMemory) -> str:
    """Return kind, scope, speaker, time, age and id of a memory, as far as the answer has them."""
    kind = memory.kind or "memory"
    said_by = " ".join(
        filter(None, (getattr(memory, "speaker", None), day(getattr(memory, "occurred_at", None))))
    )
    held_until = day(getattr(memory, "valid_until", None))
    tier = getattr(memory, "tier", "normal")
    parts = [
        (kind if tier == "normal" else f"{tier} {kind}") + (f" in {memory.scope}" if memory.scope else ""),
        said_by,
        f"held until {held_until}" if held_until else "",
        since(getattr(memory, "created_at", None)),
        short(memory.id),
    ]
    return " · ".join(part for part in parts if part)


def name_of(title: str, *texts: str, chars: int = _NAME_CHARS) -> str:
    """Return the title of a memory, or the beginning of its first text."""
    text = next(filter(None, (title, *texts)), "")
    return shorten(" ".join(text.split()), chars)
