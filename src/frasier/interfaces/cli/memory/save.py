"""`frasier memory save`, `update`, `delete` and the commands that undo them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer

from frasier.interfaces.cli.memory.memory_text import day
from frasier.interfaces.cli.operation_command import operation_command, scopes_in
from frasier.interfaces.cli.operation_options import Arguments, options_of
from frasier.interfaces.cli.output import Page, short
from frasier.interfaces.cli.parse_args import confirm
from frasier.interfaces.cli.run_operation import AlsoScopes, YesOption, ask, show
from frasier.interfaces.cli.text_args import HOW, typed_text
from frasier.interfaces.cli.with_services import JsonOption
from frasier.interfaces.operations import Output
from frasier.interfaces.operations.memory.change import (
    BULK_DELETE,
    REINSTATE,
    REVERT,
    UNARCHIVE,
    UPDATE,
    VERSIONS,
    BulkDeleteOutput,
    VersionsOutput,
)
from frasier.interfaces.operations.memory.save import SAVE, SaveOutput

MemoriesArgument = Annotated[
    list[str], typer.Argument(metavar="MEMORY", help="Ids; the last 8 characters of each are enough.")
]


@options_of(SAVE.input)
def save(context: typer.Context, arguments: Arguments, as_json: JsonOption = False) -> None:
    """Save a memory. A similar memory is reinforced, updated or linked; the answer says which."""
    if links := arguments.get("links"):
        arguments["links"] = [_link(link) for link in links]
    answer = ask(context, SAVE, arguments, scopes=scopes_in(arguments))
    show(answer, lambda page, data: _draw_saved(page, answer.summary, data), as_json=as_json)


@options_of(UPDATE.input, leave_out={"content"})
def update(
    context: typer.Context,
    arguments: Arguments,
    text: Annotated[str | None, typer.Option("--text", help=f"What it shall say. {HOW}")] = None,
    scope: AlsoScopes = None,
    as_json: JsonOption = False,
) -> None:
    """Change a memory. Only the fields that you give change; the old text is kept as a version."""
    answer = ask(context, UPDATE, arguments | {"content": typed_text(text)}, scopes=scope)
    show(answer, lambda page, data: _draw_warnings(page, data.warnings), as_json=as_json, summary=True)


@options_of(BULK_DELETE.input, leave_out={"ids", "confirm", "tier", "scope", "older_than_days"})
def delete(
    context: typer.Context,
    arguments: Arguments,
    memories: MemoriesArgument,
    yes: YesOption = False,
    scope: AlsoScopes = None,
    as_json: JsonOption = False,
) -> None:
    """Delete memories. A checkpoint of them is kept, from which they can be restored."""
    what = "this memory" if len(memories) == 1 else f"these {len(memories)} memories"
    confirm(
        f"Delete {what} {'for good' if arguments['skip_checkpoint'] else '(a checkpoint is kept)'}?", yes=yes
    )
    answer = ask(context, BULK_DELETE, arguments | {"ids": memories, "confirm": True}, scopes=scope)
    show(answer, _draw_deleted, as_json=as_json, summary=True)


@operation_command(VERSIONS, summary=True)
def versions(page: Page, data: VersionsOutput) -> None:
    """Show what a memory said before. Its versions, and what saving made of texts like it."""
    for version in data.versions:
        page.heading(f"Version {version.version}: {version.title}".rstrip(": "))
        reason = f" · {version.reason}" if version.reason else ""
        page.line((f"until {day(version.replaced_at)}{reason}", "dim"))
        page.prose(version.content)
    if data.said_before:
        page.heading("Saved here, or compared with it")
        for admission in data.said_before:
            page.line((f"{day(admission.at)}  ", "dim"), f"{admission.action}: {admission.reason}")
            page.prose(admission.content)


@operation_command(REVERT, summary=True)
def revert(page: Page, data: Output) -> None:
    """Let a memory say again what it said. What it says now becomes a version."""


@operation_command(UNARCHIVE, summary=True)
def unarchive(page: Page, data: Output) -> None:
    """Bring a memory back from the archive. It is recalled again."""


@operation_command(REINSTATE, summary=True)
def reinstate(page: Page, data: Output) -> None:
    """Bring a memory back that saving retired. A newer one says the opposite; both are kept."""


def _link(text: str) -> dict[str, str]:
    relation, equals, memory = text.partition("=")
    if not equals:
        raise typer.BadParameter(f"{text!r} is not RELATION=MEMORY", param_hint="--link")
    return {"relation": relation, "to": memory}


def _draw_saved(page: Page, summary: str, data: SaveOutput) -> None:
    page.line(("· " if data.dry_run else "✓ ", "green"), summary)
    compared = data.existing_id is not None and data.similarity is not None
    page.facts(
        ("id", str(data.id or "")),
        ("file", data.path),
        ("compared with", short(data.existing_id) if data.existing_id else ""),
        ("similarity", f"{data.similarity:.2f}" if compared else ""),
        ("contradicts", data.contradiction),
        ("linked to", ", ".join(map(short, data.related))),
        ("not found", ", ".join(data.unresolved)),
    )
    _draw_warnings(page, data.warnings)


def _draw_warnings(page: Page, warnings: Sequence[str]) -> None:
    for warning in warnings:
        page.line(("! ", "yellow"), warning)


def _draw_deleted(page: Page, data: BulkDeleteOutput) -> None:
    if data.spared:
        page.line((f"{data.spared} matched and were left alone.", "yellow"))
