"""The ASGI application: routes, authentication and body parsing of each endpoint."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Match, Route
from starlette.types import ASGIApp

from frasier.board import BoardEngine
from frasier.interfaces.http.auth import bearer_token
from frasier.interfaces.http.body_parsing import read_object
from frasier.interfaces.http.error_responses import (
    HttpRefusal,
    defect_response,
    on_frasier_error,
    on_http_refusal,
    on_routing_error,
)
from frasier.interfaces.http.event_stream import EventStreams
from frasier.interfaces.http.external_memory_protocol import EXTERNAL_MEMORY
from frasier.interfaces.http.health import HealthProbe
from frasier.interfaces.http.limits import HttpRules
from frasier.interfaces.http.metrics import MetricsEndpoint
from frasier.interfaces.http.middleware import RequestGuard
from frasier.interfaces.http.query_contribute import CONTRIBUTE, QUERY
from frasier.interfaces.http.rate_limit import RateLimiter
from frasier.interfaces.http.resource_api import ResourceApi
from frasier.interfaces.http.served_api import ServedApi
from frasier.interfaces.http.shared_deliverable import shared_deliverable
from frasier.interfaces.http.uploads import UploadEndpoints
from frasier.interfaces.operations import (
    AnyOperation,
    Envelope,
    as_json,
    find_operation,
    run_operation,
)
from frasier.interfaces.services import Services
from frasier.kernel.errors import FrasierError, InvalidInput
from frasier.memory import MemoryEngine

Tools: TypeAlias = Mapping[str, AnyOperation]
ReadKey: TypeAlias = Callable[[Request, dict[str, Any]], None]
"""Read the idempotency key of a request into its arguments, or raise InvalidInput."""

_ENDPOINT_OPERATIONS: Tools = {tool.name: tool for tool in (QUERY, CONTRIBUTE, EXTERNAL_MEMORY)}
_NO_KEY_HINT = (
    "Send the call without it. POST /api/v1/contribute takes one, and saves a memory once."
    " A claim of a task with the same session is answered again. A task of the same name is not created twice, nor are"
    " a move or a delivery with the same attempt and an edit of the same version made twice."
)
_REQUEST_HEADERS = (
    "Authorization",
    "Content-Type",
    "Idempotency-Key",
    "If-Match",
    "If-None-Match",
    "Last-Event-ID",
    "X-Request-Id",
)
_RESPONSE_HEADERS = (
    "ETag",
    "Idempotency-Replayed",
    "Link",
    "RateLimit",
    "RateLimit-Policy",
    "Retry-After",
    "X-Request-Id",
)
_METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")


def make_app(
    engine: MemoryEngine,
    tools: Tools,
    rules: HttpRules | None = None,
    *,
    board: BoardEngine | None = None,
    services: Services | None = None,
    stop: asyncio.Event | None = None,
) -> ASGIApp:
    """Return the ASGI application over `engine`; tools of tasks work on `board`, those of missions on `services`.

    The caller runs the upkeep of both. Streams end when `stop` is set.
    """
    rules = rules or HttpRules()
    limiter = RateLimiter(rules.requests_per_minute)
    api = ServedApi(engine=engine, rules=rules, limiter=limiter, board=board, services=services)
    resources = ResourceApi(api, tools)
    cors = Middleware(
        CORSMiddleware,
        allow_origins=sorted(rules.origins),
        allow_methods=_METHODS,
        allow_headers=_REQUEST_HEADERS,
        expose_headers=_RESPONSE_HEADERS,
    )
    own = _own_routes(_Endpoints(api, tools), resources, UploadEndpoints(api), services)
    if services is not None and services.serves_metrics:
        own.append(Route("/metrics", MetricsEndpoint(api, services).answer, methods=["GET"]))
    if services is not None:
        streams = EventStreams(api, services, stop or asyncio.Event())
        own.append(Route("/api/v1/events/stream", streams.answer, methods=["GET"]))

    async def answer_resource(request: Request) -> Response:
        for route in own:
            if route.matches(request.scope)[0] is Match.PARTIAL:
                raise HTTPException(405, headers={"Allow": ", ".join(sorted(route.methods or ()))})
        return await resources.answer(request)

    app = Starlette(
        routes=[
            *own,
            Route("/api/v1/{resource:path}", answer_resource, methods=[*_METHODS, "OPTIONS"]),
        ],
        middleware=[cors] if rules.origins else [],
        exception_handlers={
            FrasierError: on_frasier_error,
            HttpRefusal: on_http_refusal,
            HTTPException: on_routing_error,
            Exception: _on_unexpected_error,
        },
    )
    app.router.redirect_slashes = False
    return RequestGuard(app, rules)


def _own_routes(
    api: _Endpoints, resources: ResourceApi, uploads: UploadEndpoints, services: Services | None
) -> list[Route]:
    """Return the routes that are not the resource of one operation."""
    return [
        Route("/api/v1/health", api.health, methods=["GET"]),
        Route("/api/v1/query", api.query, methods=["POST"]),
        Route("/api/v1/contribute", api.contribute, methods=["POST"]),
        Route("/api/v1/memory", api.memory, methods=["POST"]),
        Route("/api/v1/shared/{secret}", shared_deliverable(services), methods=["GET"]),
        Route("/api/v1/tools", api.list_tools, methods=["GET"]),
        Route("/api/v1/tools/{name}", api.call_tool, methods=["POST"]),
        Route("/api/v1/uploads", uploads.collection, methods=["GET", "POST"]),
        Route("/api/v1/uploads/{upload}", uploads.delete, methods=["DELETE"]),
        Route("/api/v1/openapi.json", resources.document, methods=["GET"]),
    ]


async def _on_unexpected_error(request: Request, _error: Exception) -> Response:
    return defect_response(request.scope)


class _Endpoints:
    """The endpoints. Each authenticates the caller, reads the body, runs one operation and returns its result."""

    def __init__(self, api: ServedApi, tools: Tools) -> None:
        self._api = api
        self._tools = tools
        self._probe = HealthProbe(api.engine)

    async def health(self, request: Request) -> Response:
        """Return the status; the details only to an authenticated caller."""
        detailed = bearer_token(request) is not None and await self._is_authenticated(request)
        health = await self._probe.check()
        body = health.as_json() if detailed else {"status": health.status}
        return JSONResponse(body, status_code=health.status_code)

    async def query(self, request: Request) -> Response:
        """Run a query and return its envelope."""
        return _envelope_response(await self._run(request, _ENDPOINT_OPERATIONS, QUERY.name))

    async def contribute(self, request: Request) -> Response:
        """Save a contribution: 201 with its id, or 200 if the same key was sent before."""
        contributed = (
            await self._run(request, _ENDPOINT_OPERATIONS, CONTRIBUTE.name, read_key=_read_key)
        ).data
        return JSONResponse(as_json(contributed), status_code=200 if contributed.repeated else 201)

    async def memory(self, request: Request) -> Response:
        """Answer the external memory protocol. Success is always 200: its agents accept no other status."""
        answer = await self._run(request, _ENDPOINT_OPERATIONS, EXTERNAL_MEMORY.name, read_key=_read_key)
        return JSONResponse(as_json(answer.data))

    async def list_tools(self, request: Request) -> Response:
        """List the tools, each with its schemas."""
        await self._api.caller_of(request)
        tools = [
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
        return JSONResponse({"tools": tools})

    async def call_tool(self, request: Request) -> Response:
        """Run a tool and return its envelope."""
        name = request.path_params["name"]
        return _envelope_response(await self._run(request, self._tools, name, read_key=self._reject_key))

    async def _is_authenticated(self, request: Request) -> bool:
        """Return True for a valid token; False if the database is down, because health must answer even then."""
        try:
            await self._api.caller_of(request)
        except HttpRefusal as refusal:
            if refusal.status == 503:
                return False
            raise
        return True

    async def _run(
        self, request: Request, tools: Tools, name: str, *, read_key: ReadKey | None = None
    ) -> Envelope[Any]:
        caller = await self._api.caller_of(request)
        arguments = await read_object(request, self._api.rules)
        if read_key is not None:
            read_key(request, arguments)
        return await run_operation(
            find_operation(tools, name),
            self._api.context_of(caller, by_tool=tools is self._tools),
            arguments,
        )

    def _reject_key(self, request: Request, _arguments: dict[str, Any]) -> None:
        """Raise InvalidInput if a key is sent: a key that is silently ignored would promise idempotency."""
        if "idempotency-key" in request.headers:
            raise InvalidInput(
                "Tools take no Idempotency-Key.",
                number="E030",
                kept="Nothing was read or changed.",
                hint=_NO_KEY_HINT,
            )


def _envelope_response(envelope: Envelope[Any]) -> Response:
    return JSONResponse(as_json(envelope))


def _read_key(request: Request, arguments: dict[str, Any]) -> None:
    """Read the key from the header or the body; raise InvalidInput if they differ."""
    keys = request.headers.getlist("idempotency-key")
    if not keys:
        return
    if len(keys) > 1 or arguments.get("idempotency_key", keys[0]) != keys[0]:
        raise InvalidInput(
            "Two different idempotency keys are given.",
            number="E030",
            kept="Nothing was saved.",
            hint="Send one, in the header Idempotency-Key or as idempotency_key.",
        )
    arguments["idempotency_key"] = keys[0]
