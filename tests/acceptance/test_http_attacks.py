"""A hostile client of the HTTP API: whatever it sends is refused with a reason, or is nothing but text."""

from __future__ import annotations

import base64
import json
from collections.abc import AsyncIterator, Iterator, Mapping
from typing import Any

import httpx2
import pytest

from frasier.board import make_board
from frasier.interfaces.http.cursors import make_cursor
from frasier.interfaces.resources import API, PLACES, RESOURCES, Resource
from frasier.kernel.ids import new_id
from frasier.store.embedded import EmbeddedServer
from frasier.workflow import FOUNDER
from support.cli_states import completed_mission
from support.organisation_api import OPERATIONS, OrganisationApi, open_organisation_api

LISTS = [one for one in RESOURCES if PLACES & OPERATIONS[one.operation].input.model_fields.keys()]
CHANGES = [name for name, operation in OPERATIONS.items() if not operation.read_only]
WITH_BODY = [one for one in RESOURCES if one.has_body]
TEXTS = ("a\rb", "\u202e", "\u0000", "\ud800", "\uffff", "\x1b]0;x\x07", "x" * 300_000)
PLACE_TEXTS = ("", "x", "\0", "9" * 400, "-1", "1e999", "null", "[]", "\u202e", "2020-01-01T00:00:00Z")
PLACE_VALUES = (
    "\ud800",
    "\0",
    "x",
    "infinity",
    "",
    0,
    -1,
    2**63,
    2**63 - 1,
    1e308,
    float("nan"),
    True,
    None,
    [],
    {},
)


@pytest.fixture(scope="module")
async def api(
    server: EmbeddedServer, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[OrganisationApi]:
    name = f"attacked_{new_id().hex}"
    server.create_database(name, template="frasier_template")
    home = tmp_path_factory.mktemp("attacked")
    async with open_organisation_api(server.url("frasier_app", name), home / "home") as api:
        await api.services.in_transaction(completed_mission, home)
        await api.services.in_transaction(make_board, "kettle", actor=FOUNDER)
        yield api
    server.drop_database(name)


def refused(answered: httpx2.Response, *allowed: int) -> dict[str, Any]:
    """Check that a response is a refusal that says why, or has one of the allowed statuses."""
    if answered.status_code in allowed:
        return {}
    assert 400 <= answered.status_code < 500, (answered.status_code, answered.text)
    body: dict[str, Any] = answered.json()
    assert body.get("detail") or body["error"]["message"]
    return body


async def directives(api: OrganisationApi) -> list[str]:
    return [one["text"] for one in (await api.call("directive_list"))["directives"]]


def places() -> Iterator[str]:
    """Forged places: garbage, and keys of one to four values of every kind."""
    yield from PLACE_TEXTS
    for value in PLACE_VALUES:
        for before in ([], [1], [1.0], ["2020-01-01T00:00:00+00:00"], [False, 1, 1.0]):
            for after in ([], [1], [str(new_id())]):
                key = json.dumps([*before, value, *after])
                yield base64.urlsafe_b64encode(key.encode()).decode().rstrip("=")


@pytest.mark.parametrize("resource", LISTS, ids=lambda one: one.operation)
async def test_forged_cursors_are_refused_or_begin_somewhere(
    api: OrganisationApi, resource: Resource
) -> None:
    path = resource.path.replace("{mission}", "last")
    for place in places():
        cursor = make_cursor(resource.operation, {}, place)
        refused(await api.founder.get(path, params={"cursor": cursor}), 200)


async def test_a_cursor_of_another_list_is_refused(api: OrganisationApi) -> None:
    for resource in LISTS:
        for other in LISTS:
            if other is not resource:
                cursor = make_cursor(other.operation, {}, "1")
                body = refused(await api.founder.get(resource.path, params={"cursor": cursor}))
                assert body["code"] == "invalid_input"


@pytest.mark.parametrize("operation", CHANGES)
async def test_a_token_for_reading_changes_nothing_by_any_tool(api: OrganisationApi, operation: str) -> None:
    body = refused(await api.ask(api.observer, operation))
    assert body["error"]["code"] == "not_allowed"


async def test_a_token_for_reading_uploads_and_deletes_nothing(api: OrganisationApi) -> None:
    sent = await api.founder.post("/api/v1/uploads", params={"name": "a.md"}, content=b"a")
    address = f"/api/v1/uploads/{sent.json()['id']}"
    for answered in (
        await api.observer.post("/api/v1/uploads", params={"name": "b.md"}, content=b"b"),
        await api.observer.post("/api/v1/uploads", files={"file": ("b.md", b"b")}),
        await api.observer.delete(address),
        await api.observer.post("/api/v1/contribute", json={"content": "a fact"}),
        await api.observer.post("/api/v1/memory", json={}),
    ):
        assert refused(answered)
        assert answered.status_code in {403, 422}
    assert (await api.founder.delete(address)).status_code == 204


def hostile(schema: Mapping[str, Any], definitions: Mapping[str, Any], text: str) -> Any:
    """A value of a schema in which every text is hostile."""
    if "$ref" in schema:
        return hostile(definitions[schema["$ref"].rpartition("/")[2]], definitions, text)
    if "anyOf" in schema:
        return hostile(schema["anyOf"][0], definitions, text)
    match schema.get("type"):
        case "object":
            named = {
                name: hostile(one, definitions, text) for name, one in schema.get("properties", {}).items()
            }
            return named or {text: [text, {text: text}]}
        case "array":
            return [hostile(schema.get("items", {"type": "string"}), definitions, text)]
        case "integer" | "number":
            return schema.get("minimum", 1)
        case "boolean":
            return False
        case _:
            return text


@pytest.mark.parametrize("resource", WITH_BODY, ids=lambda one: one.operation)
async def test_hostile_text_in_every_field_is_refused_or_text(
    api: OrganisationApi, resource: Resource
) -> None:
    schema = OPERATIONS[resource.operation].input.model_json_schema()
    path = resource.path.format_map(dict.fromkeys(resource.path_inputs, "last"))
    properties = schema.get("properties", {})
    for text in TEXTS:
        whole = {
            name: hostile(one, schema.get("$defs", {}), text)
            for name, one in properties.items()
            if name not in resource.path_inputs
        }
        for body in (whole, *({name: value} for name, value in whole.items())):
            content = json.dumps(body).encode()
            headers = {"Content-Type": "application/json"}
            answered = await api.founder.request(resource.method, path, content=content, headers=headers)
            refused(answered, 200, 201)
            assert "\r" not in answered.text
            assert "\x1b" not in answered.text


@pytest.mark.parametrize(
    "part", ["%00", "%ff", "%ed%a0%80", "%c0%ae", "..%2f..%2fetc", "%0d%0aX:%20y", "a" * 9_000]
)
@pytest.mark.parametrize(
    "path",
    [
        "missions/{}",
        "tasks/{}/moves",
        "uploads/{}",
        "shared/{}",
        "tools/{}",
        "agents/{}",
        "{}",
        "subscriptions/{}/test",
    ],
)
async def test_hostile_paths_are_refused(api: OrganisationApi, path: str, part: str) -> None:
    for method in ("GET", "POST", "DELETE", "HEAD", "OPTIONS", "PUT"):
        answered = await api.founder.request(method, f"{API}/{path.format(part)}")
        assert 400 <= answered.status_code < 500, (method, answered.status_code, answered.text)
        assert "x" not in {name.lower() for name in answered.headers}


@pytest.mark.parametrize(
    "content_type",
    [
        "",
        "text/plain",
        "application/json; charset=utf-7",
        "application/json;charset=latin-1",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "application/json, text/html",
        "application/jsonp",
        "\xff/\xff",
    ],
)
async def test_what_is_not_sent_as_json_is_not_read(api: OrganisationApi, content_type: str) -> None:
    before = await directives(api)
    headers = {b"Content-Type": content_type.encode("latin-1")}
    answered = await api.founder.post(
        "/api/v1/directives", content=b'{"text": "Pay nobody."}', headers=headers
    )
    assert answered.status_code == 415, answered.text
    assert await directives(api) == before


@pytest.mark.parametrize(
    "content",
    [
        b"[" * 400_000,
        b'{"a":' * 100_000,
        b'{"text": ' + b"[" * 900 + b"]" * 900 + b"}",
        b'{"text": ' + b"9" * 900_000 + b"}",
        b'{"text": 1e999999}',
        b'{"text": "a", "text": "b"}',
        b'\xef\xbb\xbf{"text": "a"}',
        b'{"text": "\xed\xa0\x80"}',
        b'{"text": "a\x00b"}',
        b"null",
        b"",
        b" " * 999_999,
    ],
)
async def test_hostile_json_is_refused(api: OrganisationApi, content: bytes) -> None:
    before = await directives(api)
    headers = {"Content-Type": "application/json"}
    for path in ("directives", "tools/directive_add", "query"):
        refused(await api.founder.post(f"{API}/{path}", content=content, headers=headers))
    assert await directives(api) == before


@pytest.mark.parametrize(
    "headers",
    [
        {b"If-Match": b"\xff" * 8_000},
        {b"If-Match": b'"' * 50_000},
        {b"If-None-Match": b'W/"' * 20_000},
        {b"Idempotency-Key": b"\xff"},
        {b"Idempotency-Key": b"x" * 201},
        {b"Authorization": b"Bearer \xff\xfe"},
        {b"Authorization": b"Bearer " + b"a" * 60_000},
        {b"Authorization": b"Basic Zm9vOmJhcg=="},
        {b"X-Request-Id": b"a\xffb"},
        {b"Last-Event-ID": b"1-" + b"9" * 5_000 + b"-1"},
        {b"Content-Length": b"9" * 400},
        {b"Content-Encoding": b"gzip"},
    ],
)
async def test_hostile_headers_are_refused_or_mean_nothing(
    api: OrganisationApi, headers: dict[bytes, bytes]
) -> None:
    for path in ("missions/last/pause", "directives", "events/stream", "uploads?name=a.md"):
        for method in ("GET", "POST"):
            if (
                path == "events/stream"
                and b"Last-Event-ID" not in headers
                and b"Authorization" not in headers
            ):
                continue  # it would begin
            answered = await api.founder.request(method, f"{API}/{path}", headers=headers, content=b"{}")
            assert answered.status_code < 500, (path, answered.text)


async def test_a_key_is_bound_to_caller_operation_and_body(api: OrganisationApi) -> None:
    key = {"Idempotency-Key": "same"}
    first = await api.founder.post("/api/v1/directives", json={"text": "Cite twice."}, headers=key)
    assert first.status_code == 201, first.text
    for method, path, body in (
        ("POST", "directives", {"text": "Cite never."}),
        ("POST", "memories", {"content": "Cite twice."}),
        ("POST", "missions/last/pause", {}),
    ):
        reused = await api.founder.request(method, f"{API}/{path}", json=body, headers=key)
        assert refused(reused)["code"] == "invalid_input"
    others = await api.member.post("/api/v1/memories", json={"content": "Tea is hot."}, headers=key)
    assert "idempotency-replayed" not in others.headers
    assert others.status_code == 200, others.text
    assert "Cite twice." in await directives(api)
    assert "Cite never." not in await directives(api)
