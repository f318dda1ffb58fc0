"""The connection of the client: one request of an operation, repeated while that can help and does nothing twice."""

from __future__ import annotations

import random
import time
import uuid
from collections.abc import Mapping, Sequence
from datetime import date
from enum import Enum
from types import TracebackType
from typing import Any, Self
from urllib.parse import quote

import httpx2

from frasier.interfaces.client.error_from_response import error_from_response
from frasier.interfaces.client.server_address import authorization, no_answer, server_address
from frasier.interfaces.resources import RESOURCE_OF, Resource
from frasier.kernel.errors import BadReply, InvalidInput

# With the waits between them, long enough for a server that is started anew.
_ATTEMPTS = 6
_FIRST_WAIT_S = 0.2
_WAIT_S_MAX = 5.0
_PASSING = frozenset({429, 502, 503, 504})
_RUNNING = "request_running"


class ServerConnection:
    """A connection to one server as the owner of a token.

    Every write at a resource has an idempotency key of its own, so that it can be repeated when an answer got lost: a
    request is sent up to `attempts` times while the server cannot be reached, asks to wait, or is still at it.
    """

    def __init__(self, url: str, token: str, *, timeout_s: float, attempts: int = _ATTEMPTS) -> None:
        self.timeout_s = timeout_s
        self._attempts = attempts
        self._base = server_address(url)
        # Proxies and netrc of the environment are ignored: either could see or replace the token.
        self._client = httpx2.Client(
            headers=authorization(token),
            timeout=timeout_s,
            trust_env=False,
            follow_redirects=False,
        )

    def close(self) -> None:
        """Close the connection."""
        self._client.close()

    def run(
        self, operation: str, arguments: Mapping[str, Any], *, extra_timeout_s: float = 0.0
    ) -> dict[str, Any]:
        """Run an operation at its resource and return its envelope as JSON; arguments that are None are left out."""
        resource = RESOURCE_OF[operation]
        inputs = _inputs_of(arguments)
        path = path_of(resource, inputs)
        options: dict[str, Any] = {"timeout": self.timeout_s + extra_timeout_s}
        if resource.has_body:
            options["json"] = inputs
        else:
            options["params"] = query_of(inputs)
        if resource.method != "GET":
            options["headers"] = {"Idempotency-Key": str(uuid.uuid4())}
        return self._reply(operation, self.send(resource.method, path, operation=operation, **options))

    def call_tool(
        self, tool: str, arguments: Mapping[str, Any], *, extra_timeout_s: float = 0.0
    ) -> dict[str, Any]:
        """Call a tool of the server and return its envelope as JSON; arguments that are None are left out."""
        response = self.send(
            "POST",
            f"/api/v1/tools/{tool}",
            operation=tool,
            reads=tool in RESOURCE_OF and RESOURCE_OF[tool].method == "GET",
            json=_inputs_of(arguments),
            timeout=self.timeout_s + extra_timeout_s,
        )
        return self._reply(tool, response)

    def follow(self, link: str) -> dict[str, Any]:
        """Return the page that a link `next` leads to."""
        return self._reply("the next page", self.send("GET", link, operation="the next page"))

    def send(
        self, method: str, path: str, *, operation: str, reads: bool = False, **options: Any
    ) -> httpx2.Response:
        """Send a request until it is answered; raise the error of the last answer, or why there was none.

        `reads` says of a request that is not a GET that it changes nothing.
        """
        attempt = 1
        while True:
            try:
                response = self._client.request(method, f"{self._base}{path}", **options)
            except (httpx2.HTTPError, httpx2.InvalidURL) as error:
                if attempt == self._attempts or isinstance(
                    error, httpx2.InvalidURL | httpx2.UnsupportedProtocol
                ):
                    reads = reads or method == "GET"
                    raise no_answer(error, url=self._base, operation=operation, reads=reads) from None
                wait_s = _backoff_s(attempt)
            else:
                if response.is_success:
                    return response
                wait_s = _wait_for_repeat_s(response, attempt) if attempt < self._attempts else -1.0
                if wait_s < 0:
                    raise error_from_response(response.status_code, _json_or_none(response))
            time.sleep(wait_s)
            attempt += 1

    def _reply(self, operation: str, response: httpx2.Response) -> dict[str, Any]:
        reply = _json_or_none(response)
        if not isinstance(reply, dict):
            raise BadReply(f"The response to {operation} is not valid JSON.")
        return reply


class ConnectedClient:
    """A client that closes its connection at the end of a `with` block."""

    _connection: ServerConnection

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()


def _inputs_of(arguments: Mapping[str, Any]) -> dict[str, Any]:
    return {name: json_value(value) for name, value in arguments.items() if value is not None}


def path_of(resource: Resource, inputs: dict[str, Any]) -> str:
    """Return the path of a resource with the inputs in it, which are taken out of `inputs`.

    Raises InvalidInput for one that is empty: the path would be that of another resource.
    """
    if empty := [name for name in resource.path_inputs if not str(inputs[name]).strip()]:
        raise InvalidInput(
            f"The input is wrong: {empty[0]} must not be empty.",
            number="E032",
            kept="Nothing was sent.",
            hint=f"{resource.method} {resource.path} needs it.",
        )
    names = {name: quote(str(inputs.pop(name)), safe="") for name in resource.path_inputs}
    return resource.path.format_map(names)


def query_of(inputs: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return inputs as parameters of a query: a list is repeated."""
    return [
        (name, str(one).lower() if isinstance(one, bool) else str(one))
        for name, value in inputs.items()
        for one in (value if isinstance(value, list) else [value])
    ]


def json_value(value: Any) -> Any:
    """Return a value as JSON takes it."""
    match value:
        case Enum():
            return value.value
        case uuid.UUID():
            return str(value)
        case date():
            return value.isoformat()
        case str() | bytes():
            return value
        case Mapping():
            return {str(json_value(name)): json_value(inner) for name, inner in value.items()}
        case Sequence() | set() | frozenset():
            return [json_value(inner) for inner in value]
        case _ if hasattr(value, "model_dump"):
            return value.model_dump(mode="json", exclude_none=True)
        case _:
            return value


def _wait_for_repeat_s(response: httpx2.Response, attempt: int) -> float:
    """Return how long to wait before the request is repeated; a negative number if that cannot help."""
    running = response.status_code == httpx2.codes.CONFLICT and _code_of(response) == _RUNNING
    if not (running or response.status_code in _PASSING):
        return -1.0
    asked = response.headers.get("retry-after", "")
    wait_s = float(asked) if asked.isdecimal() else _backoff_s(attempt)
    return wait_s if wait_s <= _WAIT_S_MAX else -1.0


def _backoff_s(attempt: int) -> float:
    return float(_FIRST_WAIT_S * 2 ** (attempt - 1) * random.uniform(0.5, 1.5))


def _code_of(response: httpx2.Response) -> str:
    body = _json_or_none(response)
    return str(body.get("code", "")) if isinstance(body, dict) else ""


def _json_or_none(response: httpx2.Response) -> Any:
    try:
        return response.json()
    except ValueError:
        return None
