"""A board whose memory is kept elsewhere: a move that the external memory did not take does not happen."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest

from frasier.board.external_memory.failures import NotStored
from frasier.board.external_memory.protocol import Contribution
from frasier.kernel.errors import ProviderTimeout, ProviderUnavailable, Stale, TransitionRefused
from support.board_team import open_team
from support.task_walk import completion_move, create_reviewed_task


class Brain:
    """An ExternalMemory that fails where it is told to, and knows one contribution a key."""

    def __init__(self) -> None:
        self.health: Exception | None = None
        self.failing: Callable[[], Exception | None] = lambda: None
        self.meanwhile: Callable[[], Awaitable[object]] | None = None
        self.kept: dict[str, Contribution] = {}
        self.heard: list[str] = []

    async def check(self) -> None:
        if self.health:
            raise self.health

    async def contribute(self, contribution: Contribution) -> str:
        self.heard.append(contribution.idempotency_key)
        if self.meanwhile:
            await self.meanwhile()
        if error := self.failing():
            raise error
        known = self.kept.setdefault(contribution.idempotency_key, contribution)
        assert known == contribution, "one key is one contribution"
        return f"thought-{len(self.kept)}"


@pytest.fixture
def brain():
    return Brain()


@pytest.fixture
async def team(db, brain):
    async with open_team(db, brain=brain) as team:
        yield team


READY = {"task": "tea", "move": "ready", "fields": {"depends_on_reviewed": True}}


async def test_every_claim_and_move_is_told_in_the_seeds_words_before_it_is_made(team, brain):
    await team.designed()
    assert [one.text for one in brain.kept.values()] == [
        "TASK pending→ready: LIAISON tea (kettle) — Title of tea",
        "TASK START: PDSA claiming tea (kettle) — Title of tea",
        "TASK active→approval: PDSA tea (kettle) — Title of tea",
    ]
    assert {one.agent_id for one in brain.kept.values()} == {"agent-token:lia", "agent-token:anna"}
    assert {one.context for one in brain.kept.values()} == {"task: tea"}


@pytest.mark.parametrize(
    "error", [ProviderUnavailable("It refused the connection."), ProviderTimeout("It did not answer in 3 s.")]
)
async def test_a_brain_that_is_down_refuses_the_move_and_nothing_is_sent(team, brain, error):
    await team.create()
    brain.health = error
    refused = await team.refused("lia", "task_move", **READY)
    assert isinstance(refused, TransitionRefused)
    assert "The external memory cannot document this move" in refused.message
    assert "block the task" in refused.hint
    assert brain.heard == []


async def test_a_contribution_that_failed_refuses_the_move_and_is_sent_again_under_the_same_key(
    team, brain, db
):
    await team.create()
    brain.failing = lambda: ProviderTimeout("It did not answer in 5 s.")
    for _ in range(2):
        await team.refused("lia", "task_move", **READY)
    brain.failing = lambda: None
    await team("lia", "task_move", **READY)
    assert len(set(brain.heard)) == 1
    assert len(brain.kept) == 1
    async with db.transaction() as tx:
        cursor = await tx.execute(
            "select remote_id, committed_at is not null as done from board_external_memory_intents"
        )
        assert [tuple(row.values()) for row in await cursor.fetchall()] == [("thought-1", True)]


async def test_what_would_be_refused_here_is_not_told_there(team, brain):
    await team.create()
    await team.refused("lia", "task_move", task="tea", move="ready")
    await team.refused("dan", "task_move", **READY)
    assert brain.heard == []


async def test_pausing_restoring_and_recovering_need_no_brain(team, brain):
    await team.ready()
    brain.health = ProviderUnavailable("It refused the connection.")
    await team(
        "anna", "task_block", task="tea", reason="The brain is down.", owner="founder", action="mend it"
    )
    assert (await team("anna", "task_recover"))["you"]["name"] == "token:anna"
    await team("lia", "task_restore", task="tea")
    version = (await team("lia", "task_get", task="tea"))["version"]
    await team("lia", "task_edit", task="tea", version=version, fields={"constraints": "Copper."})
    assert await team.place("tea") == ("ready", "pdsa")


class TestSummary:
    async def test_what_is_completed_has_its_summary_there_too(self, team, brain, tmp_path):
        await create_reviewed_task(team, tmp_path)
        await team("lia", "task_move", **completion_move())
        moved, summary = [one.text for one in brain.kept.values()][-2:]
        assert moved.startswith("TASK review→complete: LIAISON tea (kettle) — ")
        assert summary.startswith("TASK SUMMARY: LIAISON tea (kettle) — Title of tea: completed in ")
        assert "taken 3 times" in summary
        assert "liaison: lia" in summary

    async def test_it_is_told_again_under_its_key_in_the_same_words_until_both_are_there(
        self, team, brain, tmp_path, db
    ):
        await create_reviewed_task(team, tmp_path)
        known = len(brain.heard)
        brain.failing = lambda: (
            ProviderTimeout("It did not answer in 5 s.") if len(brain.heard) == known + 2 else None
        )
        await team.refused("lia", "task_move", **completion_move())
        # The second try is longer after the beginning than the first one, and says so here, not there.
        async with db.transaction() as tx:
            await tx.execute("update workflow_tasks set created_at = created_at - interval '1 day'")
        await team("lia", "task_move", **completion_move())
        assert len(brain.heard) == known + 4
        assert len(set(brain.heard)) == known + 2
        assert not [one for one in brain.kept.values() if "1 d" in one.text]
        async with db.transaction() as tx:
            cursor = await tx.execute(
                "select name from board_external_memory_intents where committed_at is not null and version ="
                " (select max(version) from board_external_memory_intents) order by name"
            )
            assert [row["name"] for row in await cursor.fetchall()] == ["complete", "complete, summary"]


class TestVersion:
    async def test_what_was_changed_after_it_was_told_is_not_moved(self, team, brain):
        await team.create()

        async def edited():
            brain.meanwhile = None
            version = (await team("lia", "task_get", task="tea"))["version"]
            await team("anna", "task_edit", task="tea", version=version, fields={"constraints": "Tin."})

        brain.meanwhile = edited
        with pytest.raises(Stale):
            await team("lia", "task_move", **READY)
        assert await team.place("tea") == ("pending", "pdsa")
        await team("lia", "task_move", **READY)
        assert await team.place("tea") == ("ready", "pdsa")
        assert len(set(brain.heard)) == 2, "another version is another contribution"

    async def test_the_same_move_in_other_words_is_another_contribution(self, team, brain):
        await team.create()
        brain.failing = lambda: ProviderTimeout("It did not answer in 5 s.")
        await team.refused("lia", "task_move", **READY, note="Looked at it.")
        brain.failing = lambda: None
        await team("lia", "task_move", **READY, note="Looked at it twice.")
        assert len(set(brain.heard)) == 2


class TestOutage:
    async def test_the_founder_is_told_once_of_each_outage(self, team, brain):
        await team.create()
        await team.create("cup")
        cup = READY | {"task": "cup"}
        brain.health = ProviderUnavailable("The external memory at example.org cannot be reached.")
        for given in (READY, READY, cup):
            await team.refused("lia", "task_move", **given)
        [news] = team.told.news
        assert news.kind == "outage"
        assert "The external memory at example.org cannot be reached" in news.text
        assert "tea was the first" in news.text

        brain.health = None
        await team("lia", "task_move", **READY)
        brain.failing = lambda: ProviderTimeout("It did not answer in 5 s.")
        for _ in range(2):
            await team.refused("lia", "task_move", **cup)
        assert len(team.told.news) == 2
        assert len({news.key for news in team.told.news}) == 2

    async def test_one_text_that_is_not_kept_is_no_outage(self, team, brain):
        await team.create()
        brain.failing = lambda: NotStored("It stored nothing.")
        await team.refused("lia", "task_move", **READY)
        assert team.told.news == []

    async def test_a_move_that_is_refused_here_is_none_either(self, team, brain):
        await team.create()
        brain.health = ProviderUnavailable("It refused the connection.")
        await team.refused("lia", "task_move", task="tea", move="ready")
        assert team.told.news == []
