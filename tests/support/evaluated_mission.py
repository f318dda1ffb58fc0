"""A mission of a scripted model whose artefacts are evaluated by those who used them."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import UUID

from frasier.llm import Caps, LlmSettings
from frasier.overview import MissionEvaluations, MissionProgress, read_evaluations
from frasier.work import WorkerSettings
from support.model_responder import Answer, CompetentModel, Prompt, read_prompt
from support.model_server import ModelServer
from support.organisation import carry_out, write_documents
from support.organisation_api import OrganisationApi, open_organisation_api

QUICK = WorkerSettings(concurrency=3, poll_s=0.05, retry_base_s=0.0)
CALL_USD = 0.0002
"""The price of a call: 100 tokens in, 50 out."""
_MODELS = {"t1": "m1", "t2": "m2", "t3": "m3"}
_PRICES = {model: {"input": 1, "output": 2} for model in _MODELS.values()}
_DEADLINE_S = 60.0
_PAUSE_S = 0.05


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluatedMissions:
    """An organisation whose model is scripted, and which evaluates artefacts once that is allowed."""

    api: OrganisationApi
    server: ModelServer
    folder: Path

    async def allow(self, **rules: Any) -> None:
        await self.api.call("policy_set", subject="evaluation", rules={"enabled": True, **rules})

    async def mission(self) -> MissionProgress:
        """Carry a mission out, and stop the worker at its end."""
        documents = write_documents(self.folder / "drinks")
        return await carry_out(self.api.services, documents, out=self.folder / "out")

    async def read(self, mission: UUID | None = None) -> MissionEvaluations:
        return await self.api.services.in_transaction(read_evaluations, str(mission or "last"))

    async def finish(self, count: int, mission: UUID | None = None) -> MissionEvaluations:
        """Run a worker until so many evaluations and errors are there and none is to come."""
        deadline = time.monotonic() + _DEADLINE_S
        async with self.api.services.running():
            while True:
                view = await self.read(mission)
                ended = len(view.evaluations) + len(view.errors) + view.superseded + view.flat
                if ended >= count and not view.waiting:
                    return view
                assert time.monotonic() < deadline, f"{ended} of {count}, {view.waiting} to come"
                await asyncio.sleep(_PAUSE_S)

    @property
    def environment(self) -> dict[str, str]:
        """The settings of a program that works for the same organisation with the same models."""
        return {
            "FRASIER_LLM__BASE_URL": self.server.base_url,
            **{f"FRASIER_LLM__{tier.upper()}_MODEL": model for tier, model in _MODELS.items()},
            "FRASIER_LLM__PRICES": json.dumps(_PRICES),
            "FRASIER_LLM__ATTEMPTS": "1",
            "FRASIER_WORKER__POLL_S": "0.05",
            "FRASIER_WORKER__RETRY_BASE_S": "0",
            "FRASIER_MEMORY__EMBEDDING__PROVIDER": "none",
        }

    def prompts(self, purpose: str) -> list[Prompt]:
        sent = [read_prompt(request.body) for request in self.server.log]
        return [prompt for prompt in sent if prompt.purpose == purpose]


@asynccontextmanager
async def evaluated_missions(
    database_url: str,
    folder: Path,
    *,
    worker: WorkerSettings = QUICK,
    calls_at_once: int = 8,
    settings: Mapping[str, Any] | None = None,
    **answers: Answer,
) -> AsyncIterator[EvaluatedMissions]:
    """Open an organisation with a model that is competent but for these `answers`."""
    changes = {"worker": worker, **(settings or {})}
    with ModelServer(CompetentModel(**answers)) as server:
        llm = LlmSettings.model_validate(
            {
                "base_url": server.base_url,
                **{f"{tier}_model": model for tier, model in _MODELS.items()},
                "prices": _PRICES,
                "attempts": 1,
                "max_concurrency": calls_at_once,
                "caps": Caps(),
            }
        )
        async with open_organisation_api(database_url, folder / "home", llm=llm, **changes) as api:
            yield EvaluatedMissions(api=api, server=server, folder=folder)
