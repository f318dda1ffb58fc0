"""The reading operations of the organisation over HTTP: what they answer, and to whom."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any
from uuid import UUID

import jsonschema
import pytest

from frasier.interfaces.operations.organisation.registry import ORGANISATION_OPERATIONS
from frasier.llm import Account, Caps
from frasier.llm.call_ledger import close_call, open_call
from frasier.org.skills.third_party.package import PackageFile, parse_package
from frasier.org.skills.third_party.packages import store_package
from frasier.store import Statements, Tx
from frasier.workflow import FOUNDER
from support.cli_states import Planned, completed_mission, planned_mission
from support.ledger_calls import answered, intent
from support.organisation_api import OrganisationApi, open_organisation_api
from support.proposed_improvements import proposed_improvement

READS = [name for name, one in ORGANISATION_OPERATIONS.items() if one.read_only]


@pytest.fixture
async def api(database_url: str, tmp_path: Path) -> AsyncIterator[OrganisationApi]:
    async with open_organisation_api(database_url, tmp_path / "home") as api:
        yield api


SKILL_FILES = [PackageFile(path="SKILL.md", content=b"---\nname: teas\ndescription: Teas.\n---\n\nTeas.\n")]


@pytest.fixture
async def completed(api: OrganisationApi, tmp_path: Path) -> Planned:
    return await api.services.in_transaction(completed_mission, tmp_path)


async def arguments_of(api: OrganisationApi, operation: str) -> dict[str, Any]:
    match operation:
        case "step_get":
            return {"step": "last/report"}
        case "persona_diff":
            return {"agent": "Frasier", "old": 1, "new": 1}
        case "agent_get" | "persona_history":
            return {"agent": "Frasier"}
        case "team_get":
            return {"team": "team-research"}
        case "policy_get" | "policy_history":
            return {"subject": "hiring"}
        case "skill_get" | "skill_history" | "skill_diff":
            return {"skill": "deep_research"}
        case "skill_package":
            stored = await api.services.in_transaction(
                store_package,
                parse_package(SKILL_FILES),
                source="/skills/a",
                folder="",
                agents=(),
                actor=FOUNDER,
            )
            return {"skill": stored.skill}
        case "subscription_get":
            added = await api.ask(api.founder, "subscription_add", name="crm", url="https://example.org/hook")
            assert added.status_code == 200, added.text
            return {"name": "crm"}
        case "proposal_get":
            return {"proposal": await api.services.in_transaction(proposed_improvement)}
        case "routine_get":
            await api.call("policy_set", subject="routines", rules={"budget_usd": 5})
            held = await api.call("routine_stand_up")
            return {"routine": held["routine"]["routine"]}
        case "message_get":
            message = await api.services.take_message("How warm is the water?", [])
            return {"message": str(message.id)}
    return {}


@pytest.mark.parametrize("operation", READS)
@pytest.mark.usefixtures("completed")
async def test_the_founder_and_an_observer_may_read_and_nobody_else(api: OrganisationApi, operation: str):
    arguments = await arguments_of(api, operation)
    answered = [await api.ask(client, operation, **arguments) for client in (api.founder, api.observer)]
    assert [one.status_code for one in answered] == [200, 200], answered[0].text
    data = answered[0].json()["data"]
    assert ORGANISATION_OPERATIONS[operation].output.model_validate(data)
    jsonschema.validate(answered[0].json(), ORGANISATION_OPERATIONS[operation].output_schema)
    refused = await api.ask(api.member, operation, **arguments)
    assert (refused.status_code, refused.json()["error"]["code"]) == (403, "not_allowed")
    assert "Only the founder can" in refused.json()["error"]["message"]
    assert (await api.ask(api.anonymous, operation, **arguments)).status_code == 401


async def test_a_list_of_missions_goes_on_after_the_last_one(api: OrganisationApi, tmp_path: Path):
    made = [(await api.services.in_transaction(planned_mission, tmp_path)).mission.id for _ in range(3)]
    first = (await api.call("mission_list", limit=2))["missions"]
    assert [UUID(one["mission"]) for one in first] == [made[2], made[1]]
    assert [(one["steps"], one["steps_done"], one["questions"]) for one in first] == [(3, 0, 0)] * 2
    rest = (await api.call("mission_list", limit=2, before=first[-1]["mission"]))["missions"]
    assert [UUID(one["mission"]) for one in rest] == [made[0]]
    assert not (await api.call("mission_list", status=["delivered"]))["missions"]
    assert len((await api.call("mission_list", status=["in_progress", "delivered"]))["missions"]) == 3


async def test_a_thousand_missions_take_as_many_statements_as_one(
    api: OrganisationApi, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    run = Statements.all
    statements: list[str] = []

    async def count(self: Statements, tx: Tx, name: str, **parameters: Any) -> Any:
        statements.append(name)
        return await run(self, tx, name, **parameters)

    monkeypatch.setattr(Statements, "all", count)

    async def taken() -> int:
        statements.clear()
        await api.call("mission_list", limit=1000)
        return len(statements)

    await api.services.in_transaction(planned_mission, tmp_path)
    one = await taken()
    for _ in range(4):
        await api.services.in_transaction(planned_mission, tmp_path)
    assert 0 < await taken() == one


async def test_a_deliverable_has_its_text_versions_and_verdicts(api: OrganisationApi, completed: Planned):
    page = (await api.call("deliverable_get", mission=str(completed.mission.id)))["deliverable"]
    assert (page["step"], page["version"], page["approved"]) == ("report", 1, True)
    assert "Green tea is brewed with water of 75 degrees" in page["text"]
    assert [(one["version"], one["approved"]) for one in page["versions"]] == [(1, True)]
    steps = ("storage", "water")
    versions = {
        key: (await api.call("deliverable_get", step=key))["deliverable"]["versions"] for key in steps
    }
    assert sorted(len(made) for made in versions.values()) == [1, 2]
    reworked = next(made for made in versions.values() if len(made) == 2)
    assert [one["approved"] for one in reworked] == [False, True]
    unknown = await api.ask(api.founder, "deliverable_get", version=7)
    assert (unknown.status_code, unknown.json()["error"]["message"]) == (404, "There is no version 7.")


async def test_costs_keep_their_millionths(api: OrganisationApi, completed: Planned):
    account = Account(mission_id=completed.mission.id, task_id=completed.steps["report"].task_id)

    async def spend(tx: Tx) -> None:
        call = await open_call(tx, intent=intent(), account=account, caps=Caps())
        await close_call(tx, call, answered(cost=12), account=account)

    await api.services.in_transaction(spend)
    total = (await api.call("cost_get"))["costs"]["total"]
    assert total["cost_usd"] == 0.000012
