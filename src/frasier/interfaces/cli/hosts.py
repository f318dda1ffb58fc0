"""Serving hosts: what `frasier mcp` and `frasier serve` have in common with those of the memory alone."""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING, Annotated, Any

import typer

from frasier.interfaces.cli.identity import TOKEN
from frasier.interfaces.cli.opening import with_services

if TYPE_CHECKING:
    from frasier.interfaces.cli.application import Application
    from frasier.interfaces.services import Services
    from frasier.interfaces.tools import Offer, Tool
    from frasier.memory import Caller

HttpOption = Annotated[
    bool, typer.Option("--http", help="Over HTTP on this machine instead of standard input and output.")
]
PortOption = Annotated[
    int, typer.Option("--port", min=0, max=65_535, help="With --http: the port; 0 takes a free one.")
]
ToolsOption = Annotated[str, typer.Option("--tools", help="Only these tools, separated by commas.")]
LayersOption = Annotated[
    str, typer.Option("--layers", help="The tools of these layers (1 to 5), separated by commas.")
]
AllOption = Annotated[bool, typer.Option("--all", help="Every tool.")]
ScopeOption = Annotated[
    list[str] | None,
    typer.Option(
        "--scope", "-s", help="A scope it reads and writes; the first is where it saves. Repeatable."
    ),
]
NameOption = Annotated[str, typer.Option("--name", help="Who saves, as it stands in the record.")]
HostOption = Annotated[str, typer.Option("--host", help="The address to listen on.")]
HttpPortOption = Annotated[
    int, typer.Option("--port", min=0, max=65_535, help="The port; 0 takes a free one.")
]
AllowHostOption = Annotated[
    list[str] | None,
    typer.Option("--allow-host", help="Another name under which clients may address it; repeatable."),
]
AllowOriginOption = Annotated[
    list[str] | None,
    typer.Option("--allow-origin", help="A site whose pages may call it, as https://host; repeatable."),
]


def serve_mcp_hosts(
    context: typer.Context,
    offer: Callable[[Services], Offer],
    *,
    port: int | None,
    scope: list[str] | None,
    name: str,
) -> None:
    """Serves what `offer` makes: over HTTP where there is a port, else over standard input and output."""
    if port is not None and (scope or name != "mcp"):
        raise typer.BadParameter(
            "Over HTTP the token says who it is and which scopes it has.", param_hint="--http"
        )
    checked = _checked_name(name)
    application: Application = context.obj

    async def run(services: Services) -> None:
        from frasier.interfaces.cli.stopping import stop_on_signals

        stop = stop_on_signals()
        who = await _stdio_caller(services, scope, checked)
        made = offer(services)
        async with _serving(services, made):
            await application.mcp_server()(
                services.memory, made, who, port=port, stop=stop, announce=announce
            )

    with_services(context, run, anybody=True)


def serve_over_http(
    context: typer.Context,
    offer: Callable[[Services], Offer],
    *,
    host: str,
    port: int,
    allow_host: list[str] | None,
    allow_origin: list[str] | None,
) -> None:
    """Serves what `offer` makes to whoever has a token, until it is told to stop."""
    application: Application = context.obj

    async def run(services: Services) -> None:
        from frasier.interfaces.cli.stopping import stop_on_signals

        stop = stop_on_signals()
        made = offer(services)
        async with _serving(services, made):
            await application.memory_server()(
                services.memory,
                made,
                host=host,
                port=port,
                allowed_hosts=allow_host or [],
                allowed_origins=allow_origin or [],
                stop=stop,
                announce=announce,
            )
        announce("Stopped. Every request that had begun was answered.")

    with_services(context, run, anybody=True)


def _serving(services: Services, offer: Offer) -> AbstractAsyncContextManager[None]:
    """Who serves boards also keeps them: leases that ran out are given back, and the founder is told."""
    boards = offer.board is not None
    return services.running(worker=False, housekeeping=boards, staying=boards)


def chosen_tools(
    toolbox: Mapping[str, Tool[Any]], default: tuple[str, ...], *, everything: bool, tools: str, layers: str
) -> Mapping[str, Tool[Any]]:
    """The tools that the options choose."""
    from frasier.interfaces.tools import choose_tools

    if everything:
        return toolbox
    return choose_tools(toolbox, names=_names(tools), layers=_layers(layers), default=default)


def announce(text: str) -> None:
    """On standard error: standard output belongs to results, and to the protocol."""
    typer.echo(text, err=True)


async def _stdio_caller(
    services: Services, scope: list[str] | None, name: str
) -> Callable[[], Awaitable[Caller]]:
    """Whose token the environment holds; else nobody in particular, who is never the founder and no member.

    The token is looked at now, so that a wrong one is told at once, and with each call, so that a revoked one is of no
    use from then on.
    """
    from dataclasses import replace

    from frasier.memory import SHARED_SCOPE, Caller, verify_token

    token = os.environ.get(TOKEN, "").strip()

    async def nobody() -> Caller:
        return Caller(name=name, scopes=tuple(dict.fromkeys(scope or [SHARED_SCOPE])))

    async def holder() -> Caller:
        async with services.database.transaction() as tx:
            caller = await verify_token(tx, token)
        # What speaks over standard input is a model's host: it is never given what binds everybody.
        return replace(caller, scopes=caller.allow(scope or ()), founder=False)

    who = holder if token else nobody
    await who()
    return who


def _names(given: str) -> list[str]:
    return [name.strip() for name in given.split(",") if name.strip()]


def _layers(given: str) -> list[int]:
    layers = _names(given)
    if not all(layer.isdecimal() for layer in layers):
        raise typer.BadParameter(
            "Layers are numbers from 1 to 5, separated by commas.", param_hint="--layers"
        )
    return [int(layer) for layer in layers]


def _checked_name(name: str) -> str:
    """Never a name that a token or the founder has: what one saved only the same one may have replaced."""
    cleaned = " ".join(name.split())
    if not 1 <= len(cleaned) <= 100 or not cleaned.isprintable():
        raise typer.BadParameter("A name has 1 to 100 visible characters.", param_hint="--name")
    return cleaned if cleaned == "mcp" else f"mcp:{cleaned}"
