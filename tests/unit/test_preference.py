"""The preference among colleagues who fit alike: by level, within bounds of load, and nobody starves."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime
from uuid import UUID

from hypothesis import given, settings
from hypothesis import strategies as st

from frasier.org.people import Agent, AgentKind, AgentStatus, Role
from frasier.org.skills import Expertise
from frasier.org.staffing import find_colleague
from frasier.org.staffing.preference import LEARNING_TURN, LEVEL_LEAD, Workload, prefer


def agent(number: int) -> Agent:
    return Agent(
        id=UUID(int=number),
        key=f"agent-{number}",
        name=f"Agent {number}",
        role=Role.RESEARCH,
        title="Tax advisor",
        team="team-research",
        kind=AgentKind.SUB_AGENT,
        status=AgentStatus.ACTIVE,
        persona_version=1,
        created_at=datetime(2026, 1, 1, tzinfo=UTC),
    )


A, B, C = agent(1), agent(2), agent(3)


def test_the_higher_level_is_preferred_until_its_load_is_too_far_ahead():
    levels = {B.id: 3}
    assert prefer([A, B, C], load={}, levels=levels, recent=()) == B
    assert prefer([A, B, C], load={B.id: LEVEL_LEAD - 1}, levels=levels, recent=()) == B
    assert prefer([A, B, C], load={B.id: LEVEL_LEAD}, levels=levels, recent=()) == A


def test_of_one_level_the_less_busy_is_preferred_and_then_the_name():
    assert prefer([C, B, A], load={}, levels={}, recent=()) == A
    assert prefer([A, B, C], load={A.id: 1}, levels={}, recent=()) == B


def test_the_search_for_a_trade_prefers_the_higher_level_of_those_who_have_it_alike():
    house = [Expertise(agent=one, skills=("tdd",)) for one in (A, B)]
    assert find_colleague("Tax advisor", Role.RESEARCH, house, load={}) == A
    assert find_colleague("Tax advisor", Role.RESEARCH, house, load={}, levels={B.id: 2}) == B


def test_an_expertise_knows_its_level_in_the_skills_that_work_uses():
    one = Expertise(agent=A, skills=("tdd", "debugging"), levels={"tdd": 2, "debugging": 4})
    assert one.level_in("Debug it by unit tests") == 6
    assert one.level_in("Write a newsletter") == 0


@given(levels=st.lists(st.integers(0, 60), min_size=2, max_size=5), works=st.integers(30, 80))
@settings(max_examples=100)
def test_nobody_who_fits_starves_however_the_levels_are(levels: list[int], works: int):
    agents = [agent(number) for number in range(len(levels))]
    of = {one.id: level for one, level in zip(agents, levels, strict=True)}
    workload = Workload({}, [])
    for _ in range(works):
        # One after the other: nothing is open when the next work is given.
        workload.give(prefer(agents, load={}, levels=of, recent=workload.recent).id)
    given_to = Counter(workload.recent)
    assert given_to.keys() == of.keys()
    best = max(levels)
    assert (
        sum(given_to[one.id] for one in agents if of[one.id] == best) >= works * (1 - 1 / LEARNING_TURN) - 1
    )
    for start in range(works - LEARNING_TURN + 1):
        assert len(set(workload.recent[start : start + LEARNING_TURN])) > 1
