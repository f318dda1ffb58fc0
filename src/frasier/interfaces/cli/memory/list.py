"""`frasier memory list`: lists of memories."""

from __future__ import annotations

from typing import TYPE_CHECKING

from frasier.interfaces.cli.memory.memory_text import name_of, since
from frasier.interfaces.cli.operation_command import operation_command
from frasier.interfaces.cli.output import Page, fixed, short
from frasier.interfaces.operations.memory.recall import LIST, MemoryListOutput

if TYPE_CHECKING:
    from frasier.interfaces.operations.memory.outputs import MemorySummary

_LISTED_CHARS = 70


@operation_command(LIST, fixed={"full": False})
def list_(page: Page, data: MemoryListOutput) -> None:
    """List what is remembered. Markers only if `--kind` asks for them."""
    if not data.memories:
        page.line("No memory is that far down the list." if data.total else "No memory is there.")
        return
    page.table(
        [fixed("id"), "memory", "kind", "scope", fixed("saved")],
        [
            (
                (short(memory.id), "cyan"),
                _name(memory),
                _kind(memory),
                memory.scope,
                (since(memory.created_at), "dim"),
            )
            for memory in data.memories
        ],
    )
    page.line((f"{len(data.memories):,} of {data.total:,}", "dim"))


def _name(memory: MemorySummary) -> str:
    """Return the title, or the words of a turn of a conversation, of which many share one title."""
    named_by = (memory.snippet, "") if memory.kind == "conversation" else (memory.title, memory.snippet)
    return name_of(*named_by, chars=_LISTED_CHARS)


def _kind(memory: MemorySummary) -> str:
    return memory.kind if memory.tier == "normal" else f"{memory.kind}, {memory.tier}"
