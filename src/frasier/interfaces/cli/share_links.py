"""`frasier missions share`, `shares` and `unshare`: links by which others read one deliverable."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from frasier.interfaces.cli.output import Page, clock, fixed, short, show_done, show_view, write_out
from frasier.interfaces.cli.run_operation import ask_organisation
from frasier.interfaces.cli.with_services import JsonOption, LimitOption, MissionArgument

if TYPE_CHECKING:
    from frasier.interfaces.operations.organisation.shares import ShareListOutput
    from frasier.overview import ShareSummary


def _checked_address(text: str | None) -> str | None:
    from frasier.interfaces.server_settings import page_address

    try:
        return text if text is None else page_address(text)
    except ValueError as error:
        raise typer.BadParameter(f"{error}.") from None


def share(
    context: typer.Context,
    mission: MissionArgument,
    days: Annotated[
        int, typer.Option("--days", min=1, max=365, help="How many days the link is valid.")
    ] = 30,
    version: Annotated[
        int | None, typer.Option("--version", "-v", min=1, help="This version; without it the approved one.")
    ] = None,
    latest: Annotated[
        bool, typer.Option("--latest", help="Always the approved version, also a later one.")
    ] = False,
    address: Annotated[
        str | None,
        typer.Option(
            "--address",
            metavar="URL",
            help="Where they reach the page; without it FRASIER_SERVER__ADDRESS.",
            callback=_checked_address,
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Share a deliverable by a link. Whoever has it reads that result without a login, and nothing else.

    The link is shown once, and only a hash of it is kept.
    """
    from frasier.interfaces.cli.document import document_of
    from frasier.interfaces.cli.output import print_json
    from frasier.interfaces.operations.organisation.shares import CREATE

    arguments = {"mission": mission, "days": days, "version": version, "latest": latest}
    made = ask_organisation(context, CREATE, arguments)
    link = made.link if address is None else address + made.path
    if as_json:
        print_json(document_of(made.share) | {"path": made.path, "link": link})
        return
    write_out(f"{link}\n")
    typer.echo(
        f"{_subject(made.share)}; valid until {clock(made.share.ends_at)}."
        f" `frasier missions unshare {short(made.share.share)}` ends it.",
        err=True,
    )
    if address is None:
        typer.echo(_where_it_leads(made.link.removesuffix(made.path)), err=True)


def _where_it_leads(address: str) -> str:
    """Say which address a link begins with, and of one of this machine whether the page is there."""
    import asyncio
    from urllib.parse import urlsplit

    from frasier.interfaces.cli.page_server import HOST, is_served

    parts = urlsplit(address)
    other = "FRASIER_SERVER__ADDRESS or --address names another address"
    if parts.hostname == HOST and not asyncio.run(is_served(parts.port or 80)):
        return (
            f"No page of Frasier answers at {address} now. `frasier up` and `frasier serve` serve it there; "
            f"with another --port, {other}."
        )
    return f"It leads to the page at {address}; {other}."


def shares(
    context: typer.Context,
    mission: Annotated[
        str | None, typer.Argument(metavar="MISSION", help="Only those of this mission.")
    ] = None,
    limit: LimitOption = 50,
    as_json: JsonOption = False,
) -> None:
    """List the links by which deliverables are shared. The links themselves are not kept."""
    from frasier.interfaces.operations.organisation.shares import LIST

    view = ask_organisation(context, LIST, {"mission": mission, "limit": limit})
    show_view(view, _draw, as_json=as_json)


def unshare(
    context: typer.Context,
    share: Annotated[str, typer.Argument(metavar="SHARE", help="A link's id, its beginning or end.")],
    as_json: JsonOption = False,
) -> None:
    """Revoke a link at once. It shows nothing any more."""
    from frasier.interfaces.cli.document import document_of
    from frasier.interfaces.operations.organisation.shares import REVOKE

    revoked = ask_organisation(context, REVOKE, {"share": share}).share
    show_done(f"The link to {revoked.title} is not valid any more.", document_of(revoked), as_json=as_json)


def _draw(page: Page, view: ShareListOutput) -> None:
    if not view.shares:
        page.line("No deliverable is shared. `frasier missions share MISSION` makes a link.")
    page.table(
        [fixed("link"), "shows", fixed("made"), fixed("valid")],
        [
            (
                short(link.share),
                _subject(link),
                clock(link.created_at),
                (_validity(link), "" if link.valid else "dim"),
            )
            for link in view.shares
        ],
    )
    page.more(len(view.shares), more=view.more)


def _subject(link: ShareSummary) -> str:
    return f"{link.title}, {'its approved version' if link.version is None else f'version {link.version}'}"


def _validity(link: ShareSummary) -> str:
    if link.revoked_at:
        return f"revoked {clock(link.revoked_at)}"
    return f"{'until' if link.valid else 'ended'} {clock(link.ends_at)}"
