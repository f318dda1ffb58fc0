"""Requests to the founder, and the words that others said: each is asked once, and shown to whoever looks."""

from __future__ import annotations

import asyncio

import pytest

from frasier.board import ApprovalMode
from frasier.board.decisions.request import ask_decision
from frasier.interfaces.operations.tasks.event_sentences import sentence_of
from frasier.interfaces.operations.tasks.history import EventOutput
from frasier.kernel.errors import InvalidInput, Stale, TransitionRefused
from frasier.overview.board import count_open_tasks
from support.board_invariants import find_violations
from support.board_team import WANTED, open_team
from support.team import liaison_answers


async def asked(team, words):
    fields = {"liaison_review": words, **liaison_answers("tea", "approval")}
    return await team.refused("lia", "task_move", task="tea", move="approve_design", fields=fields)


async def test_the_same_move_in_other_words_replaces_the_request_that_waits(db, tmp_path):
    async with open_team(db, mode=ApprovalMode.MANUAL) as team:
        await team.designed()
        for words in ("It is right.", "It is quite right.", "It is as asked for."):
            await asked(team, words)
        [waiting] = (await team("boss", "task_decisions"))["decisions"]
        assert (waiting["task"], waiting["shown"]["said"]["liaison_review"]) == (
            "kettle/tea",
            "It is as asked for.",
        )
        events = (await team("lia", "task_history", task="tea"))["events"]
        first, *_ = [event for event in events if event["what"] == "decision_asked"]
        assert sentence_of(EventOutput.model_validate(first)).endswith(
            "withdrawn, as another request replaced it"
        )
        with pytest.raises(Stale, match="was asked for again with other fields"):
            await team("boss", "task_decide", decision=first["decision"]["decision"], approve=True)
        assert len((await team("lia", "task_recover"))["asked_founder"]) == 1
        await asked(team, "It is right.")
        [waiting] = (await team("boss", "task_decisions"))["decisions"]
        assert waiting["shown"]["said"]["liaison_review"] == "It is right.", "a request may be made again"
        keys = [news.key for news in team.told.news]
        assert len({*keys}) == 4, "a request that is made again is announced again"
        assert keys[-1].startswith(waiting["decision"])
        assert await find_violations(db, tmp_path / "seal.key") == []
        await team("boss", "task_decide", decision=waiting["decision"], approve=True)
        await team("lia", "task_move", task="tea", move="approve_design")
        assert await team.place("tea") == ("approved", "qa")
        assert (await team("lia", "task_history", task="tea"))["problems"] == []


async def test_whoever_asks_again_after_a_rejection_is_told_of_it_and_why(db):
    async with open_team(db, mode=ApprovalMode.MANUAL) as team:
        await team.designed()
        await asked(team, "It is right.")
        [waiting] = (await team("boss", "task_decisions"))["decisions"]
        await team(
            "boss", "task_decide", decision=waiting["decision"], approve=False, comment="Make it louder."
        )
        again = await asked(team, "It is louder than one thinks.")
        assert "The founder rejected it before" in again.message
        assert "Make it louder." in again.message


async def test_a_late_request_for_an_old_version_asks_nothing_and_withdraws_nothing(db, monkeypatch):
    async with open_team(db, mode=ApprovalMode.MANUAL) as team:
        await team.designed()

        async def late(tx, question, *, actor):
            """Ask after the task was edited and a move of its newest version was asked for."""
            monkeypatch.undo()
            version = (await team("lia", "task_get", task="tea"))["version"]
            await team("lia", "task_edit", task="tea", version=version, fields={"constraints": "No lid."})
            await asked(team, "It is right without a lid.")
            return await ask_decision(tx, question, actor=actor)

        monkeypatch.setattr("frasier.board.move_pipeline.ask_decision", late)
        fields = {"liaison_review": "It is right.", **liaison_answers("tea", "approval")}
        with pytest.raises(Stale, match="tea was changed by somebody else first"):
            await team("lia", "task_move", task="tea", move="approve_design", fields=fields)
        [waiting] = (await team("boss", "task_decisions"))["decisions"]
        assert waiting["shown"]["said"]["liaison_review"] == "It is right without a lid."
        assert len(team.told.news) == 1
        await team("boss", "task_decide", decision=waiting["decision"], approve=True)


async def test_each_answer_of_the_founder_ends_a_wait(db):
    async with open_team(db, mode=ApprovalMode.MANUAL) as team:
        await team.designed()
        await team("lia", "task_wait", timeout_s=0)
        await asked(team, "It is right.")
        # The second answer is on a request that was withdrawn and made again.
        for words, approve in (("Quite right.", False), ("It is right.", False), ("As asked for.", True)):
            await asked(team, words)
            [waiting] = (await team("boss", "task_decisions"))["decisions"]
            await team("boss", "task_decide", decision=waiting["decision"], approve=approve, comment="So.")
            async with asyncio.timeout(30):
                [told] = (await team("lia", "task_wait", timeout_s=60))["tasks"]
            assert told["why"] == ["approved" if approve else "rejected", "turn"]


async def test_what_the_founder_answered_in_mode_semi_is_in_the_history(db):
    async with open_team(db, mode=ApprovalMode.SEMI) as team:
        await team.designed()
        fields = {"liaison_review": "It is right.", **liaison_answers("tea", "approval")}
        await team(
            "lia", "task_move", task="tea", move="approve_design", fields=fields, founder_answer="ja, gern"
        )
        newest = (await team("lia", "task_history", task="tea"))["events"][-1]
        assert newest["founder_answer"] == "ja, gern"
        [quoted] = (await team("quinn", "task_get", task="tea"))["founder_answers"]
        assert quoted | {"move": "approve_design", "by": "member:token:lia", "answer": "ja, gern"} == quoted
        assert 'the founder answered: "ja, gern"' in sentence_of(EventOutput.model_validate(newest))


async def test_the_status_counts_each_task_once_and_what_cannot_begin_as_waiting(db):
    async with open_team(db, mode=ApprovalMode.MANUAL) as team:
        await team.designed()
        await team.create("party", needs=["tea"])
        await team.create("leaf")
        await asked(team, "It is right.")
        _, on_boards = await db.in_transaction(count_open_tasks)
    assert (on_boards.with_founder, on_boards.waiting, on_boards.to_be_moved) == (1, 1, 1)


async def test_a_short_reason_is_quoted_whole(team):
    await team.designed()
    await team("lia", "task_move", task="tea", move="reject_design", fields={"rework_reason": "Seal leaks."})
    attempt = await team.claim("anna", "tea")
    again = {
        "pdsa_ref": "https://example.org/design/v0.0.2.md",
        "memory_contribution_id": await team.learned("anna"),
    }
    refused = await team.refused(
        "anna",
        "task_deliver",
        task="tea",
        attempt=attempt,
        fields=again | {"rework_context": "nonsense about bananas entirely"},
    )
    assert "does not quote what was said: 'Seal leaks.'" in refused.message
    answer = again | {"rework_context": "Seal leaks. It has a new one."}
    await team("anna", "task_deliver", task="tea", attempt=attempt, fields=answer)


async def test_a_task_that_cannot_be_claimed_is_not_advised_to_be(team):
    await team.designed()
    refused = await team.refused("anna", "task_deliver", task="tea", attempt=1)
    assert [advice.action for advice in refused.advice] == ["task.get"]
    await team("lia", "task_move", task="tea", move="cancel", fields={"reason": "nobody wants it"})
    refused = await team.refused("anna", "task_deliver", task="tea", attempt=1)
    assert [advice.action for advice in refused.advice] == ["task.get"]


async def test_a_task_that_was_not_made_is_not_said_to_be_unchanged(team):
    with pytest.raises(InvalidInput) as refused:
        await team("lia", "task_create", name="tea", title="Tea", fields=WANTED | {"colour": "green"})
    assert refused.value.kept == "No task was made."


async def test_a_history_that_is_cut_says_so(team):
    await team.designed()
    answer = await team.envelope("lia", "task_history", task="tea", limit=2)
    assert "the newest 2 of them shown (limit" in answer.summary
    whole = await team.envelope("lia", "task_history", task="tea")
    assert "shown" not in whole.summary


async def test_a_history_that_is_longer_than_can_be_shown_offers_no_higher_limit(team, monkeypatch):
    monkeypatch.setattr("frasier.interfaces.operations.tasks.read._EVENTS_MAX", 2)
    await team.designed()
    answer = await team.envelope("lia", "task_history", task="tea", limit=2)
    assert ", the newest 2 of them shown; " in answer.summary


async def test_the_usual_way_on_is_the_first_of_the_moves(team):
    await team.approve(await team.designed())
    attempt = await team.claim("quinn", "tea")
    await team(
        "quinn", "task_deliver", task="tea", attempt=attempt, fields={"qa_tests": "tests/test_kettle.py"}
    )
    ways = (await team("quinn", "task_get", task="tea"))["ways"]
    assert ways[0]["move"] == "hand_over"


async def test_a_short_lease_is_told_in_seconds(team):
    object.__setattr__(team.board, "lease_s", 45.0)
    await team.ready()
    session = await team.asked("anna")
    claimed = await team.envelope("anna", "task_claim", task="tea", memory_query_session=session)
    assert claimed.summary.endswith("for 45 seconds.")
    assert isinstance(
        await team.refused("anna", "task_claim", task="tea", memory_query_session="another"),
        TransitionRefused,
    )
