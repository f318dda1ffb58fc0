"""Who has the trade that a title names: by title, aliases of the role, and skills."""

from __future__ import annotations

from datetime import UTC, datetime
from uuid import uuid4

import pytest

from frasier.org.people import Agent, AgentKind, AgentStatus, Role
from frasier.org.people.founding_agents import declared
from frasier.org.skills import Expertise, is_generalist, title_key
from frasier.org.skills.catalog import skill_set
from frasier.org.staffing import choose_agent, find_colleague


def colleague(name: str, role: Role, title: str, *, status: AgentStatus = AgentStatus.ACTIVE) -> Expertise:
    agent = Agent(
        id=uuid4(),
        key=name.lower(),
        name=name,
        role=role,
        title=title,
        team="team-research",
        kind=AgentKind.SUB_AGENT,
        status=status,
        persona_version=1,
        created_at=datetime(2026, 1, 1, tzinfo=UTC),
    )
    return Expertise(agent=agent, skills=skill_set(role))


HOUSE = [
    colleague("Heron", Role.RESEARCH, "Head of Research"),
    colleague("Wren", Role.CONTENT, "Content Lead"),
    colleague("Kestrel", Role.ENGINEERING, "Head of Engineering"),
    colleague("Alder", Role.RESEARCH, "Tax advisor for German SMEs"),
    colleague("Birch", Role.RESEARCH, "Notary", status=AgentStatus.DORMANT),
]


@pytest.mark.parametrize(
    ("title", "found"),
    [
        ("Head of Research", "Heron"),
        ("Market research analyst", "Heron"),
        ("Newsletter editor", "Wren"),
        ("Copy writer", "Wren"),
        ("Database architect", "Kestrel"),
        ("German tax expert", "Alder"),
        ("Tax adviser", "Alder"),
        ("Healthcare compliance specialist", None),
        ("Real estate market analyst", None),
        ("Structural engineer for bridges", None),
        ("Notary", None),
    ],
)
def test_a_trade_is_found_by_title_aliases_and_skills_or_is_not_in_the_house(title: str, found: str | None):
    agent = find_colleague(title, Role.RESEARCH, HOUSE, load={})
    assert (agent and agent.name) == found


def test_a_title_that_names_no_trade_fits_whoever_has_the_role():
    assert find_colleague("Senior expert", Role.CONTENT, HOUSE, load={}) == HOUSE[1].agent


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Tax advisor for German SMEs", "German SMEs' tax adviser"),
        ("Senior nurse", "Nurse"),
        ("Lead glazier", "GLAZIER (expert)"),
    ],
)
def test_titles_of_one_trade_have_one_key(one: str, other: str):
    assert title_key(one) == title_key(other)
    assert title_key(one) != title_key("Pilot")


def test_every_founding_title_names_its_role():
    founding = declared()[1]
    agents = [colleague(one.name, one.role, one.title).agent for one in founding if one.team]
    assert [agent.title for agent in agents if not is_generalist(agent)] == []


def test_other_work_of_a_role_goes_to_whoever_has_no_trade_of_its_own():
    busy = {HOUSE[0].agent.id: 5}
    agents = [one.agent for one in HOUSE]
    assert choose_agent(agents, Role.RESEARCH, load=busy) == HOUSE[0].agent
    assert choose_agent(agents[1:], Role.RESEARCH, load={}) == HOUSE[3].agent
