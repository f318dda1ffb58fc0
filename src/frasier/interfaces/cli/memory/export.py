"""`frasier memory export`: whole memories, for reading or for another program."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import typer

from frasier.interfaces.cli.memory.memory_text import day, name_of
from frasier.interfaces.cli.operation_command import scopes_in
from frasier.interfaces.cli.operation_options import Arguments, options_of
from frasier.interfaces.cli.output import print_json, write_out
from frasier.interfaces.cli.run_operation import Call, talk
from frasier.interfaces.cli.with_services import JsonOption
from frasier.interfaces.operations.memory.recall import LIST

if TYPE_CHECKING:
    from frasier.interfaces.operations.memory.outputs import ListedMemory

_PAGE = 100
_LISTED_ONLY = {"limit", "offset", "tier", "sort_by", "archived", "full", "after"}
# Each memory is of one of these lists; the tier is else that of none that was replaced.
_LISTS: tuple[dict[str, Any], ...] = tuple(
    {"archived": archived, "tier": tier} for archived in (False, True) for tier in (None, "deprecated")
)


@options_of(LIST.input, leave_out=_LISTED_ONLY)
def export(context: typer.Context, arguments: Arguments, as_json: JsonOption = False) -> None:
    """Print whole memories as Markdown, the oldest first. Replaced and archived ones are among them; markers only if
    `--kind` asks for them.
    """

    async def work(call: Call) -> list[ListedMemory]:
        return [memory for part in _LISTS for memory in await _whole_list(call, {**arguments, **part})]

    answers = talk(context, work, scopes=scopes_in(arguments))
    memories = sorted(answers, key=lambda memory: (memory.created_at, memory.id))
    if as_json:
        print_json([memory.model_dump(mode="json", exclude_defaults=True) for memory in memories])
        return
    write_out("\n".join(line for memory in memories for line in _lines(memory)))


async def _whole_list(call: Call, arguments: Arguments) -> list[ListedMemory]:
    memories: list[ListedMemory] = []
    after: str | None = ""
    while after is not None:
        answer = await call(LIST, {**arguments, "full": True, "limit": _PAGE, "after": after or None})
        memories += answer.data.memories
        after = answer.data.next or None
    return memories


def _lines(memory: ListedMemory) -> Iterator[str]:
    yield f"## {name_of(memory.title, memory.content)}"
    yield ""
    facts = {
        "id": str(memory.id),
        "kind": memory.kind if memory.tier == "normal" else f"{memory.tier} {memory.kind}",
        "scope": memory.scope,
        "saved": " by ".join(filter(None, (day(memory.created_at), memory.saved_by))),
        "archived": day(memory.archived_at),
        "happened": day(memory.occurred_at),
        "said by": memory.speaker or "",
        "thread": memory.thread or "",
        "holds from": day(memory.valid_from),
        "holds until": day(memory.valid_until),
        "tags": ", ".join(memory.tags),
    }
    yield from (f"- {name}: {value}" for name, value in facts.items() if value)
    yield ""
    yield memory.content.rstrip()
    yield ""
    yield ""
