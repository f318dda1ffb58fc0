"""Missions over HTTP: started once from uploads, read only when changed, and shared without storing the link."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from support.cli_states import completed_mission
from support.organisation import DIRECTIVE, DOCUMENTS
from support.organisation_api import OrganisationApi, open_organisation_api


@pytest.fixture
async def api(database_url: str, tmp_path: Path) -> AsyncIterator[OrganisationApi]:
    async with open_organisation_api(database_url, tmp_path / "home") as api:
        yield api


async def uploaded(api: OrganisationApi) -> list[str]:
    ids = []
    for name, text in DOCUMENTS.items():
        sent = await api.founder.post("/api/v1/uploads", params={"name": name}, content=text.encode())
        assert sent.status_code == 201, sent.text
        ids.append(sent.json()["id"])
    return ids


async def test_a_mission_is_started_once_from_uploads_which_are_then_gone(api: OrganisationApi) -> None:
    request: dict[str, Any] = {
        "json": {"directive": DIRECTIVE, "uploads": await uploaded(api)},
        "headers": {"Idempotency-Key": "drinks"},
    }
    started = await api.founder.post("/api/v1/missions", **request)
    assert (started.status_code, started.json()["data"]["documents"]) == (201, len(DOCUMENTS)), started.text
    assert (await api.founder.get("/api/v1/uploads")).json() == {"uploads": []}
    again = await api.founder.post("/api/v1/missions", **request)
    assert (again.status_code, again.content) == (201, started.content)
    assert len((await api.founder.get("/api/v1/missions")).json()["data"]["missions"]) == 1
    used = {"directive": DIRECTIVE, "uploads": request["json"]["uploads"]}
    gone = await api.founder.post("/api/v1/missions", json=used)
    assert (gone.status_code, gone.json()["code"]) == (404, "not_found")


async def test_a_document_with_a_long_name_in_any_script_is_read(api: OrganisationApi) -> None:
    text = next(iter(DOCUMENTS.values()))
    sent = await api.founder.post(
        "/api/v1/uploads", params={"name": f"{'报' * 130}.md"}, content=text.encode()
    )
    assert sent.json()["name"] == f"{'报' * 65}.md", sent.text
    body = {"directive": DIRECTIVE, "uploads": [sent.json()["id"]]}
    started = await api.founder.post("/api/v1/missions", json=body)
    assert started.status_code == 201, started.text
    inline = {"directive": DIRECTIVE, "documents": [{"name": f"{'报' * 130}.md", "text": text}]}
    refused = await api.founder.post("/api/v1/missions", json=inline)
    assert (refused.status_code, refused.json()["code"]) == (422, "invalid_input"), refused.text


async def test_a_refused_mission_keeps_its_uploads(api: OrganisationApi) -> None:
    body = {"directive": "", "uploads": await uploaded(api)}
    assert (await api.founder.post("/api/v1/missions", json=body)).status_code == 422
    assert len((await api.founder.get("/api/v1/uploads")).json()["uploads"]) == len(DOCUMENTS)


async def test_a_mission_has_a_tag_that_conditions_refer_to(api: OrganisationApi) -> None:
    body = {"directive": DIRECTIVE, "uploads": await uploaded(api)}
    mission = (await api.founder.post("/api/v1/missions", json=body)).json()["data"]["mission"]
    address = f"/api/v1/missions/{mission}"
    tag = (await api.founder.get(address)).headers["etag"]
    assert (await api.founder.get(address, headers={"If-None-Match": tag})).status_code == 304
    paused = await api.founder.post(f"{address}/pause", headers={"If-Match": tag})
    assert paused.status_code == 200, paused.text
    late = await api.founder.post(f"{address}/cancel", headers={"If-Match": tag})
    assert (late.status_code, late.json()["code"]) == (412, "stale")
    assert (await api.founder.get(address)).json()["data"]["mission"]["progress"]["status"] == "paused"


async def test_the_link_of_a_share_is_not_stored_with_its_key(api: OrganisationApi, tmp_path: Path) -> None:
    made = await api.services.in_transaction(completed_mission, tmp_path)
    request: dict[str, Any] = {
        "json": {"mission": str(made.mission.id)},
        "headers": {"Idempotency-Key": "share"},
    }
    first = await api.founder.post("/api/v1/shares", **request)
    assert first.status_code == 201, first.text
    again = await api.founder.post("/api/v1/shares", **request)
    assert (again.status_code, again.content, again.headers["idempotency-replayed"]) == (204, b"", "true")
    assert len((await api.founder.get("/api/v1/shares")).json()["data"]["shares"]) == 1


async def test_the_document_is_served_to_anybody(api: OrganisationApi) -> None:
    document = await api.anonymous.get("/api/v1/openapi.json")
    assert document.json()["openapi"] == "3.1.0"
    assert "/api/v1/missions/{mission}/pause" in document.json()["paths"]
