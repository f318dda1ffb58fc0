"""Tokens: shown once, known by their hash, of no use once they are revoked."""

from __future__ import annotations

import asyncio

import pytest

from frasier.kernel.errors import InvalidInput, NotAllowed, NotFound
from frasier.memory import (
    MemoryKind,
    NewMemory,
    find_memory,
    grant_scopes,
    issue_first_token,
    issue_token,
    list_tokens,
    revoke_token,
    save_memory,
    verify_token,
)


async def issue(db, name="ci", scopes=("shared",), **more):
    async with db.transaction() as tx:
        return await issue_token(tx, name, scopes, **more)


async def verify(db, token):
    async with db.transaction() as tx:
        return await verify_token(tx, token)


async def revoke(db, name):
    async with db.transaction() as tx:
        await revoke_token(tx, name)


async def listed(db):
    async with db.transaction() as tx:
        return await list_tokens(tx)


async def test_a_token_lets_its_caller_into_its_scopes_in_their_order(db):
    caller = await verify(db, await issue(db, "ci", ["team-x", "shared", "team-x"]))
    assert (caller.name, caller.scopes, caller.founder) == ("token:ci", ("team-x", "shared"), False)
    assert caller.home == "team-x"


async def test_only_a_founder_token_makes_a_founder(db):
    assert (await verify(db, await issue(db, "boss", founder=True))).founder
    assert not (await verify(db, await issue(db, "founder"))).founder


async def test_a_token_named_like_the_founder_is_not_the_author_of_the_founders_memories(db):
    assert (await verify(db, await issue(db, "founder"))).name != "founder"


@pytest.mark.parametrize("wrong", ["", "x", "frasier_sk-", "\ud800", "ß" * 5_000, "\0", "Bearer x"])
async def test_what_is_no_token_lets_nobody_in(db, wrong):
    await issue(db)
    with pytest.raises(NotAllowed) as refused:
        await verify(db, wrong)
    assert refused.value.hint or refused.value.advice or refused.value.facts


async def test_a_token_that_differs_in_one_character_lets_nobody_in(db):
    token = await issue(db)
    for changed in (
        token[:-1],
        token + "A",
        token.swapcase(),
        token[:-1] + ("A" if token[-1] != "A" else "B"),
    ):
        with pytest.raises(NotAllowed):
            await verify(db, changed)


async def test_the_token_itself_is_stored_nowhere(db):
    token = await issue(db)
    async with db.transaction() as tx:
        cursor = await tx.execute("select memory_tokens::text as row from memory_tokens")
        [stored] = await cursor.fetchall()
    assert token not in stored["row"]
    assert token.encode().hex() not in stored["row"]
    assert "token_hash" not in repr(await listed(db))


async def test_a_revoked_token_lets_nobody_in_and_stays_listed(db):
    token = await issue(db)
    await revoke(db, "ci")
    with pytest.raises(NotAllowed):
        await verify(db, token)
    [left] = await listed(db)
    assert left.name == "ci"
    assert left.revoked_at is not None
    with pytest.raises(NotFound):
        await revoke(db, "ci")


async def test_a_valid_token_is_not_replaced_by_another_of_its_name(db):
    token = await issue(db, scopes=["shared"])
    with pytest.raises(InvalidInput, match="valid token named ci"):
        await issue(db, scopes=["team-x"], founder=True)
    caller = await verify(db, token)
    assert (caller.scopes, caller.founder) == (("shared",), False)


async def test_the_name_of_a_revoked_token_can_be_given_again_with_other_rights(db):
    old = await issue(db, founder=True)
    await revoke(db, "ci")
    new = await issue(db, scopes=["team-x"])
    caller = await verify(db, new)
    assert (caller.scopes, caller.founder) == (("team-x",), False)
    with pytest.raises(NotAllowed):
        await verify(db, old)
    assert [token.revoked_at for token in await listed(db)] == [None]


@pytest.mark.parametrize(
    "name", ["", " ", "a b", "-x", "x" * 101, "a\nb", "ü", "a'; drop table memory_tokens; --"]
)
async def test_a_name_that_cannot_be_one_is_refused(db, name):
    with pytest.raises(InvalidInput):
        await issue(db, name)


@pytest.mark.parametrize("scopes", [[], ["Shared"], ["*"], [f"team-{n}" for n in range(21)]])
async def test_scopes_that_cannot_be_granted_are_refused(db, scopes):
    with pytest.raises(InvalidInput):
        await issue(db, scopes=scopes)
    assert await listed(db) == []


async def test_scopes_that_are_granted_at_once_are_all_granted(db):
    token = await issue(db)

    async def grant(number):
        async with db.transaction() as tx:
            return await grant_scopes(tx, "ci", [f"board:b{number}"])

    await asyncio.gather(*(grant(number) for number in range(8)))
    assert set((await verify(db, token)).scopes) == {"shared", *(f"board:b{number}" for number in range(8))}


async def test_a_revoked_token_is_granted_nothing(db):
    await issue(db)
    await revoke(db, "ci")
    async with db.transaction() as tx:
        with pytest.raises(NotFound, match="no valid token named 'ci'"):
            await grant_scopes(tx, "ci", ["team-x"])
    assert [token.scopes for token in await listed(db)] == [("shared",)]


async def test_the_first_token_is_made_once_even_by_servers_that_start_together(db):
    async def start():
        async with db.transaction() as tx:
            return await issue_first_token(tx)

    made = [token for token in await asyncio.gather(*(start() for _ in range(6))) if token]
    assert len(made) == 1
    caller = await verify(db, made[0])
    assert (caller.name, caller.scopes, caller.founder) == ("token:first", ("shared",), False)


async def test_no_token_is_made_for_somebody_who_revoked_the_last_one(db):
    await issue(db)
    await revoke(db, "ci")
    async with db.transaction() as tx:
        assert await issue_first_token(tx) is None


async def test_a_token_that_is_pasted_into_a_memory_does_not_stay_there(db):
    token = await issue(db)
    caller = await verify(db, token)
    async with db.transaction() as tx:
        memory_id = await save_memory(
            tx, NewMemory(kind=MemoryKind.OBSERVATION, scope="shared", content=f"The CI uses {token} now.")
        )
        saved = await find_memory(tx, caller, str(memory_id))
    assert token not in saved.content
    assert "[redacted]" in saved.content
