"""`frasier web`: the founder's page in the browser, its login links and its sessions."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from frasier.interfaces.cli.output import Page, ago, fixed, short, show_done, show_view
from frasier.interfaces.cli.page_server import HOST, PORT, is_served, serve_page
from frasier.interfaces.cli.with_services import JsonOption, in_transaction, with_services
from frasier.kernel.humanize import plural

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from frasier.interfaces.services import Services
    from frasier.org.governance import PageSession

web = typer.Typer(rich_markup_mode=None)
PortOption = Annotated[
    int | None,
    typer.Option(
        "--port",
        min=1,
        max=65_535,
        help=f"The port of the server; without it that of the running page, else {PORT}.",
    ),
]


@web.callback(invoke_without_command=True)
def open_page(
    context: typer.Context,
    port: PortOption = None,
    no_open: Annotated[bool, typer.Option("--no-open", help="Print the link, and open no browser.")] = False,
    read_only: Annotated[
        bool,
        typer.Option("--read-only", help="A link to a session that sees everything and changes nothing."),
    ] = False,
) -> None:
    """Open the founder's page. Prints a login link; where no server runs, it serves the page until Ctrl-C."""
    if context.invoked_subcommand is not None:
        return

    async def run(services: Services) -> None:
        import asyncio

        from frasier.interfaces.cli.login_links import login_link

        async def show(address: str) -> None:
            link = await login_link(services, address, read_only=read_only)
            typer.echo(link)
            if not no_open:
                await asyncio.to_thread(
                    _open, link, services.home
                )  # a browser in the terminal returns at its end

        chosen = port or _recorded_port(services.home) or PORT
        if await is_served(chosen):
            await show(f"http://{HOST}:{chosen}")
        else:
            await _serve(context, services, port or PORT, show)

    with_services(context, run)


@web.command()
def sessions(context: typer.Context, as_json: JsonOption = False) -> None:
    """List the open sessions of the page."""
    from frasier.org.governance import list_page_sessions

    found = in_transaction(context, list_page_sessions)
    show_view(found, _draw_sessions, lambda found: {"sessions": tuple(found)}, as_json=as_json)


@web.command()
def logout(
    context: typer.Context,
    session: Annotated[str | None, typer.Argument(help="The id of a session, its beginning or end.")] = None,
    everything: Annotated[bool, typer.Option("--all", help="End every session.")] = False,
    as_json: JsonOption = False,
) -> None:
    """End a session of the page, or all of them."""
    from frasier.org.governance import revoke_page_sessions

    if (session is None) != everything:
        raise typer.BadParameter("Name a session, or end all with --all.", param_hint="SESSION")
    ended = in_transaction(context, revoke_page_sessions, session)
    show_done(f"{plural(ended, 'session')} ended.", {"ended": ended}, as_json=as_json)


async def _serve(
    context: typer.Context, services: Services, port: int, show: Callable[[str], Awaitable[None]]
) -> None:
    """Serve the page and the API in this process until asked to stop."""
    from frasier.interfaces.cli.shutdown_signals import stop_on_signals

    stop = stop_on_signals()
    async with services.running(worker=False, staying=True):
        await serve_page(context.obj, services, port=port, stop=stop, on_served=show)


def _recorded_port(home: Path) -> int | None:
    from urllib.parse import urlsplit

    from frasier.interfaces.page_record import recorded_page

    return urlsplit(recorded_page(home) or "").port


def _open(link: str, home: Path) -> None:
    """Open a page that leads to the link: other users see the arguments of a browser, and could log in first.

    The printed link is enough where there is no browser.
    """
    import webbrowser

    from frasier.store import write_private

    path = _readable_folder(home) / "login.html"
    with suppress(webbrowser.Error, OSError):
        path.unlink(missing_ok=True)
        write_private(path, f'<meta http-equiv="refresh" content="0; url={link}">\n'.encode())
        webbrowser.open(path.as_uri())


def _readable_folder(home: Path) -> Path:
    """Return a folder that the browser may read: one in a snap sees no hidden folders, such as the home is."""
    own = (Path.home() / "snap" / name / "common" for name in ("firefox", "chromium"))
    return next((folder for folder in own if folder.is_dir()), home)


def _draw_sessions(page: Page, sessions: Sequence[PageSession]) -> None:
    if not sessions:
        page.line("No session is open.")
        return
    page.table(
        [fixed("session"), "may", "browser", fixed("begun"), fixed("last used")],
        [
            (
                short(one.id),
                "look" if one.read_only else "decide",
                one.device,
                (ago(one.created_at), "dim"),
                (ago(one.seen_at), "dim"),
            )
            for one in sessions
        ],
    )
