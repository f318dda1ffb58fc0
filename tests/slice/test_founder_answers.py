"""The founder answers and steers by name, whatever an id stands for."""

from __future__ import annotations

from pathlib import Path

import pytest

from frasier.kernel.errors import InvalidInput, NotFound, Stale
from frasier.memory import FOUNDER_SCOPE, SHARED_SCOPE, Caller
from frasier.org.execution import (
    QuestionAnswered,
    answer_waiting,
    block_for_founder,
    cancel_named,
    pause_named,
    resume_named,
    retry_named,
)
from frasier.org.missions import MissionStatus
from frasier.overview import read_inbox
from frasier.store import Database, Tx, take_lease
from frasier.workflow import SYSTEM, get_task
from support.cli_states import Planned, planned_mission

FOUNDER = Caller(name="founder", scopes=(SHARED_SCOPE, FOUNDER_SCOPE), founder=True)


async def asked(tx: Tx, home: Path) -> Planned:
    """A mission one of whose steps waits for an answer."""
    planned = await planned_mission(tx, home)
    task = await get_task(tx, planned.steps["water"].task_id)
    await block_for_founder(tx, task, reason="which tea?", action="say which", actor=SYSTEM, asks=True)
    return planned


async def test_a_question_is_answered_once_by_the_end_of_its_id(db: Database, tmp_path: Path):
    planned = await db.in_transaction(asked, tmp_path)
    (question,) = (await db.in_transaction(read_inbox)).questions
    end = str(question.question)[-8:]
    for text in ("continue", "ANSWER"):  # the latter stands for the founder's words in what is shown
        with pytest.raises(InvalidInput, match="asks for an answer in words"):
            await db.in_transaction(answer_waiting, end, text, founder=FOUNDER)
    answered = await db.in_transaction(answer_waiting, end, " Continue ", note="green", founder=FOUNDER)
    assert isinstance(answered, QuestionAnswered)
    assert (answered.mission, answered.answer, answered.unattended) == (
        planned.mission.id,
        "continue",
        True,
    )
    with pytest.raises(Stale):
        await db.in_transaction(answer_waiting, str(question.question), "continue", founder=FOUNDER)


async def test_where_somebody_works_nothing_is_left_to_do(db: Database, tmp_path: Path):
    await db.in_transaction(asked, tmp_path)
    await db.in_transaction(take_lease, "worker:somebody", holder="somebody", lease_s=600)
    (question,) = (await db.in_transaction(read_inbox)).questions
    answered = await db.in_transaction(answer_waiting, str(question.question), "green", founder=FOUNDER)
    assert isinstance(answered, QuestionAnswered)
    assert not answered.unattended


async def test_what_waits_for_nobody_is_not_found_and_said_where_to_look(db: Database):
    with pytest.raises(NotFound) as refused:
        await db.in_transaction(answer_waiting, "0000aaaa", "yes", founder=FOUNDER)
    assert [advice.action for advice in refused.value.advice] == ["inbox.show"]


async def test_a_mission_is_steered_by_name(db: Database, tmp_path: Path):
    planned = await db.in_transaction(planned_mission, tmp_path)
    end = str(planned.mission.id)[-8:]
    assert (await db.in_transaction(pause_named, end)).status is MissionStatus.PAUSED
    assert (await db.in_transaction(resume_named, "last", budget_usd_micros=5)).status is not (
        MissionStatus.PAUSED
    )
    with pytest.raises(InvalidInput, match="Nothing of the mission"):
        await db.in_transaction(retry_named, end)
    cancelled = await db.in_transaction(cancel_named, end)
    assert cancelled.status is MissionStatus.CANCELLED
    assert (await db.in_transaction(resume_named, end)) == cancelled, "what has ended is left as it is"
    retried = await db.in_transaction(retry_named, end)
    assert retried.mission is not None
    assert retried.done
    assert retried.unattended
    with pytest.raises(NotFound, match="no mission and no step 'zzzzzzzz'"):
        await db.in_transaction(retry_named, "zzzzzzzz")
