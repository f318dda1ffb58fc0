"""MCP over streamable HTTP on loopback, authenticated by bearer token; a token of the founder acts as the founder."""

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
from frasier.interfaces.services import Services
from frasier.kernel.errors import FrasierError, InvalidInput, NotAllowed, StoreError
from frasier.memory import GET_TOKEN, Caller, MemoryEngine, upkeep, verify_token

_HOST = "127.0.0.1"
_PATH = "/mcp"
_CALLER = "frasier.caller"
_CHALLENGE = {"WWW-Authenticate": 'Bearer realm="frasier"'}
_BODY_BYTES_MAX = 2 * 1024 * 1024


async def serve_http(
    engine: MemoryEngine,
    tool_set: ToolSet,
    *,
    board: BoardEngine | None = None,
    services: Services | None = None,
    port: int,
    limits: ConnectionLimits | None = None,
    stop: asyncio.Event,
    announce: Callable[[str], None],
) -> None:
    """Serve on loopback until `stop` is set. Port 0 selects a free one; `announce` receives the address.

    `board` is needed if `tool_set` contains tools of tasks, `services` if it contains those of missions. Raise
    ConfigurationError if the port is taken.
    """
    sessions, limits = LiveSessions(), limits or connection_limits()
    with listening_on(_HOST, port, service="MCP") as listening:
        announce(f"MCP is served at http://{_HOST}:{listening.getsockname()[1]}{_PATH}; a token is required.")
        async with run_upkeep([*upkeep(engine), sessions.job(engine)]):
            app = make_app(engine, tool_set, sessions, board=board, services=services, body_s=limits.body_s)
            await serve_until(stop, app, listening, limits=limits, lifespan=True)


def make_app(
    engine: MemoryEngine,
    tool_set: ToolSet,
    sessions: LiveSessions,
    *,
    board: BoardEngine | None = None,
    services: Services | None = None,
    body_s: float = 30.0,
) -> ASGIApp:
    """Return the ASGI application; it needs lifespan events.

    It rejects foreign hosts and origins, requests without a valid token, and a body that is not complete after `body_s`
    seconds.
    """

    async def operation_context(context: Context) -> OperationContext:
        assert context.request is not None, "over HTTP every message has its request"
        return OperationContext(
            engine=engine,
            caller=context.request.scope[_CALLER],
            dialect=ToolCalls(),
            board=board,
            services=services,
        )

    server = make_server(tool_set, operation_context, sessions)
    # Stateless: each request carries its token and is answered by itself, so clients survive a restart.
    app = server.streamable_http_app(
        streamable_http_path=_PATH,
        json_response=True,
        stateless_http=True,
        max_request_body_size=_BODY_BYTES_MAX,
        host=_HOST,
    )
    return _TokenAuth(app, engine, body_s)


def _is_not_disconnect(record: logging.LogRecord) -> bool:
    """Filter out disconnects of clients within a request: they are not errors, so no traceback is logged."""
    return not (record.exc_info and isinstance(record.exc_info[1], ClientDisconnect))


logging.getLogger("mcp.server.streamable_http").addFilter(_is_not_disconnect)


class _TokenAuth:
    """ASGI middleware that verifies the token of each request, so that a revoked token fails at once."""

    def __init__(self, app: ASGIApp, engine: MemoryEngine, body_s: float) -> None:
        self._app = app
        self._engine = engine
        self._body_s = body_s

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            try:
                headers = Headers(scope=scope)
                scope[_CALLER] = await self._caller(headers)
                _reject_idempotency_key(headers)
            except InvalidInput as error:
                await _error_response(400, error, {})(scope, receive, send)
                return
            except NotAllowed as error:
                await _error_response(401, error, _CHALLENGE)(scope, receive, send)
                return
            except StoreError:
                # Do not disclose the address of the database or the cause to an unauthenticated client.
                unavailable = StoreError("The database does not answer.", hint="Try again in a moment.")
                await _error_response(503, unavailable, {"Retry-After": "1"})(scope, receive, send)
                return
            exchange = _Exchange(scope, receive, send, self._body_s)
            receive, send = exchange.receive, exchange.send
        await self._app(scope, receive, send)

    async def _caller(self, headers: Headers) -> Caller:
        authorizations = headers.getlist("authorization")
        scheme, _, token = authorizations[0].partition(" ") if len(authorizations) == 1 else ("", "", "")
        if scheme.lower() != "bearer" or not token.strip():
            raise NotAllowed(
                "This needs a token.",
                kept="Nothing was read or written.",
                hint="Send Authorization: Bearer <token>.",
                advice=GET_TOKEN,
            )
        return await self._engine.in_transaction(verify_token, token.strip())


class _Exchange:
    """One request and its response, with a deadline for the body.

    A body that is not complete after `body_s` seconds is answered here, and the application receives a disconnect.
    """

    def __init__(self, scope: Scope, receive: Receive, send: Send, body_s: float) -> None:
        self._scope, self._receive, self._send = scope, receive, send
        self._body_deadline = asyncio.get_running_loop().time() + body_s
        self._body_complete = self._response_started = self._timed_out = False

    async def receive(self) -> Message:
        if self._body_complete or self._response_started:
            return await self._receive()
        try:
            async with asyncio.timeout_at(self._body_deadline):
                message = await self._receive()
        except TimeoutError:
            await _error_response(408, late_body_error(), {"Connection": "close"})(
                self._scope, self._receive, self._send
            )
            self._timed_out = True
            return {"type": "http.disconnect"}
        self._body_complete = not message.get("more_body", False)
        return message

    async def send(self, message: Message) -> None:
        self._response_started = True
        if not self._timed_out:
            await self._send(message)


def _reject_idempotency_key(headers: Headers) -> None:
    """Raise InvalidInput if a key is sent: a key that is silently ignored would promise idempotency."""
    if "idempotency-key" in headers:
        raise InvalidInput(
            "Tools take no Idempotency-Key.",
            number="E030",
            kept="Nothing was read or changed.",
            hint="Send the request without it.",
        )


def _error_response(status: int, error: FrasierError, headers: dict[str, str]) -> JSONResponse:
    return JSONResponse({"error": error_facts(error, ToolCalls())}, status_code=status, headers=headers)
