"""Resources over HTTP: routing, inputs from path, query and body, problem details, entity tags, cursors, limits."""

from __future__ import annotations

from collections.abc import AsyncIterator

import httpx2
import pytest

from frasier.interfaces.http.rate_limit import RateLimiter
from frasier.interfaces.operations.memory.registry import MEMORY_OPERATIONS
from frasier.store import Database
from support.brain import MemoryApi, open_memory_api

FACT = "The kettle whistles at a hundred degrees."


@pytest.fixture
async def api(db: Database) -> AsyncIterator[MemoryApi]:
    async with open_memory_api(db, MEMORY_OPERATIONS) as opened:
        yield opened


def problem_of(answered: httpx2.Response, status: int) -> dict[str, object]:
    """Return the problem details of a response, after checking their shape."""
    assert answered.status_code == status, answered.text
    assert answered.headers["content-type"] == "application/problem+json"
    body = answered.json()
    assert body["type"] == f"urn:frasier:problem:{body['code']}"
    assert body["status"] == status
    assert body["title"]
    assert body["detail"]
    assert body["instance"] == f"urn:frasier:request:{answered.headers['x-request-id']}"
    return body


async def saved(api: MemoryApi, *texts: str) -> list[str]:
    ids = []
    for text in texts:
        answered = await api.post("memories", {"content": text, "force": True})
        assert answered.status_code == 200, answered.text
        ids.append(answered.json()["data"]["id"])
    return ids


async def test_a_memory_is_saved_read_changed_and_deleted_at_its_address(api: MemoryApi) -> None:
    [memory] = await saved(api, FACT)
    read = await api.get(f"memories/{memory}")
    assert (read.status_code, read.json()["data"]["content"]) == (200, FACT)
    changed = await api.client.patch(f"/api/v1/memories/{memory}", json={"title": "Kettles"})
    assert changed.json()["data"]["version"] == 2
    assert (await api.client.delete(f"/api/v1/memories/{memory}")).status_code == 200
    assert problem_of(await api.get(f"memories/{memory}"), 404)["number"] == "E080"


async def test_a_query_is_read_as_the_operation_takes_it(api: MemoryApi) -> None:
    await saved(api, FACT, "A lid rattles when steam escapes.")
    path = "memories?limit=1&kinds=observation&kinds=lesson&archived=false&sort_by=importance"
    answered = (await api.get(path)).json()
    assert len(answered["data"]["memories"]) == 1
    assert "?limit=1" in answered["next"]
    assert "kinds=observation&kinds=lesson" in answered["next"]


@pytest.mark.parametrize(
    ("path", "wrong"),
    [
        ("memories?limit=many", "limit"),
        ("memories?limit=1&limit=2", "limit"),
        ("memories?colour=red", "colour"),
        ("memories?archived=perhaps", "archived"),
        ("memories?after=abc", "after"),
        ("memories?kinds=%FF", "kinds"),
        ("memories?cursor=abc", "cursor"),
        ("memories/%FF", "UTF-8"),
        ("memories/a%00b", "UTF-8"),
    ],
)
async def test_a_wrong_query_is_refused_by_its_name(api: MemoryApi, path: str, wrong: str) -> None:
    assert wrong in str(problem_of(await api.get(path), 422)["detail"])


async def test_an_input_belongs_into_one_place(api: MemoryApi) -> None:
    [memory] = await saved(api, FACT)
    twice = await api.client.patch(f"/api/v1/memories/{memory}", json={"id": memory, "title": "x"})
    assert "id is in the path" in str(problem_of(twice, 422)["detail"])
    with_query = await api.client.post("/api/v1/memories?force=true", json={"content": FACT})
    assert "takes no query" in str(problem_of(with_query, 422)["detail"])


async def test_what_takes_nothing_needs_no_body(api: MemoryApi) -> None:
    assert (await api.client.post("/api/v1/memory/embeddings/retry")).status_code == 200
    assert problem_of(await api.client.post("/api/v1/memories/search", content=b"{"), 415)


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "memories/a/b/c", 404),
        ("GET", "nothing", 404),
        ("GET", "memories/", 404),
        ("PUT", "memories", 405),
        ("OPTIONS", "memories", 405),
        ("DELETE", "memory/stats", 405),
    ],
)
async def test_an_unknown_address_or_method_is_a_problem(
    api: MemoryApi, method: str, path: str, status: int
) -> None:
    answered = await api.client.request(method, f"/api/v1/{path}")
    assert problem_of(answered, status)["kept"] == "Nothing was changed."
    assert ("allow" in answered.headers) == (status == 405)


async def test_without_a_valid_token_nothing_is_answered(api: MemoryApi) -> None:
    for header in ("", "Bearer frasier_sk-unknown"):
        refused = await api.get("memories", Authorization=header)
        assert problem_of(refused, 401)["code"] == "not_allowed"
        assert refused.headers["www-authenticate"].startswith("Bearer")


async def test_the_older_endpoints_keep_the_form_of_their_errors(api: MemoryApi) -> None:
    refused = await api.post("tools/memory_get", {})
    assert refused.headers["content-type"] == "application/json"
    error = refused.json()["error"]
    assert error["code"] == "invalid_input"
    assert error["hint"].startswith("POST /api/v1/tools/memory_get takes id, ")


class TestEntityTags:
    async def test_what_is_known_is_not_sent_again(self, api: MemoryApi) -> None:
        [memory] = await saved(api, FACT)
        tag = (await api.get(f"memories/{memory}")).headers["etag"]
        same = await api.get(f"memories/{memory}", **{"If-None-Match": f'"other", {tag}'})
        assert (same.status_code, same.content, same.headers["etag"]) == (304, b"", tag)
        await api.client.patch(f"/api/v1/memories/{memory}", json={"title": "Kettles"})
        other = await api.get(f"memories/{memory}", **{"If-None-Match": tag})
        assert other.status_code == 200
        assert other.headers["etag"] != tag

    async def test_a_change_of_an_older_version_is_refused(self, api: MemoryApi) -> None:
        [memory] = await saved(api, FACT)
        address = f"/api/v1/memories/{memory}"
        tag = {"If-Match": (await api.client.get(address)).headers["etag"]}
        assert (await api.client.patch(address, json={"title": "A"}, headers=tag)).status_code == 200
        assert (
            problem_of(await api.client.patch(address, json={"title": "B"}, headers=tag), 412)["code"]
            == "stale"
        )
        assert problem_of(await api.client.delete(address, headers=tag), 412)
        kept = await api.client.get(address)
        assert kept.json()["data"]["title"] == "A"
        now = {"If-Match": kept.headers["etag"]}
        assert (await api.client.delete(address, headers=now)).status_code == 200

    async def test_a_condition_that_names_no_version_is_refused(self, api: MemoryApi) -> None:
        [memory] = await saved(api, FACT)
        address = f"/api/v1/memories/{memory}"
        wrong = await api.client.patch(address, json={"title": "A"}, headers={"If-Match": '"red"'})
        assert problem_of(wrong, 422)
        anyone = await api.client.patch(address, json={"title": "A"}, headers={"If-Match": "*"})
        assert anyone.status_code == 200
        nowhere = await api.client.post("/api/v1/memories", json={"content": FACT}, headers={"If-Match": "*"})
        assert problem_of(nowhere, 422)


class TestCursors:
    @pytest.mark.parametrize("order", ["created_at", "updated_at", "importance"])
    async def test_pages_show_each_once_while_others_are_added_and_deleted(
        self, api: MemoryApi, order: str
    ) -> None:
        ids = await saved(api, *(f"Kettle number {number} whistles." for number in range(7)))
        seen: list[str] = []
        path = f"/api/v1/memories?limit=2&sort_by={order}"
        while path:
            page = (await api.client.get(path)).json()
            seen += [one["id"] for one in page["data"]["memories"]]
            path = page.get("next", "")
            if len(seen) == 2:
                await api.client.delete(f"/api/v1/memories/{seen[-1]}")
                await saved(api, "A kettle that came in between.")
        assert seen == ids[::-1]

    async def test_the_link_of_a_page_is_also_a_header(self, api: MemoryApi) -> None:
        await saved(api, FACT, "A lid rattles when steam escapes.")
        answered = await api.get("memories?limit=1")
        assert answered.headers["link"] == f'<{answered.json()["next"]}>; rel="next"'
        assert "cursor=" in answered.json()["next"]
        assert "next" not in answered.json()["data"], "there is one `next`, and it can be followed"

    async def test_a_cursor_belongs_to_its_query(self, api: MemoryApi) -> None:
        await saved(api, FACT, "A lid rattles when steam escapes.")
        link = (await api.get("memories?limit=1")).json()["next"]
        cursor = link.partition("cursor=")[2]
        other = await api.get(f"memories?limit=1&archived=true&cursor={cursor}")
        assert "does not belong" in str(problem_of(other, 422)["detail"])
        assert (await api.get(f"memories?limit=2&cursor={cursor}")).status_code == 200


class TestRateLimit:
    async def test_a_token_that_asks_too_much_is_told_when_to_come_again(self, db: Database) -> None:
        async with open_memory_api(db, MEMORY_OPERATIONS, requests_per_minute=3) as api:
            left = [(await api.get("memory/stats")).headers["ratelimit"] for _ in range(3)]
            assert [one.partition(";t=")[0] for one in left] == [
                f'"token";r={number}' for number in (2, 1, 0)
            ]
            refused = await api.get("memory/stats")
            assert problem_of(refused, 429)["code"] == "too_often"
            assert 1 <= int(refused.headers["retry-after"]) <= 20
            assert refused.headers["ratelimit-policy"] == '"token";q=3;w=60'
            other = await api.caller("another", "shared")
            assert (await api.get("memory/stats", **other)).status_code == 200
            assert (await api.post("tools/memory_stats", {})).status_code == 429

    def test_a_bucket_is_refilled_with_time(self) -> None:
        now = [0.0]
        limiter = RateLimiter(60, clock=lambda: now[0])
        assert all(limiter.take("a").wait_s == 0 for _ in range(60))
        assert limiter.take("a").wait_s == 1
        now[0] = 1.0
        assert [limiter.take("a").wait_s for _ in range(2)] == [0, 1]
        now[0] = 1_000.0
        assert limiter.take("a").left == 59
