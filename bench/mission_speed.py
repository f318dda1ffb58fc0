"""Duration of missions over a slow model against their critical paths, and the calls and tokens that they take."""

from __future__ import annotations

import asyncio
import dataclasses
import json
from pathlib import Path
from typing import Any
from uuid import UUID

from bench.critical_path import critical_path_calls
from bench.figures import Figure, at_most
from bench.programs import FRASIER, run_program
from bench.sizes import Sizes
from bench.workspace import Urls, Workspace
from frasier.store import Database
from support.model_responder import CompetentModel, plan_of, read_prompt
from support.model_server import ModelServer, ScriptedAnswer
from support.organisation import DIRECTIVE, write_documents

BRANCHES = (4, 8)
RATIO_MAX = 1.25
_PLAN_CALLS, _BRANCH_CALLS, _FINAL_CALLS, _REVIEWS = 1, 5, 4, 3
_TOKENS_PER_CALL = 2_150


class SlowModel(CompetentModel):
    """A model that takes `call_s` for each answer, and plans `branches` and a step that joins them."""

    def __init__(self, branches: int, call_s: float) -> None:
        super().__init__(plan=lambda _: ScriptedAnswer.json(plan_of(branches + 1)))
        self._call_s = call_s

    def __call__(self, body: dict[str, Any]) -> ScriptedAnswer:
        return dataclasses.replace(super().__call__(body), delay_s=self._call_s)


def call_bound(branches: int) -> int:
    """Return the calls of a mission in which nothing has to be revised."""
    return _PLAN_CALLS + branches * _BRANCH_CALLS + _FINAL_CALLS + _REVIEWS


def token_bound(branches: int) -> int:
    """Return the most tokens that such a mission may read, over three documents of a few sentences each."""
    return call_bound(branches) * _TOKENS_PER_CALL


def measure_slow_missions(workspace: Workspace, sizes: Sizes) -> list[Figure]:
    """Measure a mission of each size at `call_s` a call."""
    return [figure for branches in BRANCHES for figure in _measure(workspace, branches, sizes.call_s)]


def _measure(workspace: Workspace, branches: int, call_s: float) -> list[Figure]:
    with (
        ModelServer(SlowModel(branches, call_s)) as server,
        workspace.database() as urls,
        workspace.folder("home") as home,
    ):
        result = _run(workspace, home, urls, server, branches)
        critical = asyncio.run(_critical_path_calls(urls.app, UUID(result["mission"])))
        tokens = sum(read_prompt(request.body).tokens for request in server.log)
    ratio = result["duration_s"] / (critical * call_s)
    mission = f"a mission of {branches} branches and a final step"
    return [
        Figure(
            what=f"{mission} against its critical path",
            value=ratio,
            unit="×",
            target=at_most(RATIO_MAX),
            detail=f"{result['duration_s']:.1f} s; {critical} calls after one another at {call_s:g} s each",
        ),
        Figure(
            what=f"calls of {mission}", value=result["calls"], unit="", target=at_most(call_bound(branches))
        ),
        Figure(
            what=f"tokens read in {mission}",
            value=tokens,
            unit="",
            target=at_most(token_bound(branches)),
            detail=f"{tokens / result['calls']:,.0f} a call, over three short documents",
        ),
    ]


def _run(workspace: Workspace, home: Path, urls: Urls, server: ModelServer, branches: int) -> dict[str, Any]:
    environment = {
        **workspace.environment,
        "FRASIER_HOME": str(home),
        "FRASIER_DATABASE_URL": urls.app,
        "FRASIER_DATABASE__OWNER_URL": urls.owner,
        "FRASIER_LLM__BASE_URL": server.base_url,
        "FRASIER_MEMORY__EMBEDDING__PROVIDER": "none",
        "FRASIER_PLANNING__PARALLEL_MAX": str(branches),
        **{f"FRASIER_LLM__T{tier}_MODEL": f"m{tier}" for tier in (1, 2, 3)},
    }
    sources, out = str(write_documents(home / "drinks")), str(home / "out")
    _, process = run_program(
        [*FRASIER, "run", DIRECTIVE, "--sources", sources, "--out", out, "--json"], environment
    )
    result: dict[str, Any] = json.loads(process.stdout)
    assert result["status"] == "delivered", f"the mission ended as {result['status']}"
    return result


async def _critical_path_calls(url: str, mission_id: UUID) -> int:
    async with Database(url, connections=2) as database:
        return await database.in_transaction(critical_path_calls, mission_id)
