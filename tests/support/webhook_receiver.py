"""A receiver of webhooks on loopback that fails as a test decides, and checks every signature."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import hmac
import json
import random
from collections import Counter
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from typing import Any

from support.web_server import Reply, Request, WebServer


@dataclass(frozen=True, slots=True)
class Received:
    """A message that reached the receiver, and whether it said that it has it."""

    id: str
    payload: dict[str, Any]
    accepted: bool


def signed_by(secret: str, request: Request) -> bool:
    """Verify a message as Standard Webhooks says."""
    key = base64.b64decode(secret.removeprefix("whsec_"))
    names = ("webhook-id", "webhook-timestamp")
    signed = ".".join(request.headers[name] for name in names).encode() + b"." + request.body
    expected = base64.b64encode(hmac.digest(key, signed, hashlib.sha256)).decode()
    return f"v1,{expected}" in request.headers["webhook-signature"].split()


async def never() -> AsyncIterator[bytes]:
    """Yield nothing, without an end."""
    await asyncio.Event().wait()
    yield b""


async def cut() -> AsyncIterator[bytes]:
    """Break the connection off."""
    raise ConnectionResetError
    yield b""


class Receiver:
    """A receiver at one path of a server. `answer` decides about each message; by default it takes all."""

    def __init__(self, server: WebServer, path: str = "/hook") -> None:
        self.url = server.url(path)
        self.secret = ""
        self.received: list[Received] = []
        self.answer: Callable[[Request], Reply] = lambda _request: Reply(status=204, content_type=None)
        server.routes[path] = self._take

    def _take(self, request: Request) -> Reply:
        assert signed_by(self.secret, request)
        reply = self.answer(request)
        self.received.append(
            Received(
                request.headers["webhook-id"],
                json.loads(request.body),
                200 <= reply.status < 300 and isinstance(reply.body, bytes),
            )
        )
        return reply

    @property
    def accepted(self) -> list[Received]:
        return [one for one in self.received if one.accepted]

    @property
    def attempts(self) -> Counter[str]:
        return Counter(one.id for one in self.received)


def unreliable(seed: int) -> Callable[[Request], Reply]:
    """Answer in five ways: take it, answer 500, let it wait, and break off before or in the midst of the answer."""
    chance = random.Random(seed)
    ways = [
        lambda: Reply(status=204, content_type=None),
        lambda: Reply(status=200),
        lambda: Reply("out of order", status=500),
        lambda: Reply(never(), status=200, headers={"Content-Length": "5"}),
        lambda: Reply(cut(), status=200, headers={"Content-Length": "5"}),
    ]
    return lambda _request: chance.choices(ways, weights=[4, 2, 2, 1, 2])[0]()
