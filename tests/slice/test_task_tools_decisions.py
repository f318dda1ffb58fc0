"""The founder's decisions: bound to one move of one version, used once, made by nobody else; and the four modes."""

from __future__ import annotations

import asyncio
import hashlib
import re
from collections.abc import Mapping
from typing import Any
from uuid import UUID

import pytest

from frasier.board import ApprovalMode, DecisionNeeded, board_upkeep, get_board, set_mode
from frasier.kernel.errors import InvalidInput, NotAllowed, NotFound, Stale
from frasier.store import Effect, Outbox, enqueue_effect, newest_events
from frasier.workflow import FOUNDER
from support.board_team import BOARD, DESIGN, WANTED, open_team
from support.team import liaison_answers

APPROVAL = {"liaison_review": "As it was asked for.", **liaison_answers("tea", "approval")}
APPROVE = {"task": "tea", "move": "approve_design", "fields": APPROVAL}
MAKES_IT = "lia makes the move now, without fields: those that were shown go with it, once."
REJECT = {"task": "tea", "move": "reject_design", "fields": {"rework_reason": "It does not pour."}}


@pytest.fixture
async def team(db):
    async with open_team(db, mode=ApprovalMode.MANUAL) as team:
        await team.designed()
        yield team


async def test_a_move_waits_for_the_founder_who_is_asked_once(team):
    needed = await team.refused("lia", "task_move", **APPROVE)
    assert isinstance(needed, DecisionNeeded)
    assert "approve_design of tea needs the founder's decision" in needed.message
    [asked] = (await team("boss", "task_decisions"))["decisions"]
    for again in (APPROVE, APPROVE | {"fields": {}}):
        waits = await team.refused("lia", "task_move", **again)
        assert isinstance(waits, DecisionNeeded)
        since = rf"{asked['decision']}, which lia asked for on 20\d\d-\d\d-\d\d \d\d:\d\d UTC\."
        assert re.fullmatch(rf"approve_design of tea waits for the founder's decision {since}", waits.message)
        assert "Wait until it is made." in waits.hint
    assert len((await team("boss", "task_decisions"))["decisions"]) == 1
    assert (asked["task"], asked["move"], asked["asked_by"]) == (
        "kettle/tea",
        "approve_design",
        "member:token:lia",
    )
    assert asked["shown"]["said"]["liaison_review"] == APPROVAL["liaison_review"]
    [key] = {news.key for news in team.told.news}
    assert key.startswith(f"{asked['decision']}:")
    assert team.told.news[0].text.startswith("lia asks to approve_design kettle/tea (Title of tea), version ")
    await team("boss", "task_decide", decision=asked["decision"], approve=True)
    await team("lia", "task_move", **APPROVE)
    assert await team.place("tea") == ("approved", "qa")
    [event] = [
        one
        for one in (await team("lia", "task_history", task="tea"))["events"]
        if one["what"] == "approve_design"
    ]
    assert event["by"] == "member:token:lia"


async def test_what_is_shown_is_everything_that_is_decided_on(team):
    await team.refused("lia", "task_move", **APPROVE)
    [asked] = (await team("boss", "task_decisions"))["decisions"]
    task = await team("lia", "task_get", task="tea")
    assert (asked["board"], asked["title"], asked["version"]) == (BOARD, "Title of tea", task["version"])
    assert asked["work"] == {"pdsa_ref": DESIGN, "design_version": "v0.0.1"}
    assert asked["criteria"] == WANTED["acceptance_criteria"]
    assert "tests" not in asked, "none were counted"
    [link] = asked["evidence"]
    assert (link["kind"], link["subject"], link["holds"]) == ("link", DESIGN, True)
    assert (link["by"], link["of_this_work"]) == ("member:token:lia", True), "looked up again for this move"
    apart = {"board", "acceptance_criteria", *asked["work"]}
    assert asked["others"] == {name: held for name, held in task["fields"].items() if name not in apart}


async def test_the_history_tells_what_each_event_was_about_and_how_a_question_ended(team, db):
    async def past(what: str) -> list[dict[str, Any]]:
        events = (await team("lia", "task_history", task="tea"))["events"]
        return [one for one in events if one["what"] == what]

    [looked_up] = await past("evidence")
    assert looked_up["evidence"] == {
        "kind": "link",
        "subject": DESIGN,
        "holds": True,
        "digest": hashlib.sha256(DESIGN.encode()).hexdigest(),
    }
    await team.refused("lia", "task_move", **APPROVE)
    [asked] = (await team("boss", "task_decisions"))["decisions"]
    about = {"decision": asked["decision"], "move": "approve_design", "version": asked["version"]}
    [open_one] = await past("decision_asked")
    assert open_one["decision"] == about | {"asked_of": "founder"}
    await team("lia", "task_edit", task="tea", version=asked["version"], fields={"constraints": "No lid."})
    [withdrawn] = await past("decision_asked")
    [edit] = await past("edit")
    assert edit["filled"] == {"constraints": "No lid."}
    assert withdrawn["decision"] == open_one["decision"] | {"withdrawn_at": edit["at"]}

    await team.refused("lia", "task_move", **REJECT)
    [asked] = (await team("boss", "task_decisions"))["decisions"]
    await team("boss", "task_decide", decision=asked["decision"], approve=False, comment="It pours.")
    rejected = (await past("decision_asked"))[-1]["decision"]
    told = ("rejected", "It pours.", "founder:founder")
    assert (rejected["answer"], rejected["comment"], rejected["answered_by"]) == told

    why = {"reason": "No water", "owner": "founder", "action": "turn it on"}
    await team("lia", "task_block", task="tea", **why)
    [block] = await past("block")
    assert (block["said"], block["owner"], block["action"]) == tuple(why.values())
    async with db.transaction() as tx:
        task = UUID((await team("lia", "task_get", task="tea"))["id"])
        await enqueue_effect(tx, kind="post", key="post:1", stream=task, payload={"text": "tea is paused."})
    await Outbox(db, [Sends()]).drain()
    [sent] = await past("effect.sent")
    assert sent["sent"] == {"effect": "post", "text": "tea is paused."}
    [changed] = (await team("anna", "task_recover"))["changed"]
    assert [one["what"] for one in changed["events"]] == [
        "evidence",
        "decision_asked",
        "edit",
        "decision_asked",
        "decision_rejected",
        "block",
    ], "what was sent changes nothing of the task"
    assert changed["events"][3]["decision"]["answer"] == "rejected"


class Sends:
    """A channel that everything goes through."""

    kind = "post"
    reads_back = False

    async def send(self, effect: Effect) -> Mapping[str, Any]:
        return {"sent": effect.key}

    async def find(self, effect: Effect) -> Mapping[str, Any] | None:
        return None


async def test_an_approved_move_is_made_without_saying_it_again(team):
    bare = APPROVE | {"fields": {}}
    assert "lacks liaison_review" in (await team.refused("lia", "task_move", **bare)).message
    needed = await team.refused("lia", "task_move", **APPROVE)
    assert "without fields" in needed.hint
    assert "may not approve_design tea" in (await team.refused("quinn", "task_move", **bare)).message
    [asked] = (await team("boss", "task_decisions"))["decisions"]
    told = await team.envelope("boss", "task_decide", decision=asked["decision"], approve=True)
    assert told.hints == (MAKES_IT,)
    assert MAKES_IT in (await team.envelope("lia", "task_recover")).hints
    other = APPROVE | {"fields": APPROVAL | {"liaison_review": "In other words."}}
    assert isinstance(await team.refused("lia", "task_move", **other), DecisionNeeded)
    await team("lia", "task_move", **bare)
    task = await team("lia", "task_get", task="tea")
    assert (task["status"], APPROVAL.items() <= task["fields"].items()) == ("approved", True)
    assert (await team("lia", "task_recover"))["asked_founder"] == [], "it is spent"


async def test_of_several_approvals_the_fields_say_which_is_meant(team):
    other = APPROVE | {"fields": APPROVAL | {"liaison_review": "In other words."}}
    for given in (APPROVE, other):
        await team.refused("lia", "task_move", **given)
        [asked] = (await team("boss", "task_decisions"))["decisions"]
        await team("boss", "task_decide", decision=asked["decision"], approve=True)
    unclear = await team.refused("lia", "task_move", **APPROVE | {"fields": {}})
    assert "approved approve_design of tea 2 times" in unclear.message
    await team("lia", "task_move", **other)
    assert (await team("lia", "task_get", task="tea"))["fields"]["liaison_review"] == "In other words."


async def test_a_move_that_needs_no_decision_does_not_look_for_one(team, db, monkeypatch):
    async def looked(*_):
        raise AssertionError

    monkeypatch.setattr("frasier.board.move_pipeline.approved_fields", looked)
    await TestModes().set(db, ApprovalMode.AUTONOMOUS)
    version = (await team("lia", "task_get", task="tea"))["version"]
    await team("lia", "task_edit", task="tea", version=version, fields=APPROVAL)
    await team("lia", "task_move", **APPROVE | {"fields": {}})
    assert await team.place("tea") == ("approved", "qa")


async def test_what_is_over_is_answered_by_what_happened_to_it(team):
    await team.refused("lia", "task_move", **APPROVE)
    [asked] = (await team("boss", "task_decisions"))["decisions"]
    short = asked["decision"][-8:]
    await team("boss", "task_decide", decision=short, approve=False, comment="Too dear.")
    for named in (short, asked["decision"], asked["decision"].upper()):
        over = await team.refused("boss", "task_decide", decision=named, approve=True)
        assert isinstance(over, Stale)
        when = r"on 20\d\d-\d\d-\d\d \d\d:\d\d UTC"
        said = rf"approve_design of kettle/tea was rejected by founder {when}: Too dear\."
        assert re.fullmatch(said, over.message)
    await team.refused("lia", "task_move", **REJECT)
    [second] = (await team("boss", "task_decisions"))["decisions"]
    version = (await team("lia", "task_get", task="tea"))["version"]
    await team("lia", "task_edit", task="tea", version=version, fields={"constraints": "Made of copper."})
    withdrawn = await team.refused("boss", "task_decide", decision=second["decision"], approve=True)
    assert "which withdrew it: edit by lia on 20" in withdrawn.message
    for unknown, kind in (
        ("0" * 8, NotFound),
        ("zz%_", NotFound),
        ("-" * 4, NotFound),
        ("abc", InvalidInput),
    ):
        assert isinstance(await team.refused("boss", "task_decide", decision=unknown, approve=True), kind), (
            unknown
        )


async def test_nobody_but_the_founder_decides(team):
    await team.refused("lia", "task_move", **APPROVE)
    [asked] = (await team("lia", "task_decisions"))["decisions"]
    for who in ("lia", "anna", "dan", "quinn"):
        refused = await team.refused(who, "task_decide", decision=asked["decision"], approve=True)
        assert isinstance(refused, NotAllowed)
    [still] = (await team("boss", "task_decisions"))["decisions"]
    assert "answer" not in still
    named = await team.refused(
        "lia", "task_move", task="tea", move="approve_design", fields=APPROVAL | {"decided_by": "founder"}
    )
    assert isinstance(named, InvalidInput)


async def test_an_approval_is_spent_by_its_move_and_does_not_serve_again(team):
    await team.refused("lia", "task_move", **REJECT)
    [asked] = (await team("boss", "task_decisions"))["decisions"]
    await team("boss", "task_decide", decision=asked["decision"], approve=True)
    await team("lia", "task_move", **REJECT)
    attempt = await team.claim("anna", "tea")
    await team.deliver(
        "anna",
        "tea",
        attempt,
        pdsa_ref="https://example.org/v0.0.2.md",
        rework_context="They said: It does not pour. Now it pours.",
    )
    again = await team.refused("lia", "task_move", **REJECT)
    assert isinstance(again, DecisionNeeded)
    spent = await team.refused("boss", "task_decide", decision=asked["decision"], approve=True)
    assert isinstance(spent, Stale)


async def test_an_approval_is_for_what_was_shown_and_for_nothing_else(team):
    await team.refused("lia", "task_move", **APPROVE)
    [asked] = (await team("boss", "task_decisions"))["decisions"]
    await team("boss", "task_decide", decision=asked["decision"], approve=True)
    other = APPROVE | {"fields": APPROVAL | {"liaison_review": "Something else."}}
    assert isinstance(await team.refused("lia", "task_move", **other), DecisionNeeded)
    version = (await team("lia", "task_get", task="tea"))["version"]
    await team("lia", "task_edit", task="tea", version=version, fields={"constraints": "Made of copper."})
    assert isinstance(await team.refused("lia", "task_move", **APPROVE), DecisionNeeded)


async def test_what_was_asked_about_an_older_version_cannot_be_decided_any_more(team):
    await team.refused("lia", "task_move", **APPROVE)
    [asked] = (await team("boss", "task_decisions"))["decisions"]
    task = await team("lia", "task_get", task="tea")
    version = task["version"]
    seen = {name: task["fields"][name] for name in ("description", "acceptance_criteria")}
    for name in ("description", "acceptance_criteria"):
        same = await team.envelope("lia", "task_edit", task="tea", version=version, fields={name: seen[name]})
        assert f"tea has {name} like that already: nothing was changed" in same.summary
    assert (await team("lia", "task_get", task="tea"))["version"] == version
    assert (await team("boss", "task_decisions"))["decisions"] == [asked], (
        "what changes nothing voids nothing"
    )
    await team("lia", "task_edit", task="tea", version=version, fields={"constraints": "Made of copper."})
    assert (await team("boss", "task_decisions"))["decisions"] == []
    late = await team.refused("boss", "task_decide", decision=asked["decision"], approve=True)
    assert "was changed since" in late.message


async def test_a_rejection_is_told_with_its_reason_and_stands(team):
    await team.refused("lia", "task_move", **APPROVE)
    [asked] = (await team("boss", "task_decisions"))["decisions"]
    for nothing in ({}, {"comment": " "}):
        mute = await team.refused("boss", "task_decide", decision=asked["decision"], approve=False, **nothing)
        assert "A rejection needs a reason" in mute.message
    no = {"decision": asked["decision"], "approve": False, "comment": "Too expensive."}
    assert (await team.envelope("boss", "task_decide", **no)).hints == (
        "lia is told so, with your reason; tea stays where it is.",
    )
    for again in (APPROVE, APPROVE | {"fields": {}}):
        told = await team.refused("lia", "task_move", **again)
        rejected = r"The founder rejected approve_design of tea on 20\d\d-.* UTC: Too expensive\."
        assert re.fullmatch(rejected, told.message)
        assert "Change what was rejected" in told.hint
    assert (await team("boss", "task_decisions"))["decisions"] == []
    assert isinstance(
        await team.refused("boss", "task_decide", decision=asked["decision"], approve=True), Stale
    )


async def test_what_the_founder_was_asked_is_nobody_elses_turn_until_it_is_answered(team):
    """Whoever asked is not sent to work that waits for the founder, and is once there is an answer."""

    async def seen(who):
        [one] = (await team(who, "task_list", mine=True))["tasks"]
        return one["why"], [each.get("answer") for each in one.get("asked_founder", ())]

    other = APPROVE | {"fields": APPROVAL | {"liaison_review": "In other words."}}
    assert await seen("lia") == (["turn"], [])
    await team.refused("lia", "task_move", **APPROVE)
    assert await seen("lia") == await seen("boss") == (["founder_decides"], [None])
    assert (await team("lia", "task_get", task="tea"))["why"] == ["founder_decides"]
    for found in (
        (await team("lia", "task_recover"))["waiting"],
        (await team("lia", "task_wait", timeout_s=0))["tasks"],
    ):
        assert found == []
    [waits] = (await team("boss", "task_wait", timeout_s=0))["tasks"]
    assert (waits["task"], waits["why"]) == ("kettle/tea", ["founder_decides"])
    [card] = (await team("dan", "task_list"))["tasks"]
    assert (card["asked_founder"][0]["move"], "why" in card) == ("approve_design", False)
    for given, approve, why in ((APPROVE, False, "rejected"), (other, True, "approved")):
        await team.refused("lia", "task_move", **given)
        [asked] = (await team("boss", "task_decisions"))["decisions"]
        await team("boss", "task_decide", decision=asked["decision"], approve=approve, comment="So it is.")
        assert await seen("lia") == ([why, "turn"], [why])
        assert (await team("boss", "task_list", mine=True))["tasks"] == []
        assert [one["task"] for one in (await team("lia", "task_recover"))["waiting"]] == ["kettle/tea"]
    await team("lia", "task_move", **APPROVE | {"fields": {}})
    assert "asked_founder" not in (await team("lia", "task_get", task="tea"))


async def test_of_two_answers_at_once_one_counts_and_the_other_is_told(team):
    await team.refused("lia", "task_move", **APPROVE)
    [asked] = (await team("boss", "task_decisions"))["decisions"]
    tries = [
        team("boss", "task_decide", decision=asked["decision"], approve=yes, comment="So.")
        for yes in (True, False) * 3
    ]
    ended = await asyncio.gather(*tries, return_exceptions=True)
    assert [type(one) for one in ended if isinstance(one, Exception)] == [Stale] * 5


async def test_of_two_who_use_one_approval_at_once_one_does(team):
    await team.refused("lia", "task_move", **APPROVE)
    [asked] = (await team("boss", "task_decisions"))["decisions"]
    await team("boss", "task_decide", decision=asked["decision"], approve=True)
    ended = await asyncio.gather(
        *(team("lia", "task_move", **APPROVE) for _ in range(4)), return_exceptions=True
    )
    assert len([one for one in ended if isinstance(one, dict)]) == 1
    assert await team.place("tea") == ("approved", "qa")


async def test_a_founder_who_moves_decides_by_that(team):
    await team.approve("tea", "boss")
    assert await team.place("tea") == ("approved", "qa")


async def test_waiting_reminds_the_founder_and_punishes_nobody(team, db):
    await team.refused("lia", "task_move", **APPROVE)
    [_, (_, _, remind)] = board_upkeep(db, team.told)
    await remind()
    assert len({news.key for news in team.told.news}) == 1
    # The same rule as for questions: after three days, and from then on once a week.
    for column, days, reminders in (
        ("asked_at", 2, 0),
        ("asked_at", 2, 1),
        ("reminded_at", 5, 1),
        ("reminded_at", 3, 2),
    ):
        async with db.transaction() as tx:
            await tx.execute(f"update board_decisions set {column} = {column} - interval '{days} days'")
        for _ in range(2):
            await remind()
        assert len({news.key for news in team.told.news}) == 1 + reminders, (column, days)
    assert await team.place("tea") == ("approval", "liaison")


class TestModes:
    async def test_on_its_own_nothing_waits(self, team, db):
        await self.set(db, ApprovalMode.AUTONOMOUS)
        await team("lia", "task_move", **APPROVE)
        assert await team.place("tea") == ("approved", "qa")
        assert (await team("boss", "task_decisions"))["decisions"] == []

    async def test_auto_approval_asks_only_for_what_completes(self, team, db):
        await self.set(db, ApprovalMode.AUTO_APPROVAL)
        research = {
            "task": "tea",
            "move": "complete_research",
            "fields": {
                **liaison_answers("tea", "approval"),
                "abstract_ref": "https://example.org/abstract.md",
            },
        }
        assert isinstance(await team.refused("lia", "task_move", **research), DecisionNeeded)
        await team("lia", "task_move", **APPROVE)

    async def test_semi_wants_the_founders_word_which_is_kept(self, team, db):
        await self.set(db, ApprovalMode.SEMI)
        told = await team.refused("lia", "task_move", **APPROVE)
        assert "waits for the founder's word" in told.message
        assert (await team("boss", "task_decisions"))["decisions"] == []
        await team("lia", "task_move", **APPROVE, founder_answer="Yes, go on.")
        async with db.transaction() as tx:
            events = await newest_events(tx, limit=1_000)
        [payload] = [event.payload for event in events if event.kind == "task.approve_design"]
        assert (payload["approval_mode"], payload["founder_answer"]) == ("semi", "Yes, go on.")

    async def test_an_old_page_does_not_change_the_mode_back(self, team, db):
        async with db.transaction() as tx:
            seen = (await get_board(tx, BOARD)).mode_version
        await self.set(db, ApprovalMode.SEMI)
        with pytest.raises(Stale, match="was changed meanwhile: it is semi, by founder"):
            async with db.transaction() as tx:
                await set_mode(tx, BOARD, ApprovalMode.MANUAL, seen=seen, actor=FOUNDER)

    async def set(self, db, mode):
        async with db.transaction() as tx:
            await set_mode(tx, BOARD, mode, seen=None, actor=FOUNDER)
