"""A paper that a scripted model wrote: how it ended, what was asked for it, and its calls."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

from frasier.interfaces.services import Services
from frasier.llm import Caps, LlmSettings
from frasier.overview import MissionProgress
from support.long_paper import PaperModel, topic_documents
from support.model_responder import Prompt, read_prompt
from support.model_server import ModelServer
from support.organisation import carry_out, organisation, write_documents

CONTEXT = {"m1": 32_000, "m2": 100_000, "m3": 100_000}
YEARS = 80


def paper_settings(server: ModelServer, **more: Any) -> LlmSettings:
    return LlmSettings(base_url=server.base_url, t1_model="m1", t2_model="m2", t3_model="m3", **more)


@dataclass(frozen=True)
class Paper:
    """A paper that was carried out: how it ended, and what was asked for it."""

    progress: MissionProgress
    prompts: list[Prompt]
    events: list[Mapping[str, Any]]
    calls: list[Mapping[str, Any]]

    @property
    def folder(self) -> Path:
        return Path(self.progress.path or "")

    @property
    def text(self) -> str:
        return (self.folder / "deliverable.md").read_text("utf-8")

    def asked(self, purpose: str) -> list[Prompt]:
        return [prompt for prompt in self.prompts if prompt.purpose == purpose]


async def rows(services: Services, statement: str) -> list[Mapping[str, Any]]:
    async with services.board.database.transaction() as tx:
        return list(await (await tx.execute(statement)).fetchall())


async def write_paper(database_url: str, tmp_path: Path, model: PaperModel) -> Paper:
    documents = write_documents(tmp_path / "drinks", topic_documents(YEARS))
    with ModelServer(model) as server:
        prices = {name: {"input": 3, "output": 15} for name in CONTEXT}
        llm = paper_settings(server, prices=prices, caps=Caps(task_usd=Decimal(5)))
        async with organisation(database_url, tmp_path / "home", llm=llm) as services:
            progress = await carry_out(services, documents, seconds=240)
            events = await rows(services, "select payload from events where kind = 'step.outlined'")
            calls = await rows(services, "select * from llm_calls order by started_at")
    return Paper(progress, [read_prompt(request.body) for request in server.log], events, calls)
