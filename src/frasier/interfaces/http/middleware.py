"""The door: which host and origin are let in, what is logged, and that nobody is left without an answer.

Trigger  a page in somebody's browser asks a name that it made resolve to this machine (DNS rebinding), or
         simply posts to localhost.
Why      a browser sends what it is told to, from inside of whatever network it is in.
Outcome  a foreign Host or Origin is refused before anything is read.
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

from frasier.interfaces.http.error_responses import HttpRefusal, defect_response, refusal_response
from frasier.interfaces.http.limits import HttpRules
from frasier.kernel.errors import InvalidInput, NotAllowed
from frasier.kernel.ids import new_id
from frasier.kernel.logging_setup import get_logger
from frasier.kernel.text import shorten, strip_control

log = get_logger()

_REQUEST_ID = re.compile(r"[A-Za-z0-9._:-]{1,100}")
_HOST = re.compile(r"(?P<name>\[[0-9A-Fa-f:.]{2,45}\]|[A-Za-z0-9._-]{1,253})(?::\d{1,5})?")
_DEFECT_FRAMES = 8


class Door:
    """ASGI: stands before the application and answers in its place where it must."""

    def __init__(self, app: ASGIApp, rules: HttpRules) -> None:
        self._app = app
        self._rules = rules

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        passage = _Passage(send, _request_id(Headers(scope=scope)))
        scope.setdefault("state", {})["request_id"] = passage.request_id
        try:
            if (refused := self._refused(scope)) is not None:
                await refused(scope, receive, passage.send)
            else:
                await self._app(scope, receive, passage.send)
        except ClientDisconnect:
            log.info("http.client_left", request_id=passage.request_id)
        except Exception as error:  # noqa: BLE001  nobody is left without an answer, whatever happened
            _log_defect(error, passage.request_id)
            if passage.status is None:
                await defect_response()(scope, receive, passage.send)
        finally:
            _log_access(scope, passage)

    def _refused(self, scope: Scope) -> Response | None:
        headers = Headers(scope=scope)
        try:
            host = _check_host(headers, self._rules)
            _check_origin(headers, f"{scope.get('scheme', 'http')}://{host}", self._rules)
        except HttpRefusal as refusal:
            return refusal_response(refusal.error, status=refusal.status)
        return None


class _Passage:
    """One request on its way out: its status, and the headers that every answer has."""

    def __init__(self, send: Send, request_id: str) -> None:
        self._send = send
        self.request_id = request_id
        self.status: int | None = None
        self.began = time.perf_counter()

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            headers = MutableHeaders(scope=message)
            headers["X-Request-Id"] = self.request_id
            headers["Cache-Control"] = "no-store"
            headers["X-Content-Type-Options"] = "nosniff"
        await self._send(message)


def _request_id(headers: Headers) -> str:
    """The client's own, where it can be one; anything else could forge lines of the log."""
    given = headers.get("x-request-id", "")
    return given if _REQUEST_ID.fullmatch(given) else str(new_id())


def _check_host(headers: Headers, rules: HttpRules) -> str:
    given = headers.getlist("host")
    matched = _HOST.fullmatch(given[0]) if len(given) == 1 else None
    if matched is None:
        raise HttpRefusal(
            400,
            InvalidInput(
                "The request names no host, or none that can be one.",
                number="E030",
                kept="Nothing was read.",
                hint="Send one Host header with the address that the server told at its start.",
            ),
        )
    name = matched["name"].strip("[]").rstrip(".").lower()
    if name not in rules.hosts:
        raise HttpRefusal(
            403,
            NotAllowed(
                f"This server is not to be reached as {name}.",
                kept="Nothing was read.",
                hint="Use the address that it told at its start, or start it with --allow-host for this name.",
            ),
        )
    return given[0].lower()


def _check_origin(headers: Headers, own: str, rules: HttpRules) -> None:
    for origin in headers.getlist("origin"):
        if origin.lower() != own and origin.lower() not in rules.origins:
            raise HttpRefusal(
                403,
                NotAllowed(
                    "Pages of this origin may not use this server.",
                    kept="Nothing was read.",
                    hint="Start it with --allow-origin for that site, if you trust it.",
                ),
            )


def _log_access(scope: Scope, passage: _Passage) -> None:
    state: MutableMapping[str, Any] = scope.get("state", {})
    log.info(
        "http.request",
        method=shorten(scope["method"], 20),
        path=strip_control(shorten(scope["path"], 200)),
        status=passage.status,
        ms=round((time.perf_counter() - passage.began) * 1000, 1),
        caller=state.get("caller", ""),
        request_id=passage.request_id,
    )


def _log_defect(error: Exception, request_id: str) -> None:
    """Log the place and the kind of a defect, not its message, which may quote what was sent."""
    frames = traceback.extract_tb(error.__traceback__)[-_DEFECT_FRAMES:]
    log.error(
        "http.defect",
        kind=type(error).__name__,
        at=[f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames],
        request_id=request_id,
    )
