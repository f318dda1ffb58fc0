"""`frasier task member`: the members of boards, each with a token of its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer

from frasier.board import Enrolment, Member, enroll_member, list_members, remove_member
from frasier.interfaces.cli.output import Page, ago, print_json, show_done, show_view
from frasier.interfaces.cli.token_file import OutOption, token_place
from frasier.interfaces.cli.with_services import JsonOption, as_actor, command_group
from frasier.kernel.humanize import person

member = command_group("Members: who works on boards, and by which token.")

NameArgument = Annotated[
    str, typer.Argument(metavar="NAME", help="The member's name, which is that of its token.")
]


@member.command()
def add(
    context: typer.Context,
    name: NameArgument,
    role: Annotated[
        list[str], typer.Option("--role", "-r", help="What it may act as, such as dev; repeatable.")
    ],
    board: Annotated[
        list[str] | None,
        typer.Option(
            "--board",
            "-b",
            help="Where, beside the boards that it is on; everywhere if not said; repeatable.",
        ),
    ] = None,
    scope: Annotated[
        list[str] | None,
        typer.Option(
            "--scope",
            "-s",
            help="Also a scope of the memory for its new token, beside those of its boards; repeatable.",
        ),
    ] = None,
    out: OutOption = None,
    as_json: JsonOption = False,
) -> None:
    """Add a member, or change what one may do. A new one gets a token, which is shown once.

    Named boards are added to those that it has, and its token opens their memory. `remove` it first to take boards
    away; the memory that its token opens stays open to it until the token is revoked.
    """
    with token_place(out) as place:
        added = as_actor(
            context,
            lambda services, actor: services.in_transaction(
                enroll_member, name, role, board or [], scope or [], actor=actor
            ),
        )
        if added.token and (out or not as_json):
            place(added.token)
    if as_json:
        _print_added(added, out)
        return
    where = ", ".join(added.member.boards) or "every board"
    gone = f", and no longer as {', '.join(added.lost_roles)}" if added.lost_roles else ""
    acts = f"{person(added.member.name)} acts as {', '.join(added.member.roles)} in {where}{gone}."
    typer.echo(acts, err=True)
    if added.token:
        kept = f"It is in {out}" if out else "It is not shown again"
        said = f"Its token is for {', '.join(added.scopes)}. {kept}; FRASIER_TOKEN holds it at work."
    else:
        said = f"It goes on with the token that it has, for {', '.join(added.scopes)}."
    typer.echo(said, err=True)


def _print_added(added: Enrolment, out: str | None) -> None:
    held = {"token_file": out if added.token else None} if out else {"token": added.token or None}
    print_json({**_as_dict(added.member), "scopes": added.scopes, **held})


@member.command("list")
def list_(context: typer.Context, as_json: JsonOption = False) -> None:
    """List members. Those that were removed are among them."""
    members = as_actor(context, lambda services, _actor: services.in_transaction(list_members))
    show_view(
        members, _draw_members, lambda members: {"members": list(map(_as_dict, members))}, as_json=as_json
    )


def _draw_members(page: Page, members: Sequence[Member]) -> None:
    if not members:
        page.line("There is no member. `frasier task member add NAME --role ROLE` adds one.")
    page.table(
        ["member", "acts as", "in", "since", ""],
        [
            (
                person(member.name),
                ", ".join(member.roles),
                ", ".join(member.boards) or "every board",
                (ago(member.added_at), "dim"),
                (_ended(member), "red"),
            )
            for member in members
        ],
    )


def _ended(member: Member) -> str:
    """Return since when, or why, a former member is no longer one; empty for a current member."""
    if member.removed_at:
        return f"removed {ago(member.removed_at)}"
    return "" if member.has_token else "its token was revoked"


@member.command()
def remove(context: typer.Context, name: NameArgument, as_json: JsonOption = False) -> None:
    """Remove a member. It may do nothing on any board from now on; its token still opens its memory."""
    as_actor(context, lambda services, actor: services.in_transaction(remove_member, name, actor=actor))
    show_done(
        f"{name} may not act on any board any more; what it holds is given back when its lease ends. Its token"
        f" still opens its memory: `frasier memory token revoke {name}` ends that too.",
        {"removed": name},
        as_json=as_json,
    )


def _as_dict(member: Member) -> dict[str, object]:
    return {
        "member": person(member.name),
        "roles": member.roles,
        "boards": member.boards,
        "added_at": member.added_at,
        "removed_at": member.removed_at,
        "has_token": member.has_token,
    }
