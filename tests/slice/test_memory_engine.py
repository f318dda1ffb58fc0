"""Recall as a caller sees it: arms, worth, sessions, details, the cache, and who may see what."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from frasier.kernel.errors import InvalidInput, NotAllowed
from frasier.memory import (
    Arm,
    Caller,
    Detail,
    EmbeddingSettings,
    FusionSettings,
    ImportanceTier,
    MemoryKind,
    MemorySettings,
    MemoryType,
    NewMemory,
    RecallRequest,
    Relation,
    link_memories,
    open_engine,
    save_directive,
)

ADA = Caller(name="ada", scopes=("agent:ada", "shared"))
WITHOUT_VECTORS = MemorySettings(embedding=EmbeddingSettings(provider="none"))


@pytest.fixture
async def engine(db):
    async with open_engine(db, WITHOUT_VECTORS) as engine:
        yield engine


def note(content, **fields):
    return NewMemory(**{"kind": MemoryKind.OBSERVATION, "scope": "shared", "content": content} | fields)


async def saved(engine, *news):
    return [(await engine.save(ADA, new, gate=False)).id for new in news]


async def found(engine, text, **request):
    answer = await engine.recall(ADA, RecallRequest(text=text, **request))
    return [hit.memory.id for hit in answer.hits]


async def test_a_memory_says_why_it_was_recalled(engine):
    (crane,) = await saved(engine, note("The harbour crane was repaired."))
    answer = await engine.recall(ADA, RecallRequest(text="harbour crane"))
    (hit,) = answer.hits
    assert hit.memory.id == crane
    assert hit.ranks == {Arm.LEXICAL: 1}
    assert "words (#1)" in hit.reason
    assert "crane" in hit.reason
    assert 0 < hit.relevance <= 1
    assert hit.state == "hot"
    assert answer.degraded  # no vectors are made here, and the answer says so


async def test_a_foreign_scope_is_neither_read_nor_written(engine):
    await saved(engine, note("The harbour crane was repaired."))
    bob = Caller(name="bob", scopes=("agent:bob",))
    assert (await engine.recall(bob, RecallRequest(text="harbour crane"))).hits == ()
    with pytest.raises(NotAllowed):
        await engine.recall(bob, RecallRequest(text="harbour crane", scopes=("shared",)))
    with pytest.raises(NotAllowed):
        await engine.save(bob, note("mine"))


async def test_only_the_founder_writes_what_binds_everybody(engine):
    with pytest.raises(InvalidInput):
        await engine.save(ADA, note("Never deploy on Fridays.", tier=ImportanceTier.CONSTITUTIONAL))


async def test_what_binds_is_given_whatever_is_asked(engine, db):
    async with db.transaction() as tx:
        await save_directive(tx, "Always answer in English.", provenance={})
    await saved(engine, note("The harbour crane was repaired."))
    answer = await engine.recall(ADA, RecallRequest(text="harbour crane"))
    assert [memory.content for memory in answer.binding] == ["Always answer in English."]


async def test_markers_and_conversation_come_only_when_they_are_asked_for(engine):
    (turn,) = await saved(engine, note("The crane is green.", kind=MemoryKind.CONVERSATION))
    assert await found(engine, "green crane") == []
    assert await found(engine, "green crane", kinds=frozenset({MemoryKind.CONVERSATION})) == [turn]


async def test_a_turn_is_found_by_what_was_said_beside_it(engine):
    turns = [
        note("Which crane is broken?", kind=MemoryKind.CONVERSATION, thread="t", speaker="Ada"),
        note("The one at pier nine.", kind=MemoryKind.CONVERSATION, thread="t", speaker="Bob"),
        note("Lunch?", kind=MemoryKind.CONVERSATION, thread="other", speaker="Bob"),
    ]
    question, reply, _ = await saved(engine, *turns)
    assert await found(engine, "broken crane", kinds=frozenset({MemoryKind.CONVERSATION})) == [
        question,
        reply,
    ]


async def test_what_is_linked_to_a_hit_is_found_with_it(engine, db):
    cause, effect = await saved(engine, note("The bolt was rusty."), note("The harbour crane failed."))
    assert await found(engine, "harbour crane") == [effect]
    async with db.transaction() as tx:
        await link_memories(tx, ADA, cause, effect, Relation.CAUSED)
    answer = await engine.recall(ADA, RecallRequest(text="harbour crane"))
    assert [hit.memory.id for hit in answer.hits] == [effect, cause]
    assert "a link to another hit" in answer.hits[1].reason


async def test_a_trigger_phrase_calls_its_memory(engine):
    (runbook,) = await saved(engine, note("Press the red button.", triggers=("crane is stuck",)))
    assert await found(engine, "help, the crane is stuck again") == [runbook]


async def test_a_mistyped_word_finds_and_the_original_word_stays(engine):
    (crane,) = await saved(engine, note("The harbour crane was repaired."))
    answer = await engine.recall(ADA, RecallRequest(text="harbuor crane"))
    assert [hit.memory.id for hit in answer.hits] == [crane]
    assert any("harbour" in hint for hint in answer.hints)


async def test_a_fact_holds_as_of_its_time(engine):
    long_ago, now = datetime(2020, 1, 1, tzinfo=UTC), datetime.now(UTC)
    old, new = await saved(
        engine,
        note("The office is in Lisbon.", valid_from=long_ago, valid_until=now - timedelta(days=1)),
        note("The office is in Porto.", valid_from=now - timedelta(days=1)),
    )
    assert await found(engine, "where is the office") == [new]
    assert await found(engine, "where is the office", as_of=datetime(2021, 1, 1, tzinfo=UTC)) == [old]


async def test_fault_12_a_page_is_filled_behind_what_the_session_has(engine):
    ids = await saved(engine, *(note(f"Crane number {number} is green.") for number in range(6)))
    request = RecallRequest(text="green crane", limit=2, session="s1")
    pages = [await engine.recall(ADA, request) for _ in range(4)]
    given = [hit.memory.id for page in pages for hit in page.hits]
    assert [len(page.hits) for page in pages] == [2, 2, 2, 0]
    assert sorted(given) == sorted(ids)
    assert len(pages[1].seen) == 2
    assert pages[1].tokens_saved == sum(hit.delivered.tokens for hit in pages[0].hits)
    again = await engine.recall(ADA, replace(request, repeat=True))
    assert len(again.hits) == 2


async def test_an_edited_memory_is_new_to_the_session(engine, db):
    from frasier.memory.save import replace_content

    (crane,) = await saved(engine, note("The crane is green."))
    request = RecallRequest(text="crane", session="s1")
    await engine.recall(ADA, request)
    async with db.transaction() as tx:
        await replace_content(tx, crane, note("The crane is blue."), reason="painted")
    assert [hit.memory.content for hit in (await engine.recall(ADA, request)).hits] == ["The crane is blue."]


@pytest.mark.parametrize(("detail", "most"), [("minimal", 100), ("compact", 200), ("standard", 400)])
async def test_a_detail_is_a_budget_that_a_real_counter_enforces(engine, detail, most):
    await saved(engine, note("crane " * 4000, title="A long story about cranes"))
    answer = await engine.recall(ADA, RecallRequest(text="crane", detail=Detail(detail)))
    (hit,) = answer.hits
    counted = engine.counter.count(hit.memory.title) + engine.counter.count(hit.delivered.text)
    assert counted <= most
    assert hit.delivered.tokens == engine.counter.count(hit.delivered.text) == answer.tokens
    assert hit.delivered.original_tokens > most


async def test_the_budget_of_the_whole_answer_is_kept(engine):
    await saved(engine, *(note(f"Crane {number}: " + "green steel " * 30) for number in range(8)))
    answer = await engine.recall(ADA, RecallRequest(text="green crane", max_tokens=200))
    assert 0 < answer.tokens <= 200
    assert answer.left_out
    assert any("200 tokens" in hint for hint in answer.hints)


async def test_what_is_too_long_for_the_rest_of_the_budget_hides_no_shorter_hit(engine):
    await saved(engine, note("safe villa " * 90), note("The safe of villa Rosso opens with the green key."))
    answer = await engine.recall(ADA, RecallRequest(text="safe of villa Rosso", max_tokens=60))
    assert [hit.memory.content[:8] for hit in answer.hits] == ["The safe"]
    assert answer.left_out == 1
    assert "1 match did not fit into 60 tokens. Allow more, or ask for less detail." in answer.hints


async def test_of_a_long_memory_the_part_that_the_question_is_about_is_given(engine):
    rules = "Überall gelten die Regeln der Werft. " * 150
    await saved(engine, note(f"Handbuch der Werft\n{rules}\nDer Notruf in Gdynia ist 058 1234.\n{rules}"))
    (hit,) = (await engine.recall(ADA, RecallRequest(text="Notruf Gdynia"))).hits
    assert hit.delivered.text.startswith("Handbuch der Werft")
    assert "Der Notruf in Gdynia ist 058 1234." in hit.delivered.text
    assert hit.delivered.tokens <= 400


@pytest.mark.parametrize("day", ["2026-06-01", "01.06.2026", "1 June 2026", "le 1er juin 2026"])
async def test_a_day_is_found_however_the_question_writes_it(engine, day):
    moment = datetime(2026, 6, 1, tzinfo=UTC)
    launch, fall = await saved(
        engine,
        note("The launch is on 2026-03-01."),
        note("The crane fell over.", occurred_at=moment),
    )
    assert (await found(engine, f"what happened: {day}"))[0] == fall
    assert (await found(engine, "what is on 1 March 2026"))[0] == launch


async def test_words_that_no_memory_has_are_named(engine):
    await saved(engine, note("We chose RabbitMQ for the queue."))
    hints = (await engine.recall(ADA, RecallRequest(text="who chose Kubernetes for the queue?"))).hints
    assert "No memory of the searched scopes has the word “kubernetes”." in hints
    assert not (await engine.recall(ADA, RecallRequest(text="who chose it for the queue"))).hints


async def test_a_reason_names_whole_words_only(engine):
    await saved(engine, note("Der Vertrag mit DHL endet um 03:10, and both cities know it."))
    (hit,) = (await engine.recall(ADA, RecallRequest(text="end of DHL 1 city"))).hits
    assert "shares city, dhl" in hit.reason


async def test_only_the_asked_sections_are_given_and_only_they_count(engine):
    text = (
        "<!-- ANCHOR:summary -->The crane is fixed.<!-- /ANCHOR:summary -->\n"
        "<!-- ANCHOR:decisions -->Buy a new bolt.<!-- /ANCHOR:decisions -->\n" + "Details. " * 300
    )
    await saved(engine, note(text))
    answer = await engine.recall(ADA, RecallRequest(text="crane bolt", anchors=("decisions", "nothing")))
    (hit,) = answer.hits
    assert hit.delivered.text == "Buy a new bolt."
    assert hit.delivered.anchors_found == ("decisions",)
    assert hit.delivered.anchors_missing == ("nothing",)
    assert hit.delivered.tokens < hit.delivered.original_tokens / 10


async def test_a_question_without_words_gives_what_was_touched_last(engine):
    ids = await saved(engine, note("First."), note("Second."))
    assert await found(engine, "") == ids[::-1]


async def test_every_concept_must_be_met(engine):
    both, *_ = await saved(
        engine, note("The crane needs rust protection."), note("The crane is green."), note("Rust is red.")
    )
    answer = await engine.recall(ADA, RecallRequest(concepts=("crane", "rust")))
    assert [hit.memory.id for hit in answer.hits] == [both]


async def test_what_a_recall_shows_keeps_from_the_archive_and_counts_as_no_use(engine, db):
    [crane] = await saved(engine, note("The crane is green."))
    for _ in range(3):
        answer = await engine.recall(ADA, RecallRequest(text="crane", cached=False))
        assert answer.hits[0].boost.usage == 1
    async with db.transaction() as tx:
        cursor = await tx.execute("select use_count, used_at, accessed_at from memory_strengths")
        (row,) = await cursor.fetchall()
    assert (row["use_count"], row["used_at"]) == (0, None)
    assert row["accessed_at"] is not None
    await engine.note_fetched(crane)
    answer = await engine.recall(ADA, RecallRequest(text="crane", cached=False))
    assert answer.hits[0].boost.usage == pytest.approx(1.002)
    assert "used before" in answer.hits[0].reason


async def test_what_is_shown_without_tracking_is_not_noted(engine, db):
    await saved(engine, note("The crane is green."))
    await engine.recall(ADA, RecallRequest(text="crane", track=False))
    async with db.transaction() as tx:
        cursor = await tx.execute("select count(*) as strengths from memory_strengths")
        assert (await cursor.fetchone())["strengths"] == 0


async def test_what_has_faded_ranks_behind_what_is_fresh(engine, db):
    old, fresh = await saved(engine, note("The green crane moved."), note("The green crane moved on."))
    async with db.transaction() as tx:
        await tx.execute(
            "update memory_items set last_seen_at = now() - interval '30 days' where id = %s", [old]
        )
    assert await found(engine, "green crane moved") == [fresh, old]


async def test_a_fact_of_the_same_age_does_not_fade(engine, db):
    (fact,) = await saved(engine, note("The crane weighs nine tonnes.", memory_type=MemoryType.SEMANTIC))
    async with db.transaction() as tx:
        await tx.execute("update memory_items set last_seen_at = now() - interval '300 days'")
    answer = await engine.recall(ADA, RecallRequest(text="crane weighs"))
    assert [hit.memory.id for hit in answer.hits] == [fact]
    assert answer.hits[0].boost.retrievability == 1


async def test_the_same_question_is_answered_from_the_cache_until_somebody_writes(engine):
    await saved(engine, note("The crane is green."))
    request = RecallRequest(text="crane")
    first, second = [await engine.recall(ADA, request) for _ in range(2)]
    assert (first.cache_hit, second.cache_hit) == (False, True)
    assert [hit.memory.id for hit in second.hits] == [hit.memory.id for hit in first.hits]
    await saved(engine, note("Another crane is blue."))
    third = await engine.recall(ADA, request)
    assert not third.cache_hit
    assert len(third.hits) == 2


async def test_a_write_of_another_engine_invalidates_the_cache_too(engine, db):
    await saved(engine, note("The crane is green."))
    request = RecallRequest(text="crane")
    await engine.recall(ADA, request)
    async with open_engine(db, WITHOUT_VECTORS) as other:
        await other.save(ADA, note("Another crane is blue."), gate=False)
    assert len((await engine.recall(ADA, request)).hits) == 2


async def test_a_write_that_is_under_way_while_the_answer_is_made_invalidates_it_once_committed(engine, db):
    from frasier.memory import save_memory

    await saved(engine, note("The crane is green."))
    request = RecallRequest(text="crane")
    async with db.transaction() as tx:
        await save_memory(tx, note("Another crane is blue."))
        await engine.recall(ADA, request)  # cached while the other is not committed
    assert len((await engine.recall(ADA, request)).hits) == 2


@pytest.mark.parametrize("arm", ["lexical", "context", "graph", "trigger"])
async def test_fault_44_an_arm_that_is_off_finds_nothing(engine, db, arm):
    turns = ("Which crane is broken?", "The one at pier nine.")
    spoken = [note(text, kind=MemoryKind.CONVERSATION, thread="t") for text in turns]
    ids = await saved(
        engine, *spoken, note("Rusty bolt."), note("Red button.", triggers=("crane is broken",))
    )
    async with db.transaction() as tx:
        await link_memories(tx, ADA, ids[2], ids[0], Relation.CAUSED)
    settings = WITHOUT_VECTORS.model_copy(update={"fusion": FusionSettings(**{arm: 0})})
    answer = await engine.configured(settings).recall(
        ADA, RecallRequest(text="why the crane is broken", kinds=frozenset(MemoryKind))
    )
    assert arm not in answer.arms
    assert answer.arms


@pytest.mark.parametrize(
    "wrong",
    [
        {"text": "x" * 10_001},
        {"text": "x", "limit": 0},
        {"text": "x", "limit": 101},
        {"concepts": ("one",)},
        {"text": "x", "max_tokens": 0},
    ],
)
async def test_a_wrong_request_is_refused_with_its_number(engine, wrong):
    with pytest.raises(InvalidInput) as refused:
        await engine.recall(ADA, RecallRequest(**wrong))
    assert refused.value.number
    assert refused.value.hint or refused.value.advice or refused.value.facts


@pytest.mark.parametrize(
    "text",
    ["'; drop table memory_items; --", "a & | ! <-> b:*", "%_%", "\\", "crane\0green", "((((", "\ud800"],
)
async def test_no_character_of_a_question_means_anything(engine, text):
    (crane,) = await saved(engine, note("The crane is green."))
    await engine.recall(ADA, RecallRequest(text=text))
    assert crane in await found(engine, f"crane {text}")


async def test_what_binds_is_handed_over_once_however_well_it_matches(engine, db):
    async with db.transaction() as tx:
        await save_directive(tx, "Always grease the crane.", provenance={})
    founder = Caller(name="founder", scopes=("shared", "founder"), founder=True)
    answer = await engine.recall(founder, RecallRequest(text="grease crane"))
    assert len(answer.binding) == 1
    assert answer.hits == ()
    assert len((await engine.recall(founder, RecallRequest(text="grease crane", binding=False))).hits) == 1
