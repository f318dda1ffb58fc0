"""`frasier missions` and `frasier steps`: every mission and step can be looked into, by people and by programs."""

from __future__ import annotations

import re

import pytest

from frasier.llm import Account, CallState
from frasier.llm.call_ledger import close_call, open_call
from frasier.llm.settings import Caps
from support.cli import FrasierProgram
from support.cli_states import blocked_mission, completed_mission, new_mission, planned_mission
from support.ledger_calls import answered, intent


@pytest.fixture
async def completed(db, home):
    async with db.transaction() as tx:
        return await completed_mission(tx, home / "out")


async def test_missions_are_listed_newest_first_and_a_limit_holds(db, home, frasier: FrasierProgram):
    async with db.transaction() as tx:
        older = await new_mission(tx, home, "Write about tea")
    async with db.transaction() as tx:
        newer = await new_mission(tx, home, "Write about coffee")
    listed = frasier.json("missions", "list")["missions"]
    assert [row["mission"] for row in listed] == [str(newer.id), str(older.id)]
    assert listed[0]["title"] == "Write about coffee"
    assert listed[0]["status"] == "planning"
    assert listed[0]["cost_usd"] == 0
    assert [row["title"] for row in frasier.json("missions", "list", "--limit", "1")["missions"]] == [
        "Write about coffee"
    ]
    cut = frasier.json("missions", "list", "--limit", "1")
    assert (cut["total"], cut["next"]) == (2, str(newer.id))
    assert f"1 of 2; older ones with --before {newer.id}" in frasier("missions", "list", "-n", "1").out
    rest = frasier.json("missions", "list", "--limit", "1", "--before", cut["next"])
    assert ([row["mission"] for row in rest["missions"]], rest["next"]) == ([str(older.id)], None)
    assert frasier.json("missions", "list", "--status", "delivered")["total"] == 0
    lines = frasier("missions", "list").out.splitlines()
    assert "Write about coffee" in lines[1]
    assert str(newer.id)[-8:] in lines[1]


def test_a_list_shows_the_kind_of_result_that_was_planned(frasier: FrasierProgram, completed):
    [row] = frasier.json("missions", "list")["missions"]
    assert row["kind"] == frasier.json("missions", "show", row["mission"])["kind"] == "report"
    head, line = frasier("missions", "list").out.splitlines()[:2]
    assert line[head.index("kind") :].startswith("report ")


async def test_a_mission_is_shown_with_its_graph_reviews_and_refused_plan(frasier: FrasierProgram, completed):
    shown = frasier("missions", "show").out
    assert "Compare how teas are brewed and stored" in shown
    assert "version 1 was refused: It ends in 3 steps." in shown
    assert "✗ qa by Osprey 2.0" in shown
    assert "✓ policy" in shown
    assert "degraded" in shown
    water, storage, report = (
        next(i for i, line in enumerate(shown.split("Steps")[1].splitlines()) if f" {key} " in line)
        for key in ("water", "storage", "report")
    )
    assert report > max(water, storage)


async def test_a_mission_as_json_says_everything_that_its_screen_says(frasier: FrasierProgram, completed):
    document = frasier.json("missions", "show", str(completed.mission.id)[-8:])
    assert document["mission"] == str(completed.mission.id)
    assert document["status"] == "completed"
    assert [step["key"] for step in document["steps"]] == ["plan", "storage", "water", "report"]
    report = document["steps"][-1]
    assert report["needs"] == ["storage", "water"]
    assert report["level"] == 2
    assert [review["verdict"] for review in report["reviews"]] == ["approved", "approved", "approved"]
    assert {step["key"] for step in document["steps"] if step["degraded"]} == {"water", "storage"}
    assert [plan["accepted"] for plan in document["plans"]] == [False, True]
    assert [effect["kind"] for effect in document["effects"]] == ["publish.folder"]
    assert document["directive"] == completed.mission.directive


async def test_a_step_is_shown_with_its_versions_reviews_and_calls(db, frasier: FrasierProgram, completed):
    rejected = next(step for step in frasier.json("missions", "show")["steps"] if step["version"] == 2)
    step = completed.steps[rejected["key"]]
    account = Account(task_id=step.task_id, attempt=1, mission_id=step.mission_id, phase="synthesize")
    async with db.transaction() as tx:
        call = await open_call(tx, intent=intent("question"), account=account, caps=Caps())
        await close_call(tx, call, answered(cost=4_000), account=account)
    document = frasier.json("steps", "show", f"last/{step.key}")
    assert document["step"] == str(step.task_id)
    told = [marker["text"] for marker in document["markers"]]
    assert len(told) >= 5
    assert all(f"({completed.mission.title[:40].strip()})" in text for text in told), told
    assert [marker["at"] for marker in document["markers"]] == sorted(
        marker["at"] for marker in document["markers"]
    )
    assert document["acceptance"] == step.acceptance
    first, second = document["versions"]
    assert first["critique_mean"] == 3.2
    assert first["reviews"][0]["feedback"] == "The temperature of black tea is missing."
    assert (second["degraded"], second["tier_asked"], second["tier_served"]) == (True, "T2", "T1")
    assert [(call["state"], call["cost_usd"]) for call in document["calls"]] == [(CallState.SETTLED, 0.004)]
    shown = frasier("steps", "show", str(step.task_id)[-8:]).out
    assert "The temperature of black tea is missing." in shown
    assert "Find out about" in shown
    assert "degraded: T1 in place of T2" in shown
    assert "$0.004" in shown
    assert told[-1][:40] in shown


async def test_the_text_of_a_version_is_printed_as_it_was_written(frasier: FrasierProgram, completed):
    printed = frasier("steps", "show", "last/report", "--version", "1").out
    assert printed.startswith("# The report of tea")
    assert "75 degrees" in printed
    assert frasier.json("steps", "show", "last/report", "--version", "1")["version"] == 1
    missing = frasier("steps", "show", "last/report", "--version", "9", code=3)
    assert "no version 9" in missing.err
    assert "There is: 1." in missing.err


async def test_a_blocked_step_says_who_must_do_what(db, home, frasier: FrasierProgram):
    async with db.transaction() as tx:
        await blocked_mission(tx, home)
    assert "the kettle broke — operator must mend it" in frasier("steps", "show", "last/water").out
    assert frasier.json("steps", "show", "last/water")["block"]["reasons"][0]["owner"] == "operator"


async def test_what_is_not_there_or_not_a_step_is_refused_with_what_to_type(
    db, home, frasier: FrasierProgram
):
    assert "no mission yet" in frasier("missions", "show", code=3).err
    async with db.transaction() as tx:
        planned = await planned_mission(tx, home)
    assert "There is no mission 'nothing'" in frasier("missions", "show", "nothing", code=3).err
    refused = frasier("steps", "show", "last/tea", code=3).err
    assert "no step 'tea'" in refused
    assert "water" in refused
    assert "is not a step" in frasier("steps", "show", "last/plan", code=3).err
    error = frasier.json("steps", "show", "0000000000", code=3)["error"]
    assert error["code"] == "not_found"
    # The beginning of an id is a moment, which two tasks of one transaction share.
    shared = str(planned.steps["water"].task_id)[:8]
    refused = frasier("steps", "show", shared, code=3).err
    assert f"{shared!r} fits several tasks." in refused
    assert f"{planned.steps['water'].task_id} (water)" in refused
    whole = planned.mission.id
    for part in (whole.hex[-8:], str(whole)[:20], whole.hex[:20].upper()):
        assert frasier.json("missions", "show", part)["mission"] == str(whole)


def test_a_shared_deliverable_is_a_whole_link(frasier: FrasierProgram, completed):
    secret = r"/shared/[\w-]{20,}"
    assert re.fullmatch(rf"http://127\.0\.0\.1:8764{secret}\n", frasier("missions", "share", "last").out)
    share = ("missions", "share", "last", "--json")
    set_once = frasier.json(*share, FRASIER_SERVER__ADDRESS="https://frasier.example.org/")
    assert re.fullmatch(rf"https://frasier\.example\.org{secret}", set_once["link"])
    assert set_once["link"].endswith(set_once["path"])
    for_once = frasier.json(*share, "--address", "http://[::1]:8080/office/")
    assert re.fullmatch(rf"http://\[::1\]:8080/office{secret}", for_once["link"])


def test_a_link_to_a_page_that_does_not_answer_says_so(frasier: FrasierProgram, completed):
    nowhere = {"FRASIER_SERVER__ADDRESS": "http://127.0.0.1:1"}
    told = frasier("missions", "share", "last", **nowhere).err
    assert "No page of Frasier answers at http://127.0.0.1:1 now." in told
    assert "FRASIER_SERVER__ADDRESS or --address names another address" in told
    proxied = {"FRASIER_SERVER__ADDRESS": "https://frasier.example.org"}
    assert (
        "It leads to the page at https://frasier.example.org;"
        in frasier("missions", "share", "last", **proxied).err
    )


def test_rejecting_a_delivered_mission_leads_to_a_new_version(frasier: FrasierProgram, completed):
    refused = frasier("reject", "last", "--reason", "No table", code=3).err
    assert "No plan of the mission" in refused
    assert re.search(
        r"`frasier revise \w{8} WISH` to have a new version of its result made", " ".join(refused.split())
    )
    assert "inbox" not in refused


def test_a_delivered_mission_is_evaluated_by_options(frasier: FrasierProgram, completed):
    words = "Green tea is brewed with water of 75 degrees"
    said = ("--usefulness", "good", "--clarity", "readable", "--effect", "It saved a day.")
    refused = frasier("evaluate", "last", *said, "--quote", "Never written", "--remark", "so", code=3).err
    assert "do not stand in the version" in refused
    told = frasier("evaluate", "last", *said, "--quote", words, "--remark", "It is what I needed.").out
    assert "Stored: usefulness 4 of 5, clarity 3 of 5." in told
    (one,) = frasier.json("evaluations", "last")["evaluations"]
    assert one["evidence"] == [{"quotation": words, "remark": "It is what I needed."}]


@pytest.mark.parametrize(
    "address",
    ["example.org", "ftp://example.org", "https://", "https://a b", "javascript:alert(1)", "http://me@x"],
)
def test_what_is_no_address_of_a_page_is_refused(frasier: FrasierProgram, completed, address: str):
    assert "it must" in frasier("missions", "share", "last", "--address", address, code=2).err
    assert frasier.json("missions", "shares")["shares"] == []
    assert "ADDRESS" in frasier("missions", "share", "last", code=8, FRASIER_SERVER__ADDRESS=address).err


async def test_reviews_stand_below_the_graph_by_version(frasier: FrasierProgram, completed):
    steps = frasier("missions", "show").out.split("Steps\n")[1].split("\n\n")[0].splitlines()
    by_osprey = [line for line in steps if " by Osprey" in line and "Reviewed by" not in line]
    assert any(line.endswith("v1: ✗ qa by Osprey 2.0") for line in by_osprey)
    assert all(re.match(r"[\w-]+ v\d: ", line) for line in by_osprey)
