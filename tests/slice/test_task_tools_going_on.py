"""Pausing, going on after a crash, and being told what to do: through the tools that everybody uses."""

from __future__ import annotations

import asyncio
import gc

import psycopg
import pytest

from frasier.board import actor_of, add_member, board_upkeep, make_board, remove_member
from frasier.kernel.errors import InvalidInput, LeaseLost, NotAllowed, Stale, TransitionRefused
from frasier.workflow import FOUNDER, renew
from support.board_team import BOARD, DESIGN

STOPPED = {
    "reason": "The database is locked; the tables are drawn.",
    "owner": "liaison",
    "action": "unlock it",
}


class TestRepeatedCalls:
    async def test_a_delivery_that_is_repeated_is_told_that_the_first_one_succeeded(self, team):
        attempt = await team.claim("anna", await team.ready())
        delivery = {
            "task": "tea",
            "attempt": attempt,
            "fields": {"pdsa_ref": DESIGN, "memory_contribution_id": await team.learned("anna")},
        }
        await team("anna", "task_deliver", **delivery)
        again = await team.refused("anna", "task_deliver", **delivery)
        assert again.message.startswith(
            f"Attempt {attempt} of tea is over: anna ended it with submit_design at "
        )
        assert again.message.endswith("The task is approval with liaison now.")
        assert "it succeeded: do not make it again" in again.hint
        await team.approve("tea")
        assert await team.claim("quinn", "tea") == attempt + 1
        later = await team.refused("anna", "task_deliver", **delivery)
        assert isinstance(later, LeaseLost)
        assert "anna ended it with submit_design" in later.message
        assert later.message.endswith("The task is active with qa now.")


class TestPauses:
    async def test_a_pause_keeps_the_exact_place_and_gives_it_back(self, team):
        attempt = await team.claim("anna", await team.ready())
        await team("anna", "task_block", task="tea", attempt=attempt, **STOPPED)
        paused = await team("lia", "task_get", task="tea")
        assert (paused["status"], paused["role"], paused["was"], paused["was_role"]) == (
            "blocked",
            "liaison",
            "active",
            "pdsa",
        )
        await team(
            "lia", "task_block", task="tea", reason="No power.", owner="founder", action="pay the bill"
        )
        await team("lia", "task_restore", task="tea", note="unlocked")
        back = await team("anna", "task_get", task="tea")
        assert (back["status"], back["role"], back["attempt"]) == ("active", "pdsa", attempt)

    async def test_who_holds_it_and_names_no_attempt_is_advised_with_the_board_in_front(self, team):
        attempt = await team.claim("anna", await team.ready())
        refused = await team.refused("anna", "task_block", task="tea", **STOPPED)
        [advice] = refused.advice
        assert advice.arguments == {"task": "kettle/tea", "attempt": attempt}

    async def test_a_second_reason_is_added_to_the_same_pause(self, team):
        await team.ready()
        await team("anna", "task_block", task="tea", **STOPPED)
        await team(
            "quinn", "task_block", task="tea", reason="Nor is there tea.", owner="liaison", action="buy some"
        )
        paused = await team("lia", "task_get", task="tea")
        assert [one["reason"] for one in paused["blocked"]] == [STOPPED["reason"], "Nor is there tea."]
        await team("lia", "task_restore", task="tea")
        assert await team.place("tea") == ("ready", "pdsa")

    async def test_who_runs_into_a_pause_is_told_of_it_and_that_the_claim_is_kept(self, team):
        await team.ready()
        session = await team.asked("anna")
        held = await team("anna", "task_claim", task="tea", memory_query_session=session)
        attempt = held["attempt"]
        told = await team.envelope("anna", "task_block", task="tea", attempt=attempt, **STOPPED)
        assert f"It stays yours: go on under attempt {attempt}" in " ".join(told.hints)
        version = (await team("anna", "task_get", task="tea"))["version"]
        for tool, given in (
            ("task_renew", {"attempt": attempt}),
            ("task_deliver", {"attempt": attempt}),
            ("task_move", {"attempt": attempt, "move": "release", "fields": {"reason": "tired"}}),
            ("task_edit", {"attempt": attempt, "version": version, "fields": {"findings": "none"}}),
            ("task_claim", {"memory_query_session": session}),
        ):
            paused = await team.refused("anna", tool, task="tea", **given)
            assert paused.code == "blocked", tool
            assert paused.message.startswith("tea has been blocked since 20")
            assert paused.message.endswith(f" UTC, by anna: {STOPPED['reason']} Now liaison must unlock it.")
            assert f"active with pdsa, held by anna under attempt {attempt}." in paused.kept
            assert paused.hint.startswith("When that is done, founder or liaison can end the pause.")
            assert f"anna goes on under attempt {attempt} then" in paused.hint

    async def test_whoever_holds_it_again_afterwards_adds_a_reason_under_the_attempt(self, team):
        attempt = await team.claim("anna", await team.ready())
        await team("anna", "task_block", task="tea", attempt=attempt, **STOPPED)
        more = {"reason": "Nor is there power.", "owner": "founder", "action": "pay the bill"}
        await team("anna", "task_block", task="tea", attempt=attempt, **more)
        late = await team.refused("anna", "task_block", task="tea", attempt=attempt + 1, **more)
        assert late.code == "lease_lost"
        paused = await team("anna", "task_get", task="tea")
        assert [one["reason"] for one in paused["blocked"]] == [STOPPED["reason"], more["reason"]]
        assert (paused["was_held_by"], paused["attempt"]) == ("token:anna", attempt)

    @pytest.mark.parametrize("who", ["anna", "dan", "quinn"])
    async def test_only_who_decides_ends_a_pause(self, team, who):
        await team.ready()
        await team("anna", "task_block", task="tea", **STOPPED)
        refused = await team.refused(who, "task_restore", task="tea")
        assert "It can be done by: founder, liaison, system" in refused.hint

    async def test_of_two_who_restore_at_once_one_does_and_the_other_is_told(self, team):
        await team.ready()
        await team("anna", "task_block", task="tea", **STOPPED)
        ended = await asyncio.gather(
            *(team(who, "task_restore", task="tea") for who in ("lia", "boss", "lia")), return_exceptions=True
        )
        assert len([one for one in ended if isinstance(one, dict)]) == 1
        assert all(isinstance(one, (Stale, TransitionRefused)) for one in ended if isinstance(one, Exception))

    async def test_what_waits_for_the_founder_reaches_the_founder(self, team):
        await team.ready()
        await team("anna", "task_block", task="tea", reason="No key.", owner="founder", action="buy a key")
        [news] = team.told.news
        assert "tea (Title of tea) is paused: No key. Please buy a key." in news.text
        [seen] = (await team("boss", "task_list", mine=True))["tasks"]
        assert seen["why"] == ["blocked"]

    async def test_a_pause_names_somebody_who_can_act(self, team):
        await team.ready()
        refused = await team.refused("anna", "task_block", task="tea", **STOPPED | {"owner": "thomas"})
        assert "'thomas' cannot act" in refused.message
        refused = await team.refused("anna", "task_block", task="tea", **STOPPED | {"action": " "})
        assert "needs a reason, an owner and an action" in refused.message


class TestGoingOn:
    async def test_an_agent_that_lost_everything_is_told_where_it_stood(self, team):
        attempt = await team.claim("anna", await team.ready())
        await team(
            "anna",
            "task_note",
            state={"task": "tea", "step": "draw the spout", "pending": ["ask about size"]},
        )
        await team.ready("cup")
        found = await team("anna", "task_recover")
        assert found["you"] == {
            "name": "token:anna",
            "kind": "member",
            "roles": ["pdsa"],
            "boards": [BOARD],
        }
        [held] = found["holding"]
        assert (held["task"], held["attempt"]) == ("kettle/tea", attempt)
        assert [event["what"] for event in held["latest"]] == ["created", "ready", "start"]
        assert found["stood"]["state"]["step"] == "draw the spout"
        assert [(one["task"], one["why"]) for one in found["waiting"]] == [("kettle/cup", ["turn"])]

    async def test_it_is_told_what_it_held_when_that_was_paused(self, team):
        attempt = await team.claim("anna", await team.ready())
        await team("anna", "task_block", task="tea", attempt=attempt, **STOPPED)
        found = await team.envelope("anna", "task_recover")
        assert found.summary == "You are anna, as pdsa. You hold 0, 1 of yours is paused, 0 wait for you."
        assert any(
            f"tea stays yours while it is paused: go on under attempt {attempt}" in one for one in found.hints
        )
        [held] = found.data["paused"]
        assert (held["task"], held["attempt"], held["was"]) == ("kettle/tea", attempt, "active")
        assert held["blocked"][0]["action"] == "unlock it"
        assert held["latest"][-1]["what"] == "block"
        await team("lia", "task_restore", task="tea")
        found = await team("anna", "task_recover")
        assert (found["paused"], found["holding"][0]["attempt"]) == ([], attempt)

    async def test_a_claim_whose_answer_was_lost_is_answered_again(self, team):
        given = {"task": await team.ready(), "memory_query_session": await team.asked("anna")}
        first = await team("anna", "task_claim", **given)
        again = await team.envelope("anna", "task_claim", **given)
        assert again.summary.startswith("tea is yours already as pdsa, attempt 1, until 20")
        assert again.data == first, "nothing was written"
        other = given | {"memory_query_session": await team.asked("anna")}
        for more in (other, {"task": "tea"}):
            copy = await team.refused("anna", "task_claim", **more)
            assert copy.message.startswith("anna holds tea already, under attempt 1, until 20")
        async with team.board.database.transaction() as tx:
            await add_member(tx, "dan", ["dev", "pdsa"], [BOARD], actor=FOUNDER)
        taken = await team.refused("dan", "task_claim", **given)
        assert taken.message.startswith("tea is active and is held by anna under attempt 1, until 20")

    async def test_it_is_told_what_others_did_to_its_work_meanwhile(self, team):
        await team.designed()
        await team(
            "lia",
            "task_move",
            task="tea",
            move="reject_design",
            fields={"rework_reason": "Too small a spout."},
        )
        found = await team("anna", "task_recover")
        [changed] = found["changed"]
        assert [(event["what"], event["by"]) for event in changed["events"]] == [
            ("reject_design", "member:token:lia")
        ]
        assert changed["events"][0]["said"] == "Too small a spout."

    async def test_nobody_who_was_removed_or_never_was_a_member_learns_or_does_anything(self, team, db):
        await team.ready()
        async with db.transaction() as tx:
            await remove_member(tx, "anna", actor=FOUNDER)
        for tool, arguments in (
            ("task_recover", {}),
            ("task_list", {}),
            ("task_get", {"task": "tea"}),
            ("task_note", {"state": {"a": 1}}),
            ("task_claim", {"task": "tea", "memory_query_session": "s"}),
            ("task_wait", {"timeout_s": 0}),
        ):
            with pytest.raises(NotAllowed, match="is no member"):
                await team("anna", tool, **arguments)
        async with db.transaction() as tx:
            await add_member(tx, "anna", ["pdsa"], [BOARD], actor=FOUNDER)
        await team.claim("anna", "tea")

    @pytest.mark.parametrize("state", [{"a": "x" * 70_000}, {"a": "nul \x00"}])
    async def test_a_note_that_cannot_be_kept_keeps_the_one_before(self, team, state):
        await team("anna", "task_note", state={"step": 1})
        assert isinstance(await team.refused("anna", "task_note", state=state), InvalidInput)
        assert (await team("anna", "task_recover"))["stood"]["state"] == {"step": 1}
        await team("anna", "task_note", state={})
        assert (await team("anna", "task_recover"))["stood"] is None


class TestNotices:
    async def test_everybody_is_shown_what_they_have_to_do_and_nothing_else(self, team):
        await team.ready()
        await team.designed("cup")
        assert await self.of(team, "anna") == {"tea": ["turn"]}
        assert await self.of(team, "lia") == {"cup": ["turn"]}
        assert await self.of(team, "dan") == await self.of(team, "quinn") == {}

    async def test_work_that_is_written_and_not_moved_is_seen(self, team):
        attempt = await team.claim("anna", await team.ready())
        fields = {"pdsa_ref": DESIGN, "memory_contribution_id": await team.learned("anna")}
        shown = await team("anna", "task_get", task="tea")
        await team("anna", "task_edit", task="tea", version=shown["version"], attempt=attempt, fields=fields)
        assert await self.of(team, "anna") == {"tea": ["not_moved", "held"]}
        assert await self.of(team, "lia") == {"tea": ["not_moved"]}

    async def test_a_lease_that_ends_and_a_task_that_stands_still_are_seen(self, team, db):
        await team.claim("anna", await team.ready())
        async with db.transaction() as tx:
            await tx.execute(
                "update workflow_tasks set lease_until = now() + interval '1 minute', since = now() - interval '2 days'"
            )
        assert await self.of(team, "anna") == {"tea": ["lease_ends", "held"]}
        assert await self.of(team, "lia") == {"tea": ["orphaned"]}

    async def test_a_lease_that_ran_out_gives_the_task_back(self, team, db):
        attempt = await team.claim("anna", await team.ready())
        async with db.transaction() as tx:
            await tx.execute("update workflow_tasks set lease_until = now() - interval '1 second'")
        [(_, _, leases), _] = board_upkeep(db, team.told)
        await leases()
        assert await team.place("tea") == ("ready", "pdsa")
        gone = await team.refused("anna", "task_renew", task="tea", attempt=attempt)
        assert "does not hold the task any more" in gone.message

    async def test_whoever_looks_at_a_lease_that_ran_out_gives_the_task_back(self, team, db):
        await team.approve(await team.designed())
        await team.tested("tea")
        attempt = await team.claim("dan", "tea")
        await self.ran_out(db)
        assert (await self.of(team, "dora"))["tea"] == ["turn"]
        assert await team.claim("dora", "tea") == attempt + 1
        await self.ran_out(db)
        [found] = (await team("dan", "task_wait", timeout_s=0))["tasks"]
        assert (found["task"], found["why"]) == ("kettle/tea", ["turn"])
        await self.ran_out(db)
        assert (await team("dora", "task_recover"))["holding"] == []

    async def test_a_lease_that_cannot_be_given_back_keeps_nobody_from_reading(
        self, team, db, owner_url, monkeypatch
    ):
        logged = []
        monkeypatch.setattr(
            "frasier.board.expired_leases.log.warning", lambda event, **facts: logged.append((event, facts))
        )
        attempt = await team.claim("anna", await team.ready())
        await self.ran_out(db)
        async with await psycopg.AsyncConnection.connect(owner_url) as owner:
            await owner.execute(
                "create function refuse() returns trigger language plpgsql as"
                " $$begin raise exception 'the disk is full' using errcode = '53100'; end$$"
            )
            await owner.execute(
                "create trigger refuse before update on workflow_tasks for each row execute function refuse()"
            )
        for tool, given in (
            ("task_get", {"task": "tea"}),
            ("task_history", {"task": "tea"}),
            ("task_list", {"mine": True}),
            ("task_recover", {}),
            ("task_wait", {"timeout_s": 0}),
        ):
            assert await team("anna", tool, **given)
            event, facts = logged.pop()
            assert (event, facts["kind"]) == ("board.leases_not_released", "DiskFull"), tool
            assert "the disk is full" in facts["error"]
        [held] = (await team("anna", "task_recover"))["holding"]
        assert (held["task"], held["attempt"]) == ("kettle/tea", attempt)
        async with await psycopg.AsyncConnection.connect(owner_url) as owner:
            await owner.execute("drop trigger refuse on workflow_tasks")
        assert (await self.of(team, "anna"))["tea"] == ["turn"]

    async def test_an_attempt_whose_lease_ran_out_writes_nothing_though_nobody_has_noticed(self, team, db):
        attempt = await team.claim("anna", await team.ready())
        learned = await team.learned("anna")
        work = {"pdsa_ref": DESIGN, "memory_contribution_id": learned}
        for tool, given in (
            ("task_deliver", {"fields": work}),
            ("task_renew", {}),
            ("task_block", STOPPED),
            ("task_edit", {"fields": {"pdsa_ref": DESIGN}, "version": 3}),
        ):
            await self.ran_out(db)
            with pytest.raises((LeaseLost, TransitionRefused)) as refused:
                await team("anna", tool, task="tea", attempt=attempt, **given)
            assert str(attempt) in refused.value.message
            assert await team.place("tea") == ("ready", "pdsa")
            attempt = await team.claim("anna", "tea")
        await self.ran_out(db)
        async with db.transaction() as tx:
            task = await (await tx.execute("select id from workflow_tasks")).fetchone()
        actor = await db.in_transaction(actor_of, team.callers["anna"])
        for act in (
            team.board.move(task["id"], "submit_design", work, actor=actor, attempt=attempt),
            team.board.edit(task["id"], {"pdsa_ref": DESIGN + "x"}, actor=actor, attempt=attempt),
            db.in_transaction(renew, task["id"], actor=actor, attempt=attempt, lease_s=60),
        ):
            with pytest.raises(LeaseLost, match="does not hold the task any more"):
                await act

    async def ran_out(self, db):
        async with db.transaction() as tx:
            await tx.execute(
                "update workflow_tasks set lease_until = now() - interval '1 second' where lease_until is not null"
            )

    async def of(self, team, who):
        listed = await team(who, "task_list", mine=True)
        return {one["task"].removeprefix("kettle/"): one["why"] for one in listed["tasks"]}


class TestWaiting:
    async def test_who_waits_is_woken_as_soon_as_it_is_their_turn(self, team, db):
        await team.designed()
        async with asyncio.timeout(30):
            waiting = asyncio.create_task(team("quinn", "task_wait", timeout_s=60))
            await self.listening(db)
            assert not waiting.done()
            await team.approve("tea")
            [found] = (await waiting)["tasks"]
        assert (found["task"], found["why"]) == ("kettle/tea", ["turn"])

    async def listening(self, db):
        """Returns once somebody listens and has looked."""
        while True:
            async with db.transaction() as tx:
                cursor = await tx.execute(
                    "select count(*) as n from pg_stat_activity"
                    " where datname = current_database() and query ilike 'listen %%' and state = 'idle'"
                )
                if (await cursor.fetchone())["n"]:
                    return

    async def test_what_was_told_ends_the_next_wait_only_when_it_changed(self, team, db):
        await team.ready()
        assert [one["task"] for one in (await team("anna", "task_wait", timeout_s=60))["tasks"]] == [
            "kettle/tea"
        ]
        waiting = asyncio.create_task(team("anna", "task_wait", timeout_s=60))
        await self.listening(db)
        assert not waiting.done(), "the same again is no news"
        await team.ready("coffee")
        async with asyncio.timeout(30):
            listed = (await waiting)["tasks"]
        assert [one["task"] for one in listed] == ["kettle/coffee", "kettle/tea"], "the news first"
        again = (await team("anna", "task_wait", timeout_s=0.05))["tasks"]
        assert len(again) == 2, "at its end a wait tells all that there is"

    async def test_copies_of_an_agent_on_different_boards_do_not_end_each_others_waits(self, team, db):
        await team.ready()
        async with db.transaction() as tx:
            await make_board(tx, "other", actor=FOUNDER)
            await add_member(tx, "anna", ["pdsa"], [BOARD, "other"], actor=FOUNDER)
        assert (await team("anna", "task_wait", board=BOARD, timeout_s=60))["tasks"]
        assert (await team("anna", "task_wait", board="other", timeout_s=0))["tasks"] == []
        waiting = asyncio.create_task(team("anna", "task_wait", board=BOARD, timeout_s=60))
        async with asyncio.timeout(30):
            await self.listening(db)  # it was told of this board: that is no news
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)

    async def test_news_comes_first_and_what_is_not_shown_is_not_told(self, team, monkeypatch):
        monkeypatch.setattr("frasier.interfaces.operations.tasks.session._WAITING_SHOWN", 2)
        for slug in ("cup", "leaf", "tea"):
            await team.ready(slug)
        shown = []
        for _ in range(2):
            async with asyncio.timeout(30):
                listed = (await team("anna", "task_wait", timeout_s=60))["tasks"]
            shown.append([one["task"].removeprefix("kettle/") for one in listed])
        assert shown == [["cup", "leaf"], ["tea", "cup"]]
        await team.ready("water")
        async with asyncio.timeout(30):
            listed = (await team("anna", "task_wait", timeout_s=60))["tasks"]
        assert [one["task"] for one in listed] == ["kettle/water", "kettle/cup"]

    async def test_what_only_the_holder_can_move_ends_nobody_elses_wait(self, team):
        attempt = await team.claim("anna", await team.ready())
        written = {"pdsa_ref": DESIGN, "memory_contribution_id": await team.learned("anna")}
        version = (await team("anna", "task_get", task="tea"))["version"]
        await team("anna", "task_edit", task="tea", fields=written, version=version, attempt=attempt)
        assert [one["why"] for one in (await team("lia", "task_list", mine=True))["tasks"]] == [["not_moved"]]
        assert (await team("lia", "task_wait", timeout_s=0))["tasks"] == []
        [told] = (await team("anna", "task_wait", timeout_s=0))["tasks"]
        assert told["why"] == ["not_moved"]

    async def test_three_hundred_waits_leave_no_connection_behind(self, team, db):
        await team.ready()
        before = await self.connections(db)
        gc.collect()
        gc.disable()
        try:
            for number in range(300):
                await team("anna", "task_wait", timeout_s=(0, 0.001, 0.003)[number % 3])
            assert await self.connections(db) <= before + 1, "at most one more of the pool"
        finally:
            gc.enable()

    async def connections(self, db):
        for _ in range(10):  # until those that are ending have ended
            await asyncio.sleep(0.05)
            async with db.transaction() as tx:
                cursor = await tx.execute(
                    "select count(*) as n from pg_stat_activity where datname = current_database()"
                )
                number = (await cursor.fetchone())["n"]
        return number

    async def test_the_wait_ends_with_nothing_when_there_is_nothing(self, team):
        assert (await team("dan", "task_wait", timeout_s=0))["tasks"] == []
