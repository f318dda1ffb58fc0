"""Standing rules as they are stored: once each, withdrawn once, and no more than can be overseen."""

from __future__ import annotations

import asyncio

import pytest

from frasier.kernel.errors import InvalidInput, NotFound
from frasier.kernel.ids import new_id
from frasier.memory import list_directives, save_directive
from frasier.org.conversation import add_stated_directives, confirm_directives, withdraw_standing_directive
from frasier.org.conversation.standing_directives import DIRECTIVES_MAX, add_standing_directive
from frasier.store import events_of

RULE = "Always state prices in EUR net."


async def test_a_rule_added_by_many_at_once_is_one_rule_with_one_event(db):
    async def add():
        async with db.transaction() as tx:
            return (await add_standing_directive(tx, RULE)).id

    (rule,) = set(await asyncio.gather(*(add() for _ in range(6))))
    async with db.transaction() as tx:
        assert [directive.id for directive in await list_directives(tx)] == [rule]
        assert [event.kind for event in await events_of(tx, rule)] == ["directive.recorded"]


async def test_a_rule_is_withdrawn_once_whoever_tries(db):
    async with db.transaction() as tx:
        rule = (await add_standing_directive(tx, RULE)).id

    async def withdraw():
        async with db.transaction() as tx:
            return (await withdraw_standing_directive(tx, rule.hex[-8:])).id

    ended = await asyncio.gather(*(withdraw() for _ in range(4)), return_exceptions=True)
    assert ended.count(rule) == 1
    assert sum(isinstance(one, NotFound) for one in ended) == 3
    async with db.transaction() as tx:
        kinds = [event.kind for event in await events_of(tx, rule)]
    assert kinds == ["directive.recorded", "directive.withdrawn"]


async def test_rules_that_were_stored_before_anybody_understood_them_can_be_withdrawn(db):
    async with db.transaction() as tx:
        wish = "I want you to write a short poem about tea"
        old = await save_directive(tx, wish, provenance={"message": str(new_id())})
        assert [directive.id for directive in await list_directives(tx)] == [old]
        assert (await withdraw_standing_directive(tx, str(old))).content == wish
        assert await list_directives(tx) == []


async def test_more_rules_than_can_be_overseen_are_refused_and_one_that_is_there_is_not(db):
    async with db.transaction() as tx:
        for number in range(DIRECTIVES_MAX):
            await save_directive(tx, f"Rule number {number}", provenance={})
    with pytest.raises(InvalidInput, match=f"There are {DIRECTIVES_MAX} standing rules"):
        async with db.transaction() as tx:
            await add_standing_directive(tx, RULE)
    async with db.transaction() as tx:
        assert len(await list_directives(tx)) == DIRECTIVES_MAX
        await add_standing_directive(tx, "Rule number 0")
        recorded, refused = await add_stated_directives(tx, ["Rule number 1", RULE], message_id=new_id())
    assert [rule.content for rule in recorded] == ["Rule number 1"]
    (line,) = refused
    assert f"“{RULE}” was not recorded: there are {DIRECTIVES_MAX} standing rules" in line
    assert f"the most is {DIRECTIVES_MAX}" in line


async def test_a_confirmation_names_the_rules_that_it_leaves_out_and_counts_the_others(db):
    told = []
    async with db.transaction() as tx:
        for number in range(8):
            rule = await add_standing_directive(tx, f"Rule {number}: {'mind the gap ' * 140}")
            told.append(" ".join((await confirm_directives(tx, [rule]))[1:]))
    assert told[:4] == [""] * 4
    assert "“Rule 0" in told[4]
    assert "older" not in told[4]
    assert "“Rule 3" in told[7]
    assert "“Rule 2" not in told[7]
    assert "and 3 older" in told[7]


async def test_an_id_that_fits_several_rules_names_them(db):
    async with db.transaction() as tx:
        first, second = [(await add_standing_directive(tx, f"Rule number {number}")).id for number in (1, 2)]
        await tx.execute(
            "update memory_items set id = (left(id::text, 32) || 'abcd')::uuid where id = any(%s)",
            ([first, second],),
        )
        with pytest.raises(InvalidInput, match="fits several standing rules"):
            await withdraw_standing_directive(tx, "abcd")


async def test_a_rule_with_a_secret_is_refused_without_repeating_it(db):
    key = "sk-or-v1-" + "0123456789abcdef" * 4
    async with db.transaction() as tx:
        with pytest.raises(InvalidInput, match="looks like a secret") as refused:
            await add_standing_directive(tx, f"Always use the key {key} for the map.")
    assert key not in str(refused.value)
