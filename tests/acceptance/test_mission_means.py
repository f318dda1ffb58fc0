"""A worker carries on the missions of its own means: those of models, or those of the rehearsal."""

from __future__ import annotations

from pathlib import Path

from frasier.llm import LlmSettings
from frasier.org.missions import MissionStatus
from frasier.overview import read_progress, read_status
from frasier.work import Directive
from support.model_responder import CompetentModel, plan_of
from support.model_server import ModelServer, ScriptedAnswer
from support.organisation import DIRECTIVE, organisation, wait_until_settled, write_documents

MODELS = {f"t{tier}_model": "m" for tier in (1, 2, 3)}


async def test_a_worker_with_a_model_leaves_a_rehearsal_to_one_without_and_status_says_so(
    database_url: str, tmp_path: Path
) -> None:
    home, sources = tmp_path / "home", write_documents(tmp_path / "drinks")
    plan = ScriptedAnswer.json(plan_of(1))
    with ModelServer(CompetentModel(plan=lambda _: plan)) as server:
        llm = LlmSettings(base_url=server.base_url, **MODELS)
        async with organisation(database_url, home) as rehearsing:
            rehearsal = await rehearsing.take_directive(
                Directive(text=DIRECTIVE, destination=home / "rehearsed", sources=(sources,))
            )
            async with organisation(database_url, home, llm=llm) as services:
                by_model = await services.take_directive(
                    Directive(text=DIRECTIVE, destination=home / "out", sources=(sources,))
                )
                async with services.running():
                    done = await wait_until_settled(services, by_model.mission.id)
                    assert done.status is MissionStatus.DELIVERED
                    async with services.board.database.transaction() as tx:
                        left = await read_progress(tx, rehearsal.mission.id)
                        status = await read_status(tx, services.setup)
                    assert (left.status, left.waiting, left.attended) == (MissionStatus.PLANNING, (), False)
                    assert [one.mission for one in status.interrupted] == [rehearsal.mission.id]
            async with rehearsing.running():
                ended = await wait_until_settled(rehearsing, rehearsal.mission.id)
    assert ended.status is MissionStatus.DELIVERED
