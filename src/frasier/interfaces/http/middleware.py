"""Middleware: validate Host and Origin, turn every exception into a response, log each request.

A page in a browser on this machine or in its network can send requests here: it posts to localhost, or to a name of its
own that it makes resolve to this machine (DNS rebinding). So a foreign Host or Origin is rejected before anything is
read.
"""

from __future__ import annotations

import re
import time
import traceback
from collections.abc import MutableMapping
from typing import Any

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from frasier.interfaces.http.error_responses import HttpRefusal, defect_response, error_response
from frasier.interfaces.http.limits import HttpRules
from frasier.kernel.errors import InvalidInput, NotAllowed
from frasier.kernel.ids import new_id
from frasier.kernel.logging_setup import get_logger
from frasier.kernel.text import shorten, strip_control

log = get_logger()

_SECRET = re.compile(r"(/shared/).+")
"""The secret of a share link, which is in no log."""

_REQUEST_ID = re.compile(r"[A-Za-z0-9._:-]{1,100}")
_HOST = re.compile(r"(?P<name>\[[0-9A-Fa-f:.]{2,45}\]|[A-Za-z0-9._-]{1,253})(?::\d{1,5})?")
_DEFECT_FRAMES = 8


class RequestGuard:
    """ASGI middleware that rejects foreign hosts and origins, and answers requests on which the application fails."""

    def __init__(self, app: ASGIApp, rules: HttpRules) -> None:
        self._app = app
        self._rules = rules

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        response = _ResponseRecorder(send, scope.setdefault("state", {}), _request_id(Headers(scope=scope)))
        scope["state"]["request_id"] = response.request_id
        try:
            if (rejection := self._rejection(scope)) is not None:
                await rejection(scope, receive, response.send)
            else:
                await self._app(scope, receive, response.send)
        except ClientDisconnect:
            log.info("http.client_left", request_id=response.request_id)
        except Exception as error:  # noqa: BLE001  every request gets a response
            _log_unexpected_error(error, response.request_id)
            if response.status is None:
                await defect_response(scope)(scope, receive, response.send)
        finally:
            _log_request(scope, response)

    def _rejection(self, scope: Scope) -> Response | None:
        headers = Headers(scope=scope)
        try:
            host = _check_host(headers, self._rules)
            _check_origin(headers, f"{scope.get('scheme', 'http')}://{host}", self._rules)
        except HttpRefusal as refusal:
            return error_response(refusal.error, scope, status=refusal.status)
        return None


class _ResponseRecorder:
    """A `send` that records the status of one response and adds the headers that every response has."""

    def __init__(self, send: Send, state: MutableMapping[str, Any], request_id: str) -> None:
        self._send = send
        self._state = state
        self.request_id = request_id
        self.status: int | None = None
        self.started_at = time.perf_counter()

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            headers = MutableHeaders(scope=message)
            headers["X-Request-Id"] = self.request_id
            headers.setdefault("Cache-Control", "no-store")
            headers["X-Content-Type-Options"] = "nosniff"
            headers.update(self._state.get("rate_headers", {}))
        await self._send(message)


def _request_id(headers: Headers) -> str:
    """Return the client's request id, or a new one if it is malformed: other characters could forge log lines."""
    request_id = headers.get("x-request-id", "")
    return request_id if _REQUEST_ID.fullmatch(request_id) else str(new_id())


def _check_host(headers: Headers, rules: HttpRules) -> str:
    """Return the Host header in lower case; raise HttpRefusal if it is malformed or not allowed."""
    hosts = headers.getlist("host")
    matched = _HOST.fullmatch(hosts[0]) if len(hosts) == 1 else None
    if matched is None:
        raise HttpRefusal(
            400,
            InvalidInput(
                "The Host header is missing or malformed.",
                number="E030",
                kept="Nothing was read.",
                hint="Send one Host header with the address that the server printed at startup.",
            ),
        )
    name = matched["name"].strip("[]").rstrip(".").lower()
    if name not in rules.hosts:
        raise HttpRefusal(
            403,
            NotAllowed(
                f"This server does not accept requests for the host {name}.",
                kept="Nothing was read.",
                hint="Use the address that it printed at startup, or start it with --allow-host for this name.",
            ),
        )
    return hosts[0].lower()


def _check_origin(headers: Headers, own_origin: str, rules: HttpRules) -> None:
    """Raise HttpRefusal if the request comes from a page of another site that is not allowed."""
    for origin in headers.getlist("origin"):
        if origin.lower() != own_origin and origin.lower() not in rules.origins:
            raise HttpRefusal(
                403,
                NotAllowed(
                    "Pages of this origin may not use this server.",
                    kept="Nothing was read.",
                    hint="Start it with --allow-origin for that site, if you trust it.",
                ),
            )


def _log_request(scope: Scope, response: _ResponseRecorder) -> None:
    state: MutableMapping[str, Any] = scope.get("state", {})
    log.info(
        "http.request",
        method=shorten(scope["method"], 20),
        path=strip_control(shorten(_SECRET.sub(r"\1…", state.get("path", scope["path"])), 200)),
        status=response.status,
        ms=round((time.perf_counter() - response.started_at) * 1000, 1),
        caller=state.get("caller", ""),
        request_id=response.request_id,
    )


def _log_unexpected_error(error: Exception, request_id: str) -> None:
    """Log the type and the place of an error, not its message, which may quote the request."""
    frames = traceback.extract_tb(error.__traceback__)[-_DEFECT_FRAMES:]
    log.error(
        "http.defect",
        kind=type(error).__name__,
        at=[f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames],
        request_id=request_id,
    )
