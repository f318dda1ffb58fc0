"""Faults 14 to 16, of forgetting and of time, as an agent sees them in what the tools answer."""

from __future__ import annotations

import asyncio
import math
from datetime import UTC, datetime, timedelta

import pytest

from frasier.kernel.errors import InvalidInput

# R(t, S) = (1 + 19/81 · t/S)^(−1/2), and the half-lives that docs/MEMORY.md promises.
HALF_LIVES = {"working": 1, "episodic": 7, "prospective": 14, "implicit": 30}
LASTING = ("declarative", "procedural", "semantic", "autobiographical", "meta-cognitive")
STABILITY_A_HALF_LIFE = 19 / 81 / 3


async def score_of(memory_client, memory_id, query):
    [hit] = [
        hit
        for hit in await memory_client.search(query, bypass_cache=True, min_state="archived")
        if hit["id"] == memory_id
    ]
    return hit["score"]


@pytest.mark.parametrize("memory_type", HALF_LIVES)
async def test_fault_14_at_its_half_life_just_half_of_a_memory_counts_and_time_counts_once(
    memory_client, memory_type
):
    half_life = HALF_LIVES[memory_type]
    crane = await memory_client.save("The green crane moved.", type=memory_type)
    stability = (await memory_client("memory_get", id=crane))["stability_days"]
    assert stability == pytest.approx(half_life * STABILITY_A_HALF_LIFE, rel=1e-3)
    fresh = await score_of(memory_client, crane, "green crane")
    for days, left in ((half_life, 0.5), (stability, 0.9), (3 * half_life, 10**-0.5)):
        await memory_client.age(crane, days)
        assert await score_of(memory_client, crane, "green crane") / fresh == pytest.approx(left, rel=2e-3)


@pytest.mark.parametrize("memory_type", LASTING)
async def test_fault_14_a_fact_does_not_fade(memory_client, memory_type):
    fact = await memory_client.save("The green crane weighs nine tonnes.", type=memory_type)
    fresh = await score_of(memory_client, fact, "green crane")
    await memory_client.age(fact, 1000)
    assert await score_of(memory_client, fact, "green crane") == pytest.approx(fresh, rel=1e-3)


@pytest.mark.parametrize("tier", ["important", "critical", "constitutional"])
async def test_fault_14_what_is_important_does_not_fade(memory_client, tier):
    rule = await memory_client.founder.save("The green crane is inspected.", type="working", tier=tier)
    await memory_client.age(rule, 1000)
    listed = (await memory_client.founder("memory_list", tier=tier))["memories"]
    assert [one["id"] for one in listed] == [rule]
    assert "archived_at" not in listed[0]


async def test_fault_14_each_state_is_reached_and_asked_for_apart(memory_client):
    ages = {"hot": 0.01, "warm": 3, "cold": 30, "dormant": 86, "archived": 91}
    ids = {state: await memory_client.save(f"A green crane, {state}.", type="working") for state in ages}
    # Only the weakest memory there can be falls so far before it is archived.
    await memory_client("memory_review", id=ids["dormant"], grade="again")
    seen = {}
    for state in ages:
        for name, days in ages.items():
            await memory_client.age(ids[name], days)
        hits = await memory_client.search("green crane", min_state=state, bypass_cache=True)
        seen[state] = {hit["id"]: hit["state"] for hit in hits}
    for place, state in enumerate(ages):
        expected = {ids[name]: name for name in list(ages)[: place + 1]}
        assert seen[state] == expected, state


async def test_fault_14_no_missing_moment_makes_a_number_that_is_none(memory_client):
    await memory_client.save("The green crane, never used.")
    used = await memory_client.save("The green crane, cited.")
    await memory_client("memory_cite", ids=[used])
    await memory_client.rows("update memory_strengths set reviewed_at = null, accessed_at = null")
    await memory_client.rows(
        "update memory_items set last_seen_at = now() + interval '1 day' where id = %s", used
    )
    hits = await memory_client.search("green crane")
    assert len(hits) == 2
    assert all(math.isfinite(hit["score"]) and hit["score"] > 0 for hit in hits)
    assert {hit["state"] for hit in hits} == {"hot"}


async def test_fault_15_what_recalls_show_is_no_use_and_strengthens_nothing(memory_client):
    crane = await memory_client.save("The green crane moved.", type="episodic")
    before = await memory_client("memory_get", id=crane)
    await memory_client.age(crane, 3)
    for cached in (False, True, True):
        await memory_client.search("green crane", bypass_cache=not cached)
    await asyncio.gather(*(memory_client.search("green crane") for _ in range(7)))
    await memory_client("memory_context", input="where is the green crane")
    after = await memory_client("memory_get", id=crane)
    assert before["used"] == 0
    assert after["used"] == 1, "it was fetched whole once before"
    assert after["stability_days"] == before["stability_days"]
    assert after["confidence"] == before["confidence"]


async def test_fault_15_a_review_counts_once_a_day_and_nothing_where_nothing_was_forgotten(memory_client):
    fresh = await memory_client.save("The green crane moved just now.", type="episodic")
    begun = (await memory_client("memory_get", id=fresh))["stability_days"]
    sessions = [memory_client.session, f"{memory_client.session}-2"]
    for session in sessions:
        await memory_client("session_save", session=session)
        await memory_client("memory_review", id=fresh, grade="good", session=session)
        await memory_client("memory_review", id=fresh, grade="good")
    assert (await memory_client("memory_get", id=fresh))["stability_days"] == pytest.approx(begun, rel=0.01)
    old = await memory_client.save("The green crane moved long ago.", type="episodic")
    await memory_client.age(old, 7)
    reviews = [
        await memory_client("memory_review", id=old, grade="good", session=sessions[0]) for _ in range(14)
    ]
    assert [review["counted"] for review in reviews] == [True, *[False] * 13]
    kept = (await memory_client("memory_get", id=old))["stability_days"]
    assert begun < kept < 4 * begun


def moments(value, path=""):
    """Every moment in an answer, with where it stands."""
    if isinstance(value, dict):
        for name, inner in value.items():
            if (name.endswith(("_at", "_since")) or name == "at") and inner is not None:
                yield f"{path}.{name}", inner
            yield from moments(inner, f"{path}.{name}")
    elif isinstance(value, list):
        for inner in value:
            yield from moments(inner, path)


async def test_fault_16_every_tool_tells_time_in_one_way(memory_client):
    crane = await memory_client.save("The green crane moved.")
    other = await memory_client.save("The rusty bolt broke.")
    await memory_client("memory_update", id=crane, content="The green crane moved again.")
    await memory_client("memory_cite", ids=[crane])
    await memory_client("memory_review", id=crane, grade="good")
    await memory_client("memory_link", source=other, target=crane, relation="caused")
    name = memory_client.session
    answers = {
        "memory_search": {"query": "crane"},
        "memory_get": {"id": crane, "versions": True},
        "memory_list": {},
        "memory_versions": {"id": crane},
        "memory_why": {"id": crane},
        "memory_correct": {"id": other, "type": "deprecated", "reason": "wrong"},
        "memory_corrections": {"stats": True},
        "task_preflight": {"task": "t", "knowledge": 1, "uncertainty": 1, "context": 1},
        "task_postflight": {"task": "t", "knowledge": 1, "uncertainty": 1, "context": 1},
        "memory_learning_history": {},
        "session_save": {"session": name, "task": "t"},
        "session_list": {},
        "session_recover": {"session": name},
        "checkpoint_create": {"name": name},
        "checkpoint_list": {},
    }
    told = 0
    for tool, arguments in answers.items():
        for place, moment in moments(await memory_client(tool, **arguments)):
            read = datetime.fromisoformat(moment)
            assert read.tzinfo is not None, f"{tool}{place}"
            assert abs(datetime.now(UTC) - read) < timedelta(minutes=5), f"{tool}{place}"
            told += 1
    assert told >= 20


async def test_fault_16_a_moment_means_the_same_in_every_zone_and_is_utc_without_one(memory_client):
    noon = "2026-01-01T12:00:00+05:00"
    crane = await memory_client.save(
        "The green crane moved.", occurred_at=noon, valid_from="2026-01-01T07:00:00Z"
    )
    held = await memory_client("memory_get", id=crane)
    assert datetime.fromisoformat(held["occurred_at"]) == datetime.fromisoformat(noon)
    assert datetime.fromisoformat(held["valid_from"]) == datetime.fromisoformat(noon)
    assert await memory_client.found("green crane", as_of="2026-01-01T07:00:01Z") == [crane]
    assert await memory_client.found("green crane", as_of="2026-01-01T11:59:59+05:00") == []
    assert await memory_client.found("green crane", as_of="2026-01-01T07:00:01") == [crane]
    assert await memory_client.found("green crane", as_of="2026-01-01T06:59:59") == []
    for wrong in ("yesterday", ""):
        with pytest.raises(InvalidInput, match="occurred_at"):
            await memory_client.save("The green crane moved.", occurred_at=wrong)
