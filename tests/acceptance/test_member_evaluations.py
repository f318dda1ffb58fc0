"""Evaluations by members over HTTP and MCP: bound to the text that was read, cited, once, and never changed."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

from frasier.overview import read_evaluations
from support.cli_states import TEXT, completed_mission
from support.organisation import QUICK
from support.organisation_api import OrganisationApi, open_organisation_api

WORDS = TEXT.split(".")[0]


@pytest.fixture
async def api(database_url: str, tmp_path: Path) -> AsyncIterator[OrganisationApi]:
    async with open_organisation_api(database_url, tmp_path / "home", worker=QUICK) as api:
        await api.services.in_transaction(completed_mission, tmp_path)
        yield api


def said(sha256: str, **changes: Any) -> dict[str, Any]:
    return {
        "sha256": sha256,
        "evidence": [{"quotation": WORDS, "remark": "It is what I needed."}],
        "useful": ["the temperature"],
        "missing": ["the price of the water"],
        "inaccuracies": [{"quotation": WORDS, "remark": "It names no day."}],
        "effect": "It saved a day.",
        "usefulness": "good",
        "clarity": "readable",
        **changes,
    }


async def sha256_of(api: OrganisationApi) -> str:
    return str((await api.call("deliverable_get"))["deliverable"]["sha256"])


async def test_a_member_evaluates_what_it_read_and_the_founder_sees_it(api: OrganisationApi):
    digest = await sha256_of(api)
    body = said(digest)
    del body["sha256"]
    answered = await api.member.post(f"/api/v1/artefacts/{digest}/evaluations", json=body)
    assert answered.status_code == 201, answered.text
    data = answered.json()["data"]
    assert (data["usefulness_points"], data["clarity_points"]) == (4, 3)
    view = (await api.call("evaluation_list"))["evaluations"]
    (one,) = view["evaluations"]
    assert (one["evaluator"], one["role"], one["sha256"]) == ("token:scout", "member", digest)
    assert one["missing"] == ["the price of the water"]
    assert one["inaccuracies"] == [{"quotation": WORDS, "remark": "It names no day."}]
    assert one["producer"] != "?"
    again = await api.ask(api.member, "artefact_evaluate", **said(digest))
    assert again.status_code == 422
    assert "evaluated this version already" in again.json()["error"]["message"]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"evidence": [{"quotation": "Nobody wrote these words.", "remark": "so"}]},
            "do not stand in the version",
        ),
        (
            {"inaccuracies": [{"quotation": "Nobody wrote these.", "remark": "so"}]},
            "do not stand in the version",
        ),
        ({"evidence": []}, "evidence"),
        ({"usefulness": "8"}, "usefulness"),
        ({"sha256": "0" * 64}, "No result has this text."),
    ],
    ids=["invented evidence", "invented inaccuracy", "no evidence", "a number for a label", "another text"],
)
async def test_an_evaluation_without_evidence_in_the_text_is_refused(
    api: OrganisationApi, changes: dict[str, Any], message: str
):
    refused = await api.ask(api.member, "artefact_evaluate", **(said(await sha256_of(api)) | changes))
    assert refused.status_code in {400, 404, 422}
    assert message in refused.text
    assert not (await api.call("evaluation_list"))["evaluations"]["evaluations"]


async def test_evaluations_are_append_only(api: OrganisationApi):
    await api.ask(api.member, "artefact_evaluate", **said(await sha256_of(api)))
    for change in ("update org_evaluations set effect = 'none'", "delete from org_evaluations"):
        with pytest.raises(psycopg.errors.RaiseException, match="append-only"):
            async with api.services.board.database.transaction() as tx:
                await tx.execute(change)
    assert len((await api.services.in_transaction(read_evaluations, "last")).evaluations) == 1
