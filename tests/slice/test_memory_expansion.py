"""Other words for a query's words that no memory holds, on real postings."""

import pytest

from frasier.kernel.tokenizer import tokenize
from frasier.memory import MemoryKind, NewMemory, save_memories
from frasier.memory.expansion.expand import expand

SCOPES = ("shared", "mission:one")


@pytest.fixture
async def held(db):
    texts = [
        *["The scheduler receives the heartbeat of each worker."] * 3,
        "The receiver of the letter is the registry, and the recipe is in the repository.",
        "Continuous integration runs on every pull request against the database.",
        "The CI board shows the MCP server and its JSON.",
        "Migration 4711 was applied to the primary key.",
    ]
    news = [
        NewMemory(kind=MemoryKind.OBSERVATION, scope=SCOPES[at % 2], content=f"{text} Entry {at}.")
        for at, text in enumerate(texts)
    ]
    async with db.transaction() as tx:
        await save_memories(tx, news)
    return db


async def added(db, text, **options):
    async with db.transaction() as tx:
        expansion = await expand(tx, SCOPES, text, **options)
    assert [term.term for term in expansion.original] == list(dict.fromkeys(tokenize(text)))
    assert all(term.share == 1.0 and not term.reason for term in expansion.original)
    assert all(0 < term.share < 1 and term.reason for term in expansion.added)
    return {term.term: term.share for term in expansion.added}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("when does it recieve the hartbeat", {"receiv": 0.5, "heartbeat": 0.5}),
        ("shceduler", {"schedul": 0.5}),
        ("heartbeats of a wroker", {"worker": 0.5}),
        ("scheeduuler", {"schedul": 0.3}),
        ("repostiory", {"repositori": 0.5}),
        ("the scheduler receives", {}),
    ],
)
async def test_a_misspelt_word_brings_the_usual_one(held, text, expected):
    assert await added(held, text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("which db", {"databas": 0.5}),
        ("open PRs", {"pull": 0.5, "request": 0.5}),
        ("the pk", {"primari": 0.5, "key": 0.5}),
        ("model context protocol", {"mcp": 0.5}),
        ("josn", {"json": 0.3}),
        ("ci", {}),
        ("continuous integration", {}),
    ],
)
async def test_what_is_short_for_what_is_there_brings_it_and_the_other_way_round(held, text, expected):
    assert await added(held, text) == expected


@pytest.mark.parametrize(
    "text",
    ["4712", "migratn4711", "nto", "quokka", "北京大学", "", "and the of", "wrk", "unrelatedwordofnosense"],
)
async def test_what_is_no_mistake_or_near_to_nothing_brings_nothing(held, text):
    assert await added(held, text) == {}


async def test_what_the_caller_found_missing_is_not_looked_up_again(held):
    assert await added(held, "recieve shceduler", missing={"reciev"}) == {"receiv": 0.5}
    assert await added(held, "recieve", missing=set()) == {}


async def test_memories_of_other_scopes_bring_nothing(held):
    async with held.transaction() as tx:
        assert (await expand(tx, ("mission:other",), "recieve db")).added == ()


async def test_words_without_end_do_not_make_it_slow(held):
    text = " ".join(f"misspeltword{'abcdefghij'[at % 10]}{'klmnopqrst'[at // 10]}" for at in range(100))
    assert await added(held, text) == {}
