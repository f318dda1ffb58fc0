"""The operations of the organisation that change something, over HTTP: what they do, and whom they refuse."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from frasier.board import make_board
from frasier.interfaces.operations.organisation.registry import ORGANISATION_OPERATIONS
from frasier.workflow import FOUNDER
from support.cli_states import (
    Planned,
    blocked_mission,
    completed_mission,
    deliver,
    new_mission,
    planned_mission,
)
from support.organisation import DOCUMENTS, QUICK, wait_until_settled
from support.organisation_api import OPERATIONS, OrganisationApi, open_organisation_api

WRITES = [name for name, one in ORGANISATION_OPERATIONS.items() if one.founders and not one.read_only]
OF_MEMBERS = [name for name, one in ORGANISATION_OPERATIONS.items() if not one.founders]
ARGUMENTS: dict[str, dict[str, Any]] = {
    "mission_run": {"directive": "Compare the teas"},
    "mission_retry": {"mission": "last"},
    "step_approve": {"id": "last/report"},
    "step_reject": {"id": "last/report", "reason": "Too long."},
    "share_create": {"mission": "last"},
    "share_revoke": {"share": "00000000"},
    "say": {"text": "Hello"},
    "mission_ask": {"mission": "last", "question": "Why?"},
    "mission_revise": {"mission": "last", "wish": "Shorter."},
    "mission_steer": {"mission": "last", "change": "Leave out Asia."},
    "directive_add": {"text": "Always state prices in EUR."},
    "directive_withdraw": {"directive": "00000000"},
    "agent_upskill": {"agent": "heron"},
    "persona_rollback": {"agent": "heron", "version": 1},
    "policy_set": {"subject": "hiring", "rules": {"per_month": 5}},
    "skill_rollback": {"skill": "deep_research", "version": 1},
    "skill_add": {"source": "/skills/teas"},
    "skill_scan": {"skill": "teas"},
    "skill_approve": {"skill": "teas", "hash": "0" * 64, "answers": {}},
    "skill_quarantine": {"skill": "teas"},
    "proposal_accept": {"proposal": "00000000"},
    "proposal_refuse": {"proposal": "00000000"},
    "decide": {"question": "00000000", "answer": "yes"},
}
_TABLES = (
    "events",
    "org_policies",
    "org_missions",
    "org_messages",
    "org_share_links",
    "memory_items",
    "store_effects",
)


@pytest.fixture
async def api(database_url: str, tmp_path: Path) -> AsyncIterator[OrganisationApi]:
    async with open_organisation_api(database_url, tmp_path / "home", worker=QUICK) as api:
        yield api


async def rows(api: OrganisationApi) -> dict[str, int]:
    async with api.services.board.database.transaction() as tx:
        counted = {}
        for table in _TABLES:
            row = await (await tx.execute(f"select count(*) as rows from {table}")).fetchone()
            counted[table] = row["rows"] if row else 0
        return counted


@pytest.mark.parametrize("operation", WRITES)
async def test_a_change_needs_the_founders_token(api: OrganisationApi, tmp_path: Path, operation: str):
    await api.services.in_transaction(completed_mission, tmp_path)
    before = await rows(api)
    arguments = ARGUMENTS.get(operation, {})
    refused = await api.ask(api.observer, operation, **arguments)
    assert refused.status_code == 403
    assert "may only read" in refused.json()["error"]["message"]
    refused = await api.ask(api.member, operation, **arguments)
    assert refused.status_code == 403
    assert "Only the founder can" in refused.json()["error"]["message"]
    assert (await api.ask(api.anonymous, operation, **arguments)).status_code == 401
    assert await rows(api) == before


def test_a_member_may_evaluate_what_it_used_and_nothing_else_of_the_organisations():
    assert OF_MEMBERS == ["artefact_evaluate"]


@pytest.mark.parametrize("operation", [name for name, one in OPERATIONS.items() if not one.read_only])
async def test_a_token_for_reading_alone_is_refused_every_change_whatever_is_asked(
    api: OrganisationApi, operation: str
):
    refused = await api.ask(api.observer, operation)
    assert refused.status_code == 403
    assert "may only read" in refused.json()["error"]["message"]


@pytest.mark.parametrize("operation", [name for name, one in OPERATIONS.items() if one.read_only])
async def test_a_token_for_reading_alone_is_never_refused_to_read(api: OrganisationApi, operation: str):
    answered = await api.ask(api.observer, operation)
    assert answered.status_code != 403, answered.text


async def test_an_observer_sees_every_board_without_being_a_member(api: OrganisationApi):
    await api.services.in_transaction(make_board, "web", actor=FOUNDER)
    listed = await api.ask(api.observer, "task_list", board="web")
    assert (listed.status_code, listed.json()["data"]["tasks"]) == (200, [])
    assert (await api.ask(api.member, "task_list", board="web")).status_code == 403


async def test_a_directive_is_stored_with_its_documents_and_carried_out_by_a_worker(api: OrganisationApi):
    documents = [{"name": name, "text": text} for name, text in DOCUMENTS.items()]
    answer = await api.answer(
        "mission_run",
        directive="Compare the water temperatures and the storage of the drinks described in these documents",
        documents=documents,
        kind="comparison",
        budget=2.5,
        no_questions=True,
    )
    stored = answer["data"]
    assert (stored["documents"], stored["status"], stored["attended"]) == (3, "planning", False)
    assert answer["hints"] == ["At the machine, run `frasier up` to have it worked on: nobody is at work."]
    async with api.services.running():
        progress = await wait_until_settled(api.services, stored["mission"])
    assert progress.status == "delivered"
    mission = (await api.call("mission_get", mission=stored["mission"]))["mission"]
    assert mission["budget_usd"] == 2.5
    assert [source["uri"] for source in mission["sources"]] == sorted(DOCUMENTS)
    page = (await api.call("deliverable_get", mission=stored["mission"]))["deliverable"]
    assert (page["kind"], page["approved"], page["rehearsal"]) == ("comparison", True, True)
    assert page["verified"] > 0
    passages = [passage for one in page["statements"] for passage in one["passages"]]
    assert passages
    assert {passage["number"] for passage in passages} <= {source["number"] for source in page["sources"]}
    located = [one for one in page["statements"] if one["start"] is not None]
    assert located
    assert all(0 <= one["start"] < one["end"] <= len(page["text"]) for one in located)


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        ({"sources": ["/etc"]}, 403, "Only the founder at the machine can name files there."),
        ({"out": "/tmp/x"}, 403, "Only the founder at the machine can name folders there."),
        ({"documents": [{"name": "../x.md", "text": "x"}]}, 422, "it is no plain file name"),
        ({"documents": [{"name": "a.md", "text": "x"}] * 2}, 422, "Two documents have the same name."),
        ({"uploads": ["00000000-0000-0000-0000-000000000000"]}, 422, "There are no uploads here."),
    ],
)
async def test_a_directive_over_http_names_no_file_of_the_machine(
    api: OrganisationApi, arguments: dict[str, Any], status: int, message: str
):
    refused = await api.ask(api.founder, "mission_run", directive="Compare the teas", **arguments)
    assert refused.status_code == status, refused.text
    assert message in refused.json()["error"]["message"]
    assert not (await api.call("mission_list"))["missions"]


async def test_a_mission_is_paused_goes_on_and_is_cancelled(api: OrganisationApi, tmp_path: Path):
    await api.services.in_transaction(planned_mission, tmp_path)
    paused = await api.call("mission_pause", note="Until Monday.")
    assert (paused["status"], paused["done"]) == (
        "paused",
        ["The mission 'Compare how teas are brewed and stored' is paused."],
    )
    assert (await api.call("mission_resume", budget=5))["status"] == "in_progress"
    assert (await api.call("mission_get"))["mission"]["budget_usd"] == 5
    assert (await api.call("mission_cancel"))["status"] == "cancelled"
    kinds = [event["kind"] for event in (await api.call("event_list", mission="last"))["events"]]
    assert {"mission.paused", "mission.cancelled"} <= set(kinds)


async def test_a_blocked_mission_is_tried_again(api: OrganisationApi, tmp_path: Path):
    await api.services.in_transaction(blocked_mission, tmp_path)
    (blocked,) = (await api.call("inbox_get"))["blocked"]
    assert blocked["ends_with"]["action"] == "mission.retry"
    retried = await api.answer("mission_retry", **blocked["ends_with"]["arguments"])
    assert retried["data"]["status"] == "in_progress"
    assert not (await api.call("inbox_get"))["blocked"]


async def test_the_founders_verdict_on_a_step(api: OrganisationApi, tmp_path: Path):
    planned = await api.services.in_transaction(planned_mission, tmp_path)
    step, _ = await api.services.in_transaction(deliver, planned)
    judged = await api.call("step_reject", id=f"last/{step.key}", reason="Name the source.")
    assert (judged["approved"], judged["key"], judged["status"], judged["version"]) == (
        False,
        step.key,
        "pending",
        1,
    )
    page = (await api.call("step_get", step=f"last/{step.key}"))["step"]
    assert page["versions"][0]["reviews"][-1]["feedback"] == "Name the source."
    again = await api.ask(api.founder, "step_approve", id=f"last/{step.key}")
    assert again.status_code == 422


async def test_a_question_is_answered_once(api: OrganisationApi, tmp_path: Path):
    documents = [{"name": name, "text": text} for name, text in DOCUMENTS.items()]
    await api.call("mission_run", directive="Compare the drinks", documents=documents, plan=True)
    async with api.services.running():
        mission = (await api.call("mission_list"))["missions"][0]["mission"]
        await wait_until_settled(api.services, mission)
    (question,) = (await api.call("inbox_get"))["questions"]
    assert (await api.call("mission_list"))["missions"][0]["questions"] == 1
    answered = await api.call("decide", question=question["question"], answer="yes", note="Go on.")
    assert (answered["answer"], answered["mission"], answered["unattended"]) == ("yes", mission, True)
    twice = await api.ask(api.founder, "decide", question=question["question"], answer="no")
    assert twice.status_code in {404, 409}
    assert not (await api.call("inbox_get"))["questions"]


async def test_a_message_is_kept_and_its_answer_read_with_it(api: OrganisationApi):
    attached = [{"name": "scan.pdf", "text": "%PDF-1.4 broken"}]
    answer = await api.answer("say", text="How are you?", documents=attached)
    message = answer["data"]["message"]["message"]["id"]
    assert answer["data"]["message"]["message"]["answer"] is None
    assert answer["hints"][0] == f"GET /api/v1/messages/{message} to read the answer."
    async with api.services.running(only="talk"):
        while (now := (await api.call("message_get", message=message))["message"])["message"][
            "answer"
        ] is None:
            assert (now["blocked"], now["ended"]) == ("", "")
    assert now["message"]["answered_at"]
    assert "I could not read scan.pdf: " in now["message"]["answer"]


async def test_standing_rules_are_recorded_and_withdrawn(api: OrganisationApi):
    rule = await api.call("directive_add", text="Always state prices in EUR net.")
    assert [one["directive"] for one in (await api.call("directive_list"))["directives"]] == [
        rule["directive"]
    ]
    withdrawn = await api.call("directive_withdraw", directive=rule["directive"])
    assert withdrawn["done"].startswith("Withdrawn: “Always state prices")
    assert not (await api.call("directive_list"))["directives"]


async def test_an_effect_is_tried_again(api: OrganisationApi, tmp_path: Path):
    place = tmp_path / "out"
    await api.services.in_transaction(completed_mission, place)
    place.write_text("in the way")
    await api.services.outbox.drain()
    (effect,) = (await api.call("status_get"))["effects"]
    place.unlink()
    sent = (await api.call("outbox_resend", effect=effect["effect"]))["effects"]
    assert [one["state"] for one in sent] == ["sent"]
    assert (await api.call("mission_get"))["mission"]["progress"]["status"] == "delivered"


async def test_a_shared_deliverable_is_read_by_its_secret_until_it_is_revoked(
    api: OrganisationApi, completed: Planned
):
    made = await api.call("share_create", mission="last", days=7)
    secret = made["path"].removeprefix("/shared/")
    assert (made["share"]["version"], made["share"]["valid"]) == (1, True)
    answered = await api.anonymous.get(f"/api/v1/shared/{secret}")
    shared = answered.json()
    assert (answered.status_code, answered.headers["cache-control"]) == (200, "no-store")
    assert "Green tea is brewed with water of 75 degrees" in shared["text"]
    assert not {"mission", "deliverable", "folder", "directive", "versions"} & set(shared)
    assert str(completed.mission.id) not in answered.text
    listed = await api.answer("share_list")
    assert [one["share"] for one in listed["data"]["shares"]] == [made["share"]["share"]]
    assert secret not in str(listed)
    await api.call("share_revoke", share=made["share"]["share"])
    for wrong in (secret, secret[:-1], "%00", "x" * 5_000):
        refused = await api.anonymous.get(f"/api/v1/shared/{wrong}")
        assert refused.status_code == 404
        assert refused.json()["detail"] == "This link is not valid, or not any more."
    kinds = [event["kind"] for event in (await api.call("event_list", mission="last"))["events"]]
    assert kinds[-2:] == ["mission.shared", "mission.unshared"]


async def test_a_link_follows_the_approved_version_or_stays_with_one(
    api: OrganisationApi, completed: Planned
):
    fixed = await api.call("share_create", mission="last")
    latest = await api.call("share_create", mission="last", latest=True)
    assert (fixed["share"]["version"], latest["share"]["version"]) == (1, None)
    async with api.services.board.database.transaction() as tx:
        final, second = completed.steps["report"].task_id, "The second version says more of the teas. " * 9
        await tx.execute(
            "insert into org_deliverables select (r).* from (select jsonb_populate_record(d, jsonb_build_object("
            "'id', gen_random_uuid(), 'version', 2, 'content', %s::text)) as r"
            " from org_deliverables d where task_id = %s) made",
            [second, final],
        )
        await tx.execute(
            "update org_missions set final_deliverable = (select id from org_deliverables where task_id = %s"
            " and version = 2)",
            [final],
        )
    texts = [(await api.anonymous.get(f"/api/v1{made['path']}")).json()["text"] for made in (fixed, latest)]
    assert "Green tea is brewed" in texts[0]
    assert texts[1] == second.strip()


async def test_a_link_that_ended_shows_nothing(api: OrganisationApi, completed: Planned, owner_url: str):
    made = await api.call("share_create", mission="last", days=1)
    secret = made["path"].removeprefix("/shared/")
    async with api.services.board.database.transaction() as tx:
        await tx.execute(
            "update org_share_links set created_at = created_at - interval '2 days', ends_at = ends_at - interval '2 days'"
        )
    assert (await api.anonymous.get(f"/api/v1/shared/{secret}")).status_code == 404
    assert not (await api.call("share_list"))["shares"][0]["valid"]


async def test_only_an_approved_result_is_shared(api: OrganisationApi, tmp_path: Path):
    await api.services.in_transaction(new_mission, tmp_path)
    refused = await api.ask(api.founder, "share_create", mission="last")
    assert (refused.status_code, refused.json()["error"]["kept"]) == (422, "No link was made.")
    assert "GET /api/v1/missions/" in refused.json()["error"]["hint"]


@pytest.fixture
async def completed(api: OrganisationApi, tmp_path: Path) -> Planned:
    return await api.services.in_transaction(completed_mission, tmp_path)
