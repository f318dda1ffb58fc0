"""An OpenAI-compatible server on loopback that answers as a test decides and logs the requests.

with ModelServer(lambda body: ScriptedAnswer(content="hello")) as server:
    settings = LlmSettings(base_url=server.base_url)
    ...
assert [request.model for request in server.log] == ["m3"]
"""

from __future__ import annotations

import hashlib
import json
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self


@dataclass(frozen=True, slots=True, kw_only=True)
class ScriptedAnswer:
    """One answer. Without `body` it is a completion made of `content`, `finish_reason` and `usage`.

    `delay_s` makes it slow, `hang` never answers, `drop` closes the connection after reading the request.
    """

    content: str | None = "This is the answer."
    finish_reason: str | None = "stop"
    usage: Mapping[str, Any] | None = field(
        default_factory=lambda: {"prompt_tokens": 100, "completion_tokens": 50}
    )
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    body: str | None = None
    delay_s: float = 0.0
    hang: bool = False
    drop: bool = False

    @classmethod
    def json(cls, value: Any, **more: Any) -> ScriptedAnswer:
        """Return a completion whose content is `value` as JSON."""
        return cls(content=json.dumps(value), **more)

    @classmethod
    def error(
        cls,
        status: int,
        message: str = "it failed",
        *,
        headers: Mapping[str, str] | None = None,
        **fields: Any,
    ) -> ScriptedAnswer:
        """Return an error in the format of OpenAI-compatible servers; `fields` are code, param, type."""
        body = json.dumps({"error": {"message": message, **fields}})
        return cls(status=status, body=body, headers=headers or {})


Responder = Callable[[dict[str, Any]], ScriptedAnswer]


@dataclass(frozen=True, slots=True, kw_only=True)
class LoggedRequest:
    """One request. `headers` are in lower case; of authorization only a digest is kept."""

    path: str
    headers: Mapping[str, str]
    key_sha256: str
    body: dict[str, Any]
    arrived_at: float

    @property
    def model(self) -> str:
        return str(self.body["model"])

    @property
    def messages(self) -> list[dict[str, str]]:
        return list(self.body["messages"])

    @property
    def response_format(self) -> dict[str, Any] | None:
        return self.body.get("response_format")


def key_digest(key: str) -> str:
    """Return the digest that the log has for a request with `key`."""
    return hashlib.sha256(f"Bearer {key}".encode()).hexdigest()


def in_order(*answers: ScriptedAnswer) -> Responder:
    """Return `answers` one after another; any further request gets a 418, which no retry hides."""
    left = list(answers)
    lock = threading.Lock()

    def respond(_body: dict[str, Any]) -> ScriptedAnswer:
        with lock:
            return left.pop(0) if left else ScriptedAnswer.error(418, "the script has ended")

    return respond


def by_model(**responders: Responder) -> Responder:
    """Return the answer of the responder for the requested model."""
    return lambda body: responders[body["model"]](body)


class ModelServer:
    """The server: started by `with`, on a free port, with a thread per request."""

    def __init__(self, responder: Responder) -> None:
        self.responder = responder
        self.log: list[LoggedRequest] = []
        self._closing = threading.Event()
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._http.daemon_threads = True
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.01,), daemon=True)

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_port}/v1"

    @property
    def models(self) -> list[str]:
        """The requested models, in order."""
        return [request.model for request in self.log]

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_exc: object) -> None:
        self._closing.set()
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                raw = self.rfile.read(int(self.headers.get("content-length", 0)))
                headers = {name.lower(): value for name, value in self.headers.items()}
                key = headers.pop("authorization", "")
                body = json.loads(raw)
                server.log.append(
                    LoggedRequest(
                        path=self.path,
                        headers=headers,
                        key_sha256=hashlib.sha256(key.encode()).hexdigest() if key else "",
                        body=body,
                        arrived_at=time.monotonic(),
                    )
                )
                try:
                    server._answer(self, server.responder(body))
                except ConnectionError:
                    self.close_connection = True  # the client stopped waiting, as a test of timeouts wants

            def log_message(self, *_args: object) -> None:
                """Log nothing: the log is for assertions."""

        return Handler

    def _answer(self, handler: BaseHTTPRequestHandler, answer: ScriptedAnswer) -> None:
        if answer.hang:
            self._closing.wait()
        if answer.hang or answer.drop:
            handler.close_connection = True
            return
        if answer.delay_s:
            self._closing.wait(answer.delay_s)
        payload = (answer.body if answer.body is not None else _completion(answer)).encode()
        handler.send_response(answer.status)
        for name, value in ({"content-type": "application/json"} | dict(answer.headers)).items():
            handler.send_header(name, value)
        handler.send_header("content-length", str(len(payload)))
        handler.end_headers()
        handler.wfile.write(payload)


def _completion(answer: ScriptedAnswer) -> str:
    choice = {
        "index": 0,
        "message": {"role": "assistant", "content": answer.content},
        "finish_reason": answer.finish_reason,
    }
    body: dict[str, Any] = {"id": "chatcmpl-1", "object": "chat.completion", "choices": [choice]}
    if answer.usage is not None:
        body["usage"] = dict(answer.usage)
    return json.dumps(body)
