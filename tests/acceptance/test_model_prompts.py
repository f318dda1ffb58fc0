"""What models are really told in a mission: the day, the requirements, the colleagues, and nothing rehearsed."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from frasier.llm import LlmSettings
from frasier.org.missions import MissionStatus
from frasier.prompts import date_line
from support.model_responder import CompetentModel, Prompt, decompose, plan_of, read_prompt, write
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
    assert {row["purpose"]: row["versions"] for row in rows}["synthesize"] == [7]
    final = next(p for p in asked["critique"] if p.named("colleague"))
    assert len(final.named("colleague")) == 2, "a critic sees what the draft builds on"


READER = "The owner of a tea room, who knows tea and has never sold coffee."
FORMAT = "Short paragraphs under questions as headings."


async def test_reader_length_format_and_language_are_planned_stored_and_told_to_all_who_work_on_the_result(
    database_url: str, tmp_path: Path
) -> None:
    form = {"reader": READER, "words": 90, "format": FORMAT, "language": "British English"}

    def critique(prompt: Prompt) -> ScriptedAnswer:
        scores = dict.fromkeys(("completeness", "accuracy", "actionability", "depth"), 4)
        is_first = "# What the documents say" in prompt.named("draft")[0].text
        gaps = ["Say more of cocoa."] if is_first else []
        return ScriptedAnswer.json({**scores, "depth": 2 if gaps else 4, "gaps": gaps, "lesson": ""})

    def revise(prompt: Prompt) -> ScriptedAnswer:
        return ScriptedAnswer(content=(write(prompt).content or "").replace("# What", "# Revised: what"))

    model = CompetentModel(
        plan=lambda _: ScriptedAnswer.json({**plan_of(3), **form}), critique=critique, revise=revise
    )
    with ModelServer(model) as server:
        async with organisation(database_url, tmp_path / "home", llm=_models(server)) as services:
            progress = await carry_out(services, write_documents(tmp_path / "drinks"))
            async with services.board.database.transaction() as tx:
                rows = await (await tx.execute("select * from org_steps order by is_final")).fetchall()
    assert progress.status is MissionStatus.DELIVERED
    assert {name: rows[-1][name] for name in form} == form
    assert {(row["reader"], row["words"], row["format"], row["language"]) for row in rows[:-1]} == {
        ("", 0, "", "")
    }

    prompts = _prompts(server)
    (plan,) = [prompt for prompt in prompts if prompt.purpose == "plan"]
    for name in form:
        assert f"- {name}: " in plan.sections["Task"]
    finals = [prompt for prompt in prompts if "The form of the result" in prompt.sections]
    assert {prompt.purpose for prompt in finals} >= {"synthesize", "critique", "revise", "review"}
    for prompt in finals:
        assert READER in prompt.sections["The reader"], prompt.purpose
        told = prompt.sections["The form of the result"]
        for said in ("Length: about 90 words.", f"Format: {FORMAT}", "Language: British English."):
            assert said in told, prompt.purpose
    of_parts = [prompt for prompt in prompts if prompt not in finals and "The reader" in prompt.sections]
    assert all("A colleague, who builds on" in prompt.sections["The reader"] for prompt in of_parts)
    assert any(prompt.purpose == "synthesize" for prompt in of_parts)


async def test_a_text_far_from_its_wanted_length_goes_back_to_its_author(
    database_url: str, tmp_path: Path
) -> None:
    plan = {**plan_of(1), "words": 500}
    model = CompetentModel(plan=lambda _: ScriptedAnswer.json(plan))
    with ModelServer(model) as server:
        async with organisation(database_url, tmp_path / "home", llm=_models(server)) as services:
            progress = await carry_out(services, write_documents(tmp_path / "drinks"))
    assert progress.status is MissionStatus.DELIVERED, "and is delivered if its sources do not fill it"
    revisions = [prompt for prompt in _prompts(server) if prompt.purpose == "revise"]
    assert revisions
    assert "words; about 500 are wanted." in revisions[0].sections["Gaps to close"]


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
