"""`frasier memory token`: the tokens that give access over HTTP."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from frasier.interfaces.cli.output import Cell, Page, clock, print_json, show_done, show_view
from frasier.interfaces.cli.token_file import OutOption, token_place
from frasier.interfaces.cli.with_services import JsonOption, command_group, in_transaction

if TYPE_CHECKING:
    from frasier.memory import AccessToken

token = command_group("Tokens: who may use the memory over HTTP, and which scopes.")

NameArgument = Annotated[str, typer.Argument(help="The token's name.")]


@token.command()
def create(
    context: typer.Context,
    name: NameArgument,
    scope: Annotated[
        list[str] | None,
        typer.Option("--scope", "-s", help="A scope it reads and writes, the first is its own; repeatable."),
    ] = None,
    founder: Annotated[
        bool,
        typer.Option(
            "--founder",
            help="Within its scopes it may write what binds everybody. Never give it to an agent.",
        ),
    ] = False,
    read_only: Annotated[
        bool,
        typer.Option(
            "--read-only",
            help="It may read these scopes, every board and the whole organisation; change nothing.",
        ),
    ] = False,
    out: OutOption = None,
    as_json: JsonOption = False,
) -> None:
    """Make a token. It is shown once, and only its hash is kept."""
    from frasier.memory import SHARED_SCOPE, issue_token

    scopes = scope or [SHARED_SCOPE]

    with token_place(out) as place:
        secret = in_transaction(context, issue_token, name, scopes, founder=founder, read_only=read_only)
        if out or not as_json:
            place(secret)
    if as_json:
        where = {"token_file": out} if out else {"token": secret}
        print_json({"name": name, "scopes": scopes, "founder": founder, "read_only": read_only, **where})
    else:
        use = "read" if read_only else "use"
        typer.echo(f"{name} may {use} {', '.join(scopes)}. The token is not shown again.", err=True)


@token.command("list")
def list_all(context: typer.Context, as_json: JsonOption = False) -> None:
    """Show whose tokens there are. The tokens themselves are not kept."""
    from dataclasses import asdict

    from frasier.memory import list_tokens

    tokens = in_transaction(context, list_tokens)
    show_view(tokens, _draw_tokens, lambda tokens: [asdict(listed) for listed in tokens], as_json=as_json)


@token.command()
def revoke(context: typer.Context, name: NameArgument, as_json: JsonOption = False) -> None:
    """Revoke a token at once. It gives no access any more."""
    from frasier.memory import revoke_token

    in_transaction(context, revoke_token, name)
    show_done(f"The token {name} is no longer valid.", {"revoked": name}, as_json=as_json)


def _draw_tokens(page: Page, tokens: Sequence[AccessToken]) -> None:
    page.table(["Name", "Scopes", "Made", "Valid"], [_row(listed) for listed in tokens])
    if not tokens:
        page.line("There is no token. `frasier memory token create` makes one.")


def _row(listed: AccessToken) -> tuple[Cell, ...]:
    rights = " (founder)" if listed.founder else " (reads only)" if listed.read_only else ""
    name = f"{listed.name}{rights}"
    valid = "yes" if listed.revoked_at is None else f"revoked {clock(listed.revoked_at)}"
    return (name, ", ".join(listed.scopes), clock(listed.created_at), valid)
