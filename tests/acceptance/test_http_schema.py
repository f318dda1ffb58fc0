"""Generated requests over the OpenAPI document: no 5xx, and every answer is one that the document describes."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from functools import cache
from typing import Any
from urllib.parse import quote

import httpx2
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, assume, given, settings
from jsonschema_rs import validator_for
from schemathesis import APIOperation, Case, GenerationMode

from frasier.board import add_member, make_board
from frasier.interfaces.http.openapi import openapi_document
from frasier.interfaces.resources import PLACES, RESOURCES, Resource
from frasier.kernel.ids import new_id
from frasier.store.embedded import EmbeddedServer
from frasier.workflow import FOUNDER
from support.brain import BASE
from support.cli_states import completed_mission
from support.organisation_api import OPERATIONS, OrganisationApi, open_organisation_api

DOCUMENT = json.loads(json.dumps(openapi_document(RESOURCES, OPERATIONS)))
GENERATED = {
    found.ok().definition.raw["operationId"]: found.ok()
    for found in schemathesis.openapi.from_dict(DOCUMENT).get_all_operations()
    if found.ok().definition.raw["operationId"] != "event_stream"  # it has no end: see test_event_stream.py
}
HOSTILE = (
    "<script>alert(1)</script>",
    "a\rb",
    "a\r\ndata: b",
    "a\u2028b\x1b[2J",
    "'; drop table events; --",
    "\ud800",
)
MINUTE_S = 60
URL_CHARS_MAX = 20_000
"""The length from which on the client sends no URL."""


@pytest.fixture(scope="module")
async def api(
    server: EmbeddedServer, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[OrganisationApi]:
    name = f"generated_{new_id().hex}"
    server.create_database(name, template="frasier_template")
    home = tmp_path_factory.mktemp("served")
    url = server.url("frasier_app", name)
    async with open_organisation_api(url, home / "home") as api:
        await api.services.in_transaction(completed_mission, home)
        await api.services.in_transaction(make_board, "kettle", actor=FOUNDER)
        await api.services.in_transaction(add_member, "scout", ["liaison"], ["kettle"], actor=FOUNDER)
        yield api
    server.drop_database(name)


@cache
def described(operation: str) -> dict[str, Any]:
    """The responses of an operation by status, with references to shared ones resolved."""
    responses: dict[str, Any] = GENERATED[operation].definition.raw["responses"]
    shared = DOCUMENT["components"]["responses"]
    return {
        status: shared[one["$ref"].rpartition("/")[2]] if "$ref" in one else one
        for status, one in responses.items()
    }


@cache
def validator(operation: str, status: str, media_type: str) -> Any:
    content = described(operation)[status]["content"]
    assert media_type in content, (operation, status, media_type)
    return validator_for({"components": DOCUMENT["components"], **content[media_type]["schema"]})


def check_answer(operation: str, answered: httpx2.Response) -> None:
    """Check that the document describes a response of an operation, and that it is no failure of the server."""
    assert answered.status_code < 500, (operation, answered.text)
    status = str(answered.status_code)
    assert status in described(operation), (operation, status, answered.text)
    if "content" not in described(operation)[status]:
        assert answered.content == b""
        return
    media_type = answered.headers["content-type"]
    checked = validator(operation, status, media_type)
    problems = [f"{one.instance_path}: {one.message}" for one in checked.iter_errors(answered.json())]
    assert problems == [], (operation, problems[:3])


async def send(client: httpx2.AsyncClient, case: Case) -> httpx2.Response:
    kwargs = case.as_transport_kwargs(base_url=BASE)
    headers = {
        name.encode(): value.encode("latin-1")
        for name, value in kwargs["headers"].items()
        if name.lower() not in {"host", "authorization"}
    }
    query = dict(kwargs.get("params") or {})
    if "timeout_s" in query or case.path.endswith("/work/next"):
        query["timeout_s"] = 0
    body = {name: kwargs[name] for name in ("json", "data") if kwargs.get(name) is not None}
    content = json.dumps(body["json"]).encode() if "json" in body else body.get("data")
    request = client.build_request(
        kwargs["method"], kwargs["url"], params=query, content=content, headers=headers
    )
    return await client.send(request)


async def generate(api: OrganisationApi, operation: str, *, examples: int) -> None:
    generated: APIOperation[Any, Any, Any] = GENERATED[operation]
    loop = asyncio.get_running_loop()
    for mode in GenerationMode:

        @settings(
            max_examples=examples,
            deadline=None,
            suppress_health_check=list(HealthCheck),
            database=None,
            derandomize=True,
            phases=[Phase.generate],
        )
        @given(case=generated.as_strategy(generation_mode=mode))
        def throw(case: Case) -> None:
            assume(len(case.formatted_path) < URL_CHARS_MAX)
            answering = asyncio.run_coroutine_threadsafe(send(api.founder, case), loop)
            check_answer(operation, answering.result(MINUTE_S))

        await asyncio.to_thread(throw)


@pytest.mark.parametrize("operation", GENERATED)
async def test_no_generated_request_meets_what_the_document_does_not_say(
    api: OrganisationApi, operation: str
) -> None:
    await generate(api, operation, examples=3)


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("operation", GENERATED)
async def test_many_generated_requests(api: OrganisationApi, operation: str) -> None:
    await generate(api, operation, examples=150)


def minimal(resource: Resource, text: str = "nothing-there") -> dict[str, Any]:
    """The parts of a request with a text in every input that may be one."""
    properties = OPERATIONS[resource.operation].input.model_json_schema().get("properties", {})
    texts = {
        name: text
        for name, schema in properties.items()
        if name not in PLACES
        and "string" in {schema.get("type"), *(one.get("type") for one in schema.get("anyOf", ()))}
    }
    if resource.operation == "task_wait":
        texts["timeout_s"] = "0"
    path = resource.path
    for name in resource.path_inputs:
        path = path.replace(f"{{{name}}}", quote(text, safe="", errors="replace"))
        texts.pop(name, None)
    return {"method": resource.method, "url": path, ("json" if resource.has_body else "params"): texts}


@pytest.mark.parametrize("resource", RESOURCES, ids=lambda one: one.operation)
async def test_every_credential_may_what_it_may(api: OrganisationApi, resource: Resource) -> None:
    operation = OPERATIONS[resource.operation]
    request = minimal(resource)
    anonymous = await api.anonymous.request(**request)
    unknown = await api.anonymous.request(
        **request, headers={"Authorization": f"Bearer frasier_sk-{'a' * 43}"}
    )
    assert [anonymous.status_code, unknown.status_code] == [401, 401]
    member = await api.member.request(**request)
    observer = await api.observer.request(**request)
    for answered in (anonymous, unknown, member, observer):
        check_answer(resource.operation, answered)
    if operation.founders:
        assert member.status_code == 403
    if not operation.read_only:
        assert observer.status_code == 403


@pytest.mark.parametrize("resource", RESOURCES, ids=lambda one: one.operation)
async def test_hostile_text_is_refused_or_comes_back_as_text(
    api: OrganisationApi, resource: Resource
) -> None:
    for text in HOSTILE:
        request = minimal(resource, text)
        if "json" in request:
            request["content"] = json.dumps(request.pop("json")).encode()
            request["headers"] = {"Content-Type": "application/json"}
        elif text == "\ud800":  # a query cannot hold half a character
            continue
        answered = await api.founder.request(**request)
        check_answer(resource.operation, answered)
        if answered.content:
            assert answered.headers["content-type"] in {"application/json", "application/problem+json"}
            assert answered.headers["x-content-type-options"] == "nosniff"
            assert "\r" not in answered.text
