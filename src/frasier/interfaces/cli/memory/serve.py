"""`frasier memory serve`: the memory over HTTP, until it is told to stop."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from frasier.interfaces.cli.opening import with_services

if TYPE_CHECKING:
    from frasier.interfaces.cli.application import Application
    from frasier.interfaces.services import Services


def serve(
    context: typer.Context,
    host: Annotated[str, typer.Option("--host", help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[
        int, typer.Option("--port", min=0, max=65_535, help="The port; 0 takes a free one.")
    ] = 8764,
    allow_host: Annotated[
        list[str] | None,
        typer.Option("--allow-host", help="Another name under which clients may address it; repeatable."),
    ] = None,
    allow_origin: Annotated[
        list[str] | None,
        typer.Option("--allow-origin", help="A site whose pages may call it, as https://host; repeatable."),
    ] = None,
) -> None:
    """Serve the memory over HTTP until Ctrl-C. Agents elsewhere query and contribute with a token."""
    application: Application = context.obj

    async def run(services: Services) -> None:
        from frasier.interfaces.cli.stopping import stop_on_signals

        stop = stop_on_signals()
        async with services.running(worker=False, housekeeping=False):
            await application.memory_server()(
                services.memory,
                host=host,
                port=port,
                allowed_hosts=allow_host or [],
                allowed_origins=allow_origin or [],
                stop=stop,
                announce=_announce,
            )
        _announce("Stopped. Every request that had begun was answered.")

    with_services(context, run)


def _announce(text: str) -> None:
    """On standard error: standard output belongs to results."""
    typer.echo(text, err=True)
