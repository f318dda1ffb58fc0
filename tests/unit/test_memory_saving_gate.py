"""The gate's verdicts: what holds for any memory, and the thresholds."""

from datetime import UTC, datetime
from uuid import UUID, uuid4

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from frasier.memory import ImportanceTier, MemoryKind, NewMemory
from frasier.memory.admission.save_gate import ExistingMemory, GateAction, decide
from frasier.memory.admission.similarity import similarity
from frasier.memory.graph.types import Relation
from frasier.memory.scopes import FOUNDER_SCOPE

MINE, THEIRS = UUID(int=1), UUID(int=2)
WORDS = (
    "nightly backup primary database cluster copied cold storage maintenance job morning report old snapshot pruned"
    " janitor quiet hours weekly archive"
).split()
TEXT = " ".join(WORDS)  # 20 terms
ELABORATED = f"{TEXT} softly"


def new(content=TEXT, **fields):
    given = {"kind": MemoryKind.OBSERVATION, "scope": "shared", "content": content, "agent_id": MINE}
    return NewMemory(**given | fields)


def old(content=TEXT, **fields):
    given = {
        "id": uuid4(),
        "kind": MemoryKind.OBSERVATION,
        "scope": "shared",
        "content": content,
        "agent_id": MINE,
    }
    return ExistingMemory(**given | fields)


def with_other_words(count):
    return " ".join([*(f"other{letter}" for letter in "abcdefghijklmnopqrst"[:count]), *WORDS[count:]])


@pytest.mark.parametrize(
    ("others", "action"),
    [
        (0, "reinforced"),
        (1, "linked"),
        (2, "linked"),
        (3, "linked"),
        (6, "linked"),
        (7, "created"),
        (20, "created"),
    ],
)
def test_the_more_two_texts_differ_the_less_is_done(others, action):
    admission = decide(new(with_other_words(others)), [old()])
    assert admission.action == action
    assert admission.similarity == pytest.approx(1 - others / 20)
    assert (admission.existing is None) == (action == "created")


@pytest.mark.parametrize(
    ("change", "own", "another"),
    [("a note: ", "updated", "linked"), ("The ", "reinforced", "reinforced")],
)
def test_what_adds_nothing_is_reinforced_whosever_it_is(change, own, another):
    assert decide(new(change + TEXT), [old()]).action == own
    assert decide(new(change + TEXT), [old(agent_id=THEIRS)]).action == another


def test_what_weighs_more_does_not_vanish_in_anothers_memory():
    for weightier in ({"importance": 6}, {"tier": ImportanceTier.IMPORTANT}):
        assert decide(new(f"The {TEXT}", **weightier), [old(agent_id=THEIRS)]).action is GateAction.LINKED
        assert decide(new(f"The {TEXT}", **weightier), [old()]).action is GateAction.REINFORCED


@pytest.mark.parametrize(
    "more",
    [{"triggers": ("cold storage",)}, {"tags": ("unheard",)}, {"title": "unheard"}, {"speaker": "Mira"}],
)
def test_what_brings_labels_is_not_merely_reinforced(more):
    assert decide(new(**more), [old()]).action is GateAction.UPDATED
    assert decide(new(f"The {TEXT}", **more), [old(agent_id=THEIRS)]).action is GateAction.LINKED


@pytest.mark.parametrize(
    "differently",
    [
        lambda moment: {"occurred_at": moment},
        lambda moment: {"valid_from": moment},
        lambda moment: {"valid_until": moment},
    ],
)
def test_another_occasion_is_another_memory(differently):
    one, other = (differently(datetime(2024, 5, day, tzinfo=UTC)) for day in (6, 7))
    assert decide(new(ELABORATED, **one), [old(**other)]).action is GateAction.LINKED
    assert decide(new(ELABORATED, **one), [old(**one)]).action is GateAction.UPDATED


def test_another_speaker_or_another_tasks_work_is_another_memory():
    assert decide(new(ELABORATED, speaker="Ann"), [old(speaker="Bea")]).action is GateAction.LINKED
    work = {"kind": MemoryKind.TASK}
    assert (
        decide(new(ELABORATED, task_id=MINE, **work), [old(task_id=THEIRS, **work)]).action
        is GateAction.LINKED
    )
    assert decide(new(ELABORATED, task_id=MINE), [old(task_id=THEIRS)]).action is GateAction.UPDATED


@pytest.mark.parametrize(
    ("begins", "began", "action"),
    [(7, 6, "superseded"), (7, 7, "superseded"), (6, 7, "linked"), (6, None, "superseded")],
)
def test_what_held_before_does_not_retire_what_holds_since(begins, began, action):
    since = {day: datetime(2024, 5, day, tzinfo=UTC) for day in (6, 7)}
    for holds_from in (since[begins], since[begins].replace(tzinfo=None)):
        admission = decide(
            new(OPPOSED[0], valid_from=holds_from), [old(OPPOSED[1], valid_from=since.get(began))]
        )
        assert admission.action == action


def test_a_number_that_would_be_gone_keeps_both_and_is_told():
    admission = decide(new(f"{TEXT} 31"), [old(f"{TEXT} 30")])
    assert (admission.action, admission.differing) == (GateAction.LINKED, "30 → 31")
    assert decide(new(f"{TEXT} 30 31"), [old(f"{TEXT} 30")]).action is GateAction.UPDATED


def test_of_several_the_one_that_is_ones_own_is_taken_up():
    mine, theirs = old(), old(agent_id=THEIRS, content=f"{TEXT} extra")
    admission = decide(new(f"{TEXT} extra thing"), [theirs, mine])
    assert (admission.action, admission.existing) == (GateAction.UPDATED, mine)


OPPOSED = ("Always " + TEXT, "Never " + TEXT)


@pytest.mark.parametrize(
    ("saved", "there", "action"),
    [
        ({}, {}, "superseded"),
        ({}, {"agent_id": THEIRS}, "linked"),
        ({}, {"kind": MemoryKind.LESSON}, "linked"),
        ({}, {"from_file": True}, "linked"),
        ({}, {"tier": ImportanceTier.CONSTITUTIONAL}, "linked"),
        ({}, {"tier": ImportanceTier.CRITICAL}, "linked"),
        ({}, {"tier": ImportanceTier.IMPORTANT}, "linked"),
        ({"tier": ImportanceTier.IMPORTANT}, {"tier": ImportanceTier.IMPORTANT}, "superseded"),
        ({"tier": ImportanceTier.TEMPORARY}, {}, "linked"),
        ({"valid_until": datetime(2099, 1, 1, tzinfo=UTC)}, {}, "linked"),
        ({"scope": FOUNDER_SCOPE}, {"scope": FOUNDER_SCOPE}, "linked"),
    ],
)
def test_only_ones_own_is_retired_and_only_for_something_of_its_weight(saved, there, action):
    admission = decide(new(OPPOSED[0], **saved), [old(OPPOSED[1], **there)])
    assert (admission.action, admission.contradiction) == (action, "always/never")
    relations = [related.relation for related in admission.related]
    assert relations == ([Relation.CONTRADICTS] if action == "linked" else [])


def test_the_founder_may_retire_what_is_in_the_founders_scope():
    there = old(OPPOSED[1], scope=FOUNDER_SCOPE)
    assert decide(new(OPPOSED[0], scope=FOUNDER_SCOPE), [there], founder=True).action is GateAction.SUPERSEDED


def test_a_contradiction_between_less_alike_texts_is_linked_and_retires_nothing():
    admission = decide(new("Always " + with_other_words(4)), [old(OPPOSED[1])])
    assert 0.7 <= admission.similarity < 0.9
    assert admission.action is GateAction.LINKED
    assert admission.related[0].relation is Relation.CONTRADICTS


_KINDS = st.sampled_from(list(MemoryKind))
_TIERS = st.sampled_from(list(ImportanceTier))
_CONTENTS = st.sampled_from(
    [
        TEXT,
        f"The {TEXT}",
        f"{TEXT} more",
        *OPPOSED,
        f"{TEXT} 30",
        f"{TEXT} 31",
        "!!!",
        with_other_words(4),
        "else",
    ]
)
_AGENTS = st.sampled_from([MINE, THEIRS, None])
_CANDIDATES = st.builds(
    ExistingMemory,
    id=st.uuids(),
    scope=st.sampled_from(["shared", FOUNDER_SCOPE]),
    kind=_KINDS,
    content=_CONTENTS,
    tier=_TIERS,
    importance=st.integers(1, 10),
    agent_id=_AGENTS,
    author=st.sampled_from([None, "writer", "other"]),
    from_file=st.booleans(),
)
_NEW = st.builds(
    NewMemory,
    kind=_KINDS,
    scope=st.sampled_from(["shared", FOUNDER_SCOPE]),
    content=_CONTENTS,
    tier=_TIERS,
    importance=st.integers(1, 10),
    agent_id=_AGENTS,
    thread=st.sampled_from([None, None, None, "t"]),
)


@settings(max_examples=200, deadline=None)
@given(_NEW, st.lists(_CANDIDATES, max_size=5), st.booleans(), st.booleans())
def test_fault_18_no_verdict_touches_anothers_memory(saved, candidates, founder, gate):
    admission = decide(saved, candidates, author="writer", founder=founder, gate=gate)
    there = admission.existing
    if admission.action in {GateAction.UPDATED, GateAction.SUPERSEDED}:
        assert (there.scope, there.kind, there.agent_id) == (saved.scope, saved.kind, saved.agent_id)
        assert there.agent_id is not None or there.author == "writer"
        assert not there.from_file
        assert there.kind is not MemoryKind.DIRECTIVE
        assert there.tier not in {ImportanceTier.CONSTITUTIONAL, ImportanceTier.CRITICAL}
        assert founder or there.scope != FOUNDER_SCOPE
    if admission.action is GateAction.REINFORCED:
        assert (there.scope, there.kind) == (saved.scope, saved.kind)
        assert not there.from_file


@settings(max_examples=200, deadline=None)
@given(_NEW, st.lists(_CANDIDATES, max_size=5))
def test_every_verdict_holds_together(saved, candidates):
    admission = decide(saved, candidates, author="writer")
    assert admission.reason
    assert 0 <= admission.similarity <= 1
    assert (admission.action is GateAction.CREATED) == (admission.existing is None)
    assert (admission.action is GateAction.LINKED) == bool(admission.related)
    assert len(admission.related) <= 3
    for related in admission.related:
        assert related.similarity >= 0.7
        assert (related.relation is Relation.CONTRADICTS) == bool(related.pair)
    if saved.kind in {MemoryKind.CONVERSATION, MemoryKind.MARKER, MemoryKind.PASSAGE}:
        assert admission.action is GateAction.CREATED


@settings(max_examples=200, deadline=None)
@given(_NEW, st.lists(_CANDIDATES, max_size=5), st.randoms(use_true_random=False))
def test_the_order_of_the_candidates_does_not_matter(saved, candidates, random):
    shuffled = random.sample(candidates, len(candidates))
    there, again = (decide(saved, given, author="writer") for given in (candidates, shuffled))
    assert (there.action, there.similarity) == (again.action, again.similarity)


@settings(max_examples=200, deadline=None)
@given(_NEW, st.lists(_CANDIDATES, max_size=5))
def test_what_is_far_from_everything_is_created(saved, candidates):
    far = [
        one
        for one in candidates
        if similarity(one.content, saved.content) < 0.7 and one.content != saved.content
    ]
    assert decide(saved, far, author="writer").action is GateAction.CREATED
