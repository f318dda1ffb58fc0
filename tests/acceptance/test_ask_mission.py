"""`frasier ask`: the answer comes from a mission's evidence, is checked like a deliverable, and survives a kill."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from support.cli import FrasierProgram
from support.model_server import ScriptedAnswer
from support.organisation import DIRECTIVE, write_documents
from support.scripted_founder import ScriptedFounder, scripted_founder

GOOD = "It rests on “Filter coffee is brewed with water of 94 degrees for four minutes.” [2]"
WRONG = "Filter coffee is brewed with water of 64 degrees for four minutes. [2]"


@pytest.fixture
def founder(frasier: FrasierProgram, tmp_path: Path) -> Iterator[ScriptedFounder]:
    with scripted_founder(frasier) as founder:
        founder("run", DIRECTIVE, "--sources", write_documents(tmp_path / "drinks"))
        founder.forget_prompts()
        yield founder


def test_the_model_is_sent_the_result_the_verdicts_with_passages_the_sources_and_earlier_turns(
    founder: ScriptedFounder,
):
    founder.answer(ask=lambda _: ScriptedAnswer(content=GOOD))
    founder("ask", "last", "What is said of coffee?")
    assert any("94 degrees" in source.text for source in founder.prompts("ask")[0].sources), "found by words"
    founder.forget_prompts()
    asked = founder.json("ask", "last", "Why [2]?")
    (prompt,) = founder.prompts("ask")
    assert [prompt.purpose for prompt in founder.prompts()] == ["ask"], "nothing else is paid for"
    (result,) = prompt.named("colleague")
    assert "# What the documents say" in result.text
    (statements,) = prompt.named("statements")
    assert statements.text.startswith("- verified: "), "with verdicts"
    assert "cites source 2" in statements.text.splitlines()[0], "first those that cite what is asked about"
    assert "  - source 2, " in statements.text
    assert "94 degrees" in next(one for one in prompt.sources if one.attributes["number"] == "2").text
    assert "is completed" in prompt.sections["How the work was done"]
    turns = [fence.text for fence in prompt.named("memory") if fence.section.startswith("The conversation")]
    assert turns[0].splitlines()[-2] == "The founder: What is said of coffee?"
    assert prompt.sections["The founder's question"].strip() == "Why [2]?"
    assert asked["answer"].startswith(GOOD)
    assert "- [2] Coffee — " in asked["answer"]
    assert asked["verification"]["verified"] == 1


def test_an_answer_that_its_sources_do_not_carry_goes_back_once_and_is_marked(founder: ScriptedFounder):
    founder.answer(ask=lambda _: ScriptedAnswer(content=WRONG))
    asked = founder.json("ask", "last", "How hot is the water for coffee?")
    first, second = founder.prompts("ask")
    assert "What is wrong with it" not in first.sections
    assert "do not have the number “64 degrees”" in second.sections["What is wrong with it"]
    assert second.named("draft")[0].text == WRONG
    assert "[doubtful]" in asked["answer"]
    assert asked["verification"]["doubtful"] == 1


def test_what_an_answer_states_is_counted_only_where_it_states_something(founder: ScriptedFounder):
    founder.answer(ask=lambda _: ScriptedAnswer(content=GOOD))
    assert "Verified 1 of 1 statement of this answer." in founder("ask", "last", "Why [2]?").err
    founder.answer(ask=lambda _: ScriptedAnswer(content="Nothing is known of that. [conclusion]"))
    told = founder("ask", "last", "How old is the cook?")
    assert "Nothing is known of that." in told.out
    assert "Verified" not in told.out + told.err


def test_a_question_is_answered_after_a_kill_and_nothing_is_paid_twice(founder: ScriptedFounder):
    founder.answer(ask=lambda _: ScriptedAnswer(content=GOOD))
    killed = founder("ask", "last", "Why [2]?", code=-9, FRASIER_FAULT="phase.checkpointed:kill:1")
    assert "Heard." in killed.err
    assert len(founder.prompts("ask")) == 1, "killed after the paid answer"
    again = founder.json("ask", "last", "Why [2]?")
    assert again["answer"].startswith(GOOD)
    assert len(founder.prompts("ask")) == 1, "asked again, the same question goes on where it was"


def test_a_rehearsal_quotes_the_passages_and_says_what_it_is(frasier: FrasierProgram, tmp_path: Path):
    frasier("run", DIRECTIVE, "--sources", str(write_documents(tmp_path / "drinks")))
    first = frasier.json("ask", "last", "why [2]?")
    assert "Rehearsal: no model is configured" in first["answer"]
    assert "94 degrees" in first["answer"]
    assert first["verification"]["verified"] >= 1
    assert first["verification"]["doubtful"] == 0
    assert frasier.json("ask", "last", "why [2]?")["answer"] == first["answer"]


def test_a_rehearsal_answers_from_the_document_that_a_question_names(
    frasier: FrasierProgram, tmp_path: Path
) -> None:
    folder = tmp_path / "invoices"
    folder.mkdir()
    for number in range(1, 10):
        items = "\n\n".join(
            f"Item {at} of it costs {number}{at} euros a month." for at in range(1, number + 1)
        )
        (folder / f"invoice_{number:02}.md").write_text(f"# Invoice {number:02}\n\n{items}\n", "utf-8")
    frasier("run", "Summarise the invoices", "--sources", str(folder))
    answer = frasier.json("ask", "last", "What is in invoice 8?")["answer"]
    quoted = [line for line in answer.splitlines() if line.startswith("- ") and " — " not in line]
    assert quoted == [f"- Item {at} of it costs 8{at} euros a month. [8]" for at in range(1, 7)], (
        "no headings"
    )
    assert "2 more statements that the question may mean are left out." in answer
    assert "left out" not in frasier.json("ask", "last", "What is in invoice 2?")["answer"]


def test_what_a_rehearsal_made_is_shown_to_no_model(frasier: FrasierProgram, tmp_path: Path):
    frasier("run", DIRECTIVE, "--sources", str(write_documents(tmp_path / "drinks")))
    with scripted_founder(frasier) as founder:
        error = founder.json("ask", "last", "why [2]?", code=3)["error"]
        assert "was a rehearsal" in error["message"]
        assert founder.prompts() == []


def test_a_question_about_a_mission_that_does_not_exist_is_refused(frasier: FrasierProgram):
    assert "There is no mission" in frasier.json("ask", "01234567", "why?", code=3)["error"]["message"]
