"""What only a real process can be given: bytes, full disks, and streams that are closed or not there."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from frasier.memory import EmbeddingSettings, MemorySettings
from support.cli import DEADLINE_S
from support.cli_garbage import REFUSED, refused
from support.cli_memory import MemoryProgram, memory_program
from support.in_process_cli import MemoryAlone, run_inside

UNWRITABLE, READER_LEFT = 8, 141
KEPT = "The wharf crane is painted green every spring."


@pytest.fixture(scope="module")
def memory(server: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[MemoryProgram]:
    """A program with one memory, which is as it was at the end."""
    with memory_program(server, tmp_path_factory.mktemp("program")) as program:
        assert raw(program, "save", KEPT).returncode == 0
        [before] = held(program, "wharf crane")
        yield program
        assert held(program, "wharf crane") == [before]


def held(memory: MemoryProgram, words: str) -> list[tuple[str, str, str]]:
    """What is remembered of those words: ids, texts and when they were saved."""
    rules = MemorySettings(embedding=EmbeddingSettings(provider="none"))
    application = MemoryAlone(memory.frasier._environment["FRASIER_DATABASE_URL"], rules)
    ended = run_inside(application, ["memory", "recall", words, "--json"])
    assert ended.code == 0, ended
    hits = json.loads(ended.out)["data"]["results"]
    return [(hit["id"], hit["text"], hit["created_at"]) for hit in hits]


def raw(memory: MemoryProgram, *arguments: bytes | str, **how: Any) -> subprocess.CompletedProcess[bytes]:
    """The real program with arguments of any bytes."""
    how = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, **how}
    if "input" in how:
        del how["stdin"]
    return subprocess.run(
        [sys.executable, "-m", "frasier", "memory", *arguments],
        stderr=subprocess.PIPE,
        cwd=memory.frasier.home,
        env={**memory.frasier._environment, **memory.environment},
        timeout=DEADLINE_S,
        check=False,
        **how,
    )


def test_bytes_that_are_no_text_are_refused_not_left_out(memory: MemoryProgram) -> None:
    refused(raw(memory, b"save", b"The caf\xe9 is open until ten o'clock.", "--json"), "E012")
    assert held(memory, "open until ten o'clock") == []


def test_an_error_in_words_has_its_number_too(memory: MemoryProgram) -> None:
    ended = raw(memory, "save", "--file", os.fsencode(memory.notes) + b"/caf\xe9.md")
    assert ended.returncode == REFUSED
    first, _, hint = ended.stderr.decode().splitlines()
    assert first == "Error: What was typed is not UTF-8 text. (E012)"
    assert "iconv" in hint


def test_ten_megabytes_from_a_pipe_are_refused(memory: MemoryProgram) -> None:
    refused(raw(memory, "save", "-", "--json", input=b"flagstone " * 1_000_000), "E013")
    assert held(memory, "flagstone") == [], "no part of it was saved"


def test_a_file_that_may_not_be_read_is_refused(memory: MemoryProgram) -> None:
    if os.geteuid() == 0:
        pytest.skip("root may read every file")
    (memory.notes / "closed.md").write_text("# Closed\n\nNobody may read this, not even its owner.\n")
    (memory.notes / "closed.md").chmod(0)
    refused(raw(memory, "save", "--file", str(memory.notes / "closed.md"), "--json"), "E011")


def test_a_reader_that_leaves_takes_nothing_with_it(memory: MemoryProgram) -> None:
    theirs, ours = os.pipe()
    os.close(theirs)
    ended = raw(memory, "save", "The lighthouse blinks twice every ten seconds.", stdout=ours)
    os.close(ours)
    assert (ended.returncode, ended.stderr) == (READER_LEFT, b"")
    assert len(held(memory, "lighthouse blinks")) == 1


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device here")
def test_an_answer_that_finds_no_room_is_told_on_standard_error(memory: MemoryProgram) -> None:
    with Path("/dev/full").open("wb") as full:
        ended = raw(memory, "save", "The harbour is dredged in every third year.", stdout=full)
    assert ended.returncode == UNWRITABLE
    assert b"Traceback" not in ended.stderr
    assert b"cannot be written to" in ended.stderr
    assert len(held(memory, "harbour dredged")) == 1


@pytest.mark.parametrize(
    "descriptors", [(0,), (0, 1, 2), *(pytest.param((one,), marks=pytest.mark.slow) for one in (1, 2))]
)
def test_without_standard_streams_it_works_as_with_silent_ones(
    memory: MemoryProgram, descriptors: tuple[int, ...]
) -> None:
    def close() -> None:
        for descriptor in descriptors:
            with suppress(OSError):
                os.close(descriptor)

    ended = raw(memory, "save", "-", "--json", preexec_fn=close)
    assert ended.returncode == REFUSED, ended.stderr
    assert b"Traceback" not in ended.stderr + ended.stdout
    if 1 not in descriptors:
        refused(ended, "E093")
