"""A question that waits for days is announced again: once a week, with how long it waits and what depends on it."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

from acceptance.test_page_now import planned
from acceptance.test_used_up_budget import used_up_after_planning
from frasier.interfaces.services import Services
from frasier.org.execution import remind_of_questions
from frasier.org.governance import open_questions, withdraw_questions
from frasier.overview import read_inbox
from support.cli import FrasierProgram, read_until
from support.database_clock import offset_clock
from support.model_responder import plan_of
from support.model_server import ScriptedAnswer
from support.organisation import organisation
from support.page_questions import ask
from support.scripted_founder import scripted_founder


async def announced(services: Services) -> list[str]:
    return [str(one.payload["text"]) for one in (await services.in_transaction(read_inbox)).announcements]


async def days_later(owner_url: str, services: Services, days: float) -> list[str]:
    """Let so many days pass in all, with reminders every six hours of the last one; return what is announced now."""
    for quarter in range(4):
        offset_clock(owner_url, timedelta(days=days, hours=6 * (quarter - 3)))
        await services.in_transaction(remind_of_questions)
    return await announced(services)


async def test_what_waits_is_announced_after_three_days_and_then_each_week(
    database_url: str, owner_url: str, tmp_path: Path
) -> None:
    offset_clock(owner_url, timedelta(0))
    async with organisation(database_url, tmp_path / "h") as services:
        progress = await planned(services, tmp_path / "d")
        (first,) = await announced(services)
        assert await days_later(owner_url, services, 2.9) == [first]
        *_, reminder = await days_later(owner_url, services, 4)
        assert reminder.startswith("1 question still waits for you. For 3 days: The plan of ")
        assert reminder.endswith(f"the mission {progress.title!r} waits for it.")
        await ask(services, "And sugar?")
        assert len(await days_later(owner_url, services, 9.9)) == 2, "nothing new is said within the week"
        *_, weekly = await days_later(owner_url, services, 11)
        assert weekly.startswith("2 questions still wait for you. For 10 days: ")
        assert "For 6 days: And sugar?" in weekly
        assert len(await days_later(owner_url, services, 12)) == 3
        (oldest, _) = await services.in_transaction(open_questions)
        await services.in_transaction(withdraw_questions, oldest.task_id)
        assert await days_later(owner_url, services, 13) == [], (
            "an answer is no reason to remind of the others at once"
        )
        (last,) = await days_later(owner_url, services, 18)
        assert last.startswith("1 question still waits for you. For 13 days: And sugar?")
        offset_clock(owner_url, timedelta(days=-2))
        await services.in_transaction(remind_of_questions)
        assert len(await announced(services)) == 1, "a clock that goes back repeats nothing"


def test_a_reminder_tells_which_steps_depend_on_the_answer_and_goes_with_it(
    frasier: FrasierProgram, documents: Path, owner_url: str
) -> None:
    offset_clock(owner_url, timedelta(0))
    with scripted_founder(frasier, plan=lambda _: ScriptedAnswer.json(plan_of(3))) as founder:
        used_up_after_planning(founder, documents)
        offset_clock(owner_url, timedelta(days=5))
        with frasier.running("up", "--no-web", **founder.settings) as process:
            assert "For 5 days: " in read_until(process.stderr, "1 question still waits for you.")
        inbox: dict[str, Any] = founder.json("inbox")
        (*_, reminder) = [one["text"] for one in inbox["announcements"]]
        assert "1 question still waits for you. For 5 days: " in reminder
        assert "1 further step waits for it." in reminder
        assert "frasier inbox" in reminder
        (question,) = inbox["questions"]
        founder("decide", question["question"], "cancel")
        assert [one for one in founder.json("inbox")["announcements"] if "still" in one["text"]] == []
