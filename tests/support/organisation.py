"""A whole organisation inside a test: real database, engine and pipeline, with scripted or rehearsed models."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from pydantic import SecretStr

from frasier.app import open_services
from frasier.interfaces.services import Services
from frasier.llm import Provider, ProviderCall, ProviderReply, Purpose, Tier
from frasier.llm.providers.rehearsal.provider import RehearsalProvider
from frasier.memory import EmbeddingSettings, MemorySettings
from frasier.overview import MissionProgress, read_progress
from frasier.settings import Settings
from frasier.store import NotifyListener
from frasier.store.events import EVENTS_CHANNEL
from frasier.work import Directive, WorkerSettings

WORDS_ONLY = MemorySettings(embedding=EmbeddingSettings(provider="none"))
QUICK = WorkerSettings(concurrency=3, lease_s=5.0, poll_s=0.1, retry_base_s=0.0)

_PAUSE_S = 0.1
_QUIET_S = 1.0
"""Seconds between looks at a mission, which take computing time from it: after an event, at most ten times a second."""

DOCUMENTS = {
    "tea.md": "# Tea\n\n## Water\n\nGreen tea is brewed with water of 75 degrees for two minutes. Hotter water makes "
    "it bitter, because more tannin is released.\n\n## Storage\n\nTea leaves are kept in a closed tin away from "
    "light. Green tea keeps its taste for about one year.\n",
    "coffee.md": "# Coffee\n\n## Water\n\nFilter coffee is brewed with water of 94 degrees for four minutes. Water "
    "below 85 degrees leaves the coffee sour.\n\n## Storage\n\nRoasted beans are kept in a bag with a valve. They "
    "lose most of their aroma within six weeks.\n",
    "cocoa.md": "# Cocoa\n\n## Water\n\nCocoa is stirred into milk of 80 degrees, and it must not boil. Boiling makes a "
    "skin on the milk.\n\n## Storage\n\nCocoa powder stays good for two years when it is dry. Moisture makes it "
    "clump.\n",
}
DIRECTIVE = "Compare the water temperatures and the storage of the drinks described in these documents"


def write_documents(folder: Path, documents: Mapping[str, str] = DOCUMENTS) -> Path:
    """Write a folder of sources for a mission."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in documents.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


class RehearsalWithAnswers:
    """The rehearsal provider, with answers of the test for some purposes."""

    name = "rehearsal"

    def __init__(self, answers: Mapping[Purpose, str | Exception]) -> None:
        self._answers = answers
        self._rehearsal = RehearsalProvider()
        self.calls: list[ProviderCall] = []

    async def complete(self, call: ProviderCall) -> ProviderReply:
        self.calls.append(call)
        answer = self._answers.get(call.purpose)
        if answer is None:
            return await self._rehearsal.complete(call)
        if isinstance(answer, Exception):
            raise answer
        return replace(await self._rehearsal.complete(call), text=answer)

    async def close(self) -> None:
        return


def settings_for(database_url: str, home: Path, **changes: Any) -> Settings:
    """Return settings for a test: its database and home, quick retries, and a memory without an encoder."""
    home.mkdir(parents=True, exist_ok=True)
    defaults = {"worker": QUICK, "memory": WORDS_ONLY}
    return Settings(home=home, database_url=SecretStr(database_url), **{**defaults, **changes})


@asynccontextmanager
async def organisation(
    database_url: str, home: Path, *, provider: Provider | None = None, **changes: Any
) -> AsyncIterator[Services]:
    """Open the services of one process over the database of the test."""
    providers = dict.fromkeys(Tier, provider) if provider else None
    async with open_services(settings_for(database_url, home, **changes), providers=providers) as services:
        yield services


async def carry_out(
    services: Services,
    folder: Path,
    *,
    directive: str = DIRECTIVE,
    out: Path | None = None,
    seconds: float = 60.0,
) -> MissionProgress:
    """Give a directive over the documents in `folder` and work until it is over or waits for the founder."""
    request = Directive(text=directive, destination=out or services.home / "out", sources=(folder,))
    started = await services.take_directive(request)
    async with services.running():
        return await wait_until_settled(services, started.mission.id, seconds=seconds)


async def wait_until_settled(
    services: Services, mission_id: Any, *, seconds: float = 60.0
) -> MissionProgress:
    """Return the progress of the mission once it is over or waits for the founder."""
    async with asyncio.timeout(seconds), NotifyListener(services.board.direct_url, EVENTS_CHANNEL) as events:
        while True:
            async with services.board.database.transaction() as tx:
                snapshot = await read_progress(tx, mission_id)
            if snapshot.over or snapshot.waits_for_founder:
                return snapshot
            await asyncio.sleep(_PAUSE_S)
            await events.wait(_QUIET_S)
