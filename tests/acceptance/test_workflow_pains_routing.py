"""What went wrong on the way of a task: each pain by its number or letter, and what the board does instead."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from mcp import Client

from frasier.board import ApprovalMode, DecisionNeeded
from frasier.interfaces.advice import HttpRequests, ToolCalls, error_facts
from frasier.interfaces.operations.organisation.tool_set import all_tools
from frasier.kernel.errors import TransitionRefused
from support.board_team import DESIGN, DONE, open_team
from support.mcp_server import served_to
from support.task_walk import (
    FAILS,
    completion_move,
    create_reviewed_task,
    declare_tests,
    open_http_board,
    walk,
)
from support.team import liaison_answers

SOURCE = Path(__file__).parents[2] / "src" / "frasier"
WHISTLE = {"rework_reason": "It does not whistle."}

# The law of the board, written down by hand: who may make which move where. Claims are made by task_claim.
LAW = {
    ("pending", "pdsa"): {"ready": {"anna", "lia"}},
    ("ready", "pdsa"): {},
    ("active", "pdsa"): {"submit_design": {"anna"}, "release": {"anna"}},
    ("approval", "liaison"): {
        "approve_design": {"lia"},
        "complete_research": {"lia"},
        "reject_design": {"lia"},
    },
    ("approved", "qa"): {"tests_exist": {"lia"}, "skip_tests": {"lia"}},
    ("active", "qa"): {"submit_tests": {"quinn"}, "release": {"quinn"}},
    ("testing", "qa"): {"hand_over": {"quinn"}, "design_wrong": {"quinn"}},
    ("ready", "dev"): {},
    ("active", "dev"): {"submit_work": {"dan"}, "release": {"dan"}},
    ("review", "qa"): {"pass_tests": {"quinn"}, "send_back": {"quinn"}},
    ("review", "pdsa"): {"pass_design": {"anna"}, "send_back": {"anna"}},
    ("review", "liaison"): {"complete": {"lia"}, "send_back_to": {"lia"}},
    ("complete", "liaison"): {"reopen": {"lia"}},
    ("rework", "dev"): {},
}
TAKERS = {
    ("ready", "pdsa"): {"anna"},
    ("approved", "qa"): {"quinn"},
    ("testing", "qa"): {"quinn"},
    ("ready", "dev"): {"dan", "dora"},
    ("rework", "dev"): {"dan", "dora"},
}
MEMBERS = ("lia", "anna", "dan", "dora", "quinn")
# Refused for who asks or where it is; not for what is lacking, which one could give.
NOT_YOURS = re.compile(r"may not|starts from|starts with|is held by|holds tea already|cannot be moved by")


async def test_pain_07_no_review_is_skipped_and_nobody_takes_what_is_anothers(team, tmp_path):
    """The liaison completed from the tester's review; the tester pulled a developer's work into testing."""
    async for stop in walk(team, tmp_path):
        match (stop.status, stop.role):
            case ("review", "qa" | "pdsa"):
                for move in (completion_move(), {"task": "tea", "move": "send_back_to", "fields": WHISTLE}):
                    refused = await team.refused("lia", "task_move", **move)
                    assert f"is review with {stop.role}" in refused.message
            case ("active", "dev"):
                tests = {"task": "tea", "move": "submit_tests", "fields": {"qa_tests": "mine"}}
                refused = await team.refused("quinn", "task_move", **tests, **stop.held)
                assert "starts with qa" in refused.message
            case ("review", "liaison"):
                break


async def test_pain_07_a_bug_is_decided_by_the_founder_as_a_task_is(db, tmp_path):
    """Bugs needed no human; and the liaison could not send one back, so that some were dead."""
    async with open_team(db, mode=ApprovalMode.MANUAL) as team:
        await team.create()
        await team.create("leak", process="pdsa_bug", about=["tea"])
        await team("lia", "task_move", task="leak", move="ready", fields={"depends_on_reviewed": True})

        async def mended(**more):
            attempt = await team.claim("dan", "leak")
            await team.deliver("dan", "leak", attempt, implementation="src/spout.py", **more)
            await declare_tests(team, tmp_path)
            await team("quinn", "task_check", task="leak", command="unit")
            for who, move, field in (
                ("quinn", "pass_tests", "qa_review"),
                ("anna", "pass_design", "pdsa_review"),
            ):
                await team(who, "task_move", task="leak", move=move, fields={field: "As it should be."})

        await mended()
        assert isinstance(await team.refused("lia", "task_move", **completion_move("leak")), DecisionNeeded)
        back = {"task": "leak", "move": "send_back_to", "fields": WHISTLE}
        assert isinstance(await team.refused("lia", "task_move", **back), DecisionNeeded)
        await team("boss", "task_move", **back)
        assert await team.place("leak") == ("rework", "dev")
        await mended(rework_context="They said: It does not whistle. It does now.")
        await team("boss", "task_move", **completion_move("leak"))
        dead = await team.refused(
            "boss", "task_move", task="leak", move="reopen", fields=WHISTLE | {"rework_target_role": "qa"}
        )
        assert "no field 'rework_target_role'" in dead.message
        await team("boss", "task_move", task="leak", move="reopen", fields=WHISTLE)
        assert await team.place("leak") == ("rework", "dev")
        await team.claim("dan", "leak")


async def test_pain_07_what_was_missing_is_there_giving_back_and_sending_a_design_back(team):
    await team.approve(await team.designed())
    attempt = await team.claim("quinn", "tea")
    reason = {"reason": "I go home."}
    await team("quinn", "task_move", task="tea", move="release", attempt=attempt, fields=reason)
    assert await team.place("tea") == ("ready", "qa")
    attempt = await team.claim("quinn", "tea")
    await team("quinn", "task_deliver", task="tea", attempt=attempt, fields={"qa_tests": "tests/test_tea.py"})
    wrong = {"rework_reason": "Nothing says how loud."}
    await team("quinn", "task_move", task="tea", move="design_wrong", fields=wrong)
    assert await team.place("tea") == ("rework", "pdsa")
    await team.claim("anna", "tea")


async def test_pain_07_what_was_built_is_not_completed_as_if_nothing_had_been(team, tmp_path):
    """A design may be all that was wanted. What has been built meanwhile does not pass its tests by that door."""
    await create_reviewed_task(team, tmp_path)
    back = WHISTLE | {"rework_target_role": "pdsa"}
    await team("lia", "task_move", task="tea", move="send_back_to", fields=back)
    attempt = await team.claim("anna", "tea")
    again = {"pdsa_ref": "https://example.org/v0.0.2.md", "rework_context": WHISTLE["rework_reason"]}
    await team.deliver("anna", "tea", attempt, **again)
    fields = {"abstract_ref": DONE["abstract_ref"], **liaison_answers("tea", "approval")}
    closed = await team.refused("lia", "task_move", task="tea", move="complete_research", fields=fields)
    assert "tests: the tests were run before the work was done again" in closed.message


async def test_pain_09_one_engine_answers_whoever_asks_however_they_ask(team):
    """Four engines or more disagreed. The tools, HTTP and MCP give the same answer to the same member, each with advice in
    its own words.
    """
    await team.ready()
    async with open_http_board(team) as wire:
        rita = await wire.token("rita", "liaison")
        offer = all_tools()
        lia = team.callers["lia"]
        server = served_to(lambda: lia, team.engine, offer, board=team.board)
        async with Client(server) as client:
            for tool, given in (
                ("task_move", {"task": "tea", "move": "approve_design"}),
                ("task_move", {"task": "tea", "move": "blocked"}),
                ("task_move", {"task": "tea", "move": "cancel"}),
                ("task_move", {"task": "tea", "move": "start"}),
                ("task_claim", {"task": "tea", "memory_query_session": "auto-claim"}),
                ("task_restore", {"task": "tea"}),
                ("task_edit", {"task": "tea", "version": 99, "fields": {"constraints": "x"}}),
                ("task_decide", {"decision": "01a2033d-0000-7000-8000-000000000000", "approve": True}),
            ):
                refused = await team.refused("lia", tool, **given)
                over_http = (await wire(rita, tool, **given)).json()["error"]
                over_mcp = json.loads((await client.call_tool(tool, given)).content[0].text)
                in_http = json.dumps(error_facts(refused, HttpRequests()))
                assert json.dumps(over_http).replace("rita", "lia") == in_http
                assert over_mcp == error_facts(refused, ToolCalls(offer.tools))
                assert {**over_mcp, "hint": ""} == {**json.loads(in_http), "hint": ""}
            blocked = {"reason": "No tea.", "owner": "liaison", "action": "buy some"}
            await client.call_tool("task_block", {"task": "tea", **blocked})
            restored = (await wire(rita, "task_restore", task="tea")).json()["data"]
    shown = await team("lia", "task_get", task="tea")
    assert {name: shown[name] for name in restored} == restored
    assert (await team("lia", "task_history", task="tea"))["problems"] == []


def test_pain_09_nothing_but_the_engine_writes_where_a_task_is():
    """There is no second engine: no other part has a statement that changes a task."""
    writes = re.compile(
        r"(?is)\b(insert\s+into|update|delete\s+from|merge\s+into)\s+workflow_(tasks|blocks)\b"
    )
    found = {
        path.relative_to(SOURCE).as_posix()
        for path in SOURCE.rglob("*")
        if path.suffix in {".py", ".sql"} and writes.search(path.read_text("utf-8"))
    }
    migrations = {path for path in found if path.startswith("store/migrations/")}
    assert found - migrations == {
        f"workflow/{name}.sql" for name in ("blocks", "dependencies", "leases", "task_groups", "tasks")
    }


async def test_pain_09_what_is_sent_back_goes_to_whom_it_is_sent_and_to_nobody_by_default(team, tmp_path):
    """Rework always went to the developer, whoever was meant; and roles were put right silently."""
    for role in ("dev", "qa", "pdsa", "liaison"):
        task = await create_reviewed_task(team, tmp_path, f"tea-{role}")
        move = {"task": task, "move": "send_back_to"}
        nobody = await team.refused("lia", "task_move", **move, fields=WHISTLE)
        assert "lacks rework_target_role" in nobody.message
        for named in ("thomas", "DEV", "system"):
            await team.refused("lia", "task_move", **move, fields=WHISTLE | {"rework_target_role": named})
        await team("lia", "task_move", **move, fields=WHISTLE | {"rework_target_role": role})
        assert await team.place(task) == ("rework", role)


async def test_pain_14_complete_means_that_the_tests_were_run_by_the_engine(team, tmp_path):
    """Five of eight were complete in the tool and did not run: nobody had ever executed them."""
    await team.built()
    passed = {"task": "tea", "move": "pass_tests", "fields": {"qa_review": "All green."}}
    assert "no tests were run" in (await team.refused("quinn", "task_move", **passed)).message
    for program, said in (
        (FAILS, "unit: "),
        ("print('0 passed in 0.01s')", "unit: "),
        ("print('no tests ran')", "unit: "),
        ("raise SystemExit('cannot be imported')", "unit: "),
    ):
        await declare_tests(team, tmp_path, program)
        ran = await team("quinn", "task_check", task="tea", command="unit")
        assert ran["holds"] is False
        assert said in (await team.refused("quinn", "task_move", **passed)).message
    await declare_tests(team, tmp_path)
    await team("quinn", "task_check", task="tea", command="unit")
    await team("quinn", "task_move", **passed)


async def test_pain_14_tests_of_an_earlier_version_of_the_work_do_not_count(team, tmp_path):
    await create_reviewed_task(team, tmp_path)
    back = WHISTLE | {"rework_target_role": "dev"}
    await team("lia", "task_move", task="tea", move="send_back_to", fields=back)
    attempt = await team.claim("dan", "tea")
    again = {"implementation": "src/whistle.py", "rework_context": WHISTLE["rework_reason"]}
    await team.deliver("dan", "tea", attempt, **again)
    passed = {"task": "tea", "move": "pass_tests", "fields": {"qa_review": "All green."}}
    closed = await team.refused("quinn", "task_move", **passed)
    assert "the tests were run before the work was done again" in closed.message


async def test_pain_g_nobody_makes_a_move_that_is_not_theirs_where_the_task_is(team, tmp_path):
    """Wrong roles, and a design phase skipped by a fallback. In every position every member tries every other move."""
    table = await team("lia", "task_process", process="pdsa_task")
    said = {
        move["move"]: {name: _something(name) for name in [*move.get("say", []), *move.get("needs", [])]}
        for move in table["moves"]
    }
    tried, seen = 0, set()
    async for stop in walk(team, tmp_path):
        place = (stop.status, stop.role)
        seen.add(place)
        version = (await team("lia", "task_get", task="tea"))["version"]
        for who in MEMBERS:
            for move, fields in said.items():
                if who in LAW[place].get(move, ()) or (
                    move == "cancel" and who == "lia" and stop.status != "complete"
                ):
                    continue
                tried += 1
                with pytest.raises(TransitionRefused, match=NOT_YOURS):
                    await team(who, "task_move", task="tea", move=move, fields=fields, **stop.held)
            if who not in TAKERS.get(place, ()):
                with pytest.raises(TransitionRefused, match=NOT_YOURS):
                    await team(who, "task_claim", task="tea", memory_query_session="s")
        assert (await team("lia", "task_get", task="tea"))["version"] == version
    assert seen == LAW.keys()
    assert tried > 1_000


def _something(name):
    """A value that is of the field's kind, so that nothing is refused for what is lacking."""
    if name.endswith("_ref"):
        return DESIGN
    return "dev" if name == "rework_target_role" else "Because it has to be."


async def test_pain_g_work_is_never_begun_without_its_design(team):
    """Neither a tester nor a developer takes a task whose design phase was gone around."""
    await team.approve(await team.designed())
    await team("lia", "task_move", task="tea", move="skip_tests", fields={"reason": "A text."})
    async with team.board.database.transaction() as tx:  # past the engine: no tool takes it away by now
        await tx.execute("update workflow_tasks set fields = fields - 'pdsa_ref'")
    session = await team.asked("dan")
    closed = await team.refused("dan", "task_claim", task="tea", memory_query_session=session)
    assert "there is no design for dev to work from" in closed.message
    no_such = await team.refused("lia", "task_create", name="cup", title="Cup", fields={}, process="generic")
    assert "No board works by" in no_such.message


async def test_pain_l_no_field_that_is_emptied_opens_the_gate_of_the_tests(team, tmp_path):
    """What says that something was built is taken back, and it would be complete without ever having worked."""
    await team.built()
    version = (await team("quinn", "task_get", task="tea"))["version"]
    await team("quinn", "task_edit", task="tea", version=version, fields={"qa_tests": ""})
    passed = {"task": "tea", "move": "pass_tests", "fields": {"qa_review": "Nothing to test."}}
    assert "no tests were run" in (await team.refused("quinn", "task_move", **passed)).message


async def test_pain_l_what_stopped_working_after_the_review_is_not_completed(team, tmp_path):
    """The last run counts: one after the merge or the deployment, where somebody makes it."""
    await create_reviewed_task(team, tmp_path)
    await declare_tests(team, tmp_path, FAILS)
    await team("lia", "task_check", task="tea", command="unit")
    closed = await team.refused("lia", "task_move", **completion_move())
    assert "tests: unit" in closed.message
    await declare_tests(team, tmp_path)
    await team("lia", "task_check", task="tea", command="unit")
    # What the tester said of the tests was said of others.
    relies = await team.refused("lia", "task_move", **completion_move())
    assert "relies on pass_tests, and test_pass_count" in relies.message
    version = (await team("quinn", "task_get", task="tea"))["version"]
    await team(
        "quinn", "task_edit", task="tea", version=version, fields={"qa_review": "They pass once more."}
    )
    await team("lia", "task_move", **completion_move())
    assert await team.place("tea") == ("complete", "liaison")
