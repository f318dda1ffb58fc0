"""`frasier memory recall` after a scan answers within seconds, and `frasier memory index` makes the vectors meanwhile."""

from __future__ import annotations

import asyncio
import json
import re
import signal
from datetime import timedelta
from typing import Any

import psycopg
import pytest

from frasier.interfaces.cli.memory.index import _index
from frasier.memory import (
    Caller,
    MemoryKind,
    MemorySettings,
    NewMemory,
    Progress,
    open_engine,
    save_memories,
)
from frasier.memory.embedding.types import EncodedPart, TextToEncode
from frasier.store import Database
from support.cli import DEADLINE_S, FrasierProgram, ProgramResult
from support.cli_memory import MemoryProgram, memory_program
from support.database_clock import offset_clock
from support.embedding_server import EmbeddingServer, hanging, well
from support.in_process_cli import MemoryAlone, run_inside
from support.memory_client import WordVectors

FILES = 300
A_TEXT_S = 0.7
CATCH_UP_S = 2.0


class SlowEncoder(WordVectors):
    """Takes A_TEXT_S for each text, by a clock of its own."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 1_000.0
        self.encoded: list[str] = []

    def clock(self) -> float:
        return self.now

    async def encode(self, documents: list[TextToEncode]) -> list[list[EncodedPart]]:
        self.now += A_TEXT_S * len(documents)
        self.encoded += [document.text for document in documents]
        return await super().encode(documents)


class Scanned:
    """A memory folder of 300 files, scanned by a process without an encoder, and commands with a slow one."""

    def __init__(self, program: MemoryProgram, url: str) -> None:
        self.encoder = SlowEncoder()
        self._url = url
        for number in range(FILES):
            text = (
                f"---\ntitle: Note {number}\n---\n\nThe lighthouse {number} is green. {'It shines. ' * 200}"
            )
            (program.notes / f"note-{number}.md").write_text(text)
        self.settings = MemorySettings(roots=(program.notes,))

    def run(self, *arguments: str, **opened_with: Any) -> ProgramResult:
        given = {"provider": self.encoder, "clock": self.encoder.clock} | opened_with
        return run_inside(MemoryAlone(self._url, self.settings, **given), ["memory", *arguments])

    def envelope(self, *arguments: str) -> Any:
        ended = self.run(*arguments, "--json")
        assert ended.code == 0, ended.err
        return json.loads(ended.out)


@pytest.fixture(scope="module")
def scanned(server, tmp_path_factory):
    with memory_program(server, tmp_path_factory.mktemp("memory")) as program:
        scanned = Scanned(program, program._inside._url)
        assert scanned.envelope("scan")["data"]["indexed"] == FILES
        yield scanned


def test_a_recall_after_a_scan_encodes_for_two_seconds_at_most_and_says_what_is_left(scanned):
    began = scanned.encoder.now
    found = scanned.envelope("recall", "which lighthouse is green?")
    # A group that was begun is ended: so much more, and no more.
    assert scanned.encoder.now - began <= CATCH_UP_S + 2 * A_TEXT_S
    made = len(scanned.encoder.encoded)
    assert made > 0, "what little can be made is made"
    assert found["data"]["results"]
    assert found["data"]["without_vector"] == FILES - made
    advice = " ".join(found["hints"])
    assert f"{FILES - made} memories of the searched scopes have no vector yet" in advice
    assert "in the background" in advice
    assert "`frasier memory index` makes those of all scopes now" in advice
    drawn = scanned.run("recall", "which lighthouse is green?").out
    assert "have no vector yet" in drawn
    assert "No vector yet: found by its words only." in drawn


def test_index_makes_what_is_owed_up_to_its_limit_and_then_all_of_it(scanned):
    owed = scanned.envelope("recall", "lighthouse")["data"]["without_vector"]
    some = scanned.envelope("index", "--limit", "10")
    assert (some["made"], some["failed"], some["left"]) == (10, 0, owed - 10)
    rest = scanned.envelope("index")
    assert (rest["made"], rest["left"], rest["given_up"]) == (owed - 10, 0, 0)
    assert sorted(scanned.encoder.encoded) == sorted(set(scanned.encoder.encoded)), "nothing was made twice"
    assert len(scanned.encoder.encoded) == FILES
    assert scanned.run("index").out == "Every memory has its vector.\n"
    found = scanned.envelope("recall", "lighthouse")
    assert "without_vector" not in found["data"]
    assert not any("vector" in hint for hint in found["hints"])


def test_index_shows_how_far_it_is_on_a_terminal(server, tmp_path):
    with memory_program(server, tmp_path) as memory, EmbeddingServer(well()) as encoders:
        for number in range(3):
            memory.saved(f"The lighthouse number {number} is green.")
        drawn = memory.frasier.on_terminal("memory", "index", columns=80, **remote(encoders))
        assert "Encoding" in drawn
        assert "3/3" in drawn
        assert "3 vectors made in" in drawn


def remote(encoders: EmbeddingServer) -> dict[str, str]:
    return {
        "FRASIER_MEMORY__EMBEDDING__PROVIDER": "openai",
        "FRASIER_MEMORY__EMBEDDING__MODEL": "m",
        "FRASIER_MEMORY__EMBEDDING__BASE_URL": encoders.base_url,
        "FRASIER_MEMORY__EMBEDDING__DIMENSION": "8",
    }


async def owed(db: Database) -> list[bool]:
    """For each vector that is owed, whether it can be made now."""
    async with db.transaction() as tx:
        cursor = await tx.execute("select next_try_at <= now() as due from memory_embedding_jobs")
        return [row["due"] for row in await cursor.fetchall()]


async def test_index_that_is_interrupted_keeps_what_it_made_and_gives_back_the_rest(frasier, db):
    hung = asyncio.Event()
    loop = asyncio.get_running_loop()

    def answer(texts: list[str]) -> Any:
        if any("second" in text for text in texts):
            loop.call_soon_threadsafe(hung.set)
            return hanging()(texts)
        return well()(texts)

    with EmbeddingServer(answer) as encoders:
        frasier.json("memory", "save", "The first crane.", **remote(encoders))
        await asyncio.to_thread(frasier.json, "memory", "index", **remote(encoders))
        frasier.json("memory", "save", "The second crane.", **remote(encoders))
        with frasier.running("memory", "index", **remote(encoders)) as process:
            async with asyncio.timeout(DEADLINE_S):
                await hung.wait()
            assert await owed(db) == [False], "it is claimed"
            process.send_signal(signal.SIGINT)
            out, err = await asyncio.to_thread(process.communicate, timeout=DEADLINE_S)
        assert process.returncode == 130
        assert (out, "Interrupted." in err) == ("", True)
        assert await owed(db) == [True], "somebody else may make it at once"


async def test_two_that_index_at_once_make_nothing_twice(db):
    def unseen(_what: str, _done: int, _total: int) -> None:
        return None

    progress: Progress = unseen
    encoder = SlowEncoder()
    async with (
        open_engine(db, MemorySettings(), provider=encoder, encode_saves=False) as engine,
        open_engine(db, MemorySettings(), provider=encoder, encode_saves=False) as other,
    ):
        await engine.embed_due()
        async with db.transaction() as tx:
            notes = [
                NewMemory(kind=MemoryKind.OBSERVATION, scope="shared", content=f"The crane number {number}.")
                for number in range(50)
            ]
            await save_memories(tx, notes)
        both = await asyncio.gather(*(_index(one, None, progress) for one in (engine, other)))
        assert sum(indexed.made for indexed in both) == 50
        assert sorted(encoder.encoded) == sorted(set(encoder.encoded))
        assert await owed(db) == []


async def test_a_round_begins_after_the_saves_that_are_encoded_in_the_background(db):
    begun, may_end = asyncio.Event(), asyncio.Event()

    async def held_up() -> None:
        begun.set()
        await may_end.wait()

    async with open_engine(db, MemorySettings(), provider=WordVectors(watch=held_up)) as engine:
        may_end.set()
        await engine.embed_due()
        may_end.clear()
        begun.clear()
        note = NewMemory(kind=MemoryKind.OBSERVATION, scope="shared", content="The crane is green.")
        await engine.save(Caller(name="tester", scopes=("shared",)), note)
        await begun.wait()
        a_round = asyncio.create_task(engine.embed_due())
        await asyncio.wait({a_round}, timeout=0.3)
        assert not a_round.done()
        may_end.set()
        await a_round
        assert await owed(db) == []


async def test_index_says_what_is_left_and_when_it_can_be_made(frasier, db, owner_url):
    offset_clock(owner_url, timedelta())
    with EmbeddingServer(well()) as encoders:
        for number in range(3):
            frasier.json("memory", "save", f"The crane number {number}.", "--force", **remote(encoders))
        told = await asyncio.to_thread(frasier, "memory", "index", "--limit", "1", **remote(encoders))
        assert "2 memories left; run it again to make their vectors." in told.out
        async with db.transaction() as tx:  # as by a process that was killed
            await tx.execute(
                "update memory_embedding_jobs set next_try_at = frasier_now() + interval '5 minutes',"
                " attempts = (memory_num = (select max(memory_num) from memory_embedding_jobs))::int"
            )
        told = await asyncio.to_thread(frasier, "memory", "index", **remote(encoders))
        words = " ".join(told.out.split())
        assert (
            "1 vector being made by another process; if that process has ended, run it again in 5 minutes."
            in words
        )
        assert "1 vector failed before and can be tried again in 5 minutes, or at once with" in words
        offset_clock(owner_url, timedelta(minutes=6))
        told = await asyncio.to_thread(frasier, "memory", "index", **remote(encoders))
        assert "2 vectors made" in told.out


def test_index_says_why_nothing_can_be_made(frasier):
    nothing = frasier("memory", "index", code=3, FRASIER_MEMORY__EMBEDDING__PROVIDER="none")
    assert "No embedding provider is set" in nothing.err
    assert "FRASIER_MEMORY__EMBEDDING__PROVIDER" in nothing.err


def test_a_recall_does_not_wait_for_an_encoder_that_hangs_on_a_text(scanned, monkeypatch):
    from frasier.interfaces.cli import run_operation

    monkeypatch.setattr(run_operation, "_CATCH_UP_S", 0.05)
    forever = asyncio.Event()

    class Hanging(WordVectors):
        async def encode(self, documents: list[TextToEncode]) -> list[list[EncodedPart]]:
            await forever.wait()
            return []

    scanned.envelope("save", "The marmalade is in the third cupboard.")
    ended = scanned.run("recall", "marmalade", "--json", provider=Hanging())
    found = json.loads(ended.out)
    assert "marmalade" in found["data"]["results"][0]["text"]
    assert found["data"]["results"][0]["without_vector"]
    with psycopg.connect(scanned._url) as looking:
        due = looking.execute("select next_try_at <= now() from memory_embedding_jobs").fetchall()
    assert set(due) == {(True,)}, "they were given back"


def test_before_the_encoder_was_opened_no_vector_counts_as_made(frasier: FrasierProgram):
    owed = re.search(r"vectors owed +(.+)", frasier("memory", "health").out)
    assert owed
    assert owed[1] == "those of all memories: `frasier memory index` makes them"
