"""`frasier memory` where something takes its time: a person sees how far it is, and nobody waits in vain."""

from __future__ import annotations

import json
from typing import Any

import pytest

from frasier.interfaces.cli import run_operation
from frasier.memory import EmbeddingSettings, MemorySettings
from frasier.memory.settings import RerankSettings
from support.cli_memory import MemoryProgram, memory_program
from support.embedding_server import EmbeddingServer, garbage, hanging, refusing, well
from support.in_process_cli import MemoryAlone, run_inside

FILES = 3
PATIENT_S = 20.0


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


def recalled(memory: MemoryProgram, question: str, encoders: EmbeddingServer, *, query_s: float) -> Any:
    """Recall with a remote provider, in this process: how long the program takes to start is not the subject here."""
    embedding = EmbeddingSettings(
        provider="openai", model="m", base_url=encoders.base_url, dimension=8, query_timeout_s=query_s
    )
    settings = MemorySettings(
        roots=(memory.notes,), embedding=embedding, rerank=RerankSettings(method="none")
    )
    ended = run_inside(MemoryAlone(memory._inside._url, settings), ["memory", "recall", question, "--json"])
    assert ended.code == 0, ended.err
    return json.loads(ended.out)


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a recall spend longer on pending vectors than a busy machine may need for a request."""
    monkeypatch.setattr(run_operation, "_CATCH_UP_S", PATIENT_S)


@pytest.mark.usefixtures("patient")
@pytest.mark.parametrize(
    ("outage", "query_s"),
    [(refusing(503), PATIENT_S), (hanging(), 2.0), (garbage(), PATIENT_S)],
    ids=["refuses", "hangs", "garbage"],
)
def test_a_recall_does_not_wait_for_owed_vectors_of_a_provider_that_cannot_work(
    memory: MemoryProgram, outage, query_s
):
    memory.saved("The marmalade is in the third cupboard.")
    with EmbeddingServer(outage) as encoders:
        found = recalled(memory, "where is the marmalade?", encoders, query_s=query_s)
        asked = encoders.texts
    assert "marmalade" in found["data"]["results"][0]["text"]
    assert "by words only" in found["meta"]["degraded"]
    # One look whether it is there, then the question itself: no text of a memory, and nothing a second time.
    assert len(asked) == 2
    assert asked[1] == "where is the marmalade?"


@pytest.mark.usefixtures("patient")
def test_a_recall_makes_the_vectors_that_a_remote_provider_owes(memory: MemoryProgram):
    memory.saved("The quinces are in the fourth cupboard.")
    with EmbeddingServer(well()) as encoders:
        found = recalled(memory, "quinces in the cupboard", encoders, query_s=PATIENT_S)
    assert found["meta"]["degraded"] == ""
    assert "vector" in found["data"]["results"][0]["sources"]
