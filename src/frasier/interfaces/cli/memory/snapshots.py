"""`frasier memory checkpoint`: what is remembered, kept as it is now and put back whole."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from frasier.interfaces.cli.memory.call_tool import AlsoScopes, Data, OnlyScopes, YesOption, ask, say, show
from frasier.interfaces.cli.memory.parse_args import confirm
from frasier.interfaces.cli.with_services import JsonOption, command_group

if TYPE_CHECKING:
    from frasier.interfaces.cli.output import Page

checkpoint = command_group("Checkpoints: what is remembered, kept as it is and put back.")

NameArgument = Annotated[str, typer.Argument(metavar="NAME", help="Letters, digits, - and _.")]


@checkpoint.command()
def create(
    context: typer.Context, name: NameArgument, scope: OnlyScopes = None, as_json: JsonOption = False
) -> None:
    """Keep all memories as they are now under a name."""
    envelope = ask(context, "checkpoint_create", {"name": name, "scopes": scope}, scopes=scope)
    show(envelope, lambda page, data: _draw_list(page, {"checkpoints": [data]}), as_json=as_json)


@checkpoint.command("list")
def list_(
    context: typer.Context,
    limit: Annotated[int, typer.Option("--limit", "-n", help="How many to show at most, 1 to 100.")] = 20,
    scope: AlsoScopes = None,
    as_json: JsonOption = False,
) -> None:
    """List checkpoints. The newest comes first; those made before a deletion are among them."""
    show(ask(context, "checkpoint_list", {"limit": limit}, scopes=scope), _draw_list, as_json=as_json)


@checkpoint.command()
def restore(
    context: typer.Context,
    name: NameArgument,
    clear: Annotated[
        bool, typer.Option("--clear", help="Remove what is there first; it is kept as another checkpoint.")
    ] = False,
    yes: YesOption = False,
    scope: AlsoScopes = None,
    as_json: JsonOption = False,
) -> None:
    """Put the memories of a checkpoint back. What is there stays, unless --clear removes it first."""
    if clear:
        confirm(f"Remove what is remembered now, and put {name} in its place?", yes=yes)
    given = {"name": name, "mode": "clear" if clear else "merge"}
    envelope = ask(context, "checkpoint_restore", given, scopes=scope)
    show(envelope, lambda page, data: _draw_restored(page, envelope["summary"], data), as_json=as_json)


@checkpoint.command()
def delete(
    context: typer.Context,
    name: NameArgument,
    yes: YesOption = False,
    scope: AlsoScopes = None,
    as_json: JsonOption = False,
) -> None:
    """Delete a checkpoint. The memories stay."""
    confirm(f"Delete the checkpoint {name}?", yes=yes)
    say(ask(context, "checkpoint_delete", {"name": name}, scopes=scope), as_json=as_json)


def _draw_list(page: Page, data: Data) -> None:
    from frasier.interfaces.cli.memory.memory_line import since
    from frasier.interfaces.cli.output import Column

    if not data["checkpoints"]:
        page.line("There is no checkpoint.")
    page.table(
        [
            "checkpoint",
            Column("memories", right=True),
            Column("KiB", right=True),
            "scopes",
            Column("made", fixed=True),
            "",
        ],
        [
            (
                one["name"],
                f"{one['counts'].get('memories', 0):,}",
                f"{one['size_bytes'] / 1024:,.1f}",
                ", ".join(one["scopes"]),
                (since(one["created_at"]), "dim"),
                ("before a deletion" if one["partial"] else "automatic" if one["automatic"] else "", "dim"),
            )
            for one in data["checkpoints"]
        ],
    )


def _draw_restored(page: Page, summary: str, data: Data) -> None:
    from frasier.kernel.humanize import plural

    page.line(summary)
    if data["withheld"] or data["spared"]:
        page.line((f"{data['withheld'] + data['spared']:,} were left alone.", "yellow"))
    if data["owed"]:
        page.line((f"{plural(data['owed'], 'vector')} will be made anew.", "dim"))
