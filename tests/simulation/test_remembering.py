"""What the organisation remembers when it works: found by meaning where there are vectors, by words where not."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from pydantic import SecretStr

from frasier.interfaces import services as services_of_a_process
from frasier.interfaces.services import Services
from frasier.kernel.errors import ProviderUnavailable
from frasier.llm import LlmSettings, ProviderCall, ProviderReply, Purpose
from frasier.memory import (
    EmbeddingSettings,
    MemoryEngine,
    MemoryKind,
    MemorySettings,
    NewMemory,
    save_memory,
)
from frasier.org.conversation import read_message, say
from frasier.org.missions import MissionStatus
from frasier.org.people import roster
from frasier.work import WorkerSettings
from frasier.work.research.mission_sources import SourceKind, add_source
from support.embedding_server import EmbeddingServer, refusing
from support.model_server import ModelServer, ScriptedAnswer
from support.organisation import RehearsalWithAnswers, carry_out, organisation, write_documents

MESSAGE = "Which hot drink does the boss prefer in the morning?"
BY_MEANING = "Our director begins each day with a cup of espresso"
BY_WORDS = "The boss wants the drink list by Friday"
FOREIGN = "The boss prefers a hot drink that only the researcher knows of"
LESSON = "Mention coffee and tea by their variety"
WITH_VECTORS = MemorySettings()


class Casual:
    """A model that takes every message for small talk and keeps what it was asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def __call__(self, body: dict[str, Any]) -> ScriptedAnswer:
        self.asked.append("\n".join(message["content"] for message in body["messages"]))
        if "response_format" not in body:
            return ScriptedAnswer(content="He likes it black.")
        return ScriptedAnswer.json({"classification": "casual", "confidence": 1.0, "reasoning": "a question"})


def models(server: ModelServer) -> LlmSettings:
    return LlmSettings(base_url=server.base_url, t1_model="small", t2_model="middle", t3_model="large")


async def remember(services: Services) -> None:
    """Saves what a talk may come back to, among as much again that has nothing to do with it."""

    def noted(content: str, scope: str = "shared") -> NewMemory:
        return NewMemory(kind=MemoryKind.OBSERVATION, scope=scope, content=content)

    async with services.board.database.transaction() as tx:
        other = next(agent for agent in await roster(tx) if agent.key != "frasier")
        for number in range(12):
            await save_memory(tx, noted(f"Invoice {number} of the printing works was paid by wire"))
        await save_memory(tx, noted(BY_MEANING))
        await save_memory(tx, noted(BY_WORDS))
        await save_memory(tx, noted(FOREIGN, f"agent:{other.id}"))
        await save_memory(tx, NewMemory(kind=MemoryKind.LESSON, scope="shared", content=LESSON))


async def until(condition: Callable[[], Any], seconds: float = 40.0) -> None:
    async with asyncio.timeout(seconds):
        while not await condition():
            await asyncio.sleep(0.05)


async def has_vectors(services: Services) -> bool:
    async with services.board.database.transaction() as tx:
        row = await (
            await tx.execute(
                "select bool_and(exists (select from memory_vectors v where v.memory_num = m.num)) as all_have"
                " from memory_items m where m.scope = 'shared'"
            )
        ).fetchone()
    assert row is not None
    return bool(row["all_have"])


async def talk(services: Services) -> None:
    """Says the message and waits for its answer."""
    async with services.board.database.transaction() as tx:
        message = await say(tx, MESSAGE)

    async def answered() -> bool:
        async with services.board.database.transaction() as tx:
            return (await read_message(tx, message.id)).answered_at is not None

    await until(answered)


async def test_a_talk_is_reminded_of_what_shares_no_word_with_the_message(
    database_url: str, tmp_path: Path
) -> None:
    model = Casual()
    with ModelServer(model) as server:
        async with organisation(
            database_url, tmp_path / "home", llm=models(server), memory=WITH_VECTORS
        ) as services:
            await remember(services)
            async with services.running():  # as `frasier run` does: nobody stays to make vectors later
                await until(lambda: has_vectors(services))
                await talk(services)
    prompt = model.asked[-1]
    assert BY_MEANING in prompt
    assert BY_WORDS in prompt
    assert LESSON in prompt
    assert FOREIGN not in prompt


async def test_a_talk_goes_on_by_words_where_the_encoder_fails(database_url: str, tmp_path: Path) -> None:
    model = Casual()
    with ModelServer(model) as server, EmbeddingServer() as encoders:
        encoders.answer = refusing(500)
        failing = EmbeddingSettings(
            provider="openai",
            model="m",
            base_url=encoders.base_url,
            api_key=SecretStr("sk-emb-0123456789abcdef"),
            dimension=8,
        )
        async with organisation(
            database_url, tmp_path / "home", llm=models(server), memory=MemorySettings(embedding=failing)
        ) as services:
            await remember(services)
            async with services.running():
                await talk(services)
    prompt = model.asked[-1]
    assert BY_WORDS in prompt
    assert BY_MEANING not in prompt
    assert FOREIGN not in prompt


async def test_a_process_that_stays_makes_the_vectors_of_a_rehearsal_which_loads_no_encoder_itself(
    database_url: str, tmp_path: Path
) -> None:
    async with organisation(database_url, tmp_path / "home", memory=WITH_VECTORS) as services:
        await remember(services)
        async with services.running():
            await talk(services)
        assert await services.memory.encoder_name() == ""
        async with services.running(worker=False, staying=True):
            await until(lambda: has_vectors(services))


async def test_a_worker_whose_heartbeat_is_elsewhere_lets_its_own_encoder_go(
    database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services_of_a_process, "_ENCODER_CHECK_S", 0.02)
    let_go = asyncio.Event()

    async def release(_engine: MemoryEngine) -> None:
        let_go.set()

    monkeypatch.setattr(MemoryEngine, "release_if_idle", release)
    async with (
        organisation(database_url, tmp_path / "home") as services,
        services.running(housekeeping=False, staying=True),
        asyncio.timeout(20),
    ):
        assert services.memory is not None, "it is made with its first use"
        assert await let_go.wait()


class Unlucky(RehearsalWithAnswers):
    """Fails the first gap analysis, and by then the mission's sources hold one more passage on it."""

    def __init__(self) -> None:
        super().__init__({})
        self.services: Services | None = None
        self.failed: ProviderCall | None = None

    async def complete(self, call: ProviderCall) -> ProviderReply:
        if call.purpose is Purpose.GAPS and self.failed is None:
            self.failed = call
            await self._one_more_passage()
            raise ProviderUnavailable("nobody answers")
        return await super().complete(call)

    async def _one_more_passage(self) -> None:
        assert self.services is not None
        async with self.services.board.database.transaction() as tx:
            row = await (await tx.execute("select id from org_missions")).fetchone()
            assert row is not None
            mission: UUID = row["id"]
            await add_source(
                tx,
                mission,
                kind=SourceKind.FILE,
                uri="later.md",
                title="Later",
                sha256="0" * 64,
                text="Compare the water temperatures and the storage of the drinks: they differ.",
            )


async def test_a_run_that_is_begun_again_asks_the_same_although_the_memory_has_changed(
    database_url: str, tmp_path: Path
) -> None:
    model = Unlucky()
    async with organisation(
        database_url,
        tmp_path / "home",
        provider=model,
        llm=LlmSettings(attempts=1),
        worker=WorkerSettings(concurrency=1, poll_s=0.1, retry_base_s=0.0),
    ) as services:
        model.services = services
        snapshot = await carry_out(services, write_documents(tmp_path / "drinks"))
    assert snapshot.status is MissionStatus.DELIVERED
    assert model.failed is not None
    again = [call for call in model.calls if call.messages == model.failed.messages]
    assert len(again) == 1
    later = [call for call in model.calls if "they differ" in json.dumps([m.content for m in call.messages])]
    assert later, "the passage is found by whoever searches after it was there"
