"""Over streamable HTTP on this machine, to whoever shows a bearer token; a founder's token makes the founder."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from frasier.board import BoardEngine
from frasier.interfaces.advice import ToolCalls, error_facts
from frasier.interfaces.asgi_server import late_body_error, listening_on, serve_until
from frasier.interfaces.mcp.server import Context, make_server
from frasier.interfaces.mcp.session_heartbeat import LiveSessions
from frasier.interfaces.operations import OperationContext, ToolSet, run_upkeep
from frasier.interfaces.server_settings import ConnectionLimits, connection_limits
from frasier.kernel.errors import FrasierError, InvalidInput, NotAllowed, StoreError
from frasier.memory import GET_TOKEN, Caller, MemoryEngine, upkeep, verify_token

_HOST = "127.0.0.1"
_PATH = "/mcp"
_CALLER = "frasier.caller"
_CHALLENGE = {"WWW-Authenticate": 'Bearer realm="frasier"'}
_BODY_BYTES_MAX = 2 * 1024 * 1024


async def serve_http(
    engine: MemoryEngine,
    offer: ToolSet,
    *,
    board: BoardEngine | None = None,
    port: int,
    limits: ConnectionLimits | None = None,
    stop: asyncio.Event,
    announce: Callable[[str], None],
) -> None:
    """Serves on loopback until `stop` is set. Port 0 takes a free one; `announce` gets the address.

    `board` is given where tools of tasks are offered.

    Raises ConfigurationError where the port is taken.
    """
    sessions, limits = LiveSessions(), limits or connection_limits()
    with listening_on(_HOST, port, service="MCP") as listening:
        announce(f"MCP is served at http://{_HOST}:{listening.getsockname()[1]}{_PATH}; a token is needed.")
        async with run_upkeep([*upkeep(engine), sessions.job(engine)]):
            app = make_app(engine, offer, sessions, board=board, body_s=limits.body_s)
            await serve_until(stop, app, listening, limits=limits, lifespan=True)


def make_app(
    engine: MemoryEngine,
    offer: ToolSet,
    sessions: LiveSessions,
    *,
    board: BoardEngine | None = None,
    body_s: float = 30.0,
) -> ASGIApp:
    """The ASGI application. Needs its lifespan; refuses foreign hosts and origins, whoever has no token, and a body
    that is not whole after `body_s` seconds.
    """

    async def surroundings(context: Context) -> OperationContext:
        assert context.request is not None, "over HTTP every message comes with its request"
        return OperationContext(
            engine=engine, caller=context.request.scope[_CALLER], dialect=ToolCalls(), board=board
        )

    server = make_server(offer, surroundings, sessions)
    # Stateless: each request shows its token and is answered by itself, so a restart goes unnoticed.
    app = server.streamable_http_app(
        streamable_http_path=_PATH,
        json_response=True,
        stateless_http=True,
        max_request_body_size=_BODY_BYTES_MAX,
        host=_HOST,
    )
    return _TokenDoor(app, engine, body_s)


def _is_no_disconnect(record: logging.LogRecord) -> bool:
    """A client that leaves before its request is whole is no defect of ours, and no traceback."""
    return not (record.exc_info and isinstance(record.exc_info[1], ClientDisconnect))


logging.getLogger("mcp.server.streamable_http").addFilter(_is_no_disconnect)


class _TokenDoor:
    """ASGI: lets a request in when its token is valid now, so that a revoked one is of no use at once."""

    def __init__(self, app: ASGIApp, engine: MemoryEngine, body_s: float) -> None:
        self._app = app
        self._engine = engine
        self._body_s = body_s

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            try:
                headers = Headers(scope=scope)
                scope[_CALLER] = await self._caller(headers)
                _refuse_key(headers)
            except InvalidInput as refused:
                await _refusal(400, refused, {})(scope, receive, send)
                return
            except NotAllowed as refused:
                await _refusal(401, refused, _CHALLENGE)(scope, receive, send)
                return
            except StoreError:
                # Where the database is, and why it does not answer, is nothing for somebody outside.
                down = StoreError("The database does not answer.", hint="Try again in a moment.")
                await _refusal(503, down, {"Retry-After": "1"})(scope, receive, send)
                return
            exchange = _Exchange(scope, receive, send, self._body_s)
            receive, send = exchange.receive, exchange.send
        await self._app(scope, receive, send)

    async def _caller(self, headers: Headers) -> Caller:
        given = headers.getlist("authorization")
        scheme, _, token = given[0].partition(" ") if len(given) == 1 else ("", "", "")
        if scheme.lower() != "bearer" or not token.strip():
            raise NotAllowed(
                "This needs a token.",
                kept="Nothing was read or written.",
                hint="Send Authorization: Bearer <token>.",
                advice=GET_TOKEN,
            )
        return await self._engine.in_transaction(verify_token, token.strip())


class _Exchange:
    """One request and its answer. A body that is not whole after `body_s` seconds is answered here; the application
    takes its client for gone.
    """

    def __init__(self, scope: Scope, receive: Receive, send: Send, body_s: float) -> None:
        self._scope, self._receive, self._send = scope, receive, send
        self._until = asyncio.get_running_loop().time() + body_s
        self._whole = self._answered = self._late = False

    async def receive(self) -> Message:
        if self._whole or self._answered:
            return await self._receive()
        try:
            async with asyncio.timeout_at(self._until):
                message = await self._receive()
        except TimeoutError:
            await _refusal(408, late_body_error(), {"Connection": "close"})(
                self._scope, self._receive, self._send
            )
            self._late = True
            return {"type": "http.disconnect"}
        self._whole = not message.get("more_body", False)
        return message

    async def send(self, message: Message) -> None:
        self._answered = True
        if not self._late:
            await self._send(message)


def _refuse_key(headers: Headers) -> None:
    """Raises InvalidInput where a key is given: ignored, it would promise what no tool keeps."""
    if "idempotency-key" in headers:
        raise InvalidInput(
            "Tools take no Idempotency-Key.",
            number="E030",
            kept="Nothing was read or changed.",
            hint="Send the request without it.",
        )


def _refusal(status: int, error: FrasierError, headers: dict[str, str]) -> JSONResponse:
    return JSONResponse({"error": error_facts(error, ToolCalls())}, status_code=status, headers=headers)
