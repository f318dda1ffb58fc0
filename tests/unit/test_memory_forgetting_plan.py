"""What a consolidation plans: which facts, how strong, and which episodes they cover."""

from uuid import UUID

import pytest

from frasier.memory.forgetting.consolidation_plan import Episode, KnownFact, plan_consolidation
from frasier.memory.types import ImportanceTier, MemoryKind

BUILD = "The nightly build fails on the old runner."
REPORT = "The weekly report goes to the founder on Friday."


def episode(number, content, **fields):
    given = {
        "id": UUID(int=number),
        "kind": MemoryKind.TASK,
        "tier": ImportanceTier.NORMAL,
        "title": "",
        "content": content,
        "tags": (),
        "importance": 5,
        "agent_id": None,
        "filed": False,
    }
    return Episode(**given | fields)


def known(number, content, *episodes, active=True):
    return KnownFact(
        id=UUID(int=number), content=content, active=active, linked=frozenset(map(uuid_of, episodes))
    )


def uuid_of(number):
    return UUID(int=number)


def numbers(ids):
    return [memory_id.int for memory_id in ids]


def test_what_two_episodes_state_is_a_fact_and_covers_both():
    plan = plan_consolidation([episode(1, BUILD), episode(2, BUILD), episode(3, REPORT)], [])
    [fact] = plan.facts
    assert (fact.content, numbers(fact.episodes), fact.memory_id) == (BUILD, [1, 2], None)
    assert plan.covered == {uuid_of(1): 1.0, uuid_of(2): 1.0}


def test_what_one_episode_states_is_left_alone():
    plan = plan_consolidation([episode(1, BUILD), episode(2, REPORT)], [])
    assert (plan.facts, plan.covered) == ((), {})


@pytest.mark.parametrize(("count", "strength"), [(2, 2 / 3), (3, 3 / 4), (9, 9 / 10)])
def test_a_fact_is_stronger_the_more_episodes_state_it(count, strength):
    [fact] = plan_consolidation([episode(at, BUILD) for at in range(1, count + 1)], []).facts
    assert fact.strength == pytest.approx(strength)
    assert fact.tier is ImportanceTier.IMPORTANT


def test_a_fact_that_only_two_state_in_other_words_is_of_normal_tier():
    [fact] = plan_consolidation(
        [
            episode(1, "alpha bravo charlie delta echo foxtrot golf hotel"),
            episode(2, "alpha bravo charlie delta echo foxtrot golf zulu"),
        ],
        [],
    ).facts
    assert fact.strength == pytest.approx((1 + 7 / 9) / 3)
    assert fact.tier is ImportanceTier.NORMAL


def test_an_episode_that_says_more_than_the_facts_is_not_covered():
    plan = plan_consolidation([episode(1, BUILD), episode(2, f"{BUILD} {REPORT}")], [])
    assert numbers(plan.facts[0].episodes) == [1, 2]
    assert numbers(plan.covered) == [1]


def test_a_title_with_words_of_its_own_is_something_said():
    titled = [
        episode(1, BUILD, title="Nightly build"),
        episode(2, BUILD, title="Security incident postmortem"),
    ]
    assert numbers(plan_consolidation(titled, []).covered) == [1]


@pytest.mark.parametrize("fields", [{"tier": ImportanceTier.IMPORTANT}, {"filed": True}])
def test_what_does_not_fade_and_what_stands_in_a_file_is_not_covered(fields):
    plan = plan_consolidation([episode(1, BUILD), episode(2, BUILD, **fields)], [])
    assert numbers(plan.facts[0].episodes) == [1, 2]
    assert numbers(plan.covered) == [1]


def test_an_episode_that_is_itself_the_fact_becomes_it():
    bare = episode(2, BUILD, kind=MemoryKind.OBSERVATION)
    plan = plan_consolidation([episode(1, BUILD), bare], [])
    [fact] = plan.facts
    assert (fact.memory_id, fact.adopted, numbers(fact.unlinked)) == (bare.id, True, [1])
    assert numbers(plan.covered) == [1]


def test_a_further_episode_is_linked_to_the_fact_that_is_known():
    plan = plan_consolidation([episode(1, BUILD), episode(2, BUILD)], [known(9, BUILD, 1)])
    [fact] = plan.facts
    assert (fact.memory_id, fact.adopted) == (uuid_of(9), False)
    assert (numbers(fact.episodes), numbers(fact.unlinked)) == ([1, 2], [2])


def test_one_episode_is_enough_for_a_fact_that_is_known():
    [fact] = plan_consolidation([episode(1, BUILD)], [known(9, BUILD)]).facts
    assert numbers(fact.unlinked) == [1]


def test_what_was_taken_back_is_not_made_again():
    plan = plan_consolidation([episode(1, BUILD), episode(2, BUILD)], [known(9, BUILD, 7, 8, active=False)])
    assert (plan.facts, plan.covered) == ((), {})


def test_a_fact_has_the_tags_that_all_its_episodes_have():
    [fact] = plan_consolidation(
        [episode(1, BUILD, tags=("ci", "build", "a")), episode(2, BUILD, tags=("b", "build", "ci"))], []
    ).facts
    assert fact.tags == ("build", "ci")


def test_the_same_episodes_give_the_same_plan():
    episodes = [episode(at, f"{BUILD} {REPORT}" if at % 2 else BUILD) for at in range(1, 8)]
    assert plan_consolidation(episodes, []) == plan_consolidation(episodes, [])
