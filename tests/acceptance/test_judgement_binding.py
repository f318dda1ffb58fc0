"""Reviews, answers and approvals hold for what they judged, whoever changes it and over whichever interface."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from frasier.board import ApprovalMode, set_mode
from frasier.interfaces.operations.tasks.event_sentences import sentence_of
from frasier.interfaces.operations.tasks.history import EventOutput
from frasier.store import Database
from frasier.workflow import FOUNDER
from support.board_interfaces import INTERFACES, NO_MODEL, CallRefused, InterfaceCaller, open_interfaces
from support.board_team import BOARD, DESIGN, Team, open_team
from support.in_process_cli import BoardAlone, run_inside
from support.task_walk import completion_move, declare_tests
from support.team import liaison_answers

OTHER_DESIGN = "https://example.org/other/v0.0.1.md"
FOUR = ["implementation", "qa_tests", "description", "acceptance_criteria"]
PRODUCER = {
    "implementation": "dan",
    "qa_tests": "quinn",
    "description": "anna",
    "acceptance_criteria": "anna",
}
APPROVAL = {"liaison_review": "tea is as it was asked for.", **liaison_answers("tea", "approval")}


@pytest.fixture
async def team(db: Database) -> AsyncIterator[Team]:
    async with open_team(db, mode=ApprovalMode.MANUAL) as team:
        yield team


@pytest.fixture(params=INTERFACES)
async def call(team: Team, request: pytest.FixtureRequest) -> AsyncIterator[InterfaceCaller]:
    async with open_interfaces(team) as interfaces:
        yield interfaces[request.param]


async def decide(team: Team, who: str, **move: Any) -> None:
    """Makes a move that the founder approves of in between."""
    with pytest.raises(Exception, match="needs the founder's decision"):
        await team(who, "task_move", **move)
    await decide_all(team)
    await team(who, "task_move", **move)


async def decide_all(team: Team, *, approve: bool = True) -> list[dict[str, Any]]:
    """The founder answers everything that waits; gives the questions."""
    asked = (await team("boss", "task_decisions"))["decisions"]
    for one in asked:
        await team("boss", "task_decide", decision=one["decision"], approve=approve, comment="Looked at it.")
    return list(asked)


async def approved(team: Team) -> str:
    await team.designed()
    await decide(team, "lia", task="tea", move="approve_design", fields=APPROVAL)
    return "tea"


async def in_review_with_liaison(team: Team, folder: Path) -> str:
    await approved(team)
    await team.tested("tea")
    attempt = await team.claim("dan", "tea")
    await team.deliver("dan", "tea", attempt, implementation="src/kettle.py")
    await declare_tests(team, folder)
    await team("quinn", "task_check", task="tea", command="unit")
    await team("quinn", "task_move", task="tea", move="pass_tests", fields={"qa_review": "All green in tea."})
    await team(
        "anna", "task_move", task="tea", move="pass_design", fields={"pdsa_review": "tea is as designed."}
    )
    return "tea"


async def task_of(team: Team) -> dict[str, Any]:
    return await team("lia", "task_get", task="tea")


async def refused(call: InterfaceCaller, who: str, tool: str, **arguments: Any) -> CallRefused:
    with pytest.raises(CallRefused) as caught:
        await call(who, tool, **arguments)
    return caught.value


async def shown_to(team: Team, who: str, *words: str) -> str:
    """What a command of tasks prints to a member, on a wide screen."""
    inside = BoardAlone(team.board.database.url, NO_MODEL)
    with patch.dict(os.environ, {"FRASIER_TOKEN": team.tokens[who], "COLUMNS": "1000"}):
        ended = await asyncio.to_thread(run_inside, inside, ["task", *words])
    assert ended.code == 0, ended.err
    return ended.out


async def edit(call: InterfaceCaller, team: Team, who: str, **fields: Any) -> dict[str, Any]:
    version = (await task_of(team))["version"]
    return await call(who, "task_edit", task="tea", version=version, fields=fields)


async def test_an_approved_design_cannot_be_exchanged_by_its_author(
    team: Team, call: InterfaceCaller
) -> None:
    await approved(team)
    before = await task_of(team)
    refusal = await refused(
        call, "anna", "task_edit", task="tea", version=before["version"], fields={"pdsa_ref": OTHER_DESIGN}
    )
    assert "pdsa_ref" in refusal.message
    assert refusal.hint
    assert await task_of(team) == before
    attempt = await team.claim("quinn", "tea")
    assert attempt
    assert (await task_of(team))["fields"]["pdsa_ref"] == DESIGN


async def test_what_was_reviewed_cannot_be_changed_out_of_turn(
    team: Team, call: InterfaceCaller, tmp_path: Path
) -> None:
    await in_review_with_liaison(team, tmp_path)
    before = await task_of(team)
    for name in FOUR:
        value = ["It hums."] if name == "acceptance_criteria" else "Something else."
        given = {"task": "tea", "version": before["version"], "fields": {name: value}}
        refusal = await refused(call, PRODUCER[name], "task_edit", **given)
        assert name in refusal.message
    assert await task_of(team) == before


async def test_an_edit_of_what_was_judged_clears_the_judgements_and_the_task_waits_for_new_ones(
    team: Team, call: InterfaceCaller, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    who = "lia" if request.node.callspec.params["call"] == "http" else "boss"
    await in_review_with_liaison(team, tmp_path)
    await edit(call, team, who, acceptance_criteria=["It hums."])
    fields = (await task_of(team))["fields"]
    assert not {"qa_review", "pdsa_review", "liaison_review", *APPROVAL} & fields.keys()
    last = (await team("lia", "task_history", task="tea"))["events"][-1]
    assert last["judgements_cleared"]["qa_review"] == "member:token:quinn"
    assert last["judgements_cleared"]["approve_design"] == "founder:founder"
    moves = {"approve_design", "pass_tests", "pass_design"}
    assert moves <= last["judgements_cleared"].keys()
    assert last["judgements_cleared"].keys() - moves == set(last["emptied"]), "a move is no field"
    assert not moves & set(last["fields"])
    sentence = sentence_of(EventOutput.model_validate(last))
    assert "qa_review was emptied" in sentence
    assert "pass_tests was cleared" in sentence
    assert (await team("lia", "task_history", task="tea"))["problems"] == []
    cleared = {
        one.pop("move"): one for one in (await call("quinn", "task_get", task="tea"))["judgements_cleared"]
    }
    assert cleared["pass_tests"] == {"changed": ["acceptance_criteria"], "say_again": {"qa_review": ["qa"]}}
    assert cleared["approve_design"]["say_again"]["liaison_review"] == ["founder", "liaison"]
    assert cleared["approve_design"]["founder_may_decide"]
    told = (await task_of(team))["judgements_cleared"]
    await team("anna", "task_block", task="tea", reason="A look.", owner="pdsa", action="look at it")
    assert (await task_of(team))["judgements_cleared"] == told, "a pause changes nothing of it"
    await team("lia", "task_restore", task="tea")
    for reviewer in ("quinn", "anna", "lia"):
        [mine] = (await team(reviewer, "task_list", mine=True))["tasks"]
        assert "judgement_cleared" in mine["why"], reviewer
        assert {one["move"] for one in mine["judgements_cleared"]} == cleared.keys()
    for shown in (["get", "tea"], ["list", "--mine"]):
        page = " ".join((await shown_to(team, "quinn", *shown)).split())
        assert (
            "pass_tests was cleared, as acceptance_criteria changed; to be said again: qa_review by qa"
            in page
        )
    refusal = await refused(call, "lia", "task_move", **completion_move())
    assert refusal.code == "judgement_cleared"
    assert (
        "relies on approve_design and pass_tests and pass_design, and acceptance_criteria" in refusal.message
    )
    assert "liaison_q1_approval by founder or liaison" in refusal.message
    assert "qa_review by qa" in refusal.message
    await edit(call, team, "lia", **{name: f"{text} Still." for name, text in APPROVAL.items()})
    await edit(call, team, "quinn", qa_review="It hums, too.")
    await edit(call, team, "anna", pdsa_review="Humming is in the design.")
    refusal = await refused(call, "lia", "task_move", **completion_move())
    assert refusal.code == "decision_needed"
    [asked] = await decide_all(team)
    assert (asked["move"], asked["shown"]["again"]) == ("approve_design", ["acceptance_criteria"])
    refusal = await refused(call, "lia", "task_move", **completion_move())
    assert refusal.code == "decision_needed"
    assert [one["move"] for one in await decide_all(team)] == ["complete"]
    await call("lia", "task_move", **completion_move())
    assert (await task_of(team))["status"] == "complete"
    assert (await team("lia", "task_history", task="tea"))["problems"] == []


async def test_work_waits_for_the_founder_where_what_was_approved_is_edited(
    team: Team, call: InterfaceCaller
) -> None:
    await approved(team)
    await edit(call, team, "boss", description="A kettle that hums.")
    assert any("approve_design" in news.text for news in team.told.news if news.kind == "cleared")
    session = await team.asked("quinn")
    refusal = await refused(call, "quinn", "task_claim", task="tea", memory_query_session=session)
    assert "liaison_review" in refusal.message
    await edit(call, team, "lia", **{name: f"{text} Still." for name, text in APPROVAL.items()})
    refusal = await refused(call, "quinn", "task_claim", task="tea", memory_query_session=session)
    assert refusal.code == "decision_needed"
    assert "with the same fields" in refusal.hint
    [asked] = await decide_all(team)
    assert asked["shown"]["again"] == ["description"]
    held = await call("quinn", "task_claim", task="tea", memory_query_session=session)
    assert held["attempt"] == 2


async def test_content_that_was_forged_past_the_engine_lets_no_move_through(
    team: Team, call: InterfaceCaller, db: Database
) -> None:
    await approved(team)
    async with db.transaction() as tx:
        await tx.execute(
            "update workflow_tasks set fields = fields || jsonb_build_object('pdsa_ref', %s::text)",
            [OTHER_DESIGN],
        )
    session = await team.asked("quinn")
    refusal = await refused(call, "quinn", "task_claim", task="tea", memory_query_session=session)
    assert "approve_design" in refusal.message
    assert (await task_of(team))["status"] == "approved"


async def test_a_judgement_that_was_forged_past_the_engine_counts_as_cleared(
    team: Team, call: InterfaceCaller, db: Database
) -> None:
    await approved(team)
    async with db.transaction() as tx:
        await tx.execute(
            "update workflow_tasks set judgements ="
            " (select jsonb_object_agg(key, value - 'digest') from jsonb_each(judgements))"
        )
    shown = await call("lia", "task_get", task="tea")
    assert "liaison_review" in shown["fields"]
    session = await team.asked("quinn")
    refusal = await refused(call, "quinn", "task_claim", task="tea", memory_query_session=session)
    assert refusal.code in {"judgement_cleared", "transition_refused"}
    assert (await task_of(team))["status"] == "approved"


async def test_a_task_whose_process_was_taken_away_is_told_by_its_name(
    team: Team, call: InterfaceCaller, db: Database
) -> None:
    await team.ready()
    async with db.transaction() as tx:
        await tx.execute("update workflow_tasks set process = 'errand'")
    refusal = await refused(call, "anna", "task_get", task="tea")
    assert refusal.message == "There are tasks of the process 'errand', but there is no such process."
    assert "Put its file back" in refusal.hint


async def test_the_holder_of_a_task_names_its_attempt_in_an_edit(team: Team, call: InterfaceCaller) -> None:
    await team.ready()
    attempt = await team.claim("anna", "tea")
    version = (await task_of(team))["version"]
    given = {"task": "tea", "version": version, "fields": {"findings": "It boils."}}
    refusal = await refused(call, "anna", "task_edit", **given)
    assert any(f"{named}{attempt}" in refusal.hint for named in ("attempt=", "--attempt ", '"attempt": '))
    wrong = await refused(call, "anna", "task_edit", **given, attempt=attempt + 1)
    assert wrong.code == "lease_lost"
    assert wrong.message == "There is no attempt 2 of tea: the newest is 1, held by anna."
    wrong = await refused(call, "quinn", "task_renew", task="tea", attempt=attempt)
    assert wrong.message == "tea is held by anna, not by quinn."
    await call("anna", "task_edit", **given, attempt=attempt)
    assert (await task_of(team))["fields"]["findings"] == "It boils."


async def test_a_link_is_looked_up_when_it_changes_and_again_when_a_move_relies_on_it(team: Team) -> None:
    async with open_interfaces(team) as interfaces:
        await team.ready()
        attempt = await team.claim("anna", "tea")
        await team("anna", "task_edit", task="tea", version=3, attempt=attempt, fields={"pdsa_ref": DESIGN})
        assert team.links.asked == [DESIGN], "it changed"
        await team.deliver("anna", "tea", attempt)
        assert team.links.asked == [DESIGN] * 2, "submit_design relies on it"
        team.links.broken.add(DESIGN)
        move = {"task": "tea", "move": "approve_design", "fields": APPROVAL}
        for name in ("http", "mcp"):
            refusal = await refused(interfaces[name], "lia", "task_move", **move)
            assert "pdsa_ref does not resolve" in refusal.message
        edit_ = {"task": "tea", "fields": {"abstract_ref": DESIGN}}
        edited = await team.envelope("boss", "task_edit", **edit_, version=(await task_of(team))["version"])
        assert any(f"abstract_ref does not resolve (404): {DESIGN}" in hint for hint in edited.hints)
        team.links.broken.clear()
        edited = await team.envelope(
            "boss",
            "task_edit",
            task="tea",
            version=(await task_of(team))["version"],
            fields={"abstract_ref": OTHER_DESIGN},
        )
        assert not edited.hints
        assert (await refused(interfaces["http"], "lia", "task_move", **move)).code == "decision_needed"


async def test_a_pause_changes_nobodys_turn(team: Team, call: InterfaceCaller) -> None:
    await approved(team)
    await call("anna", "task_block", task="tea", reason="A look.", owner="pdsa", action="look at it")
    before = await task_of(team)
    given = {"task": "tea", "version": before["version"], "fields": {"pdsa_ref": OTHER_DESIGN}}
    refusal = await refused(call, "anna", "task_edit", **given)
    assert "approved with qa" in refusal.message
    assert await task_of(team) == before
    await edit(call, team, "boss", description="A samovar.")
    assert any("approve_design" in news.text for news in team.told.news if news.kind == "cleared")
    await edit(call, team, "lia", liaison_review="A samovar will do, too.")
    now = await task_of(team)
    assert (now["status"], now["fields"]["liaison_review"]) == ("blocked", "A samovar will do, too.")
    assert "liaison_q1_approval" not in now["fields"]


async def notices_of(team: Team, who: str) -> list[str]:
    """Why one of the team should look at the task."""
    mine = (await team(who, "task_list", mine=True))["tasks"]
    return [why for one in mine for why in one["why"]]


async def test_a_judgement_that_lies_behind_a_pause_is_owed_and_one_that_lies_ahead_is_not(
    team: Team,
) -> None:
    async with open_interfaces(team) as interfaces:
        await approved(team)
        pause = {"task": "tea", "reason": "A look.", "owner": "pdsa", "action": "look at it"}
        await edit(interfaces["http"], team, "boss", description="A kettle that hums.")
        await team("anna", "task_block", **pause)
        assert "judgement_cleared" in await notices_of(team, "lia"), "it can be said again in a pause"
        await team("lia", "task_restore", task="tea")
        reason = {"rework_reason": "It shall hum."}
        await decide(team, "lia", task="tea", move="reject_design", fields=reason)
        assert "judgement_cleared" not in await notices_of(team, "lia")
        await team("anna", "task_block", **pause)
        assert "judgement_cleared" not in await notices_of(team, "lia")


async def test_whoever_can_act_learns_that_a_second_approval_was_rejected(team: Team) -> None:
    async with open_interfaces(team) as interfaces:
        await approved(team)
        await edit(interfaces["http"], team, "boss", description="A kettle that hums.")
        await edit(
            interfaces["http"], team, "lia", **{name: f"{said} Still." for name, said in APPROVAL.items()}
        )
        claim = {"task": "tea", "memory_query_session": await team.asked("quinn")}
        assert (await refused(interfaces["http"], "quinn", "task_claim", **claim)).code == "decision_needed"
        await decide_all(team, approve=False)
        assert "rejected" in await notices_of(team, "lia"), "says it again or rejects the design"
        assert "rejected" not in await notices_of(team, "quinn"), "can do nothing about it"
        await edit(interfaces["http"], team, "lia", liaison_review="tea may hum, as the pipe is wide enough.")
        assert "rejected" not in await notices_of(team, "lia")
        assert (await refused(interfaces["http"], "quinn", "task_claim", **claim)).code == "decision_needed"
        await decide_all(team)
        attempt = (await team("quinn", "task_claim", **claim))["attempt"]
        await edit(interfaces["http"], team, "boss", description="A kettle that sings.")
        await edit(
            interfaces["http"], team, "lia", **{name: f"{said} Yet." for name, said in APPROVAL.items()}
        )
        tests = {"task": "tea", "attempt": attempt, "fields": {"qa_tests": "tests/test_kettle.py"}}
        assert (await refused(interfaces["http"], "quinn", "task_deliver", **tests)).code == "decision_needed"
        await decide_all(team, approve=False)
        assert "rejected" in await notices_of(team, "lia"), "though somebody else holds it"
        assert "rejected" not in await notices_of(team, "quinn")


async def test_an_approved_design_can_be_rejected_where_its_task_changed(
    team: Team, call: InterfaceCaller
) -> None:
    await approved(team)
    reason = {"rework_reason": "The design is of a kettle, not of a samovar."}
    ways = [way["move"] for way in (await task_of(team))["ways"]]
    assert "reject_design" not in ways, "what was approved holds"
    refusal = await refused(call, "lia", "task_move", task="tea", move="reject_design", fields=reason)
    assert "only after what approve_design or complete_research judged was changed" in refusal.message
    await edit(call, team, "boss", description="A samovar.")
    assert "reject_design" in [way["move"] for way in (await task_of(team))["ways"]]
    session = await team.asked("quinn")
    refusal = await refused(call, "quinn", "task_claim", task="tea", memory_query_session=session)
    assert "reject_design" in refusal.hint
    refusal = await refused(call, "lia", "task_move", task="tea", move="reject_design", fields=reason)
    assert refusal.code == "decision_needed"
    await decide_all(team)
    await call("lia", "task_move", task="tea", move="reject_design")
    now = await task_of(team)
    assert (now["status"], now["role"]) == ("rework", "pdsa")
    assert (await team("lia", "task_history", task="tea"))["problems"] == []


async def test_a_second_approval_covers_the_words_said_with_the_move(team: Team) -> None:
    await approved(team)
    await team(
        "boss",
        "task_edit",
        task="tea",
        version=(await task_of(team))["version"],
        fields={"description": "Coffee."},
    )
    async with open_interfaces(team) as interfaces:
        move = {"task": "tea", "move": "skip_tests"}
        shown = {"reason": "There are tests.", **{name: f"{text} Still." for name, text in APPROVAL.items()}}
        other = shown | {"liaison_review": "tea is something that was never shown."}
        assert (
            await refused(interfaces["http"], "lia", "task_move", **move, fields=shown)
        ).code == "decision_needed"
        [asked] = await decide_all(team)
        assert asked["shown"]["said"].keys() == APPROVAL.keys()
        assert (
            await refused(interfaces["http"], "lia", "task_move", **move, fields=other)
        ).code == "decision_needed"
        await interfaces["http"]("lia", "task_move", **move, fields=shown)
    assert (await task_of(team))["fields"]["liaison_review"] == f"{APPROVAL['liaison_review']} Still."


async def test_a_delivery_carries_the_founders_word_where_the_mode_asks_for_it(
    team: Team, call: InterfaceCaller
) -> None:
    await approved(team)
    await team.tested("tea")
    attempt = await team.claim("dan", "tea")
    await edit(call, team, "boss", description="A kettle that hums.")
    await edit(call, team, "lia", **{name: f"{said} Still." for name, said in APPROVAL.items()})
    async with team.board.database.transaction() as tx:
        await set_mode(tx, BOARD, ApprovalMode.SEMI, seen=None, actor=FOUNDER)
    delivery = {
        "task": "tea",
        "attempt": attempt,
        "fields": {"implementation": "src/kettle.py", "memory_contribution_id": await team.learned("dan")},
    }
    refusal = await refused(call, "dan", "task_deliver", **delivery)
    assert "founder_answer" in refusal.hint or "--founder-answer" in refusal.hint
    await call("dan", "task_deliver", **delivery, founder_answer="Yes, it may hum.")
    assert await team.place("tea") == ("review", "qa")


async def test_the_founder_is_told_of_what_a_move_clears(
    team: Team, call: InterfaceCaller, tmp_path: Path
) -> None:
    await in_review_with_liaison(team, tmp_path)
    sent_back = {
        "task": "tea",
        "move": "send_back_to",
        "fields": {
            "rework_target_role": "dev",
            "rework_reason": "It shall hum, and it whistles.",
            "description": "A kettle that hums.",
        },
    }
    assert (await refused(call, "lia", "task_move", **sent_back)).code == "decision_needed"
    await decide_all(team)
    await call("lia", "task_move", **sent_back)
    assert any("approve_design" in news.text for news in team.told.news if news.kind == "cleared")


async def test_the_founder_is_told_of_what_a_run_of_tests_clears(
    team: Team, call: InterfaceCaller, tmp_path: Path
) -> None:
    await in_review_with_liaison(team, tmp_path)
    await declare_tests(team, tmp_path, "print('7 passed in 0.01s')")
    await call("quinn", "task_check", task="tea", command="unit")
    [told] = [news.text for news in team.told.news if news.kind == "cleared"]
    assert "after pass_tests, so that does not count any more" in told


async def test_a_move_writes_nothing_beside_that_an_edit_could_not(team: Team, call: InterfaceCaller) -> None:
    await approved(team)
    before = await task_of(team)
    move = {"task": "tea", "move": "skip_tests"}
    fields = {"reason": "There are tests.", "description": "A samovar."}
    refusal = await refused(call, "lia", "task_move", **move, fields=fields)
    assert refusal.code == "transition_refused"
    assert "tea is approved with qa, so lia cannot change description" in refusal.message
    assert await task_of(team) == before
    await call("lia", "task_move", **move, fields={"reason": "There are tests."})
