"""A board whose memory is kept elsewhere: a move that the outside brain did not take does not happen."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from frasier.kernel.errors import ProviderTimeout, ProviderUnavailable, TransitionRefused
from frasier.workflow.remote import Contribution
from support.task_desk import open_team


class Brain:
    """A RemoteBrain that fails where it is told to, and knows one contribution a key."""

    def __init__(self) -> None:
        self.health: Exception | None = None
        self.failing: Callable[[], Exception | None] = lambda: None
        self.kept: dict[str, Contribution] = {}
        self.heard: list[str] = []

    async def check(self) -> None:
        if self.health:
            raise self.health

    async def contribute(self, contribution: Contribution) -> str:
        self.heard.append(contribution.idempotency_key)
        if error := self.failing():
            raise error
        self.kept[contribution.idempotency_key] = contribution
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
        "TASK pending→ready: PDSA tea (kettle) — Title of tea",
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
    assert "The outside brain cannot document this move" in refused.message
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
            "select remote_id, committed_at is not null as done from workflow_brain_intents"
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
