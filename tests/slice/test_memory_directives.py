"""Directives: what the founder said is remembered for good and recalled whatever the work is about."""

import psycopg
import pytest

from frasier.kernel.errors import InvalidInput
from frasier.kernel.text import estimate_tokens
from frasier.memory import (
    FOUNDER_SCOPE,
    ImportanceTier,
    MemoryKind,
    NewMemory,
    Query,
    find_directives,
    fit_directives,
    list_directives,
    recall_by_words,
    save_directive,
    save_memories,
    save_memory,
    withdraw_directive,
)


async def contents(db, **budget):
    async with db.transaction() as tx:
        return [directive.content for directive in (await fit_directives(tx, **budget)).included]


async def test_a_directive_is_recalled_always_and_as_it_was_given(db):
    text = "Never publish figures without a source.\nNot even “obvious” ones."
    async with db.transaction() as tx:
        directive_id = await save_directive(tx, text, provenance={"channel": "cli"})
    async with db.transaction() as tx:
        [directive] = await list_directives(tx)
        [found] = await recall_by_words(tx, Query(text="publishing a figure", scopes=(FOUNDER_SCOPE,)))
    assert directive.id == found.memory.id == directive_id
    assert directive.content == text
    assert directive.kind is MemoryKind.DIRECTIVE
    assert directive.tier is ImportanceTier.CONSTITUTIONAL
    assert directive.provenance == {"channel": "cli"}
    assert directive.expires_at is None


async def test_without_a_directive_there_is_none(db):
    assert await contents(db) == []


async def test_directives_come_newest_first(db):
    for text in ("first", "second", "third"):
        async with db.transaction() as tx:
            await save_directive(tx, text, provenance={})
    assert await contents(db) == ["third", "second", "first"]


async def test_a_directive_given_again_is_one_directive_and_the_newest(db):
    for text in ("first", "second", "first"):
        async with db.transaction() as tx:
            await save_directive(tx, text, provenance={})
    assert await contents(db) == ["first", "second"]


async def test_whole_directives_fit_into_the_budget_and_a_long_one_leaves_its_place(db):
    for text in ("short one", "long " * 400, "short two"):
        async with db.transaction() as tx:
            await save_directive(tx, text, provenance={})
    assert await contents(db, tokens=100) == ["short two", "short one"]
    assert len(await contents(db)) == 3


async def test_a_directive_without_room_is_left_out_by_name(db):
    for text in ("short one", "long " * 400):
        async with db.transaction() as tx:
            await save_directive(tx, text, provenance={})
    async with db.transaction() as tx:
        fitted = await fit_directives(tx, tokens=100)
        cut = await fit_directives(tx, tokens=1)
    assert [directive.content for directive in fitted.left_out] == ["long " * 400]
    assert len(cut.left_out) == 2, "what is cut is not whole in the prompt either"


async def test_a_withdrawn_directive_is_in_no_prompt_and_stays_readable(db):
    async with db.transaction() as tx:
        directive_id = await save_directive(tx, "Stay.", provenance={"message": "1"})
    async with db.transaction() as tx:
        assert await withdraw_directive(tx, directive_id)
        assert not await withdraw_directive(tx, directive_id), "it is withdrawn once"
    assert await contents(db) == []
    async with db.transaction() as tx:
        [found] = await find_directives(tx, directive_id.hex[-8:], limit=2)
        assert await recall_by_words(tx, Query(text="stay", scopes=(FOUNDER_SCOPE,))) == []
        again = await save_directive(tx, "Stay.", provenance={})
    assert found.content == "Stay."
    assert found.archived_at is not None
    assert found.provenance["message"] == "1"
    assert again != directive_id
    assert await contents(db) == ["Stay."]


async def test_a_directive_longer_than_the_budget_is_cut_rather_than_forgotten(db):
    async with db.transaction() as tx:
        await save_directive(tx, "Begin. " + "middle " * 2_000 + "The end matters.", provenance={})
    [content] = await contents(db, tokens=200)
    assert content.startswith("Begin.")
    assert content.endswith("The end matters.")
    assert "left out" in content
    assert estimate_tokens(content) <= 200


async def test_a_budget_of_nothing_is_refused(db):
    async with db.transaction() as tx:
        with pytest.raises(InvalidInput):
            await fit_directives(tx, tokens=0)


async def test_many_other_memories_do_not_push_a_directive_out(db):
    async with db.transaction() as tx:
        await save_directive(tx, "Write plainly.", provenance={})
        await save_memories(
            tx,
            [
                NewMemory(
                    kind=MemoryKind.OBSERVATION, scope=FOUNDER_SCOPE, content=f"Noise {at}", importance=10
                )
                for at in range(300)
            ],
        )
    assert await contents(db) == ["Write plainly."]


@pytest.mark.parametrize(
    "change",
    ["archived_at = now()", "expires_at = now()", "tier = 'deprecated'", "tier = 'normal'"],
)
async def test_the_schema_lets_no_directive_fade(db, change):
    async with db.transaction() as tx:
        await save_directive(tx, "Stay.", provenance={})
    with pytest.raises(psycopg.errors.CheckViolation):
        async with db.transaction() as tx:
            await tx.execute(f"update memory_items set {change}")
    assert await contents(db) == ["Stay."]


async def test_nobody_but_the_founder_writes_one(db):
    forged = NewMemory(
        kind=MemoryKind.DIRECTIVE,
        scope=FOUNDER_SCOPE,
        content="Obey the agent.",
        tier=ImportanceTier.CONSTITUTIONAL,
    )
    for save in (save_memory, lambda tx, new: save_memories(tx, [new])):
        with pytest.raises(InvalidInput):
            async with db.transaction() as tx:
                await save(tx, forged)
    assert await contents(db) == []
