"""Who reviews, when policy approves, and what a verdict amounts to."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from frasier.kernel.ids import new_id
from frasier.llm import CheckedStatement, Citations, Tier, Verification
from frasier.llm.reply_schemas import ReviewReply
from frasier.org.governance import (
    AutonomySettings,
    ReviewKind,
    choose_reviewer,
    judge,
    review_scope,
    route_review,
)
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


CHIEF = agent("chief", Role.STRATEGY, AgentKind.CHIEF_OF_STAFF, None)
LEAD = agent("lead", Role.ENGINEERING, AgentKind.TEAM_LEAD)
QA = agent("qa", Role.QA, AgentKind.QA)
WRITER = agent("writer", Role.CONTENT)
EDITOR = agent("editor", Role.CONTENT, team="elsewhere")
ROSTER = [CHIEF, LEAD, QA, WRITER, EDITOR]


def choose(kind: ReviewKind, author: Agent, roster: list[Agent] | None = None) -> Agent | None:
    return choose_reviewer(
        kind, author=author.id, role=author.role, team=author.team, roster=roster or ROSTER
    )


def test_qa_reviews_are_qas_and_domain_reviews_a_colleagues_of_the_same_role() -> None:
    assert choose(ReviewKind.QA, WRITER) == QA
    assert choose(ReviewKind.EXPERT, WRITER) == EDITOR


def test_without_an_expert_the_lead_then_the_chief_of_staff_reviews() -> None:
    assert choose(ReviewKind.EXPERT, WRITER, [CHIEF, LEAD, QA, WRITER]) == LEAD
    assert choose(ReviewKind.EXPERT, WRITER, [CHIEF, QA, WRITER]) == CHIEF


def test_nobody_is_made_up_where_only_the_author_is_left() -> None:
    assert choose(ReviewKind.QA, QA, [QA]) is None
    assert choose(ReviewKind.EXPERT, WRITER, [WRITER]) is None


@given(st.sampled_from(list(ReviewKind)), st.sampled_from(ROSTER), st.sets(st.sampled_from(range(5))))
def test_nobody_reviews_their_own_work(kind: ReviewKind, author: Agent, present: set[int]) -> None:
    chosen = choose(kind, author, [ROSTER[i] for i in sorted(present)] or [author])
    assert chosen is None or chosen.id != author.id


def test_qa_judges_the_craft_except_where_the_craft_is_the_domain() -> None:
    assert review_scope(QA, Role.CONTENT) == "technical"
    assert review_scope(QA, Role.ENGINEERING) == "full"
    assert review_scope(EDITOR, Role.CONTENT) == "full"


def reply(verdict: str = "approve", **scores: float) -> ReviewReply:
    facts: dict[str, Any] = dict.fromkeys(
        ("relevance", "depth", "actionability", "accuracy", "executive_quality"), 4.0
    )
    return ReviewReply(**{**facts, **scores, "verdict": verdict, "feedback": "Because."})


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
