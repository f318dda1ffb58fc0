"""The founder's policies: versions that are set, compared and kept, over the command line and HTTP."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from frasier.org.governance import set_policy
from frasier.store import Database
from frasier.workflow import FOUNDER
from support.cli import FrasierProgram
from support.crash import awaited_lock, poll
from support.organisation_api import open_organisation_api


def rules(view: dict) -> dict[str, object]:
    return {rule["name"]: rule["value"] for rule in view["rules"]}


def test_a_policy_is_set_and_its_versions_are_kept(frasier: FrasierProgram) -> None:
    (defaults,) = [one for one in frasier.json("policy", "list")["policies"] if one["subject"] == "hiring"]
    assert defaults["version"] == 0
    assert rules(defaults)["per_month"] == 20
    changed = frasier.json(
        "policy", "set", "hiring", "per_month=5", "for_reviews=true", "--why", "A small house"
    )
    assert changed["version"] == 1
    assert rules(changed) == rules(defaults) | {"per_month": 5, "for_reviews": True}
    frasier("policy", "set", "hiring", "per_month=5")
    again = frasier.json("policy", "set", "hiring", "per_month=6", "--if-version", "1")
    assert again["version"] == 2
    assert rules(again)["for_reviews"] is True
    history = frasier.json("policy", "history", "hiring")["versions"]
    assert [one["version"] for one in history] == [2, 1, 0]
    assert history[1]["why"] == "A small house"
    assert history[1]["actor"] == "founder"
    assert "--limit" not in frasier("policy", "history", "hiring").out
    cut = frasier.json("policy", "history", "hiring", "--limit", "2")
    assert ([one["version"] for one in cut["versions"]], cut["more"]) == ([2, 1], True)
    assert (
        "The newest 2; a larger --limit shows more." in frasier("policy", "history", "hiring", "-n", "2").out
    )
    drawn = frasier("policy", "history", "hiring").out
    assert "per_month 5 → 6" in drawn
    assert "for_reviews no → yes" in drawn
    assert "Version 2, set by founder" in frasier("policy", "show", "hiring").out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("hiring", "per_week=5"), "The policy hiring has no rule 'per_week'."),
        (("hiring", "per_month=many"), "per_month: Input should be a valid integer"),
        (("hiring", "per_month=-1"), "per_month: Input should be greater than or equal to 0"),
        (("hiring", "per_month"), "'per_month' is not RULE=VALUE."),
        (("firing", "per_month=5"), "There is no policy 'firing'."),
        (("hiring", "per_month=5", "--if-version", "3"), "version 0 is in force"),
    ],
)
def test_what_no_policy_can_be_changes_nothing(
    frasier: FrasierProgram, arguments: tuple[str, ...], message: str
) -> None:
    refused = frasier.ended("policy", "set", *arguments)
    assert refused.code == 3
    assert message in " ".join(refused.err.split())
    assert "Nothing was changed." in refused.err
    assert frasier.json("policy", "show", "hiring")["version"] == 0


async def test_two_who_change_one_version_over_http_change_it_once(database_url: str, tmp_path: Path) -> None:
    async with open_organisation_api(database_url, tmp_path / "home") as api:
        shown = await api.observer.get("/api/v1/policies/hiring")
        version = shown.json()["data"]["version"]
        first = await api.founder.patch(
            "/api/v1/policies/hiring", json={"rules": {"per_month": 3}, "version": version}
        )
        assert first.status_code == 200
        second = await api.founder.patch(
            "/api/v1/policies/hiring", json={"rules": {"per_month": 9}, "version": version}
        )
        assert second.status_code == 409
        assert rules(await api.call("policy_get", subject="hiring"))["per_month"] == 3
        assert (
            await api.observer.patch("/api/v1/policies/hiring", json={"rules": {"per_month": 1}})
        ).status_code == 403
        events = await api.call("event_list")
        assert [
            one["payload"]["rules"]["per_month"]
            for one in events["events"]
            if one["kind"] == "policy.changed"
        ] == [3]


async def test_who_sets_a_policy_while_another_change_is_not_committed_is_told_of_it(
    db: Database, database_url: str, tmp_path: Path
) -> None:
    address = "/api/v1/policies/hiring"
    async with open_organisation_api(database_url, tmp_path / "home") as api:
        async with db.transaction() as tx:
            await set_policy(tx, "hiring", {"per_month": 3}, actor=FOUNDER)
            second = asyncio.create_task(api.founder.patch(address, json={"rules": {"per_month": 9}}))
            await asyncio.to_thread(poll, lambda: awaited_lock(database_url), "the second wants to set it")
        assert (await second).status_code == 409
        assert rules(await api.call("policy_get", subject="hiring"))["per_month"] == 3
