"""Which role a text asks for, and which agent of the organisation gets the work."""

from __future__ import annotations

from datetime import UTC, datetime
from random import Random
from uuid import UUID, uuid5

import pytest
from hypothesis import given
from hypothesis import strategies as st

from frasier.kernel.errors import NotFound
from frasier.org.people import Agent, AgentKind, AgentStatus, Role, route_role
from frasier.org.people.role_routing import DEFAULT_ROLE, ROUTING_WORDS
from frasier.org.staffing import choose_agent

# An edit of the table must be seen as one: words were lost from it once without anybody noticing.
TABLE = {
    "research": "research, analysis, market, competitive, trends, intelligence, data, report",
    "strategy": "strategy, business plan, roadmap, pricing, financial, revenue, growth plan",
    "content": "content, copywriting, blog, social media, tweet, post, brand, storytelling, article",
    "engineering": "code, architecture, deploy, build, api, database, backend, frontend, debug",
    "qa": "test, quality, review, audit, security, bug, validate, verify",
    "growth": "seo, distribution, funnel, ads, campaign, conversion, traffic, growth",
    "knowledge": "document, summarize, knowledge, wiki, organize, catalog, index",
}


def test_the_routing_table_is_word_for_word_this_one():
    assert [(str(role), ", ".join(words)) for role, words in ROUTING_WORDS] == list(TABLE.items())
    assert DEFAULT_ROLE is Role.RESEARCH


@pytest.mark.parametrize(
    ("role", "word"), [(role, word) for role, words in ROUTING_WORDS for word in words], ids=str
)
def test_every_word_of_the_table_asks_for_its_role(role, word):
    # "growth plan" also has the word "growth" in it; the role that stands first in the table wins.
    assert route_role(f"Please: {word.upper()}!") is role


@pytest.mark.parametrize(
    "text",
    [
        "A capital rapidly spent",
        "Contest the latest posture",
        "Reviewer, debugger, coded, uploads",
        "",
        "¿?",
    ],
)
def test_a_word_inside_another_word_asks_for_nothing(text):
    assert route_role(text) is DEFAULT_ROLE


@pytest.mark.parametrize(
    ("text", "role"),
    [
        ("Build an API for the market data", Role.RESEARCH),
        ("Build and deploy an API for the market", Role.ENGINEERING),
        ("code code code, then a report with data", Role.RESEARCH),
        ("Write a blog article for the brand about our pricing", Role.CONTENT),
        ("Draft the social-media\nposts", Role.CONTENT),
        ("Verify the security of the login", Role.QA),
        ("Raise the conversion of the funnel", Role.GROWTH),
        ("Summarize the wiki", Role.KNOWLEDGE),
        ("A roadmap to more revenue", Role.STRATEGY),
    ],
)
def test_the_role_with_the_most_different_words_gets_the_work(text, role):
    assert route_role(text) is role


def agent(name: str, role: Role, kind: AgentKind = AgentKind.SUB_AGENT, status: str = "active") -> Agent:
    return Agent(
        id=uuid5(UUID(int=0), name),
        key=name.lower(),
        name=name,
        role=role,
        title=name,
        team=None if kind is AgentKind.CHIEF_OF_STAFF else "team-x",
        kind=kind,
        status=AgentStatus(status),
        persona_version=1,
        created_at=datetime(2026, 1, 1, tzinfo=UTC),
    )


CHIEF = agent("Chief", Role.STRATEGY, AgentKind.CHIEF_OF_STAFF)
LEAD = agent("Lead", Role.RESEARCH, AgentKind.TEAM_LEAD)
ANNA = agent("Anna", Role.CONTENT)
BORIS = agent("Boris", Role.CONTENT)
TESTER = agent("Tester", Role.QA, AgentKind.QA)
EVERYBODY = [TESTER, BORIS, ANNA, LEAD, CHIEF]


@pytest.mark.parametrize(
    ("role", "load", "chosen"),
    [
        (Role.CONTENT, {}, ANNA),
        (Role.CONTENT, {ANNA.id: 1}, BORIS),
        (Role.CONTENT, {ANNA.id: 3, BORIS.id: 3, CHIEF.id: 0}, ANNA),
        (Role.RESEARCH, {LEAD.id: 9}, LEAD),
        (Role.STRATEGY, {}, LEAD),
        (Role.QA, {TESTER.id: 5}, TESTER),
        (Role.ENGINEERING, {}, LEAD),
    ],
)
def test_work_goes_to_the_least_loaded_of_the_role_and_else_to_a_lead(role, load, chosen):
    assert choose_agent(EVERYBODY, role, load=load) == chosen


def test_neither_the_chief_of_staff_nor_a_tester_stands_in_for_an_author():
    with pytest.raises(NotFound):
        choose_agent([TESTER, CHIEF], Role.GROWTH, load={})


def test_a_tester_of_another_role_authors_nothing_and_still_tests():
    both = agent("Both", Role.ENGINEERING, AgentKind.QA)
    lead_of_qa = agent("Strict", Role.QA, AgentKind.TEAM_LEAD)
    with pytest.raises(NotFound):
        choose_agent([both, lead_of_qa, CHIEF], Role.ENGINEERING, load={})
    assert choose_agent([both, lead_of_qa, CHIEF], Role.QA, load={}) == lead_of_qa


@pytest.mark.parametrize("status", ["dormant", "retired"])
def test_who_is_not_active_gets_no_work(status):
    resting = agent("Aaron", Role.CONTENT, status=status)
    assert choose_agent([resting, BORIS], Role.CONTENT, load={BORIS.id: 5}) == BORIS


@pytest.mark.parametrize("roster", [[], [TESTER], [TESTER, ANNA]])
def test_where_nobody_is_left_the_work_is_given_to_nobody(roster):
    with pytest.raises(NotFound, match="growth work"):
        choose_agent(roster, Role.GROWTH, load={})


@given(
    loads=st.dictionaries(st.sampled_from([one.id for one in EVERYBODY]), st.integers(0, 5)),
    role=st.sampled_from([role for role in Role if role is not Role.QA]),
    seed=st.integers(0, 1_000),
)
def test_the_choice_depends_on_loads_and_never_on_the_order_of_the_roster(loads, role, seed):
    shuffled = Random(seed).sample(EVERYBODY, len(EVERYBODY))
    chosen = choose_agent(shuffled, role, load=loads)
    assert chosen == choose_agent(EVERYBODY, role, load=loads)
    assert chosen is not TESTER
    assert chosen is not CHIEF
    of_the_role = [one for one in EVERYBODY if one.role is role and one is not CHIEF]
    assert all(loads.get(chosen.id, 0) <= loads.get(one.id, 0) for one in of_the_role)
