"""Phrases that call memories."""

import time
from uuid import uuid4

import pytest

from frasier.kernel.errors import InvalidInput
from frasier.memory import MemoryKind, NewMemory, save_memory
from frasier.memory.access import Caller
from frasier.memory.admission.triggers import TriggerMatch, match_trigger_nums, match_triggers
from support.machine_speed import in_time

CALLER = Caller(name="reader", scopes=("shared", "mission:one"))


async def remember(db, *triggers, **fields):
    new = NewMemory(
        **{
            "kind": MemoryKind.OBSERVATION,
            "scope": "shared",
            "content": f"About {uuid4()}",
            "triggers": triggers,
        }
        | fields
    )
    async with db.transaction() as tx:
        return await save_memory(tx, new)


async def called(db, prompt, *, caller=CALLER, limit=10):
    async with db.transaction() as tx:
        return await match_triggers(tx, caller, prompt, limit=limit)


async def test_a_phrase_calls_its_memory_at_once_and_without_vectors(db):
    async with db.transaction() as tx:
        await tx.execute(
            "insert into memory_spaces (provider, model, dimension, state) values ('p', 'm', 4, 'active')"
        )
    memory_id = await remember(db, "backup day")
    assert await called(db, "What about Backup-Day, then?") == [
        TriggerMatch(memory_id=memory_id, phrases=("backup day",))
    ]


@pytest.mark.parametrize(
    ("phrase", "prompt"),
    [
        ("Straße", "die STRASSE entlang"),
        ("caf\u00e9 au lait", "one cafe\u0301 au lait, please"),
        ("don't panic", "DON\u2019T PANIC!"),
        ("to be or not to be", "was it: to be, or not to be"),
        ("when somebody asks for a refund of an order that is long paid for", "When somebody asks for a refund of an order that is long paid for."),
        ("c++ build", "the C++ build"),
        ("node.js", "our node.js server"),
        ("a_b_c", "call a_b_c()"),
        ("100 %", "is it 100% sure"),
    ],
)  # fmt: skip
async def test_case_marks_and_composition_make_no_difference(db, phrase, prompt):
    memory_id = await remember(db, phrase)
    assert [match.memory_id for match in await called(db, prompt)] == [memory_id]


@pytest.mark.parametrize("prompt", ["apis", "capital", "the apitest", "", "   ", "!!!", "ap i"])
async def test_only_whole_words_match(db, prompt):
    await remember(db, "api")
    assert await called(db, prompt) == []


async def test_more_phrases_come_first_then_more_importance(db):
    light = await remember(db, "alpha", importance=2)
    heavy = await remember(db, "beta", importance=9)
    both = await remember(db, "alpha", "beta", importance=1)
    found = await called(db, "alpha and beta")
    assert [match.memory_id for match in found] == [both, heavy, light]
    assert found[0].phrases == ("alpha", "beta")
    assert [match.memory_id for match in await called(db, "alpha and beta", limit=1)] == [both]


async def test_repeating_a_word_does_not_make_it_two_phrases(db):
    await remember(db, "alpha")
    assert [match.phrases for match in await called(db, "alpha alpha alpha")] == [("alpha",)]


@pytest.mark.parametrize(
    "gone",
    [
        "tier = 'deprecated'",
        "archived_at = now()",
        "expires_at = now()",
        "valid_until = now()",
        "valid_from = now() + interval '1 day'",
    ],
)
async def test_what_may_not_be_found_is_not_called(db, gone):
    await remember(db, "alpha")
    async with db.transaction() as tx:
        await tx.execute(f"update memory_items set {gone}")
    assert await called(db, "alpha") == []


async def test_phrases_of_another_scope_call_nothing(db):
    await remember(db, "alpha", scope="mission:two")
    assert await called(db, "alpha") == []


async def test_a_recall_gets_the_inner_numbers(db):
    await remember(db, "alpha")
    memory_id = await remember(db, "alpha", "beta")
    async with db.transaction() as tx:
        found = await match_trigger_nums(tx, ["shared"], "alpha beta " + "x" * 9_000, limit=5)
        cursor = await tx.execute("select num from memory_items where id = %s", (memory_id,))
        row = await cursor.fetchone()
    assert list(found.values()) == [("alpha", "beta"), ("alpha",)]
    assert next(iter(found)) == row["num"]


async def test_too_long_a_prompt_is_refused_with_its_number(db):
    with pytest.raises(InvalidInput) as caught:
        await called(db, "x" * 5_001)
    assert caught.value.number == "E042"
    for limit in (0, 51):
        with pytest.raises(InvalidInput):
            await called(db, "x", limit=limit)


@pytest.mark.parametrize("piece", ["a ", "a", "(a+)+", "東 ", "'", "alpha beta "])
async def test_fault_37_the_longest_prompt_is_matched_quickly(db, piece):
    await remember(db, "alpha beta", "(a+)+$", ".*.*.*")
    prompt = piece * (5_000 // len(piece))
    await called(db, prompt)
    started = time.perf_counter()
    await called(db, prompt)
    assert in_time(time.perf_counter() - started, 1)


async def test_fault_39_a_phrase_has_no_wildcards(db):
    await remember(db, "50%_ off", "al_ha", "x' or 'a'='a")
    assert await called(db, "alpha") == []
    assert await called(db, "50 cents off") == []
