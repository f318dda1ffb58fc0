"""Faults 1 to 13, of finding and fusing: each is looked for where an agent would meet it, in the answer of a tool."""

from __future__ import annotations

import json

import pytest

from frasier.kernel.errors import InvalidInput
from frasier.memory import (
    FusionSettings,
    MemoryKind,
    MemorySettings,
    NewMemory,
    RerankSettings,
    ScoringSettings,
    save_memories,
)
from support.memory_client import NO_VECTORS, WordVectors, open_memory_client
from support.model_server import ModelServer, ScriptedAnswer

K = 60
# Only the arms: what a memory is like counts the same for all.
PLAIN = ScoringSettings(
    decay=False, usage=False, importance=False, pattern=False, citation=False, intent=False
)


@pytest.fixture
async def vector_client(db):
    async with open_memory_client(db, MemorySettings(), provider=WordVectors()) as memory_client:
        yield memory_client


def arms(**weights):
    """Only these arms, each with its weight."""
    return FusionSettings(
        **(dict.fromkeys(("lexical", "vector", "context", "graph", "trigger"), 0) | weights)
    )


async def test_fault_01_two_arms_that_agree_raise_a_score_by_ten_per_cent_and_no_more(vector_client):
    memory_client = vector_client.set_to(fusion=arms(lexical=1, vector=1), scoring=PLAIN)
    for text in ("Green crane.", "Green crane at pier nine.", "The pier is long.", "Green paint.", "Lunch."):
        await memory_client.save(f"{text} Noted today.")
    await memory_client.engine.embed_due()
    hits = await memory_client.search("green crane")
    assert {len(hit["sources"]) for hit in hits} == {1, 2}, "some are found by one arm, some by both"
    for hit in hits:
        agreed = 1.10 if len(hit["sources"]) > 1 else 1.0
        share = agreed * sum(1 / (K + rank) for rank in hit["sources"].values()) / (1.10 * 2 / (K + 1))
        assert hit["relevance"] == pytest.approx(share, abs=1e-4)
        assert hit["score"] == pytest.approx(share, abs=1e-4)


async def test_fault_01_the_first_of_a_strong_arm_stands_before_what_two_weak_places_agree_on(vector_client):
    memory_client = vector_client.set_to(fusion=arms(lexical=1, vector=0.1), scoring=PLAIN)
    for number in range(30):
        await memory_client.save("crane " * (31 - number) + f"and other things of day {number} " * number)
    await memory_client.engine.embed_due()
    first, *_ = await memory_client.search("crane")
    await memory_client.rows(
        "delete from memory_vectors where memory_num = (select num from memory_items where id = %s)",
        first["id"],
    )
    hits = await memory_client.search("crane", limit=100, bypass_cache=True)
    alone = next(hit for hit in hits if hit["id"] == first["id"])
    assert alone["sources"] == {"lexical": 1}
    weakest = max(hits, key=lambda hit: hit["sources"]["lexical"])
    assert weakest["sources"].keys() == {"lexical", "vector"}
    assert alone["score"] > weakest["score"]


async def test_fault_02_a_link_that_a_tool_drew_finds_in_a_search(memory_client):
    effect = await memory_client.save("The harbour crane failed.")
    cause = await memory_client.save("The bolt was rusty.")
    assert await memory_client.found("harbour crane") == [effect]
    await memory_client("memory_link", source=cause, target=effect, relation="caused")
    hits = await memory_client.search("harbour crane")
    assert [hit["id"] for hit in hits] == [effect, cause]
    assert hits[1]["sources"] == {"graph": 1}


async def test_fault_02_one_memory_has_one_id_however_it_is_spelled_and_is_found_once(memory_client):
    other = await memory_client.save("Rusty bolt.")
    crane = await memory_client.save("The harbour crane failed.", triggers=["harbour crane"])
    await memory_client("memory_link", source=other, target=crane, relation="caused")
    for spelled in (crane, crane.upper(), f" {crane} ", crane.replace("-", "")):
        assert (await memory_client("memory_get", id=spelled))["id"] == crane
    for wrong in ("mem:42424242", "42424242424242", "00000042"):
        with pytest.raises(Exception, match=r"(?i)no memor|not the id"):
            await memory_client("memory_get", id=wrong)
    hits = await memory_client.search("rusty bolt of the harbour crane")
    assert sorted(hit["id"] for hit in hits) == sorted([crane, other])
    [hit] = [hit for hit in hits if hit["id"] == crane]
    assert hit["sources"].keys() == {"lexical", "trigger"}


async def test_fault_03_other_spellings_and_the_words_around_are_no_second_witness(memory_client):
    crane = await memory_client.save("The harbour crane was repaired.")
    memory_client = memory_client.set_to(fusion=arms(lexical=1, context=1), scoring=PLAIN)
    [misspelt] = await memory_client.search("harbuor crane harbour")
    assert misspelt["id"] == crane
    assert misspelt["sources"] == {"lexical": 1}
    for text in ("Which winch is broken?", "The one at pier nine.", "And the other winch?"):
        await memory_client("memory_save", content=text, kind="conversation", thread="t", speaker="Ada")
    turns = await memory_client.search("broken winch", kinds=["conversation"])
    assert {tuple(turn["sources"]) for turn in turns} == {("lexical", "context"), ("context",)}
    for turn in turns:
        share = sum(1 / (K + rank) for rank in turn["sources"].values()) / (2 / (K + 1))
        assert turn["relevance"] == pytest.approx(share, abs=1e-4)


async def test_fault_04_the_purpose_counts_once_and_no_relevance_is_above_one(memory_client):
    await memory_client.save("We chose the green crane.", kind="decision")
    await memory_client.save("The green crane was seen.")
    neutral = await memory_client.search("green crane", intent="understand", bypass_cache=True)
    decided = await memory_client.search("green crane", intent="find_decision", bypass_cache=True)
    assert all(0 < hit["relevance"] <= 1 for hit in neutral + decided)
    factors = {}
    for hit in decided:
        [same] = [one for one in neutral if one["id"] == hit["id"]]
        factors[hit["kind"]] = hit["score"] / same["score"]
    assert factors["decision"] == pytest.approx(1.2, rel=1e-3)
    assert factors["observation"] == pytest.approx(1.0, rel=1e-3)


async def test_fault_04_nought_is_a_number_and_not_nothing(memory_client):
    await memory_client("task_preflight", task="t", knowledge=0, uncertainty=100, context=0)
    ended = await memory_client("task_postflight", task="t", knowledge=100, uncertainty=0, context=100)
    assert ended["index"] == 100
    await memory_client.save("The green crane.")
    envelope = await memory_client.set_to(fusion=arms(trigger=0, context=1)).ask(
        "memory_search", query="green crane"
    )
    assert envelope.data["results"] == [], "a weight of nought is an arm that is off"


async def test_fault_05_what_ranks_low_is_still_found(memory_client):
    ids = [await memory_client.save(f"Crane number {number} is green.") for number in range(40)]
    hits = await memory_client.search("which of all the many cranes did Ada paint", limit=100)
    assert sorted(hit["id"] for hit in hits) == sorted(ids)
    assert min(hit["relevance"] for hit in hits) < 0.2


ODD = {
    "snake_case_name": "The function snake_case_name returns.",
    "naïve café": "The naïve café around the corner.",
    "CAFÉ": "Another café at the harbour.",
    "日本語": "日本語の記憶です。とても大切。",
    "e-mail": "Ada sent an e-mail.",
    "don't deploy": "We don't deploy on Fridays.",
    "v2.10.3": "Release v2.10.3 is out.",
    "C++": "The crane is programmed in C++.",
    "running": "Ada runs every morning.",
    "Straße": "The STRASSE is closed, die Straße auch.",
}


async def test_fault_06_what_is_written_is_read_with_the_same_eyes(memory_client):
    ids = {text: await memory_client.save(text) for text in ODD.values()}
    for query, text in ODD.items():
        assert ids[text] in await memory_client.found(query), query
        assert (await memory_client.found(text))[0] == ids[text], text


async def test_fault_06_a_scope_bounds_every_arm(vector_client):
    memory_client = vector_client
    for scope in (memory_client.home, memory_client.team):
        crane = await memory_client.save("Green crane.", scope=scope, triggers=["green crane"])
        bolt = await memory_client.save(f"Rusty bolt of {scope}.", scope=scope)
        await memory_client("memory_link", source=bolt, target=crane, relation="caused")
    await memory_client.engine.embed_due()
    for wanted in ({memory_client.home}, {memory_client.team}, {memory_client.home, memory_client.team}):
        hits = await memory_client.search("green crane", scopes=sorted(wanted))
        assert {hit["scope"] for hit in hits} == wanted
        assert {arm for hit in hits for arm in hit["sources"]} == {"lexical", "vector", "trigger"}
    words_only = vector_client.set_to(fusion=arms(lexical=1, graph=1))
    for scope in (memory_client.home, memory_client.team):
        hits = await words_only.search("green crane", scopes=[scope])
        assert {hit["scope"] for hit in hits} == {scope}
        assert [hit["sources"] for hit in hits] == [{"lexical": 1}, {"graph": 1}]


@pytest.mark.parametrize("unknown", ["specFolder", "folder", "scope"])
async def test_fault_06_a_filter_that_is_not_known_is_refused_and_not_left_out(memory_client, unknown):
    await memory_client.save("Green crane.")
    with pytest.raises(InvalidInput, match=unknown):
        await memory_client("memory_search", query="green crane", **{unknown: memory_client.home})


async def test_fault_07_the_body_is_found_and_what_it_said_before_is_not(vector_client):
    memory_client = vector_client
    crane = await memory_client.save("The harbour crane was repaired by Ada.", title="Maintenance")
    await memory_client.engine.embed_due()  # opens the space: what is saved meanwhile waits for the upkeep
    rival = await memory_client.save("A windmill in the dunes.")
    await memory_client.engine.embed_due()
    assert (await memory_client.found("harbour crane Ada"))[0] == crane
    await memory_client("memory_update", id=crane, content="The lighthouse got a new lantern from Bob.")
    [before] = [hit for hit in await memory_client.search("lighthouse lantern Bob") if hit["id"] == crane]
    assert "vector" not in before["sources"], "the old vector says what it said before"
    await memory_client.engine.embed_due()
    [first, second] = await memory_client.search("lighthouse lantern Bob")
    assert (first["id"], first["sources"]) == (crane, {"lexical": 1, "vector": 1})
    assert second["id"] == rival
    assert all("lexical" not in hit["sources"] for hit in await memory_client.search("harbour crane Ada"))
    windmill, *_ = await memory_client.search("windmill dunes")
    assert windmill["sources"]["vector"] == 1
    await memory_client("memory_delete", id=crane)
    assert crane not in await memory_client.found("lighthouse lantern Bob")


async def test_fault_08_what_has_expired_meets_no_concept(memory_client):
    holds = await memory_client.save("The crane needs rust protection.")
    expired = await memory_client.save("The crane lost its rust coat.", tier="temporary")
    over = await memory_client.save(
        "The crane was under rust alarm.", valid_until="2020-01-01T00:00:00+00:00"
    )
    assert sorted(await memory_client.found("", concepts=["crane", "rust"])) == sorted([holds, expired])
    await memory_client.rows(
        "update memory_items set expires_at = now() - interval '1 s' where id = %s", expired
    )
    for query in ({"concepts": ["crane", "rust"]}, {"query": "crane rust"}, {}):
        found = [hit["id"] for hit in (await memory_client("memory_search", **query))["results"]]
        assert found == [holds], query
    assert over not in await memory_client.found("crane")


async def test_fault_08_what_binds_takes_no_place_and_no_more_than_its_room(memory_client):
    for number in range(10):
        text = f"Rule {number}: " + f"the crane stays green in case {number}. " * 40
        await memory_client.founder.save(text, tier="constitutional")
    ids = [await memory_client.save(f"Crane sighting {number}.") for number in range(3)]
    for tool, arguments in {
        "memory_search": {"query": "crane sighting", "limit": 3},
        "memory_context": {"input": "crane sighting", "limit": 3},
    }.items():
        data = await memory_client(tool, **arguments)
        assert len(data["results"]) == 3
        assert 1 <= len(data["binding"]) <= 10
        texts = [one.get("text", "") for one in data["binding"]]
        assert any(texts)
        assert sum(map(memory_client.engine.counter.count, texts)) <= 1000
        assert set(ids) <= {hit["id"] for hit in data["results"]}


async def test_fault_08_what_binds_is_given_once_however_well_it_matches(memory_client):
    rule = await memory_client.founder.save("Always grease the green crane.", tier="constitutional")
    for tool, arguments in {
        "memory_search": {"query": "grease green crane"},
        "memory_context": {"input": "grease green crane"},
    }.items():
        data = await memory_client(tool, **arguments)
        given = [one["id"] for part in ("results", "binding", "called") for one in data.get(part, [])]
        assert given == [rule], tool


async def test_fault_09_an_edge_back_adds_nothing(memory_client):
    scores = []
    for relations in (["supports"], ["supports", "supports back"]):
        word = f"crane{len(relations)}"
        seed, linked = (
            await memory_client.save(f"The {word} failed."),
            await memory_client.save(f"Rusty bolt {len(relations)}."),
        )
        await memory_client("memory_link", source=linked, target=seed, relation="supports")
        if len(relations) == 2:
            await memory_client("memory_link", source=seed, target=linked, relation="supports")
        [neighbour] = [hit for hit in await memory_client.search(word) if hit["id"] == linked]
        scores.append(neighbour["score"])
    assert scores[0] == pytest.approx(scores[1], rel=1e-3)


async def test_fault_09_a_cycle_ends_and_a_hub_fills_no_page(memory_client):
    ring = [await memory_client.save(f"Crane part {number}.") for number in range(6)]
    for number, one in enumerate(ring):
        await memory_client("memory_link", source=one, target=ring[number - 1], relation="caused")
    hits = await memory_client.search("crane part", limit=100)
    assert sorted(hit["id"] for hit in hits) == sorted(ring)
    hub = await memory_client.save("The windmill stands in the dunes.")
    direct = [await memory_client.save(f"Another windmill, number {number}.") for number in range(3)]
    for number in range(40):
        spoke = await memory_client.save(f"Spoke {number} of something else.")
        await memory_client("memory_link", source=spoke, target=hub, relation="supports", strength=0.5)
    hits = await memory_client.search("windmill", limit=100)
    assert {hit["id"] for hit in hits[:4]} == {hub, *direct}
    assert len(hits) <= 4 + 20, "of a hub only the strongest edges are followed"


async def test_fault_10_a_memory_of_many_parts_is_one_result(vector_client):
    memory_client = vector_client
    sections = [
        f"<!-- ANCHOR:part-{number} -->The green crane, part {number}.<!-- /ANCHOR:part-{number} -->"
        for number in range(8)
    ]
    long = await memory_client.save("\n\n".join(sections))
    short = await memory_client.save("A green crane.")
    await memory_client.engine.embed_due()
    [parts] = await memory_client.rows("select count(*) as n from memory_vectors")
    assert parts["n"] > 2
    assert sorted(await memory_client.found("green crane part", limit=100)) == sorted([long, short])


@pytest.fixture
def judge():
    """A rerank endpoint that prefers texts with `gold` in them, and answers in an order of its own."""

    def answer(body):
        scores = [0.9 if "gold" in text else 0.1 for text in body["documents"]]
        rows = [{"index": at, "relevance_score": score} for at, score in enumerate(scores)]
        return ScriptedAnswer(body=json.dumps({"results": rows[::-1]}))

    with ModelServer(answer) as server:
        yield server


async def test_fault_11_each_verdict_reaches_the_memory_that_it_is_of(database, judge):
    settings = NO_VECTORS.model_copy(
        update={
            "rerank": RerankSettings(method="endpoint", url=f"{judge.base_url}/rerank"),
            "scoring": PLAIN,
        }
    )
    filler = (
        "and whatever else there is to be said of it, at length, so that nothing is too short to be judged."
    )
    async with open_memory_client(database, settings) as memory_client:
        for number in range(4):
            await memory_client.save(f"Crane number {number}, crane and crane, {filler}")
        gold = await memory_client.save(f"One crane is gold, number four, {filler} {filler}")
        asked = [await memory_client.ask("memory_search", query="crane") for _ in range(2)]
        for envelope in asked:
            assert envelope.data["reranked"]
            assert envelope.data["results"][0]["id"] == gold
        assert [envelope.meta.cache_hit for envelope in asked] == [False, True]
        scores = [{hit["id"]: hit["score"] for hit in envelope.data["results"]} for envelope in asked]
        assert scores[0] == scores[1]


async def test_fault_11_logits_below_nought_gain_nothing_by_a_short_text(database):
    def answer(body):
        rows = [{"index": at, "score": -4.0} for at in range(len(body["documents"]))]
        return ScriptedAnswer(body=json.dumps({"results": rows}))

    with ModelServer(answer) as server:
        settings = NO_VECTORS.model_copy(
            update={"rerank": RerankSettings(method="endpoint", url=server.base_url), "scoring": PLAIN}
        )
        async with open_memory_client(database, settings) as memory_client:
            await memory_client.save("Crane today.", triggers=["crane"])
            await memory_client.save(
                "Crane " + "and a long report of whatever happened " * 5, triggers=["crane"]
            )
            plain = {hit["id"]: hit for hit in await memory_client.search("crane", rerank=False)}
            hits = await memory_client.search("crane")
    left = {hit["text"][:12]: hit["relevance"] - 0.4 * plain[hit["id"]]["relevance"] for hit in hits}
    assert 0 < left["Crane today."] < left["Crane and a "], "what the verdict alone is worth"


async def test_fault_12_a_page_is_filled_behind_what_the_session_has_and_keeps_its_scores(memory_client):
    ids = [await memory_client.save(f"Crane number {number} is green.") for number in range(5)]
    given, seen = [], []
    for _ in range(3):
        data = await memory_client(
            "memory_search", query="green crane", limit=2, session=memory_client.session
        )
        given.append([hit["id"] for hit in data["results"]])
        seen.append(len(data.get("seen", [])))
        for hit in data["results"]:
            assert hit["score"] > 0
            assert hit["sources"]
            assert hit["reason"]
    assert [len(page) for page in given] == [2, 2, 1]
    assert sorted(one for page in given for one in page) == sorted(ids)
    assert seen == [0, 2, 2]
    assert (
        len(await memory_client.found("green crane", limit=2, session=memory_client.session, repeat=True))
        == 2
    )


async def test_fault_13_thousands_are_counted_kept_cleared_and_put_back(memory_client):
    news = [
        NewMemory(
            kind=MemoryKind.OBSERVATION,
            scope=memory_client.home,
            content=f"Crane {n} is green.",
            provenance={"saved_by": memory_client.caller.name},
        )
        for n in range(1500)
    ]
    async with memory_client.engine.database.transaction() as tx:
        await save_memories(tx, news)
    assert len(await memory_client.found("green crane", limit=100)) == 100
    assert (await memory_client("memory_list", offset=1450, limit=100))["total"] == 1500
    await memory_client("checkpoint_create", name="all")
    cleared = await memory_client("memory_bulk_delete", tier="normal", confirm=True, skip_checkpoint=True)
    assert cleared["deleted"] == 1500
    assert await memory_client.found("green crane") == []
    assert (await memory_client("checkpoint_restore", name="all"))["added"] == 1500
    assert len(await memory_client.found("green crane", limit=100)) == 100
