"""Who is a member is whoever holds the token that was there when they were added: a name alone is nobody."""

from __future__ import annotations

import pytest

from frasier.board import add_member, list_members
from frasier.interfaces.advice import CommandLine
from frasier.kernel.errors import NotFound
from frasier.memory import issue_token, revoke_token
from frasier.workflow import FOUNDER
from support.board_team import BOARD
from support.task_walk import open_http_board


async def test_a_name_that_is_given_again_after_its_revocation_is_no_member_until_it_is_added(team, db):
    await team.ready()
    held = {"task": "tea", "version": 2, "fields": {"constraints": "Mine."}}
    async with open_http_board(team) as wire:
        rita = await wire.token("rita", "pdsa")
        assert (await wire(rita, "task_recover")).status_code == 200
        async with db.transaction() as tx:
            await revoke_token(tx, "rita")
            other = await issue_token(tx, "rita", ["shared", f"board:{BOARD}"])
        assert (await wire(rita, "task_edit", **held)).status_code == 401
        for tool, given in (("task_recover", {}), ("task_edit", held), ("task_list", {})):
            refused = await wire(other, tool, **given)
            assert refused.status_code == 403, tool
            assert "no member of any team" in refused.json()["error"]["message"]
        async with db.transaction() as tx:
            [known] = [one for one in await list_members(tx) if one.name == "token:rita"]
            assert (known.has_token, known.removed_at) == (False, None)
            added = await add_member(tx, "rita", ["dev"], [BOARD], actor=FOUNDER)
        assert added.has_token
        assert (await wire(other, "task_recover")).json()["data"]["you"]["roles"] == ["dev"]


async def test_who_has_no_token_yet_is_added_by_a_command_with_the_role(db):
    async with db.transaction() as tx:
        with pytest.raises(NotFound, match="no valid token named 'rita'") as refused:
            await add_member(tx, "rita", ["dev"], [], actor=FOUNDER)
    [advice] = refused.value.advice
    assert (
        CommandLine().advise(advice) == "Run `frasier task member add rita --role dev` to make one with it."
    )
