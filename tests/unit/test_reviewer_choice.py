"""Who reviews a work: a table of cases, and that no author, test identity or absent colleague ever does."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import NAMESPACE_URL, UUID, uuid5

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from frasier.org.governance import ReviewKind, ReviewRecord
from frasier.org.people import Agent, AgentKind, AgentStatus, Role
from frasier.org.people.founding_agents import declared
from frasier.org.skills import Expertise
from frasier.org.skills.catalog import skill_set
from frasier.org.staffing import (
    AcceptedWork,
    ReviewerCandidate,
    Subject,
    choose_reviewer,
    subject_of_work,
)

_TABLE = tomllib.loads(Path(__file__).with_name("reviewer_cases.toml").read_text("utf-8"))
CASES: list[dict[str, Any]] = _TABLE["cases"]
_TEAM = "team-execution"


def _agent(name: str, *, role: str, title: str, **changes: Any) -> Agent:
    return Agent(
        id=uuid5(NAMESPACE_URL, name),
        key=name.lower(),
        name=name,
        role=Role(role),
        title=title,
        team=changes.get("team", _TEAM),
        kind=AgentKind(changes.get("kind", "qa" if role == "qa" else "sub_agent")),
        status=AgentStatus(changes.get("status", "active")),
        persona_version=1,
        created_at=datetime(2026, 1, 1, tzinfo=UTC),
        is_test=changes.get("is_test", False),
    )


FOUNDERS = {
    one.name: _agent(one.name, role=one.role, title=one.title, kind=one.kind, team=one.team)
    for one in declared()[1]
}
HIRED = {name: _agent(name, **facts) for name, facts in _TABLE["colleagues"].items()}
EVERYBODY = FOUNDERS | HIRED


def candidate(agent: Agent, case: dict[str, Any] | None = None) -> ReviewerCandidate:
    facts = case or {}
    records = {name: ReviewRecord(marked=n, agreed=agreed) for name, n, agreed in facts.get("marks", ())}
    return ReviewerCandidate(
        expertise=Expertise(agent=agent, skills=skill_set(agent.role)),
        works=tuple(
            AcceptedWork(text=text, score=score)
            for name, text, score in facts.get("works", ())
            if name == agent.name
        ),
        record=records.get(agent.name, ReviewRecord()),
    )


def house(names: list[str]) -> list[Agent]:
    listed = [*FOUNDERS, *names] if "founders" in names else names
    return [EVERYBODY[name] for name in dict.fromkeys(listed) if name != "founders"]


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_the_table_of_cases_holds(case: dict[str, Any]) -> None:
    author = EVERYBODY[case["author"]]
    choice = choose_reviewer(
        ReviewKind(case.get("kind", "expert")),
        subject_of_work(
            case.get("work", ""),
            named=case.get("subject", ""),
            author=author,
            role=Role(case.get("role", author.role)),
        ),
        [candidate(agent, case) for agent in house(case["house"])],
        wrote=[author.id, *(EVERYBODY[name].id for name in case.get("others", ()))],
        team=_TEAM,
        taken=[EVERYBODY[name].id for name in case.get("taken", ())],
    )
    assert (choice.reviewer.name if choice.reviewer else "") == case["expected"], choice.why
    assert choice.why


def test_there_are_forty_cases_and_more() -> None:
    assert len(CASES) >= 40
    assert len({case["name"] for case in CASES}) == len(CASES)
    assert sum(case["expected"] == "" for case in CASES) >= 10


_SUBJECTS = [
    Subject(name="German tax law", role=Role.RESEARCH),
    Subject(name="the real estate market", role=Role.STRATEGY),
    Subject(name="", role=Role.CONTENT, skills=("content_marketing", "copywriting")),
    Subject(name="", role=Role.RESEARCH, skills=()),
    Subject(name="", role=Role.QA, skills=("test_design",)),
]
_AGENTS = st.builds(
    lambda agent, status, is_test: replace(agent, status=status, is_test=is_test),
    st.sampled_from(list(EVERYBODY.values())),
    st.sampled_from(AgentStatus),
    st.booleans(),
)


@settings(max_examples=200)
@given(
    kind=st.sampled_from(ReviewKind),
    subject=st.sampled_from(_SUBJECTS),
    agents=st.lists(_AGENTS, unique_by=lambda agent: agent.id, max_size=12),
    wrote=st.sets(st.sampled_from([agent.id for agent in EVERYBODY.values()]), max_size=10),
    taken=st.sets(st.sampled_from([agent.id for agent in EVERYBODY.values()]), max_size=4),
    scores=st.lists(st.floats(1, 5), max_size=6),
    agreed=st.integers(0, 9),
)
def test_no_author_test_identity_or_absent_colleague_is_ever_chosen(
    kind: ReviewKind,
    subject: Subject,
    agents: list[Agent],
    wrote: set[UUID],
    taken: set[UUID],
    scores: list[float],
    agreed: int,
) -> None:
    candidates = [
        replace(
            candidate(agent),
            # Whatever speaks for them.
            works=tuple(AcceptedWork(text=f"{subject.name} copywriting", score=score) for score in scores),
            record=ReviewRecord(marked=9, agreed=agreed),
        )
        for agent in agents
    ]
    choice = choose_reviewer(kind, subject, candidates, wrote=wrote, team=_TEAM, taken=taken)
    again = choose_reviewer(kind, subject, candidates[::-1], wrote=wrote, team=_TEAM, taken=taken)
    assert choice.reviewer == again.reviewer, "the order in which they are listed decides nothing"
    if choice.reviewer is not None:
        assert choice.reviewer in agents
        assert choice.reviewer.status is AgentStatus.ACTIVE
        assert not choice.reviewer.is_test
        assert choice.reviewer.id not in wrote | taken


def test_nobody_is_said_with_the_reason_that_the_founder_reads() -> None:
    subject = Subject(name="German tax law", role=Role.RESEARCH)
    founders = [candidate(agent) for agent in FOUNDERS.values()]
    nobody = choose_reviewer(ReviewKind.EXPERT, subject, founders, wrote=(), team=_TEAM)
    assert nobody.why == "nobody in the house knows German tax law"
    alder = HIRED["Alder"]
    only = choose_reviewer(
        ReviewKind.EXPERT, subject, [*founders, candidate(alder)], wrote=[alder.id], team=_TEAM
    )
    assert only.why == "nobody but Alder, who wrote a part of it, knows German tax law"
