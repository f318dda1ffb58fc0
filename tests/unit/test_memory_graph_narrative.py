"""The answer to "why" in plain lines: who led to what, how surely, and what speaks against it."""

from datetime import UTC, datetime
from uuid import UUID

import pytest

from frasier.kernel.errors import InvalidInput
from frasier.memory import MemoryKind
from frasier.memory.graph.narrative import narrate
from frasier.memory.graph.types import (
    CausalStep,
    Edge,
    EdgeOrigin,
    LinkedMemory,
    LinkRole,
    RecallStatus,
    Relation,
    Why,
    relation_of,
)

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def memory(number, title, standing=RecallStatus.LIVE):
    return LinkedMemory(
        id=UUID(int=number),
        scope="shared",
        kind=MemoryKind.DECISION,
        title=title,
        snippet=f"it begins {number}",
        standing=standing,
    )


MOVE = memory(1, "We moved")
OUTAGE = memory(2, "The outage")
DISK = memory(3, "", RecallStatus.ARCHIVED)
COST = memory(4, "It costs less")


def step(role, relation, path, **fields):
    far = fields.pop("memory")
    edge = Edge(
        id=UUID(int=100 + far.id.int),
        source_id=far.id,
        target_id=path[-1].id,
        relation=relation,
        strength=fields.pop("strength", 0.5),
        evidence=fields.pop("evidence", ""),
        origin=EdgeOrigin.MANUAL,
        extractor="",
        created_by="alice",
        created_at=NOW,
    )
    ids = (*(node.id for node in path), far.id)
    given = {"depth": len(path), "path_strength": 0.25, "closes_cycle": False}
    return CausalStep(role=role, edge=edge, memory=far, path=ids, **given | fields)


def answer(*steps, hints=()):
    return Why(memory=MOVE, steps=steps, depth=3, truncated=False, depth_limit_reached=False, hints=hints)


def test_causes_effects_and_contradictions_are_told_apart_and_causes_below_what_they_caused():
    told = narrate(
        answer(
            step(LinkRole.CAUSED_BY, Relation.CAUSED, [MOVE], memory=OUTAGE, evidence="seen  in\nthe log"),
            step(LinkRole.LED_TO, Relation.CAUSED, [MOVE], memory=COST, strength=1.0),
            step(LinkRole.ENABLED_BY, Relation.ENABLED, [MOVE, OUTAGE], memory=DISK),
            step(LinkRole.CONTRADICTS, Relation.CONTRADICTS, [MOVE, OUTAGE], memory=COST),
            hints=("Contradictions: 1. Read both sides before relying on either.",),
        )
    )
    assert told.splitlines() == [
        "“We moved”",
        "Causes:",
        "  caused by “The outage” (strength 0.5): seen in the log",
        "    made possible by “it begins 3” [archived] (strength 0.5, path 0.25)",
        "Effects:",
        "  led to “It costs less” (strength 1)",
        "Contradictions:",
        "  “The outage” and “It costs less” (strength 0.5, path 0.25)",
        "Contradictions: 1. Read both sides before relying on either.",
    ]


def test_a_cycle_is_told_once():
    told = narrate(
        answer(
            step(LinkRole.CAUSED_BY, Relation.CAUSED, [MOVE], memory=OUTAGE),
            step(LinkRole.CAUSED_BY, Relation.CAUSED, [MOVE, OUTAGE], memory=MOVE, closes_cycle=True),
        )
    )
    assert told.splitlines()[3:] == ["    caused by “We moved” (strength 0.5, path 0.25, a cycle)"]


def test_a_memory_without_links_is_named_with_what_to_do():
    assert narrate(answer(hints=("Nothing is linked.",))).splitlines() == ["“We moved”", "Nothing is linked."]


def test_every_role_has_words_for_it():
    for role in LinkRole:
        assert "The outage" in narrate(answer(step(role, Relation.CAUSED, [MOVE], memory=OUTAGE)))


def test_a_relation_is_read_from_its_name_only():
    assert [relation_of(relation.value) for relation in Relation] == list(Relation)
    with pytest.raises(InvalidInput):
        relation_of("Caused")
