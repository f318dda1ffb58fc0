"""Affinity: how much agents met, and how well; the last tie-break of who works with whom."""

from __future__ import annotations

from datetime import UTC, datetime
from uuid import uuid4

from hypothesis import given
from hypothesis import strategies as st

from frasier.org.governance import Review, ReviewKind
from frasier.org.people import Agent, AgentKind, AgentStatus, Role
from frasier.org.planning.routine_starts import choose_moderator, disagreement
from frasier.org.skills import Expertise
from frasier.org.staffing import Affinity, affinity_to_team, choose_agent, choose_mentor, find_colleague

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def agent(name: str, role: Role = Role.RESEARCH, kind: AgentKind = AgentKind.SUB_AGENT) -> Agent:
    return Agent(
        id=uuid4(),
        key=name.lower(),
        name=name,
        role=role,
        title=f"{role} analyst",
        team="team-research",
        kind=kind,
        status=AgentStatus.ACTIVE,
        persona_version=1,
        created_at=NOW,
    )


HERON, WREN, LARK = agent("Heron"), agent("Wren"), agent("Lark")
CHIEF = agent("Frasier", Role.STRATEGY, AgentKind.CHIEF_OF_STAFF)


def met(other: Agent, score: float | None, reviews: int = 4, missions: int = 2) -> Affinity:
    return Affinity(agent_id=other.id, reviews=reviews if score else 0, mean_score=score, missions=missions)


@given(
    st.integers(0, 1000),
    st.none() | st.floats(1, 5),
    st.integers(0, 1000),
)
def test_it_lies_between_minus_one_and_one(reviews: int, score: float | None, missions: int) -> None:
    one = Affinity(agent_id=uuid4(), reviews=reviews if score else 0, mean_score=score, missions=missions)
    assert -1 <= one.value <= 1


def test_strangers_have_none_and_few_meetings_count_little() -> None:
    assert met(WREN, None, missions=0).value == 0
    assert met(WREN, 5.0, reviews=1).value < met(WREN, 5.0, reviews=20).value
    assert met(WREN, 1.0, reviews=10).value < 0 < met(WREN, 4.0).value


def test_of_equals_whoever_works_best_with_the_others_is_given_the_work() -> None:
    close = affinity_to_team({WREN.id: {LARK.id: met(LARK, 4.5)}}, {LARK.id})
    both = [HERON, WREN]
    assert choose_agent(both, Role.RESEARCH, load={}) == HERON
    assert choose_agent(both, Role.RESEARCH, load={}, affinity=close) == WREN
    assert choose_agent(both, Role.RESEARCH, load={WREN.id: 1}, affinity=close) == HERON, "a tie-break only"
    known = [Expertise(agent=one, skills=()) for one in both]
    assert find_colleague("Research analyst", Role.RESEARCH, known, load={}, affinity=close) == WREN
    assert find_colleague("Research analyst", Role.RESEARCH, known, load={}) == HERON


def test_a_mentor_is_of_the_role_and_who_works_best_with_the_author() -> None:
    everybody = [CHIEF, HERON, WREN, LARK]
    assert choose_mentor(HERON, Role.RESEARCH, everybody, {}) == LARK
    assert choose_mentor(HERON, Role.RESEARCH, everybody, {WREN.id: met(WREN, 4.5)}) == WREN
    assert choose_mentor(HERON, Role.RESEARCH, [HERON, CHIEF], {}) == CHIEF
    assert choose_mentor(HERON, Role.RESEARCH, [HERON], {}) is None


scored = st.lists(st.tuples(st.floats(1, 5), st.booleans()), max_size=4)


@given(scored)
def test_who_decides_a_debate_gave_no_verdict_and_wrote_nothing_of_the_work(
    verdicts: list[tuple[float, bool]],
) -> None:
    people = [CHIEF, HERON, WREN, LARK]
    reviews = [
        Review(
            id=uuid4(),
            deliverable_id=uuid4(),
            step_id=uuid4(),
            review_task=uuid4(),
            kind=ReviewKind.QA,
            reviewer=people[number].id,
            tier="T1",
            state="approved" if approved else "rejected",
            scores={},
            overall=score,
            feedback="x",
            created_at=NOW,
            reviewed_at=NOW,
        )
        for number, (score, approved) in enumerate(verdicts)
    ]
    disputed = disagreement(reviews)
    scores = [score for score, _ in verdicts]
    assert (disputed is not None) == (len(scores) > 1 and max(scores) - min(scores) > 1.000001)
    excluded = {HERON.id, *(review.reviewer for review in reviews if review.reviewer)}
    moderator = choose_moderator(people, excluded)
    able = [person for person in people if person.id not in excluded]
    assert (moderator is None) == (not able)
    assert moderator is None or moderator in able
    assert moderator is CHIEF or CHIEF not in able
