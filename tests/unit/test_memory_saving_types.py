"""Which type a memory has where nobody said so."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from frasier.memory import ImportanceTier, MemoryKind, NewMemory
from frasier.memory.type_inference import infer_type
from frasier.memory.types import MemoryType, TypeSource
from support.machine_speed import scaled


def observation(**fields):
    return NewMemory(
        **{"kind": MemoryKind.OBSERVATION, "scope": "shared", "content": "The sky was grey."} | fields
    )


@pytest.mark.parametrize(
    ("path", "memory_type"),
    [
        ("specs/007-auth/memory/03-01-26_10-20__session-3.md", "episodic"),
        ("notes/debug-log.md", "episodic"),
        ("specs/001-x/scratch/idea.md", "working"),
        ("session-state.md", "working"),
        ("tmp/note.md", "working"),
        ("todo.md", "prospective"),
        ("docs/next-steps.md", "prospective"),
        ("ROADMAP.md", "prospective"),
        ("naming-pattern.md", "implicit"),
        ("release_workflow.md", "implicit"),
        ("implementation-summary.md", "declarative"),
        ("specs/004-workflow/spec.md", "declarative"),
        ("api-ref.md", "declarative"),
        ("deploy-guide.md", "procedural"),
        ("ops/runbooks/restart.md", "procedural"),
        ("skill/x/references/flags.md", "procedural"),
        ("checklist.md", "procedural"),
        ("architecture.md", "semantic"),
        ("adr-012-storage.md", "semantic"),
        ("010-temp-cleanup/decision-record.md", "semantic"),
        ("CHANGELOG.md", "autobiographical"),
        ("2026-postmortem.md", "autobiographical"),
        ("constitutional/tone.md", "meta-cognitive"),
        ("AGENTS.md", "meta-cognitive"),
        ("claude.md", "meta-cognitive"),
        ("review-rules.md", "meta-cognitive"),
        (r"docs\Architecture.MD", "semantic"),
    ],
)
def test_a_path_tells_the_type(path, memory_type):
    inferred = infer_type(observation(), path=path)
    assert (inferred.memory_type, inferred.source, inferred.confidence) == (memory_type, "path", 0.8)


@pytest.mark.parametrize(
    "path",
    [
        "",
        "notes/capital.md",
        "/tmp/run-7/home/project/specs/notes.md",
        ".claude/projects/notes.md",
        "inspector/respectable.md",
        "room-temp-sensor.md",
        "user-agents.md",
        "session.md",
        "/",
    ],
)
def test_a_path_that_only_resembles_a_pattern_tells_nothing(path):
    assert infer_type(observation(), path=path).source is TypeSource.DEFAULT


@pytest.mark.parametrize(
    ("tier", "memory_type"),
    [
        ("constitutional", "meta-cognitive"),
        ("critical", "semantic"),
        ("important", "declarative"),
        ("temporary", "working"),
        ("deprecated", "episodic"),
    ],
)
def test_a_chosen_tier_tells_the_type(tier, memory_type):
    inferred = infer_type(observation(tier=ImportanceTier(tier)))
    assert (inferred.memory_type, inferred.source, inferred.confidence) == (memory_type, "tier", 0.9)


@pytest.mark.parametrize(
    ("text", "memory_type"),
    [
        ("How to restart the cluster, step by step", "procedural"),
        ("Milestone reached, see the release notes", "autobiographical"),
        ("The roadmap and the backlog", "prospective"),
        ("Our naming convention, usually snake case", "implicit"),
        ("Architecture and its principle", "semantic"),
        ("The rules and the policy", "meta-cognitive"),
        ("Yesterday in the meeting", "episodic"),
        ("Schema and endpoint parameters", "declarative"),
        ("A scratch, work in progress", "working"),
    ],
)
def test_words_tell_the_type_where_nothing_else_does(text, memory_type):
    for fields in ({"content": text}, {"title": text}, {"triggers": (text,)}):
        inferred = infer_type(observation(**fields))
        assert (inferred.memory_type, inferred.source, inferred.confidence) == (memory_type, "keywords", 0.7)


@pytest.mark.parametrize(
    ("kind", "memory_type"),
    [
        ("lesson", "procedural"),
        ("approach", "procedural"),
        ("decision", "semantic"),
        ("passage", "declarative"),
        ("conversation", "episodic"),
        ("marker", "episodic"),
        ("task", "episodic"),
        ("observation", "episodic"),
    ],
)
def test_a_kind_tells_the_type_at_last(kind, memory_type):
    inferred = infer_type(observation(kind=MemoryKind(kind)))
    assert (inferred.memory_type, inferred.source, inferred.confidence) == (memory_type, "default", 0.5)


def test_a_decision_about_the_roadmap_is_a_decision():
    inferred = infer_type(
        observation(kind=MemoryKind.DECISION, content="The roadmap, the backlog, the next steps.")
    )
    assert inferred.memory_type is MemoryType.SEMANTIC


def test_words_that_speak_for_two_types_decide_nothing():
    assert infer_type(observation(content="a habit, a rules")).source is TypeSource.DEFAULT


def test_an_ordinary_tier_does_not_hide_the_other_signs():
    new = observation(tier=ImportanceTier.NORMAL, content="How to restart it, step by step")
    assert infer_type(new).source is TypeSource.KEYWORDS


def test_the_surer_sign_wins():
    every = {"tier": ImportanceTier.CRITICAL, "content": "How to restart it, step by step"}
    assert (
        infer_type(observation(**every, memory_type=MemoryType.WORKING), path="todo.md").source
        is TypeSource.EXPLICIT
    )
    assert infer_type(observation(**every), path="todo.md").source is TypeSource.PATH
    assert infer_type(observation(**every), path="x.md").source is TypeSource.TIER


@settings(max_examples=200, deadline=None)
@given(st.text(st.characters(exclude_categories=()), max_size=300), st.text(max_size=200))
def test_any_text_has_a_type(content, path):
    inferred = infer_type(observation(content=content), path=path)
    assert 0.5 <= inferred.confidence <= 1.0


@pytest.mark.parametrize("piece", ["a/", "how to ", "-", "session-1", "\\", "step by "])
def test_fault_37_no_text_takes_long(piece):
    text = piece * (100_000 // len(piece))
    started = time.process_time()
    infer_type(observation(content=text, title=text, triggers=(text,)), path=text)
    assert time.process_time() - started < scaled(2.0)
