"""A key that the chosen embedding provider refuses: what serves or works does not start. Any other trouble of the
provider stops nothing.
"""

from __future__ import annotations

import json

import pytest

from support.cli import FrasierProgram, read_until
from support.embedding_server import Answer, EmbeddingServer, hanging, refusing

KEY = "wrongkey-0123456789"
HELLO = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
CALL = {"name": "memory_search", "arguments": {"query": "kettle"}}
SPOKEN = "".join(
    json.dumps({"jsonrpc": "2.0", **message}) + "\n"
    for message in (
        {"id": 0, "method": "initialize", "params": HELLO},
        {"method": "notifications/initialized"},
        {"id": 1, "method": "tools/call", "params": CALL},
    )
)


def environment(server: EmbeddingServer) -> dict[str, str]:
    return {
        "FRASIER_MEMORY__EMBEDDING__PROVIDER": "openai",
        "FRASIER_MEMORY__EMBEDDING__MODEL": "m",
        "FRASIER_MEMORY__EMBEDDING__BASE_URL": server.base_url,
        "FRASIER_MEMORY__EMBEDDING__API_KEY": KEY,
    }


@pytest.mark.parametrize(
    "command",
    ["serve --port 0", "memory serve --port 0", "mcp", "mcp --http --port 0", "memory mcp", "up", "worker"],
)
def test_a_wrong_key_stops_the_start(frasier: FrasierProgram, command: str):
    status = 403 if command == "worker" else 401
    with EmbeddingServer(refusing(status, f"Incorrect API key provided: {KEY}.")) as server:
        ended = frasier(*command.split(), code=8, given=SPOKEN, **environment(server))
    assert "The key for the embeddings was refused" in ended.err
    assert "(E050)" in ended.err
    assert "FRASIER_MEMORY__EMBEDDING__API_KEY" in ended.err
    assert "Traceback" not in ended.err
    assert KEY not in ended.out + ended.err
    assert "served at" not in ended.err


@pytest.mark.parametrize("answer", [hanging(), refusing(500)], ids=["hangs", "fails"])
def test_a_provider_that_does_not_answer_stops_nothing(frasier: FrasierProgram, answer: Answer):
    patience = {"FRASIER_MEMORY__EMBEDDING__QUERY_TIMEOUT_S": "0.3"}
    with (
        EmbeddingServer(answer) as server,
        frasier.running("memory", "serve", "--port", "0", **environment(server), **patience) as process,
    ):
        read_until(process.stderr, "Memories are found by their words until it answers.")
        read_until(process.stderr, "served at http")
        process.terminate()
        process.communicate(timeout=20)
        assert process.returncode == 0
