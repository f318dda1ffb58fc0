"""`frasier memory mcp`: the memory for hosts of the Model Context Protocol."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from frasier.interfaces.cli.opening import with_services

if TYPE_CHECKING:
    from frasier.interfaces.cli.application import Application
    from frasier.interfaces.services import Services


def mcp(
    context: typer.Context,
    http: Annotated[
        bool, typer.Option("--http", help="Over HTTP on this machine instead of standard input and output.")
    ] = False,
    port: Annotated[
        int, typer.Option("--port", min=0, max=65_535, help="With --http: the port; 0 takes a free one.")
    ] = 8765,
    tools: Annotated[str, typer.Option("--tools", help="Only these tools, separated by commas.")] = "",
    layers: Annotated[
        str, typer.Option("--layers", help="The tools of these layers (1 to 5), separated by commas.")
    ] = "",
    everything: Annotated[bool, typer.Option("--all", help="Every tool.")] = False,
    scope: Annotated[
        list[str] | None,
        typer.Option(
            "--scope", "-s", help="A scope it reads and writes; the first is where it saves. Repeatable."
        ),
    ] = None,
    name: Annotated[str, typer.Option("--name", help="Who saves, as it stands in the record.")] = "mcp",
) -> None:
    """Serve the memory to an MCP host. Without options: twelve tools, the shared scope, standard input and output.

    Over HTTP each client's token says who it is and which scopes it has.
    """
    from frasier.interfaces.memory_tools import DEFAULT_TOOLS, TOOLS, memory_offer
    from frasier.interfaces.tools import choose_tools
    from frasier.memory import SHARED_SCOPE, Caller

    chosen = (
        TOOLS
        if everything
        else choose_tools(TOOLS, names=_names(tools), layers=_layers(layers), default=DEFAULT_TOOLS)
    )
    _refuse_for_http(http=http, scope=scope, name=name)
    caller = Caller(name=_checked_name(name), scopes=tuple(dict.fromkeys(scope or [SHARED_SCOPE])))
    application: Application = context.obj

    async def run(services: Services) -> None:
        from frasier.interfaces.cli.stopping import stop_on_signals

        stop = stop_on_signals()
        async with services.running(worker=False, housekeeping=False):
            await application.mcp_server()(
                services.memory,
                memory_offer(chosen),
                caller,
                port=port if http else None,
                stop=stop,
                announce=_announce,
            )

    with_services(context, run)


def _names(given: str) -> list[str]:
    return [name.strip() for name in given.split(",") if name.strip()]


def _layers(given: str) -> list[int]:
    layers = _names(given)
    if not all(layer.isdecimal() for layer in layers):
        raise typer.BadParameter(
            "Layers are numbers from 1 to 5, separated by commas.", param_hint="--layers"
        )
    return [int(layer) for layer in layers]


def _refuse_for_http(*, http: bool, scope: list[str] | None, name: str) -> None:
    if http and (scope or name != "mcp"):
        raise typer.BadParameter(
            "Over HTTP the token says who it is and which scopes it has.", param_hint="--http"
        )


def _checked_name(name: str) -> str:
    """Never a name that a token or the founder has: what one saved only the same one may have replaced."""
    cleaned = " ".join(name.split())
    if not 1 <= len(cleaned) <= 100 or not cleaned.isprintable():
        raise typer.BadParameter("A name has 1 to 100 visible characters.", param_hint="--name")
    return cleaned if cleaned == "mcp" else f"mcp:{cleaned}"


def _announce(text: str) -> None:
    """On standard error: standard output belongs to the protocol."""
    typer.echo(text, err=True)
