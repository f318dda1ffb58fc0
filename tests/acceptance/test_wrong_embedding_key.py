"""A key that the chosen embedding provider refuses: what serves or works does not start. Any other trouble of the
provider stops nothing.
"""

from __future__ import annotations

import json

import pytest

from support.cli import FrasierProgram, read_until
from support.embedding_server import Answer, EmbeddingServer, hanging, refusing
from support.line_server import HELLO
from support.mcp_host import hosted

KEY = "wrongkey-0123456789"


def environment(server: EmbeddingServer) -> dict[str, str]:
    return {
        "FRASIER_MEMORY__EMBEDDING__PROVIDER": "openai",
        "FRASIER_MEMORY__EMBEDDING__MODEL": "m",
        "FRASIER_MEMORY__EMBEDDING__BASE_URL": server.base_url,
        "FRASIER_MEMORY__EMBEDDING__API_KEY": KEY,
    }


def check_refusal(said: str) -> None:
    assert "The key for the embeddings was refused" in said
    assert "E050" in said
    assert "FRASIER_MEMORY__EMBEDDING__API_KEY" in said
    assert "Traceback" not in said
    assert KEY not in said
    assert "served at" not in said


@pytest.mark.parametrize(
    "command", ["serve --port 0", "memory serve --port 0", "mcp --http --port 0", "up", "worker"]
)
def test_a_wrong_key_stops_the_start(frasier: FrasierProgram, command: str):
    status = 403 if command == "worker" else 401
    with EmbeddingServer(refusing(status, f"Incorrect API key provided: {KEY}.")) as server:
        ended = frasier(*command.split(), code=8, **environment(server))
    check_refusal(ended.err)
    assert KEY not in ended.out


@pytest.mark.parametrize("command", ["mcp", "memory mcp"])
def test_a_wrong_key_is_told_at_the_first_call_of_a_host_and_when_it_leaves(
    frasier: FrasierProgram, command: str
):
    with (
        EmbeddingServer(refusing(401, f"Incorrect API key provided: {KEY}.")) as server,
        hosted(frasier, *command.split(), **environment(server)) as host,
    ):
        assert host.ask(HELLO)["result"]
        check_refusal(json.dumps(host.call("memory_search", query="kettle")))
        code, errors = host.end()
    assert code == 8
    check_refusal(errors)


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


WRONG_SETTINGS = {
    "search": {"FRASIER_WEB__SEARCH": "brave"},
    "encoder": {"FRASIER_MEMORY__EMBEDDING__PROVIDER": "voyage"},
    "reranker": {"FRASIER_MEMORY__RERANK__METHOD": "cross_encoder"},
}


@pytest.mark.parametrize("setting", WRONG_SETTINGS)
@pytest.mark.parametrize("command", [["run", "Compare kettles by price."], ["say", "What is a kettle?"]])
def test_nothing_is_stored_that_a_wrong_setting_keeps_from_being_done(
    frasier: FrasierProgram, command: list[str], setting: str
):
    ended = frasier(*command, "--json", code=8, **WRONG_SETTINGS[setting])
    assert "configuration_error" in ended.out + ended.err
    assert frasier.json("missions", "list")["missions"] == []
    assert frasier.json("status")["interrupted"] == []
    assert frasier.json("memory", "list", "--kind", "conversation")["data"]["memories"] == []


@pytest.mark.parametrize(
    ("setting", "check"),
    [("search", "web search"), ("encoder", "memory encoder"), ("reranker", "memory encoder")],
)
def test_doctor_names_the_part_whose_setting_is_wrong_and_examines_the_others(
    frasier: FrasierProgram, setting: str, check: str
):
    report = json.loads(frasier("doctor", "--json", code=8, **WRONG_SETTINGS[setting]).out)
    states = {one["name"]: one["state"] for one in report["checks"]}
    assert [name for name, state in states.items() if state == "fail"] == [check]
    assert "outbox" in states
