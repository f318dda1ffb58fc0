"""The ASGI application: paths, and what stands before each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from frasier.board import BoardEngine
from frasier.interfaces.advice import HttpRequests
from frasier.interfaces.http.auth import authenticate, bearer_token
from frasier.interfaces.http.body_parsing import read_object
from frasier.interfaces.http.error_responses import (
    HttpRefusal,
    defect_response,
    on_http_refusal,
    on_no_route,
    on_refused,
)
from frasier.interfaces.http.external_memory_protocol import SPEAK
from frasier.interfaces.http.health import HealthProbe
from frasier.interfaces.http.limits import HttpRules
from frasier.interfaces.http.middleware import Door
from frasier.interfaces.http.query_contribute import CONTRIBUTE, QUERY
from frasier.interfaces.operations import (
    AnyOperation,
    Envelope,
    OperationContext,
    as_json,
    find_operation,
    run_operation,
)
from frasier.kernel.errors import FrasierError, InvalidInput
from frasier.memory import MemoryEngine

Tools: TypeAlias = Mapping[str, AnyOperation]
ReadKey: TypeAlias = Callable[[Request, dict[str, Any]], None]
"""Reads the idempotency key of a request into its arguments, or refuses it."""

_OWN: Tools = {tool.name: tool for tool in (QUERY, CONTRIBUTE, SPEAK)}
_REPEATABLE = (
    "Send the call without it. POST /api/v1/contribute takes one, and saves a memory once."
    " A claim of a task with the same session is answered again. A task of the same name is not created twice, nor are"
    " a move or a delivery with the same attempt and an edit of the same version made twice."
)
_SENT_HEADERS = ("Authorization", "Content-Type", "Idempotency-Key", "X-Request-Id")


def make_app(
    engine: MemoryEngine, tools: Tools, rules: HttpRules | None = None, *, board: BoardEngine | None = None
) -> ASGIApp:
    """The brain API over `engine`, with `tools` as they are, those of tasks over `board`. Whoever serves it also runs
    the upkeep of both.
    """
    rules = rules or HttpRules()
    api = _Api(engine, tools, rules, board)
    browsers = Middleware(
        CORSMiddleware,
        allow_origins=sorted(rules.origins),
        allow_methods=("GET", "POST"),
        allow_headers=_SENT_HEADERS,
        expose_headers=("X-Request-Id", "Retry-After"),
    )
    app = Starlette(
        routes=[
            Route("/api/v1/health", api.health, methods=["GET"]),
            Route("/api/v1/query", api.query, methods=["POST"]),
            Route("/api/v1/contribute", api.contribute, methods=["POST"]),
            Route("/api/v1/memory", api.memory, methods=["POST"]),
            Route("/api/v1/tools", api.list_tools, methods=["GET"]),
            Route("/api/v1/tools/{name}", api.call_tool, methods=["POST"]),
        ],
        middleware=[browsers] if rules.origins else [],
        exception_handlers={
            FrasierError: on_refused,
            HttpRefusal: on_http_refusal,
            HTTPException: on_no_route,
            Exception: _on_defect,
        },
    )
    app.router.redirect_slashes = False
    return Door(app, rules)


async def _on_defect(_request: Request, _error: Exception) -> Response:
    return defect_response()


class _Api:
    """The endpoints. Each lets the caller in, reads the body, asks one tool and shows what it says."""

    def __init__(
        self, engine: MemoryEngine, tools: Tools, rules: HttpRules, board: BoardEngine | None
    ) -> None:
        self._engine = engine
        self._board = board
        self._tools = tools
        self._rules = rules
        self._probe = HealthProbe(engine)

    async def health(self, request: Request) -> Response:
        """The status for everybody, the details for whoever is let in."""
        let_in = bearer_token(request) is not None and await self._let_in(request)
        health = await self._probe.look()
        shown = health.as_json() if let_in else {"status": health.status}
        return JSONResponse(shown, status_code=health.status_code)

    async def query(self, request: Request) -> Response:
        """The envelope of what was found."""
        return _envelope_response(await self._ask(request, _OWN, QUERY.name))

    async def contribute(self, request: Request) -> Response:
        """201 with the id; 200 where the same was sent before."""
        contributed = (await self._ask(request, _OWN, CONTRIBUTE.name, read_key=_take_key)).data
        return JSONResponse(as_json(contributed), status_code=200 if contributed.repeated else 201)

    async def memory(self, request: Request) -> Response:
        """Always 200, as the agents of the protocol take nothing else for success."""
        answer = await self._ask(request, _OWN, SPEAK.name, read_key=_take_key)
        return JSONResponse(as_json(answer.data))

    async def list_tools(self, request: Request) -> Response:
        """List the tools, each with its schemas."""
        await authenticate(request, self._engine)
        shown = [
            {
                "name": tool.name,
                "title": tool.title,
                "layer": tool.layer.value,
                "description": tool.description,
                "input_schema": tool.input_schema,
                "output_schema": tool.output_schema,
                "read_only": tool.read_only,
                "destructive": tool.destructive,
                "idempotent": tool.idempotent,
            }
            for tool in self._tools.values()
        ]
        return JSONResponse({"tools": shown})

    async def call_tool(self, request: Request) -> Response:
        """The envelope that the tool answers."""
        name = request.path_params["name"]
        return _envelope_response(await self._ask(request, self._tools, name, read_key=self._refuse_key))

    async def _let_in(self, request: Request) -> bool:
        """False where that cannot be found out: health must answer when the database does not."""
        try:
            await authenticate(request, self._engine)
        except HttpRefusal as refusal:
            if refusal.status == 503:
                return False
            raise
        return True

    async def _ask(
        self, request: Request, tools: Tools, name: str, *, read_key: ReadKey | None = None
    ) -> Envelope[Any]:
        caller = await authenticate(request, self._engine)
        arguments = await read_object(request, self._rules)
        if read_key is not None:
            read_key(request, arguments)
        return await run_operation(
            find_operation(tools, name),
            OperationContext(engine=self._engine, caller=caller, dialect=HttpRequests(), board=self._board),
            arguments,
        )

    def _refuse_key(self, request: Request, _arguments: dict[str, Any]) -> None:
        """Raises InvalidInput where a key is given: ignored, it would promise what no tool keeps."""
        if "idempotency-key" in request.headers:
            raise InvalidInput(
                "Tools take no Idempotency-Key.",
                number="E030",
                kept="Nothing was read or changed.",
                hint=_REPEATABLE,
            )


def _envelope_response(envelope: Envelope[Any]) -> Response:
    return JSONResponse(as_json(envelope))


def _take_key(request: Request, arguments: dict[str, Any]) -> None:
    """The key may stand in the header or in the body, but not as two different ones."""
    given = request.headers.getlist("idempotency-key")
    if not given:
        return
    if len(given) > 1 or arguments.get("idempotency_key", given[0]) != given[0]:
        raise InvalidInput(
            "Two different idempotency keys are given.",
            number="E030",
            kept="Nothing was saved.",
            hint="Send one, in the header Idempotency-Key or as idempotency_key.",
        )
    arguments["idempotency_key"] = given[0]
