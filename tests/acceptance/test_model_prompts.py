"""What models are really told in a mission: the day, the requirements, the colleagues, and nothing rehearsed."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from frasier.llm import LlmSettings
from frasier.org.planning import MissionStatus
from frasier.prompts import date_line
from support.model_responder import CompetentModel, Prompt, decompose, plan_of, read_prompt
from support.model_server import ModelServer, ScriptedAnswer
from support.organisation import carry_out, organisation, write_documents

ZONE = "Pacific/Kiritimati"
BOOKED = """
select c.purpose, array_agg(distinct a.name) as agents, array_agg(distinct c.prompt_version) as versions
from llm_calls c join org_agents a on a.id = c.agent_id group by c.purpose
"""
REQUIREMENT = "A table of the degrees of each drink."


def _models(server: ModelServer) -> LlmSettings:
    return LlmSettings(base_url=server.base_url, t1_model="m1", t2_model="m2", t3_model="m3")


def _prompts(server: ModelServer) -> list[Prompt]:
    return [read_prompt(request.body) for request in server.log]


def _system(prompt: Prompt) -> str:
    return str(prompt.body["messages"][0]["content"])


def _with_requirement(prompt: Prompt) -> ScriptedAnswer:
    answer = json.loads(decompose(prompt).content or "")
    return ScriptedAnswer.json({**answer, "requirements": [REQUIREMENT]})


async def test_each_model_is_told_the_day_the_requirements_and_what_colleagues_do(
    database_url: str, tmp_path: Path
) -> None:
    gaps = iter([["Say more of cocoa."]])
    scores = dict.fromkeys(("completeness", "accuracy", "actionability", "depth"), 4)

    def critique(_: Prompt) -> ScriptedAnswer:
        named = next(gaps, [])
        return ScriptedAnswer.json({**scores, "depth": 2 if named else 4, "gaps": named, "lesson": ""})

    model = CompetentModel(
        plan=lambda _: ScriptedAnswer.json(plan_of(3)), decompose=_with_requirement, critique=critique
    )
    before = datetime.now(UTC)
    with ModelServer(model) as server:
        async with organisation(
            database_url, tmp_path / "home", llm=_models(server), time_zone=ZONE
        ) as services:
            progress = await carry_out(services, write_documents(tmp_path / "drinks"))
            async with services.board.database.transaction() as tx:
                rows = await (await tx.execute(BOOKED)).fetchall()
    assert progress.status is MissionStatus.DELIVERED
    prompts = _prompts(server)
    days = {date_line(moment.astimezone(ZoneInfo(ZONE))) for moment in (before, datetime.now(UTC))}
    for prompt in prompts:
        assert any(f"Today is {day}." in _system(prompt) for day in days), prompt.purpose

    asked = {
        purpose: [p for p in prompts if p.purpose == purpose]
        for purpose in ("synthesize", "critique", "revise")
    }
    for purpose, of_purpose in asked.items():
        assert of_purpose
        assert all(REQUIREMENT in p.sections["What the result must contain"] for p in of_purpose), purpose
        siblings = [p.sections["What colleagues do beside it"] for p in of_purpose]
        assert all("Read part" in others for others in siblings)

    authors = {_system(prompt).split(",")[0] for prompt in asked["synthesize"]}
    critics = {_system(prompt).split(",")[0] for prompt in asked["critique"]}
    assert not authors & critics, "no author judges their own draft"
    booked = {row["purpose"]: {f"You are {name}" for name in row["agents"]} for row in rows}
    assert booked["critique"] == critics, "the bill names who was asked"
    assert booked["synthesize"] == authors
    assert {row["purpose"]: row["versions"] for row in rows}["synthesize"] == [3]
    final = next(p for p in asked["critique"] if p.named("colleague"))
    assert len(final.named("colleague")) == 2, "a critic sees what the draft builds on"


async def test_what_a_rehearsal_left_in_the_memory_is_told_to_no_model(
    database_url: str, tmp_path: Path
) -> None:
    documents = write_documents(tmp_path / "drinks")
    async with organisation(database_url, tmp_path / "home") as services:
        rehearsed = await carry_out(services, documents)
        async with services.board.database.transaction() as tx:
            rows = await (
                await tx.execute("select kind, provenance from memory_items where provenance ? 'rehearsal'")
            ).fetchall()
    assert rehearsed.status is MissionStatus.DELIVERED
    assert {row["kind"] for row in rows} >= {"task", "approach", "passage"}
    assert all(row["provenance"]["rehearsal"] for row in rows)

    with ModelServer(CompetentModel()) as server:
        async with organisation(database_url, tmp_path / "home", llm=_models(server)) as services:
            first = await carry_out(services, documents)
            asked = len(server.log)
            second = await carry_out(services, documents, out=tmp_path / "again")
    assert {first.status, second.status} == {MissionStatus.DELIVERED}
    prompts = _prompts(server)
    for prompt in prompts[:asked]:
        assert "Your own recent work" not in _system(prompt), prompt.purpose
        assert "What you learned" not in _system(prompt)
        assert "What worked before" not in prompt.outside
    later = [_system(prompt) for prompt in prompts[asked:]]
    assert any("Your own recent work" in system for system in later), "paid work is remembered"
