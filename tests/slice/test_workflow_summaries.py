"""What a completed task of a team leaves in the memory: one sentence on who did what, told from its events."""

from __future__ import annotations

from datetime import timedelta
from uuid import UUID

import pytest

from frasier.board import board_upkeep
from frasier.board.agent_inbox.audit_replay import check_trail
from frasier.interfaces.http.protocol_markers import read_marker
from frasier.memory import markers_of
from frasier.store import Database, events_of
from frasier.workflow import FOUNDER, block, move, restore
from frasier.workflow.tasks import history
from frasier.workflow.tasks import summary as summarising
from support.board_team import BOARD, DONE, Team
from support.team import add_evidence, liaison_answers


async def id_of(team: Team) -> UUID:
    return UUID((await team("lia", "task_get", task="tea"))["id"])


async def summaries(team: Team) -> list[str]:
    async with team.board.database.transaction() as tx:
        markers = await markers_of(tx, await id_of(team), limit=100)
    return [marker.content for marker in reversed(markers) if marker.content.startswith("TASK SUMMARY")]


async def reviewed(db: Database, team: Team) -> None:
    """The work is looked at by all but the liaison."""
    await add_evidence(db, await id_of(team), "command", "unit")
    await team("quinn", "task_move", task="tea", move="pass_tests", fields={"qa_review": "It whistles."})
    await team("anna", "task_move", task="tea", move="pass_design", fields={"pdsa_review": "As designed."})


async def completed(team: Team) -> None:
    fields = DONE | liaison_answers("tea", "complete")
    await team("lia", "task_move", task="tea", move="complete", fields=fields)


async def test_it_names_the_title_and_who_acted_in_which_role(db, team):
    await team.built()
    await reviewed(db, team)
    assert await summaries(team) == []
    await completed(team)
    [summary] = await summaries(team)
    assert summary.startswith("TASK SUMMARY: LIAISON tea (kettle) — Title of tea: completed in ")
    assert summary.endswith(" s, taken 3 times; pdsa: anna; liaison: lia; qa: quinn; dev: dan.")
    marker = read_marker(summary)
    assert (marker.move, marker.slug, marker.project) == ("SUMMARY", "tea", BOARD)


async def test_it_counts_what_was_sent_back_paused_and_opened_again(db, team):
    await team.built()
    reason = "It hisses, where it was asked to whistle."
    await team("quinn", "task_move", task="tea", move="send_back", fields={"rework_reason": reason})
    await team("lia", "task_block", task="tea", reason="no power", owner="liaison", action="pay the bill")
    await team("lia", "task_restore", task="tea", note="Paid.")
    attempt = await team.claim("dora", "tea")
    await team.deliver("dora", "tea", attempt, implementation="a whistle", rework_context=f"Not: {reason}")
    await reviewed(db, team)
    await completed(team)
    again = {"rework_reason": "It stopped whistling in the rain.", "rework_target_role": "dev"}
    await team("lia", "task_move", task="tea", move="reopen", fields=again)
    attempt = await team.claim("dan", "tea")
    said = f"It was said: {again['rework_reason']} Now it does."
    await team.deliver("dan", "tea", attempt, implementation="a whistle of brass", rework_context=said)
    await reviewed(db, team)
    async with db.transaction() as tx:
        fields = DONE | liaison_answers("tea", "complete")
        await move(tx, await id_of(team), "complete", actor=FOUNDER, fields=fields)
    first, second = await summaries(team)
    assert "taken 4 times, sent back once, paused once; pdsa" in first
    assert "taken 5 times, sent back once, reopened once, paused once; pdsa" in second
    assert "dev: dan, dora;" in second
    assert second.endswith("founder: founder.")


async def test_without_it_the_task_is_not_completed(db, team, monkeypatch):
    await team.built()
    await reviewed(db, team)

    def fail(*_: object) -> str:
        raise RuntimeError("no words")

    monkeypatch.setattr(history, "summary_of", fail)
    with pytest.raises(RuntimeError):
        await completed(team)
    assert await team.place("tea") == ("review", "liaison")
    assert await summaries(team) == []


@pytest.mark.parametrize(
    ("took", "said"),
    [
        (timedelta(seconds=0.2), "0 s"),
        (timedelta(seconds=61), "1 min 1 s"),
        (timedelta(hours=2, minutes=5, seconds=9), "2 h 5 min"),
        (timedelta(days=3, minutes=5), "3 d 0 h"),
    ],
)
def test_how_long_it_took_is_said_by_its_two_largest_units(took, said):
    assert summarising._duration(took) == said


async def test_a_restored_task_is_kept_by_whoever_held_it_and_goes_on_under_the_same_attempt(team, db):
    await team.ready()
    attempt = await team.claim("anna", "tea")
    pause = {"reason": "no ink", "owner": "liaison", "action": "buy some", "attempt": attempt}
    await team("anna", "task_block", task="tea", **pause)
    await team("lia", "task_restore", task="tea", note="Bought.")
    for _, _, give_back in [job for job in board_upkeep(db, team.told) if job[0] == "board-leases"]:
        await give_back()
    shown = await team("anna", "task_get", task="tea")
    assert (shown["status"], shown["held_by"], shown["attempt"]) == ("active", "token:anna", attempt)
    assert "founder_note" not in shown["fields"], "what the liaison said is not said by the founder"
    assert (await team("anna", "task_history", task="tea"))["problems"] == []


async def test_a_note_at_a_restore_stands_in_the_record_and_not_in_the_task(db, team):
    await team.ready()
    async with db.transaction() as tx:
        task_id = await id_of(team)
        await block(tx, task_id, reason="r", owner="founder", action="say which", actor=FOUNDER)
        restored = await restore(tx, task_id, actor=FOUNDER, note="The blue one.")
        assert "founder_note" not in restored.fields
        assert (await events_of(tx, task_id))[-1].payload["note"] == "The blue one."
        assert await check_trail(tx, task_id) == []
