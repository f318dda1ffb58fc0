"""A server of embeddings on loopback with the APIs of OpenAI and Voyage, and many kinds of bad responses.

with EmbeddingServer() as server:
    choice = EmbeddingSettings(provider="openai", base_url=server.base_url, model="m")
    server.answer = refusing(429)
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable, Sequence
from typing import Any

from support.model_server import ModelServer, ScriptedAnswer

Answer = Callable[[list[str]], ScriptedAnswer]


def bag_of_words(text: str, dimension: int, salt: str = "") -> list[float]:
    """Return a vector that is near those of texts with the same words."""
    vector = [0.01] * dimension
    for word in text.lower().split():
        digest = hashlib.sha256(f"{salt}{word}".encode()).digest()
        vector[digest[0] % dimension] += 1.0 if digest[1] % 2 else -1.0
    return vector


def reply(vectors: Sequence[Sequence[float]], *, backwards: bool = False) -> ScriptedAnswer:
    """Return a well-formed reply, with its items in any order."""
    data = [
        {"object": "embedding", "index": at, "embedding": list(vector)} for at, vector in enumerate(vectors)
    ]
    return ScriptedAnswer(body=json.dumps({"object": "list", "data": data[:: -1 if backwards else 1]}))


def well(dimension: int = 8, salt: str = "") -> Answer:
    return lambda texts: reply([bag_of_words(text, dimension, salt) for text in texts], backwards=True)


def refusing(status: int, message: str = "it failed", **headers: str) -> Answer:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return lambda _texts: ScriptedAnswer.error(status, message, headers=named)


def hanging() -> Answer:
    return lambda _texts: ScriptedAnswer(hang=True)


def dropping() -> Answer:
    return lambda _texts: ScriptedAnswer(drop=True)


def garbage(body: str = "<html>Bad gateway</html>") -> Answer:
    return lambda _texts: ScriptedAnswer(body=body)


def not_a_number(dimension: int = 8) -> Answer:
    return lambda texts: reply([[math.nan] * dimension for _ in texts])


def nothing_but_zeros(dimension: int = 8) -> Answer:
    return lambda texts: reply([[0.0] * dimension for _ in texts])


def one_too_few(dimension: int = 8) -> Answer:
    return lambda texts: reply([bag_of_words(text, dimension) for text in texts[1:]])


def failing_on(word: str, otherwise: Answer, bad: Answer) -> Answer:
    """Return an answer that fails only for requests with a text that contains `word`."""
    return lambda texts: (bad if any(word in text for text in texts) else otherwise)(texts)


class EmbeddingServer(ModelServer):
    """A server that answers as `answer` decides; `log` has the requests."""

    def __init__(self, answer: Answer | None = None) -> None:
        self.answer = answer or well()
        super().__init__(lambda body: self.answer(list(body["input"])))

    @property
    def bodies(self) -> list[dict[str, Any]]:
        return [request.body for request in self.log]

    @property
    def texts(self) -> list[str]:
        """Every text that was sent, in order."""
        return [text for body in self.bodies for text in body["input"]]
