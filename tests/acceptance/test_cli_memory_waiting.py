"""`frasier memory` where something takes its time: a person sees how far it is, and nobody waits in vain."""

from __future__ import annotations

import json

import pytest

from support.cli_memory import MemoryProgram, memory_program
from support.embedding_server import EmbeddingServer, garbage, hanging, refusing, well

FILES = 3


@pytest.fixture(scope="module")
def memory(server, tmp_path_factory):
    with memory_program(server, tmp_path_factory.mktemp("memory")) as program:
        for number in range(FILES):
            path = program.notes / f"note-{number}.md"
            path.write_text(f"---\ntitle: Note {number}\n---\n\nThe lighthouse number {number} is green.\n")
        yield program


def test_a_scan_shows_how_far_it_is_on_a_terminal_and_nowhere_else(memory: MemoryProgram):
    drawn = memory.frasier.on_terminal("memory", "scan", "--force", columns=80, **memory.environment)
    assert "Scanning" in drawn
    assert f"{FILES}/{FILES}" in drawn
    for options in ((), ("--json",)):
        ended = memory.frasier("memory", "scan", "--force", *options, **memory.environment)
        assert ended.err == ""
        assert "Scanning" not in ended.out


def test_with_json_a_scan_shows_no_progress_even_on_a_terminal(memory: MemoryProgram):
    drawn = memory.frasier.on_terminal(
        "memory", "scan", "--force", "--json", columns=80, **memory.environment
    )
    data = json.loads(drawn)["data"]
    assert data["indexed"] + data["unchanged"] == FILES


def remote(encoders: EmbeddingServer) -> dict[str, str]:
    return {
        "FRASIER_MEMORY__EMBEDDING__PROVIDER": "openai",
        "FRASIER_MEMORY__EMBEDDING__MODEL": "m",
        "FRASIER_MEMORY__EMBEDDING__BASE_URL": encoders.base_url,
        "FRASIER_MEMORY__EMBEDDING__DIMENSION": "8",
        "FRASIER_MEMORY__EMBEDDING__QUERY_TIMEOUT_S": "0.5",
    }


@pytest.mark.parametrize("outage", [refusing(503), hanging(), garbage()], ids=["refuses", "hangs", "garbage"])
def test_a_recall_does_not_wait_for_owed_vectors_of_a_provider_that_cannot_work(
    memory: MemoryProgram, outage
):
    memory.saved("The marmalade is in the third cupboard.")
    with EmbeddingServer(outage) as encoders:
        found = memory.envelope("recall", "where is the marmalade?", **remote(encoders))
        asked = encoders.texts
    assert "marmalade" in found["data"]["results"][0]["text"]
    assert "by words only" in found["meta"]["degraded"]
    # One look whether it is there, then the question itself: no text of a memory, and nothing a second time.
    assert len(asked) == 2
    assert asked[1] == "where is the marmalade?"


def test_a_recall_makes_the_vectors_that_a_remote_provider_owes(memory: MemoryProgram):
    memory.saved("The quinces are in the fourth cupboard.")
    with EmbeddingServer(well()) as encoders:
        found = memory.envelope("recall", "quinces in the cupboard", **remote(encoders))
    assert found["meta"]["degraded"] == ""
    assert "vector" in found["data"]["results"][0]["sources"]
