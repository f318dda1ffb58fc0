"""`frasier memory checkpoint`: snapshots of memories, and restoring them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer

from frasier.interfaces.cli.memory.memory_text import since
from frasier.interfaces.cli.operation_command import operation_command
from frasier.interfaces.cli.operation_options import Arguments, options_of
from frasier.interfaces.cli.output import Cell, Page, fixed, numbers
from frasier.interfaces.cli.parse_args import confirm
from frasier.interfaces.cli.run_operation import AlsoScopes, YesOption, ask, show, show_summary
from frasier.interfaces.cli.with_services import JsonOption, command_group
from frasier.interfaces.operations.memory.snapshots import (
    CHECKPOINT_CREATE,
    CHECKPOINT_DELETE,
    CHECKPOINT_LIST,
    CHECKPOINT_RESTORE,
    CheckpointListOutput,
    CheckpointOutput,
    RestoreOutput,
)
from frasier.kernel.humanize import plural

checkpoint = command_group("Checkpoints: what is remembered, kept as it is and put back.")


@checkpoint.command()
@operation_command(CHECKPOINT_CREATE)
def create(page: Page, data: CheckpointOutput) -> None:
    """Keep all memories as they are now under a name."""
    _draw_checkpoints(page, [data])


@checkpoint.command("list")
@operation_command(CHECKPOINT_LIST)
def list_(page: Page, data: CheckpointListOutput) -> None:
    """List checkpoints. The newest comes first; those made before a deletion are among them."""
    if not data.checkpoints:
        page.line("There is no checkpoint.")
    _draw_checkpoints(page, data.checkpoints)


@checkpoint.command()
@options_of(CHECKPOINT_RESTORE.input, leave_out=["mode"])
def restore(
    context: typer.Context,
    arguments: Arguments,
    clear: Annotated[
        bool, typer.Option("--clear", help="Remove what is there first; it is kept as another checkpoint.")
    ] = False,
    yes: YesOption = False,
    scope: AlsoScopes = None,
    as_json: JsonOption = False,
) -> None:
    """Put the memories of a checkpoint back. Existing memories stay, unless --clear removes them first."""
    if clear:
        confirm(f"Remove what is remembered now, and put {arguments['name']} in its place?", yes=yes)
    arguments |= {"mode": "clear" if clear else "merge"}
    answer = ask(context, CHECKPOINT_RESTORE, arguments, scopes=scope)
    show(answer, _draw_restored, as_json=as_json, summary=True)


@checkpoint.command()
@options_of(CHECKPOINT_DELETE.input)
def delete(
    context: typer.Context,
    arguments: Arguments,
    yes: YesOption = False,
    scope: AlsoScopes = None,
    as_json: JsonOption = False,
) -> None:
    """Delete a checkpoint. The memories stay."""
    confirm(f"Delete the checkpoint {arguments['name']}?", yes=yes)
    show_summary(ask(context, CHECKPOINT_DELETE, arguments, scopes=scope), as_json=as_json)


def _draw_checkpoints(page: Page, checkpoints: Sequence[CheckpointOutput]) -> None:
    page.table(
        ["checkpoint", numbers("memories"), numbers("KiB"), "scopes", fixed("made"), ""],
        [_row(listed) for listed in checkpoints],
    )


def _row(listed: CheckpointOutput) -> tuple[Cell, ...]:
    origin = "before a deletion" if listed.partial else "automatic" if listed.automatic else ""
    return (
        listed.name,
        f"{listed.memories:,}",
        f"{listed.size_bytes / 1024:,.1f}",
        ", ".join(listed.scopes),
        (since(listed.created_at), "dim"),
        (origin, "dim"),
    )


def _draw_restored(page: Page, data: RestoreOutput) -> None:
    if left_alone := data.withheld + data.spared:
        page.line((f"{left_alone:,} were left alone.", "yellow"))
    if data.owed:
        page.line((f"{plural(data.owed, 'vector')} will be recomputed.", "dim"))
