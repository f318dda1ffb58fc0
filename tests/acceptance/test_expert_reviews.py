"""Experts review (D-015): by the subject of the work, never who wrote a part of it; what they quote is in the text."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from support.cli import FrasierProgram
from support.model_responder import CompetentModel, Prompt, plan_of, reviewed, write
from support.model_server import ScriptedAnswer
from support.organisation import write_documents
from support.scripted_founder import ScriptedFounder, scripted_founder

SUBJECT = "German tax law"
ADVISOR = "Tax advisor for German law"
HIRED = f"Expert reviewer for {SUBJECT}"
ALONE = f"Reviewed by QA alone: nobody in the house knows {SUBJECT}."
SHORT = "# In short\n\nFilter coffee is brewed with water of 94 degrees for four minutes. [2]\n"
DIRECTIVE = "Compare the drinks by their taxes"


def plan(steps: int = 1, *, subject: str = SUBJECT, **changes: str) -> dict[str, Any]:
    """A plan of which the final step has a subject; `changes` are those of the first step."""
    made = plan_of(steps)
    made["steps"][-1] |= {"subject": subject}
    made["steps"][0] |= changes
    return made


@pytest.fixture
def founder(frasier: FrasierProgram) -> Iterator[ScriptedFounder]:
    with scripted_founder(frasier, plan=lambda _: ScriptedAnswer.json(plan())) as founder:
        yield founder


def run(founder: ScriptedFounder, tmp_path: Path, *, code: int = 0) -> dict[str, Any]:
    documents = write_documents(tmp_path / "drinks")
    return founder.json("run", DIRECTIVE, "--sources", documents, "--out", tmp_path / "out", code=code)


def final_of(result: dict[str, Any]) -> dict[str, Any]:
    (step,) = (step for step in result["steps"] if step["key"] == "final")
    return step


def provenance(result: dict[str, Any]) -> dict[str, Any]:
    return dict(json.loads((Path(result["folder"]) / "provenance.json").read_text()))


def reviewers(founder: ScriptedFounder) -> list[str]:
    """Who was asked for reviews, as the server was told."""
    named = [prompt.outside.split("You are ", 1)[1].split(".", 1)[0] for prompt in founder.prompts("review")]
    return sorted(named)


def test_d015_whoever_knows_the_subject_reviews_it_and_not_whoever_has_the_role(
    founder: ScriptedFounder, tmp_path: Path
) -> None:
    advisor = founder.json("agents", "hire", ADVISOR, "--role", "strategy")["data"]
    founder("agents", "hire", "Beekeeper", "--role", "content")
    founder("agents", "hire", "Agent for German tax law", "--for-tests")
    result = run(founder, tmp_path)
    assert result["status"] == "delivered"
    assert reviewers(founder) == sorted([f"{advisor['name']}, {ADVISOR}", "Osprey, Quality Engineer"])
    (persona,) = founder.prompts("persona")
    assert ADVISOR in persona.sections["The new colleague"], "who reviews has a persona first"
    expert = next(review for review in final_of(result)["reviews"] if review["kind"] == "expert")
    assert (expert["by"], expert["verdict"]) == (advisor["name"], "approved")
    assert expert["choice"] == f"{ADVISOR}, knows {SUBJECT}"
    assert advisor["name"] in provenance(result)["deliverable"]["review"]
    assert f"knows {SUBJECT}" in founder("missions", "show", "last").out


def test_d015_general_research_is_not_judged_by_a_hired_tax_advisor(
    founder: ScriptedFounder, tmp_path: Path
) -> None:
    founder("agents", "hire", ADVISOR, "--role", "research")
    founder.answer(plan=lambda _: ScriptedAnswer.json(plan(subject="", role="research")))
    run(founder, tmp_path)
    assert not any(ADVISOR in name for name in reviewers(founder))


def test_where_nobody_knows_the_subject_qa_alone_decides_and_the_deliverable_says_so(
    founder: ScriptedFounder, tmp_path: Path
) -> None:
    result = run(founder, tmp_path)
    assert reviewers(founder) == ["Osprey, Quality Engineer"]
    step = final_of(result)
    assert step["review_note"] == ALONE
    waived = {review["kind"]: (review["by"], review["verdict"]) for review in step["reviews"]}
    assert waived == {"qa": ("Osprey", "approved"), "expert": ("nobody", "waived")}
    assert provenance(result)["deliverable"]["review"] == ALONE
    assert f"**Review.** {ALONE}" in Path(result["deliverable"]).read_text()
    assert ALONE in " ".join(founder("missions", "show", "last").out.split())
    assert founder.prompts("persona") == []


def test_who_wrote_a_part_of_it_is_not_asked(founder: ScriptedFounder, tmp_path: Path) -> None:
    advisor = founder.json("agents", "hire", ADVISOR)["data"]
    founder.answer(plan=lambda _: ScriptedAnswer.json(plan(2, colleague=advisor["agent"])))
    result = run(founder, tmp_path)
    assert final_of(result)["review_note"] == (
        f"Reviewed by QA alone: nobody but {advisor['name']}, who wrote a part of it, knows {SUBJECT}."
        " Read as a whole by Frasier."
    )
    assert not any(ADVISOR in name for name in reviewers(founder))


def test_the_policy_hires_an_expert_for_reviews_whose_persona_is_written_first(
    founder: ScriptedFounder, tmp_path: Path
) -> None:
    founder("policy", "set", "hiring", "for_reviews=true")
    result = run(founder, tmp_path)
    assert result["status"] == "delivered"
    (persona,) = founder.prompts("persona")
    assert HIRED in persona.sections["The new colleague"]
    assert "The review of Write the comparison" in persona.sections["The work that waits for them"]
    assert any(name.endswith(HIRED) for name in reviewers(founder))
    asked = [prompt.purpose for prompt in founder.prompts("persona", "review") if prompt.model == "middle"]
    assert asked == ["persona", "review"]
    assert "hired for reviews" in provenance(result)["deliverable"]["review"]
    assert "hired for reviews" in Path(result["deliverable"]).read_text()
    run(founder, tmp_path)
    assert len(founder.prompts("persona")) == 1, "a second mission finds them"


@pytest.mark.parametrize("answer", ["yes", "no"])
def test_the_founder_decides_about_the_expert_where_the_policy_asks(
    founder: ScriptedFounder, tmp_path: Path, answer: str
) -> None:
    founder("policy", "set", "hiring", "for_reviews=true", "automatic=false")
    run(founder, tmp_path, code=5)
    (question,) = founder.json("inbox")["questions"]
    assert HIRED in question["text"]
    assert SUBJECT in question["text"]
    founder("decide", question["question"], answer)
    founder("resume", "last")
    shown = founder.json("missions", "show", "last")
    assert shown["status"] == "delivered"
    note = final_of(shown)["review_note"]
    if answer == "yes":
        assert "hired for reviews" in note
        assert any(name.endswith(HIRED) for name in reviewers(founder))
    else:
        assert note.startswith("Reviewed by QA alone")
        assert "the founder hires nobody for it" in note
        assert reviewers(founder) == ["Osprey, Quality Engineer"]
        assert founder.prompts("steer") == [], "no step waited for them"


def quoting(*replies: list[str]) -> Callable[[Prompt], ScriptedAnswer]:
    """Reviewers who quote, one after the other, what each list names; "" is a line of the deliverable."""
    left = list(replies)

    def review(prompt: Prompt) -> ScriptedAnswer:
        answer = json.loads(reviewed(prompt, approves=True, feedback="Sound.").content or "")
        (real,) = answer["passages"]
        quoted = left.pop(0) if left else [""]
        answer["passages"] = [real if not one else {"quotation": one, "remark": "!"} for one in quoted]
        return ScriptedAnswer.json(answer)

    return review


INVENTED = "The excise duty on cocoa is nine hundred euros"


def test_a_review_that_quotes_what_is_not_there_is_sent_back_once_for_repair(
    founder: ScriptedFounder, tmp_path: Path
) -> None:
    founder.answer(review=quoting([INVENTED]))
    result = run(founder, tmp_path)
    assert result["status"] == "delivered"
    first, second = founder.prompts("review")
    assert "None of your 1 quotation stands in the deliverable" in second.outside
    assert "None of your" not in first.outside
    assert "passages are one to six quotations" in " ".join(first.sections["Task"].split())
    (review,) = (
        review
        for review in founder.json("steps", "show", "last/final")["versions"][0]["reviews"]
        if review["kind"] == "qa"
    )
    (passage,) = review["passages"]
    assert passage["quotation"] in Path(result["deliverable"]).read_text()


def test_nothing_is_approved_by_a_reviewer_who_invents_its_quotations_again(
    founder: ScriptedFounder, tmp_path: Path
) -> None:
    founder.answer(review=quoting(*[[INVENTED]] * 30))
    result = run(founder, tmp_path, code=5)
    assert final_of(result)["status"] == "in_review"
    assert [review["verdict"] for review in final_of(result)["reviews"]] == ["pending", "waived"]


def test_an_invented_quotation_beside_a_real_one_is_dropped_counted_and_shown(
    founder: ScriptedFounder, tmp_path: Path
) -> None:
    founder.answer(review=quoting(["", INVENTED]))
    result = run(founder, tmp_path)
    assert len(founder.prompts("review")) == 1
    shown = founder("steps", "show", "last/final").out
    assert "dropped: 1 quotation, not in the version" in shown
    assert INVENTED not in shown
    (step,) = provenance(result)["steps"]
    assert [review["invented_quotations"] for review in step["versions"][0]["reviews"]] == [1, 0]


def test_the_review_of_a_later_version_is_shown_what_changed_and_says_so(
    founder: ScriptedFounder, tmp_path: Path
) -> None:
    verdicts = [False, True]

    def review(prompt: Prompt) -> ScriptedAnswer:
        return reviewed(prompt, approves=verdicts.pop(0), feedback="Name the duty on cocoa.")

    def better(prompt: Prompt) -> ScriptedAnswer:
        lines = (write(prompt).content or "").splitlines()
        is_first = "Why earlier versions were sent back: do better" not in prompt.sections
        return ScriptedAnswer(content="\n".join(lines[:3] if is_first else lines) + "\n")

    founder.answer(review=review, synthesize=better, revise=better)
    run(founder, tmp_path)
    first, second = founder.prompts("review")
    assert not any(title.startswith("What changed") for title in first.sections)
    (changed,) = [fence for fence in second.fences if fence.section == "What changed since version 1"]
    assert {line[0] for line in changed.text.splitlines()} == {"+"}
    (reviewed_text,) = second.named("deliverable")
    unchanged = [line for line in reviewed_text.text.splitlines() if line and line not in changed.text]
    assert len(unchanged) >= 2, "what both versions say is not told twice"
    told = second.sections["The reviews of version 1"]
    assert "qa, rejected: Name the duty on cocoa." in told
    assert "as it stands" in told, "with what it quoted"
    assert "Name the duty on cocoa." in second.sections["What earlier versions were sent back for"]
    reviews = founder.json("steps", "show", "last/final")["versions"][1]["reviews"]
    assert [review["changes"] for review in reviews if review["kind"] == "qa"] == ["It says more."]
    assert "Since the version before: It says more." in founder("steps", "show", "last/final").out


def test_reviews_are_marked_by_later_judgements_and_the_choice_uses_it(
    founder: ScriptedFounder, tmp_path: Path
) -> None:
    """Two advisors know the subject; the one who approves what QA rejects is not asked the next time."""
    names = {}
    for title in (ADVISOR, "Barrister for German tax law"):
        made = founder.json("agents", "hire", title)["data"]
        names[made["name"]] = made["agent"]
    verdicts = [False]

    def strict_qa(prompt: Prompt) -> ScriptedAnswer:
        strict = "Osprey" in prompt.outside and bool(verdicts)
        return reviewed(prompt, approves=not (strict and not verdicts.pop()), feedback="It forgets the duty.")

    founder.answer(review=strict_qa)
    first = final_of(run(founder, tmp_path))
    chosen = [review["by"] for review in first["reviews"] if review["kind"] == "expert"]
    assert len(set(chosen)) == 2, "the second version is judged by the other"
    careless = founder.json("agents", "show", chosen[0])["review_agreement"]
    assert (careless["given"], careless["marked"], careless["agreed"]) == (1, 1, 0)
    careful = founder.json("agents", "show", chosen[1])["review_agreement"]
    assert (careful["marked"], careful["agreement"]) == (1, 1.0)
    assert "later judgements agree with 0 of n = 1 (0%)" in founder("agents", "show", chosen[0]).out
    second = final_of(run(founder, tmp_path))
    assert {review["by"] for review in second["reviews"]} == {"Osprey", chosen[1]}
    founder.answer(revise=lambda _: ScriptedAnswer(content=SHORT), review=CompetentModel().to("review"))
    founder("revise", "last", "Shorter, please")
    corrected = founder.json("agents", "show", chosen[1])["review_agreement"]
    assert corrected["marked"] - corrected["agreed"] == 1, "what the founder has corrected was approved"
    assert founder.json("agents", "show", chosen[0])["status"] == "active", (
        "nobody is dismissed for it (D-007)"
    )
