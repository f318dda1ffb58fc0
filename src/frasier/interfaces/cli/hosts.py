"""Serving of MCP hosts, as `frasier mcp` and `frasier serve` share it with the servers of the memory alone."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from frasier.interfaces.cli.acting_as import TOKEN
from frasier.interfaces.cli.defect_log import log_defect
from frasier.interfaces.cli.errors import ExitCode, exit_code_of, show_defect, show_error
from frasier.interfaces.cli.utf8_args import refuse_broken_text
from frasier.interfaces.cli.with_services import check_embedding_key, with_services
from frasier.kernel.errors import FrasierError, InvalidInput

if TYPE_CHECKING:
    from frasier.interfaces.cli.application import Application
    from frasier.interfaces.mcp_startup import ServeWire
    from frasier.interfaces.operations import AnyOperation, Backend, ToolSet
    from frasier.interfaces.services import Services
    from frasier.interfaces.tool_catalog import Introduction
    from frasier.memory import Caller

    LoadToolSet: TypeAlias = Callable[[Collection[str]], ToolSet]

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
NameOption = Annotated[
    str,
    typer.Option("--name", help="Who saves, as it stands in the record; hosts without one are one author."),
]
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


def mcp_command(offer: Callable[[], tuple[Introduction, LoadToolSet]]) -> Callable[..., None]:
    """Make a command that serves tools to MCP hosts; `offer` says which, and its docstring is the help.

    To load tools takes a second: over standard input and output the host gets its first answers before.
    """

    def mcp(
        context: typer.Context,
        http: HttpOption = False,
        port: PortOption = 8765,
        tools: ToolsOption = "",
        layers: LayersOption = "",
        everything: AllOption = False,
        scope: ScopeOption = None,
        name: NameOption = "mcp",
    ) -> None:
        introduction, load_tool_set = offer()
        chosen = introduction.choose(names=_names(tools), layers=_layers(layers), everything=everything)
        if not http:
            from frasier.interfaces.tool_catalog import NEVER_OVER_STDIO

            named = _names(tools)
            chosen = tuple(tool for tool in chosen if tool in named or tool not in NEVER_OVER_STDIO)
            _serve_stdio(context, introduction, load_tool_set, chosen, scope, _checked_name(name))
        elif scope or name != "mcp":
            raise typer.BadParameter(
                "Over HTTP the token says who it is and which scopes it has.", param_hint="--http"
            )
        else:
            _serve_mcp_over_http(context, introduction, load_tool_set, chosen, port)

    mcp.__doc__ = offer.__doc__
    return mcp


def _serve_mcp_over_http(
    context: typer.Context,
    introduction: Introduction,
    load_tool_set: LoadToolSet,
    chosen: Collection[str],
    port: int,
) -> None:
    application: Application = context.obj

    async def run(services: Services) -> None:
        from frasier.interfaces.cli.shutdown_signals import stop_on_signals

        await check_embedding_key(services)
        stop = stop_on_signals()
        offer = load_tool_set(chosen)
        async with _serving(services, boards=introduction.boards):
            await application.mcp_http_server()(
                services.memory,
                offer,
                board=services.board if introduction.boards else None,
                services=services if introduction.boards else None,
                port=port,
                stop=stop,
                announce=announce,
            )

    with_services(context, run, any_actor=True)


def _serve_stdio(
    context: typer.Context,
    introduction: Introduction,
    load_tool_set: LoadToolSet,
    chosen: Collection[str],
    scope: list[str] | None,
    name: str,
) -> None:
    """Answer the host at once; report a failed start at the calls that need the services, and on standard error."""
    import asyncio

    from frasier.interfaces.cli.shutdown_signals import stop_on_signals
    from frasier.interfaces.mcp_startup import FirstAnswers, serve_host

    refuse_broken_text(context.params)
    if scope:
        _check_scopes(name, scope)
    application: Application = context.obj
    failed: Exception | None = None

    def report(error: Exception | None) -> None:
        nonlocal failed
        # Each call tries again to open what failed: a repeated failure was reported already.
        known = failed is not None and (type(error), str(error)) == (type(failed), str(failed))
        failed = error
        if error is not None and not known:
            _show(error, application)

    @asynccontextmanager
    async def backend() -> AsyncIterator[Backend]:
        from frasier.interfaces.operations import Backend

        async with (
            application.services(for_one_host=True) as services,
            _serving(services, boards=introduction.boards),
        ):
            await check_embedding_key(services)
            board = services.board if introduction.boards else None
            caller = _stdio_caller(services, scope, name)
            await caller()
            yield Backend(
                engine=services.memory,
                board=board,
                services=services if introduction.boards else None,
                caller=caller,
            )

    async def main() -> None:
        stop = stop_on_signals()

        def load() -> ServeWire:
            offer, serve = load_tool_set(chosen), application.mcp_stdio_server()
            return lambda wire: serve(wire, offer, backend, stop=stop, report=report)

        await serve_host(FirstAnswers(introduction, chosen), load, stop)

    asyncio.run(main())
    if failed is not None:
        raise typer.Exit(exit_code_of(failed) if isinstance(failed, FrasierError) else ExitCode.DEFECT)


def _show(error: Exception, application: Application) -> None:
    if isinstance(error, FrasierError):
        show_error(error, as_json=False)
    else:
        show_defect(error, as_json=False, log=log_defect(error, application))


def http_command(
    *, boards: bool
) -> Callable[[Callable[[], Mapping[str, AnyOperation]]], Callable[..., None]]:
    """Make a command that serves tools over HTTP from the function that loads them, whose docstring is the help.

    `boards` says whether boards are served.
    """

    def decorate(load_tools: Callable[[], Mapping[str, AnyOperation]]) -> Callable[..., None]:
        def serve(
            context: typer.Context,
            host: HostOption = "127.0.0.1",
            port: HttpPortOption = 8764,
            allow_host: AllowHostOption = None,
            allow_origin: AllowOriginOption = None,
        ) -> None:
            application: Application = context.obj

            async def run(services: Services) -> None:
                from frasier.interfaces.cli.login_links import announce_login
                from frasier.interfaces.cli.shutdown_signals import stop_on_signals

                await check_embedding_key(services)
                stop = stop_on_signals()
                tools = load_tools()

                async def on_served(address: str) -> None:
                    await announce_login(services, address)

                async with _serving(services, boards=boards):
                    await application.memory_server()(
                        services.memory,
                        tools,
                        board=services.board if boards else None,
                        services=services if boards else None,
                        pages=application.pages()(services, stop) if boards else None,
                        host=host,
                        port=port,
                        allowed_hosts=allow_host or [],
                        allowed_origins=allow_origin or [],
                        stop=stop,
                        announce=announce,
                        on_served=on_served if boards else None,
                    )
                announce("Stopped. Every request that had begun was answered.")

            with_services(context, run, any_actor=True)

        serve.__doc__ = load_tools.__doc__
        return serve

    return decorate


def _serving(services: Services, *, boards: bool) -> AbstractAsyncContextManager[None]:
    """Run the housekeeping of boards if they are served: return expired leases, and notify the founder."""
    return services.running(worker=False, housekeeping=boards, staying=boards)


def announce(text: str) -> None:
    """Print to standard error: standard output belongs to results and to the protocol."""
    typer.echo(text, err=True)


def _stdio_caller(services: Services, scope: list[str] | None, name: str) -> Callable[[], Awaitable[Caller]]:
    """Return a function that identifies the caller: the holder of the token in the environment, else an anonymous
    caller, which is never the founder and no member.

    The token is verified at each call, so that a revoked one is refused from then on.
    """
    from dataclasses import replace

    from frasier.memory import SHARED_SCOPE, Caller, verify_token

    token = os.environ.get(TOKEN, "").strip()

    async def nobody() -> Caller:
        return Caller(name=name, scopes=tuple(dict.fromkeys(scope or [SHARED_SCOPE])))

    async def holder() -> Caller:
        caller = await services.in_transaction(verify_token, token)
        # The client over standard input is a model's host: it never gets the right to decide, or to write what binds
        # everybody. What the founder may read, it may read with the founder's token.
        return replace(
            caller,
            scopes=caller.allow(scope or ()),
            founder=False,
            observer=caller.founder or caller.observer,
        )

    return holder if token else nobody


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]


def _layers(text: str) -> list[int]:
    layers = _names(text)
    if not all(layer.isdecimal() for layer in layers):
        raise typer.BadParameter(
            "Layers are numbers from 1 to 5, separated by commas.", param_hint="--layers"
        )
    return [int(layer) for layer in layers]


def _check_scopes(name: str, scopes: Sequence[str]) -> None:
    """Refuse scopes at the start with which every call would fail."""
    from frasier.memory import Caller

    try:
        Caller(name=name, scopes=tuple(dict.fromkeys(scopes)))
    except InvalidInput as error:
        raise typer.BadParameter(f"{error.message} {error.hint}", param_hint="--scope") from error


def _checked_name(name: str) -> str:
    """Return a name that neither a token nor the founder has: only the caller that saved a memory may replace it."""
    cleaned = " ".join(name.split())
    if not 1 <= len(cleaned) <= 100 or not cleaned.isprintable():
        raise typer.BadParameter("A name has 1 to 100 visible characters.", param_hint="--name")
    return cleaned if cleaned == "mcp" else f"mcp:{cleaned}"
