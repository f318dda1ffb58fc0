"""Memory that reaches the work: what models are sent of it, and what the work teaches it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from support.cli import FrasierProgram
from support.model_responder import Prompt, classified, decompose, plan_of, review
from support.model_server import ScriptedAnswer
from support.organisation import DIRECTIVE
from support.scripted_founder import ScriptedFounder, scripted_founder
from support.table_model import PatternExtractor, columns, table_plan

WORKED = "What worked before on similar tasks"
FITTING = "When you compare drinks, give water temperatures in degrees Celsius."
FOREIGN = "Parking permits are renewed at the town hall, with two documents."
"""It shares a word with the work, by which a search finds it, and nothing else."""
FACT = "The tea room seats forty guests and closes on Mondays."
OF_FOUNDER = "The founder opens the tea room at seven."


@pytest.fixture
def founder(frasier: FrasierProgram) -> Iterator[ScriptedFounder]:
    with scripted_founder(frasier, plan=lambda _: ScriptedAnswer.json(plan_of(1))) as founder:
        yield founder


def system_of(prompt: Prompt) -> str:
    return str(prompt.body["messages"][0]["content"])


def provenance(result: dict[str, Any]) -> dict[str, Any]:
    return dict(json.loads((Path(result["folder"]) / "provenance.json").read_text("utf-8")))


def save(founder: ScriptedFounder, content: str, *options: str) -> str:
    saved = founder.json("memory", "save", content, *options)
    return str(saved["data"]["id"])


def named(system: str) -> str:
    """Return the agent in whose name a prompt is made."""
    introduced = re.match(r"You are ([^,]+),", system)
    assert introduced
    return introduced[1]


def confidence(founder: ScriptedFounder, memory: str) -> float:
    shown = re.search(r"confidence (\d\.\d\d)", founder("memory", "show", memory).out)
    assert shown
    return float(shown[1])


def rejecting(prompt: Prompt) -> ScriptedAnswer:
    answer = json.loads(review(prompt).content or "")
    return ScriptedAnswer.json({**answer, "relevance": 2, "depth": 2, "verdict": "reject"})


def test_an_approach_keeps_the_queries_that_found_something(founder: ScriptedFounder, documents: Path):
    def two_queries(prompt: Prompt) -> ScriptedAnswer:
        asked = json.loads(decompose(prompt).content or "")
        return ScriptedAnswer.json({**asked, "queries": ["tea leaves tin", "zeppelin hangar"]})

    founder.answer(decompose=two_queries)
    founder("run", DIRECTIVE, "--sources", documents)
    founder.forget_prompts()
    founder("run", f"{DIRECTIVE}, once more", "--sources", documents)
    (asked,) = founder.prompts("decompose")
    (line,) = [line for line in asked.sections[WORKED].splitlines() if "Queries that found" in line]
    assert "tea leaves tin" in line
    assert "zeppelin" not in line


def test_lessons_that_have_nothing_to_do_with_the_work_are_not_told(
    founder: ScriptedFounder, documents: Path
):
    for lesson in (FITTING, FOREIGN):
        save(founder, lesson, "--kind", "lesson", "--scope", "shared")
    founder("run", DIRECTIVE, "--sources", documents)
    systems = [system_of(prompt) for prompt in founder.prompts("plan", "synthesize")]
    assert len(systems) == 2
    assert all(FITTING in system and FOREIGN not in system for system in systems)


def test_every_agent_is_told_its_own_lessons_and_nobody_elses(founder: ScriptedFounder, documents: Path):
    lessons = {
        agent["name"]: f"When drinks are compared, {agent['name']} states the water temperatures first."
        for agent in founder.json("agents", "list")["agents"]
    }
    ids = {
        agent["name"]: save(
            founder, lessons[agent["name"]], "--kind", "lesson", "--scope", f"agent:{agent['agent']}"
        )
        for agent in founder.json("agents", "list")["agents"]
    }
    result = founder.json("run", DIRECTIVE, "--sources", documents)
    prompts = [prompt for prompt in founder.prompts() if prompt.purpose != "judge"]
    speakers: dict[str, set[str]] = {}
    for prompt in prompts:
        told = {name for name, lesson in lessons.items() if lesson in system_of(prompt)}
        assert told == {named(system_of(prompt))}, prompt.purpose
        speakers.setdefault(prompt.purpose, set()).update(told)
    assert speakers["decompose"] == speakers["synthesize"]
    for purpose in ("plan", "critique", "review"):
        assert not speakers[purpose] & speakers["synthesize"], f"{purpose}: somebody else than the author"
    assert len(speakers["review"]) == 2
    memories = {one["id"]: one for one in provenance(result)["memories"]}
    for name in speakers["synthesize"] | speakers["critique"]:
        assert "final" in {use["task"] for use in memories[ids[name]]["used_by"]}, "author and critic"


@pytest.mark.parametrize(("rejections", "factor"), [(0, 1.05 * 1.05), (1, 0.80 * 1.05 * 1.05)])
def test_a_lesson_learns_from_the_verdict_on_the_work_that_used_it(
    founder: ScriptedFounder, documents: Path, rejections: int, factor: float
):
    lesson = save(founder, FITTING, "--kind", "lesson", "--scope", "shared")
    before = confidence(founder, lesson)
    left = [rejections]

    def reviewer(prompt: Prompt) -> ScriptedAnswer:
        left[0] -= 1
        return rejecting(prompt) if left[0] >= 0 else review(prompt)

    founder.answer(review=reviewer)
    result = founder.json("run", DIRECTIVE, "--sources", documents)
    # Once for the verdict on the step, by whoever was told of it, and once for the plan, whose mission is completed.
    assert confidence(founder, lesson) == pytest.approx(before * factor, abs=0.006), "two decimals are shown"
    (used,) = [one for one in provenance(result)["memories"] if one["id"] == lesson]
    outcomes = {use["task"]: use["outcome"] for use in used["used_by"]}
    assert outcomes["plan"] == outcomes["final"] == "accepted"
    assert {use["outcome"] for use in used["used_by"] if use["task"].startswith("final-v1")} == {
        None if rejections else "accepted"
    }


def test_an_answer_of_the_founders_is_a_decision_that_later_work_is_told(
    founder: ScriptedFounder, documents: Path
):
    question = "Which drinks may be left out of the comparison of water temperatures?"
    founder.answer(plan=lambda _: ScriptedAnswer.json({**plan_of(1), "escalation": question}))
    founder("run", DIRECTIVE, "--sources", documents, code=5)
    (waiting,) = founder.json("inbox")["questions"]
    founder(
        "decide", waiting["question"], "continue", "--note", "Leave cocoa out of all comparisons of drinks."
    )
    founder.answer(plan=lambda _: ScriptedAnswer.json(plan_of(1)))
    founder.forget_prompts()
    founder("resume", "last")
    for purpose in ("decompose", "gaps", "synthesize", "critique", "review"):
        for prompt in founder.prompts(purpose):
            answered = prompt.sections["What the founder answered"]
            assert "The founder answered: Leave cocoa out of all comparisons" in answered, purpose
            assert not any("changed since" in title for title in prompt.sections), "an answer changes nothing"
        assert founder.prompts(purpose) or purpose == "gaps"
    founder.forget_prompts()
    founder("run", f"{DIRECTIVE}, once more", "--sources", documents)
    for prompt in founder.prompts("plan", "synthesize"):
        told = system_of(prompt).split("What the founder decided earlier:")[1]
        assert "Leave cocoa out of all comparisons of drinks." in told
        assert "Planned: " not in told, "plans are decisions, and none of the founder's"


def test_plans_and_hand_overs_come_back_in_a_talk(founder: ScriptedFounder, documents: Path):
    founder.answer(plan=lambda _: ScriptedAnswer.json(plan_of(3)), classify=lambda _: classified("casual"))
    founder("run", DIRECTIVE, "--sources", documents)
    founder.forget_prompts()
    founder("say", "Who read part 2, who was the result handed over to, and what was planned of the drinks?")
    (asked,) = founder.prompts("talk")
    text = "\n".join(asked.sections.values())
    assert "Hand-over: Read part 2" in text
    assert "statements verified" in text
    assert "Planned: Read part 1" in text


def test_what_missions_note_about_themselves_is_recalled_where_it_is_asked_for(
    founder: ScriptedFounder, documents: Path
):
    founder.answer(plan=lambda _: ScriptedAnswer.json(plan_of(3)))
    note = save(founder, "We left the second kettle because part 2 of it was handed over broken.")
    founder("run", DIRECTIVE, "--sources", documents)
    question = ("memory", "recall", "why was part 2 handed over", "--json")
    own = json.loads(founder(*question).out)["data"]["results"]
    assert [memory["id"] for memory in own] == [note]
    with_records = json.loads(founder(*question, "--scope", "missions").out)["data"]["results"]
    titles = [memory["title"] for memory in with_records]
    assert "Hand-over: Read part 2" in titles
    assert any(title.startswith("Plan: ") for title in titles)


def test_constitutional_memories_that_are_no_directives_reach_every_prompt(
    founder: ScriptedFounder, documents: Path
):
    fact = save(founder, FACT, "--kind", "observation", "--tier", "constitutional")
    save(founder, OF_FOUNDER, "--kind", "observation", "--tier", "constitutional", "--scope", "founder")
    agents = {agent["name"]: agent["agent"] for agent in founder.json("agents", "list")["agents"]}
    own = {name: f"{name} keeps the keys of the cellar." for name in agents}
    for name, agent in agents.items():
        save(
            founder,
            own[name],
            "--kind",
            "observation",
            "--tier",
            "constitutional",
            "--scope",
            f"agent:{agent}",
        )
    result = founder.json("run", DIRECTIVE, "--sources", documents)
    prompts = [prompt for prompt in founder.prompts() if prompt.purpose != "judge"]
    assert {prompt.purpose for prompt in prompts} >= {"plan", "decompose", "synthesize", "critique", "review"}
    for prompt in prompts:
        system = system_of(prompt)
        assert FACT in system, prompt.purpose
        assert OF_FOUNDER in system, prompt.purpose
        assert [name for name, text in own.items() if text in system] == [named(system)], prompt.purpose
    (used,) = [one for one in provenance(result)["memories"] if one["id"] == fact]
    assert {use["task"] for use in used["used_by"]} >= {"plan", "final"}


def test_earlier_results_are_known_to_the_planner_and_sources_only_where_asked_for(
    founder: ScriptedFounder, documents: Path, tmp_path: Path
):
    first = founder.json("run", DIRECTIVE, "--sources", documents)
    planned = plan_of(1)
    planned["steps"][0]["documents"] = [1]
    founder.answer(plan=lambda _: ScriptedAnswer.json(planned))
    other = tmp_path / "other"
    other.mkdir()
    (other / "mate.md").write_text(
        "# Mate\n\nMate is brewed with water of 70 degrees, and its leaves are kept in a tin.\n"
    )

    def run(*options: str) -> tuple[Prompt, dict[str, Any]]:
        founder.forget_prompts()
        result = founder.json("run", f"{DIRECTIVE}, and of mate", "--sources", other, *options)
        return founder.prompts("plan")[0], provenance(result)

    plan, without = run()
    (earlier,) = plan.named("memory")
    assert first["title"] in earlier.text
    assert "no step can read them" in earlier.text
    assert {source["kind"] for source in without["sources"]} == {"file"}
    plan, beside = run("--with-earlier")
    assert "find them as sources" in plan.named("memory")[0].text
    assert {source["kind"] for source in beside["sources"]} == {"file", "deliverable"}
    read = "\n".join(prompt.body["messages"][-1]["content"] for prompt in founder.prompts("synthesize"))
    assert "Earlier mission: " in read, "although the plan assigns the documents that the step reads"


def test_earlier_results_that_a_step_may_read_are_in_the_estimate(
    founder: ScriptedFounder, documents: Path, tmp_path: Path
):
    def tokens(*options: str | Path) -> int:
        waiting = founder.json("run", "Water degrees of green tea", "--plan", *options, code=5)
        return int(waiting["plan"]["estimate"]["tokens"]["expected"])

    founder("run", DIRECTIVE, "--sources", documents)
    before = tokens()
    more = tmp_path / "more"
    more.mkdir()
    (more / "green-tea.md").write_text(
        "# Green tea\n\nGreen tea from the valley is brewed with water of 70 degrees, and green tea from the hills with"
        " water of 80 degrees, both in a pot of stone.\n"
    )
    founder("run", f"{DIRECTIVE}, of green tea alone", "--sources", more)
    assert tokens() > before
    assert tokens("--sources", documents, "--with-earlier") > tokens("--sources", documents)


def test_a_step_records_what_its_author_knew_before_and_after(founder: ScriptedFounder, documents: Path):
    question = "How many degrees does the water for green tea have?"
    asked = {"questions": [question], "queries": ["green tea water"], "requirements": []}
    founder.answer(decompose=lambda _: ScriptedAnswer.json(asked))
    founder("run", DIRECTIVE, "--sources", documents)
    (author,) = [
        agent for agent in founder.json("agents", "list")["agents"] if any(s["uses"] for s in agent["skills"])
    ]
    history = founder.json("memory", "task", "history", "--scope", f"agent:{author['agent']}")["data"]
    (record,) = history["records"]
    assert record["before"]["knowledge"] < record["after"]["knowledge"]
    assert record["before"]["uncertainty"] > record["after"]["uncertainty"] == 0
    assert record["knowledge_gaps"] == record["gaps_closed"] == [question]
    assert history["completed"] == 1


def test_the_author_of_a_table_records_what_it_knew_before_and_after(
    founder: ScriptedFounder, documents: Path
):
    plan = table_plan({"columns": columns(water="text"), "entry": ""}, title="The water of the drinks")
    founder.answer(
        plan=lambda _: ScriptedAnswer.json(plan), ExtractReply=PatternExtractor({"water": r"(\d+) degrees"})
    )
    result = founder.json("run", DIRECTIVE, "--sources", documents)
    (agent,) = {step["agent"] for step in result["steps"] if step["key"] == "register"}
    (author,) = [one for one in founder.json("agents", "list")["agents"] if one["name"] == agent]
    history = founder.json("memory", "task", "history", "--scope", f"agent:{author['agent']}")["data"]
    (record,) = history["records"]
    assert (history["completed"], record["before"]["knowledge"]) == (1, 0)
    assert record["after"]["uncertainty"] == 0, "every cell stands in its document"


def test_without_documents_earlier_results_are_sources(founder: ScriptedFounder, documents: Path):
    first = founder.json("run", DIRECTIVE, "--sources", documents)
    founder.forget_prompts()
    second = founder.json("run", f"{DIRECTIVE}, once more")
    (plan,) = founder.prompts("plan")
    assert first["title"] in plan.named("memory")[0].text
    assert "find them as sources" in plan.named("memory")[0].text
    assert {source["kind"] for source in provenance(second)["sources"]} == {"deliverable"}
    (written,) = founder.prompts("synthesize")
    assert any("75 degrees" in source.text for source in written.sources)


def test_what_was_used_of_the_memory_stands_in_the_provenance(founder: ScriptedFounder, documents: Path):
    founder("run", DIRECTIVE, "--sources", documents)
    lesson = save(founder, FITTING, "--kind", "lesson", "--scope", "shared")
    foreign = save(founder, FOREIGN, "--kind", "lesson", "--scope", "shared")
    founder.forget_prompts()
    result = founder.json("run", f"{DIRECTIVE}, once more", "--sources", documents)
    memories = {one["id"]: one for one in provenance(result)["memories"]}
    assert foreign not in memories
    used = {
        kind: {use["task"] for one in memories.values() if one["kind"] == kind for use in one["used_by"]}
        for kind in ("lesson", "approach", "passage", "task")
    }
    assert used["lesson"] >= {"plan", "final"}
    assert used["approach"] == {"plan", "final"}
    assert used["passage"] == {"plan"}
    assert "final" in used["task"], "the author's recent work"
    assert any(use["task"].startswith("final-v1-") for use in memories[lesson]["used_by"]), "and by reviewers"


def test_what_steering_and_answers_were_told_of_the_memory_stands_in_the_provenance(
    founder: ScriptedFounder, documents: Path
):
    founder("run", DIRECTIVE, "--sources", documents, code=-9, FRASIER_FAULT="plan.committed:kill:1")
    lesson = save(
        founder, "Where cocoa is left out, say what is missing.", "--kind", "lesson", "--scope", "shared"
    )
    nothing = {"removed": [], "changed": [], "added": [], "explanation": "Nothing has to change."}
    founder.answer(steer=lambda _: ScriptedAnswer.json(nothing))
    founder("steer", "last", "Leave cocoa out, and say what is missing")
    asked = save(
        founder, "Whoever asks about tins is told their price.", "--kind", "lesson", "--scope", "shared"
    )
    founder("ask", "last", "Who is told the price of tins?")
    result = founder.json("resume", "last")
    memories = {one["id"]: one for one in provenance(result)["memories"]}
    for lesson_told in (lesson, asked):
        assert "conversation" in {use["task"] for use in memories[lesson_told]["used_by"]}
