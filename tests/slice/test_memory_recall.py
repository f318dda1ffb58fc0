"""Recall: true BM25, nothing from another scope, nothing that is put away, and a query that is only data."""

import math
import random
from collections import Counter
from uuid import uuid4

import pytest

from frasier.kernel.errors import InvalidInput
from frasier.kernel.tokenizer import tokenize
from frasier.memory import (
    FOUNDER_SCOPE,
    SHARED_SCOPE,
    ImportanceTier,
    MemoryKind,
    NewMemory,
    Query,
    agent_scope,
    lexical_search,
    mission_scope,
    recall_by_words,
    save_memories,
    save_memory,
)
from frasier.memory.posting_backfill import refresh_statistics

HOSTILE = [
    "'; drop table memory_items; --",
    "storage & !engine | (rocket <-> fuel):*",
    '"unbalanced',
    "%s %(keys)s {} $1 \\",
    "a\x00b storage \ud800",
    "🦀 " * 50,
    "../../etc/passwd",
    "((((((((((" * 500,
    "storage NEAR engine NOT rocket",
    "<script>alert(1)</script>",
]


def passage(content, scope="mission:m", **fields):
    return NewMemory(**{"kind": MemoryKind.PASSAGE, "scope": scope, "content": content} | fields)


def corpus(rng, documents):
    vocabulary = [
        f"{stem}{end}" for stem in ("lake", "river", "stone", "cloud", "fire") for end in "bcdfghjklm"
    ]
    weights = [1 / (at + 1) for at in range(len(vocabulary))]
    return [" ".join(rng.choices(vocabulary, weights, k=rng.randint(1, 60))) for _ in range(documents)]


def textbook_bm25(texts, query, k1=1.2, b=0.75):
    """Every text's score, computed the plain way from the tokens."""
    bags = [Counter(tokenize(text)) for text in texts]
    lengths = [sum(bag.values()) for bag in bags]
    mean = sum(lengths) / len(lengths)
    scores = []
    for bag, length in zip(bags, lengths, strict=True):
        score = 0.0
        for term in set(tokenize(query)):
            containing = sum(1 for other in bags if term in other)
            idf = math.log(1 + (len(bags) - containing + 0.5) / (containing + 0.5))
            score += idf * bag[term] * (k1 + 1) / (bag[term] + k1 * (1 - b + b * length / mean))
        scores.append(score)
    return scores


async def assert_textbook(tx, texts, rng, scope="mission:m", queries=15):
    for _ in range(queries):
        query = " ".join(rng.choices(" ".join(texts).split(), k=rng.randint(1, 8)))
        expected = sorted((s for s in textbook_bm25(texts, query) if s > 0), reverse=True)
        found = await recall_by_words(tx, Query(text=query, scopes=(scope,), limit=100))
        assert [hit.score for hit in found] == pytest.approx(expected[:100], abs=1e-9)
        scores = dict(zip(texts, textbook_bm25(texts, query), strict=True))
        for hit in found:
            assert hit.score == pytest.approx(scores[hit.memory.content], abs=1e-9)
        assert [hit.rank for hit in found] == list(range(1, len(found) + 1))


async def test_scores_are_those_of_textbook_bm25(db):
    rng = random.Random(11)
    texts = list(dict.fromkeys(corpus(rng, 150)))
    async with db.transaction() as tx:
        await save_memories(tx, [passage(text) for text in texts])
        await assert_textbook(tx, texts, rng)


async def test_scores_are_those_of_textbook_bm25_from_refreshed_statistics(db):
    rng = random.Random(12)
    texts = list(dict.fromkeys(corpus(rng, 80)))
    async with db.transaction() as tx:
        await save_memories(tx, [passage(text) for text in texts[:50]])
        assert await refresh_statistics(tx, larger_than=40) == 1
        await save_memories(tx, [passage(text) for text in texts[50:]])
        stale = await recall_by_words(tx, Query(text=texts[0], scopes=("mission:m",)))
        assert await refresh_statistics(tx, larger_than=40) == 1
        await assert_textbook(tx, texts, rng)
        fresh = await recall_by_words(tx, Query(text=texts[0], scopes=("mission:m",)))
    assert stale[0].score != fresh[0].score, "the scores came from the stored counts"
    assert [hit.score > 0 for hit in stale] == [True] * len(stale)


async def test_where_common_words_have_too_many_postings_they_order_what_the_rarer_ones_found(
    db, monkeypatch
):
    monkeypatch.setattr(lexical_search, "_POSTINGS", 60)
    rng = random.Random(13)
    texts = list(dict.fromkeys(corpus(rng, 400)))
    async with db.transaction() as tx:
        await save_memories(tx, [passage(text) for text in texts])
        left_out = 0
        for _ in range(25):
            query = " ".join(rng.choices(" ".join(texts).split(), k=rng.randint(1, 8)))
            scores = dict(zip(texts, textbook_bm25(texts, query), strict=True))
            best = sorted((score for score in scores.values() if score > 0), reverse=True)[:10]
            found = await recall_by_words(tx, Query(text=query, scopes=("mission:m",), limit=10))
            assert len(found) == len(best), "no page is shorter for it"
            assert [hit.score for hit in found] == sorted((hit.score for hit in found), reverse=True)
            for hit in found:
                assert hit.score == pytest.approx(scores[hit.memory.content], abs=1e-9), "all terms count"
            left_out += [hit.score for hit in found] != pytest.approx(best, abs=1e-9)
    assert 0 < left_out < 25, "some queries were answered so, and some had few postings"


async def test_what_common_words_alone_find_fills_the_page_where_the_rare_ones_find_too_little(
    db, monkeypatch
):
    monkeypatch.setattr(lexical_search, "_POSTINGS", 5)
    async with db.transaction() as tx:
        await save_memories(tx, [passage(f"engine number {number}") for number in range(50)])
        await save_memories(tx, [passage(f"crane and engine {number}") for number in range(3)])
        found = await recall_by_words(tx, Query(text="crane engine", scopes=("mission:m",), limit=10))
    assert len(found) == 10
    assert all("crane" in hit.memory.content for hit in found[:3])


async def test_small_scopes_are_counted_at_each_recall(db):
    async with db.transaction() as tx:
        await save_memory(tx, passage("one lake"))
        assert await refresh_statistics(tx) == 0
        cursor = await tx.execute("select count(*) as n from memory_scope_stats")
        assert (await cursor.fetchone())["n"] == 0


async def test_scopes_that_are_searched_together_are_measured_together(db):
    rng = random.Random(13)
    lakes, rivers = corpus(rng, 40), corpus(rng, 25)
    async with db.transaction() as tx:
        await save_memories(tx, [passage(text, "mission:one") for text in lakes])
        await save_memories(tx, [passage(text, "mission:two") for text in rivers])
        query = " ".join(lakes[0].split()[:4])
        found = await recall_by_words(tx, Query(text=query, scopes=("mission:two", "mission:one"), limit=100))
    expected = sorted(s for s in textbook_bm25(lakes + rivers, query) if s > 0)
    assert [hit.score for hit in reversed(found)] == pytest.approx(expected, abs=1e-9)


async def test_a_memory_of_a_small_scope_does_not_lose_to_a_larger_one_by_its_size(db):
    async with db.transaction() as tx:
        await save_memories(
            tx, [passage(f"ticket {number} left the gate", "shared") for number in range(200)]
        )
        await save_memories(tx, [passage("what is deployed at the lab is called green", "shared")])
        await save_memory(tx, passage("the lab weasel is called Mister Finch", "agent:carl"))
        query = Query(text="what is the lab weasel called", scopes=("agent:carl", "shared"), limit=5)
        found = await recall_by_words(tx, query)
    assert "weasel" in found[0].memory.content


async def test_nothing_leaks_from_a_scope_that_was_not_named(db):
    agent, mission = uuid4(), uuid4()
    scopes = [FOUNDER_SCOPE, SHARED_SCOPE, agent_scope(agent), mission_scope(mission), agent_scope(uuid4())]
    async with db.transaction() as tx:
        for scope in scopes:
            await save_memory(tx, passage(f"The secret engine of {scope}", scope))
        for scope in scopes:
            found = await recall_by_words(tx, Query(text="secret engine", scopes=(scope,)))
            assert [hit.memory.scope for hit in found] == [scope]
        pair = await recall_by_words(tx, Query(text="secret engine", scopes=(scopes[0], scopes[2])))
        assert {hit.memory.scope for hit in pair} == {scopes[0], scopes[2]}
        assert await recall_by_words(tx, Query(text="secret engine", scopes=("mission:other",))) == []


async def test_postings_that_lead_to_another_scope_by_accident_are_not_believed(db):
    async with db.transaction() as tx:
        await save_memories(tx, [passage("engine", "mission:one"), passage("engine", "mission:two")])
        # What two scopes whose hashes collide would have: postings of one scope that reach the other's memory.
        await tx.execute("""
            insert into memory_terms select mine.term_key, theirs.memory_num, 1, 1
            from memory_terms mine join memory_terms theirs on theirs.memory_num <> mine.memory_num""")
        found = await recall_by_words(tx, Query(text="engine", scopes=("mission:one",)))
    assert [hit.memory.scope for hit in found] == ["mission:one"]


@pytest.mark.parametrize(
    "gone",
    ["archived_at = now()", "tier = 'deprecated'", "expires_at = now() - interval '1 second'"],
)
async def test_what_is_put_away_is_not_recalled_and_does_not_take_the_place_of_what_is(db, gone):
    async with db.transaction() as tx:
        await save_memories(tx, [passage("engine engine engine")] * 150)
        await tx.execute(f"update memory_items set {gone}")
        kept = await save_memory(tx, passage("an engine among many other things that were said at length"))
        found = await recall_by_words(tx, Query(text="engine", scopes=("mission:m",), limit=1))
    assert [hit.memory.id for hit in found] == [kept]


async def test_only_the_kinds_and_the_agent_asked_for_are_found(db):
    mine, other = uuid4(), uuid4()
    async with db.transaction() as tx:
        for kind in (MemoryKind.LESSON, MemoryKind.TASK, MemoryKind.CONVERSATION, MemoryKind.MARKER):
            for agent in (mine, other):
                await save_memory(tx, passage("the engine ran", "shared", kind=kind, agent_id=agent))

        async def kinds(**fields):
            found = await recall_by_words(tx, Query(text="engines", scopes=("shared",), **fields))
            return sorted(hit.memory.kind for hit in found)

        assert await kinds() == ["lesson", "lesson", "task", "task"]
        assert await kinds(agent_id=mine) == ["lesson", "task"]
        assert await kinds(kinds=frozenset({MemoryKind.CONVERSATION}), agent_id=mine) == ["conversation"]
        assert await kinds(include_markers=True, agent_id=mine) == ["lesson", "marker", "task"]
        assert await kinds(kinds=frozenset({MemoryKind.MARKER}), agent_id=other) == ["marker"]


async def test_of_equal_matches_the_weightier_comes_first_and_a_much_better_match_still_wins(db):
    async with db.transaction() as tx:
        for importance, tier in ((2, "temporary"), (5, "normal"), (8, "important"), (10, "critical")):
            new = passage(
                f"renewing leases {tier}",
                "shared",
                kind=MemoryKind.LESSON,
                importance=importance,
                tier=ImportanceTier(tier),
            )
            await save_memory(tx, new, founder=True)
        await save_memory(tx, passage("watermelon harvest", "shared", kind=MemoryKind.LESSON, importance=1))
        found = await recall_by_words(tx, Query(text="lease renewal", scopes=("shared",)))
        mixed = await recall_by_words(tx, Query(text="lease watermelon harvest", scopes=("shared",)))
    assert [hit.memory.tier for hit in found] == ["critical", "important", "normal", "temporary"]
    assert [hit.score for hit in found] == sorted((hit.score for hit in found), reverse=True)
    assert mixed[0].memory.content == "watermelon harvest"


async def test_a_hit_names_the_words_of_the_query_that_it_holds(db):
    async with db.transaction() as tx:
        await save_memory(tx, passage("The leases of a worker were renewed.", title="Heartbeat"))
        [found] = await recall_by_words(
            tx, Query(text="Renewing a lease, at every heartbeat; databases", scopes=("mission:m",))
        )
    assert found.reasons == ("heartbeat", "lease", "renewing")


async def test_no_more_than_the_limit_comes_back(db):
    async with db.transaction() as tx:
        await save_memories(tx, [passage(f"engine {at}") for at in range(20)])
        found = await recall_by_words(tx, Query(text="engine", scopes=("mission:m",), limit=7))
        again = await recall_by_words(tx, Query(text="engine", scopes=("mission:m",), limit=7))
    assert [hit.rank for hit in found] == list(range(1, 8))
    assert [hit.memory.id for hit in found] == [hit.memory.id for hit in again]


@pytest.mark.parametrize("text", HOSTILE)
async def test_a_hostile_query_is_only_data(db, text):
    async with db.transaction() as tx:
        await save_memory(tx, passage("The storage engine is open."))
        found = await recall_by_words(tx, Query(text=text, scopes=("mission:m",)))
        assert bool(found) == bool(set(tokenize(text)) & set(tokenize("The storage engine is open.")))
    async with db.transaction() as tx:
        assert len(await recall_by_words(tx, Query(text="storage", scopes=("mission:m",)))) == 1


@pytest.mark.parametrize("text", HOSTILE)
async def test_a_hostile_content_is_only_data(db, text):
    async with db.transaction() as tx:
        memory_id = await save_memory(tx, passage(f"{text} findable", title=text[:100], tags=(text[:50],)))
        [found] = await recall_by_words(tx, Query(text="findable", scopes=("mission:m",)))
    assert found.memory.id == memory_id


@pytest.mark.parametrize("text", ["", " \n", "who is it?", "…!?", "\x00"])
async def test_a_query_without_a_word_to_search_for_finds_nothing(db, text):
    async with db.transaction() as tx:
        await save_memory(tx, passage("anything"))
        assert await recall_by_words(tx, Query(text=text, scopes=("mission:m",))) == []


@pytest.mark.parametrize(
    "fields",
    [
        {"text": "x" * 10_001},
        {"limit": 0},
        {"limit": 101},
        {"scopes": ()},
        {"scopes": ("shared",) * 21},
        {"scopes": ("Not A Scope",)},
    ],
)
async def test_a_query_out_of_bounds_is_refused(db, fields):
    async with db.transaction() as tx:
        with pytest.raises(InvalidInput):
            await recall_by_words(tx, Query(**{"text": "engine", "scopes": ("shared",)} | fields))


async def test_the_longest_query_is_answered(db):
    text = " ".join(f"word{at}" for at in range(1_000))[:9_990] + " engine"
    async with db.transaction() as tx:
        await save_memory(tx, passage("word7 only"))
        [found] = await recall_by_words(tx, Query(text=text, scopes=("mission:m",)))
    assert found.reasons == ("word7",)


async def test_a_memory_of_the_greatest_length_is_saved_and_found(db):
    async with db.transaction() as tx:
        await save_memory(tx, passage("ab " * 33_000 + "needle"))
        await save_memory(tx, passage(" ".join(f"w{at}" for at in range(14_000))))
        found = await recall_by_words(tx, Query(text="ab w13999", scopes=("mission:m",)))
    assert len(found) == 2


async def test_reading_changes_nothing(db):
    async with db.transaction() as tx:
        await save_memory(tx, passage("engine"))
        before = await (await tx.execute("select * from memory_items")).fetchall()
        await recall_by_words(tx, Query(text="engine", scopes=("mission:m",)))
        assert await (await tx.execute("select * from memory_items")).fetchall() == before
