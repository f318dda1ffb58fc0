"""Who reviews, when policy approves, and what a verdict amounts to."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from frasier.kernel.ids import new_id
from frasier.llm import CheckedStatement, Citations, Tier, Verification
from frasier.llm.reply_schemas import ReviewedPassage, ReviewReply
from frasier.org.governance import (
    AutonomySettings,
    ReviewKind,
    Verdict,
    review_faults,
    review_scope,
    route_review,
)
from frasier.org.governance import judge as judge_text
from frasier.org.governance.quotations import check_quotations
from frasier.org.people import Agent, AgentKind, AgentStatus, Role

CITED = Citations(score=1.0, substantive_lines=4, cited_lines=4, cited=(1, 2), unknown=(), quotable=2)
UNCITED = Citations(score=0.0, substantive_lines=4, cited_lines=0, cited=(), unknown=(), quotable=2)
INVENTED = Citations(score=1.0, substantive_lines=4, cited_lines=4, cited=(1,), unknown=(9,), quotable=2)
DOUBTFUL = Verification(
    statements=(
        CheckedStatement(
            text="The lock is 12 m wide.", markdown="The lock is 12 m wide. [1]", verdict="doubtful"
        ),
    )
)
FULL = (ReviewKind.QA, ReviewKind.EXPERT)


def route(mean: float | None, **changes: Any) -> tuple[ReviewKind, ...]:
    facts: dict[str, Any] = {
        "critique_mean": mean,
        "citations": CITED,
        "verification": Verification(),
        "tier": Tier.T2,
        "is_final": False,
    }
    return route_review(AutonomySettings(), **{**facts, **changes}).stages


def test_four_and_above_is_approved_by_policy_three_is_qa_only_and_below_is_full() -> None:
    assert route(4.0) == ()
    assert route(3.99) == (ReviewKind.QA,)
    assert route(3.0) == (ReviewKind.QA,)
    assert route(2.99) == FULL


@pytest.mark.parametrize(
    "changes",
    [
        {"is_final": True},
        {"verification": DOUBTFUL},
        {"tier": Tier.T3},
        {"critique_mean": None},
        {"citations": UNCITED},
        {"citations": INVENTED},
    ],
)
def test_what_is_final_dear_unscored_or_badly_cited_is_reviewed_in_full(changes: dict[str, Any]) -> None:
    assert route(5.0, **changes) == FULL


def test_switched_off_autonomy_reviews_everything_in_full() -> None:
    settings = AutonomySettings(enabled=False)
    found = route_review(
        settings,
        critique_mean=5.0,
        citations=CITED,
        verification=Verification(),
        tier=Tier.T1,
        is_final=False,
    )
    assert found.stages == FULL


def agent(key: str, role: Role, kind: AgentKind = AgentKind.SUB_AGENT, team: str | None = "t") -> Agent:
    return Agent(
        id=new_id(),
        key=key,
        name=key.title(),
        role=role,
        title=key,
        team=team,
        kind=kind,
        status=AgentStatus.ACTIVE,
        persona_version=1,
        created_at=datetime.now(UTC),
    )


QA = agent("qa", Role.QA, AgentKind.QA)
EDITOR = agent("editor", Role.CONTENT, team="elsewhere")


def test_qa_judges_the_craft_except_where_the_craft_is_the_domain() -> None:
    assert review_scope(QA, Role.CONTENT) == "technical"
    assert review_scope(QA, Role.ENGINEERING) == "full"
    assert review_scope(EDITOR, Role.CONTENT) == "full"


def reply(verdict: str = "approve", **scores: Any) -> ReviewReply:
    facts: dict[str, Any] = dict.fromkeys(
        ("relevance", "depth", "actionability", "accuracy", "executive_quality"), 4.0
    )
    passages = [{"quotation": "Green tea is brewed at 75 °C", "remark": "as cited"}]
    return ReviewReply(
        **{**facts, "passages": passages, **scores, "verdict": verdict, "feedback": "Because."}
    )


TEXT = "# Tea\n\n**Green tea** is brewed\nat 75 °C, because hotter water makes it bitter. [1]\n"


def judge(reply: ReviewReply, citations: Citations) -> Verdict:
    return judge_text(reply, citations, TEXT)


def test_an_approval_holds_only_with_every_score_at_three_and_sound_citations() -> None:
    assert judge(reply(), CITED).approved
    assert judge(reply(depth=3.0), CITED).approved
    for refused in (
        judge(reply("reject"), CITED),
        judge(reply(depth=2.9), CITED),
        judge(reply(), UNCITED),
        judge(reply(), INVENTED),
    ):
        assert not refused.approved


def test_the_feedback_says_what_the_numbers_refused() -> None:
    assert "[9]" in judge(reply(), INVENTED).feedback
    assert "any of its 2 sources" in judge(reply(), UNCITED).feedback


def passages(*quotations: str) -> list[dict[str, str]]:
    return [{"quotation": quotation, "remark": "see"} for quotation in quotations]


def test_a_quotation_stands_in_the_text_by_its_words_whatever_stands_between_them() -> None:
    held = (
        "green tea is brewed at 75 °C",
        "Green tea … hotter water makes it bitter",
        "75 °C, because hotter",
    )
    invented = ("black tea is brewed at 75 °C", "hotter water … Green tea", "tea", "75", "…")
    quoted = [ReviewedPassage(quotation=one, remark="see") for one in (*held, *invented)]
    checked = check_quotations(quoted, TEXT)
    assert [one.quotation for one in checked.found] == list(held)
    assert [one.quotation for one in checked.invented] == list(invented)


def test_nothing_is_approved_on_invented_quotations_and_those_beside_real_ones_are_counted() -> None:
    assert not judge(reply(passages=passages("It is brewed at 99 °C")), CITED).approved
    assert not judge(reply(passages=[]), CITED).approved
    mixed = judge(reply(passages=passages("hotter water makes it bitter", "at 99 °C it is best")), CITED)
    assert (mixed.approved, len(mixed.passages), mixed.invented) == (True, 1, 1)


def test_a_review_without_a_real_quotation_or_a_comparison_is_sent_back() -> None:
    def faults(reply: ReviewReply, *, compares: bool = False) -> str:
        return " ".join(review_faults(reply, TEXT, compares=compares))

    assert faults(reply()) == ""
    assert "None of your 2 quotations" in faults(reply(passages=passages("no such words", "nor these here")))
    assert "None of your 1 quotation" in faults(reply("reject", passages=passages("no such words")))
    assert "without a quotation" in faults(reply(passages=[]))
    assert faults(reply("reject", passages=[])) == "", "what is missing cannot be quoted"
    assert "changes is empty" in faults(reply(), compares=True)
    assert faults(reply(changes="The water is named."), compares=True) == ""
