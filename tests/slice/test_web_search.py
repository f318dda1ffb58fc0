"""Search services against a real server that plays them."""

import json

import pytest

from frasier.kernel.errors import (
    BadReply,
    ConfigurationError,
    ProviderRejected,
)
from frasier.work.research.web import SearchHit, WebSettings, search_provider
from support.web_server import Reply, WebServer

BRAVE = {
    "web": {
        "results": [
            {
                "url": "https://example.com/a?utm_source=brave",
                "title": "Rivers &amp; <strong>seas</strong>",
                "description": "Where <strong>rivers</strong>\n end; 1 < 2",
            },
            {"url": "https://example.com/a#again", "title": "the same"},
            {"url": "javascript:alert(1)", "title": "no"},
            {"title": "no address"},
            "not an object",
            {"url": "https://example.com/b", "title": "", "description": None},
        ]
    }
}
SEARXNG = {
    "results": [
        {"url": f"https://example.com/{n}", "title": f"Hit {n}", "content": f"Text {n}"} for n in range(9)
    ]
}


@pytest.fixture
async def server():
    async with WebServer() as running:
        yield running


@pytest.fixture
async def brave(server):
    provider = search_provider(WebSettings(search="brave", search_key="k3y", search_url=server.url("/brave")))
    yield provider
    await provider.aclose()


@pytest.fixture
async def searxng(server):
    provider = search_provider(WebSettings(search="searxng", search_url=server.url("/")))
    yield provider
    await provider.aclose()


def as_json(value) -> Reply:
    return Reply(json.dumps(value), content_type="application/json")


async def test_brave_gives_plain_hits_each_address_once(server, brave):
    server.routes["/brave"] = as_json(BRAVE)
    assert await brave.search("rivers and  seas", 5) == (
        SearchHit(url="https://example.com/a", title="Rivers & seas", snippet="Where rivers end; 1 < 2"),
        SearchHit(url="https://example.com/b", title="https://example.com/b", snippet=""),
    )
    (request,) = server.requests
    assert request.target == "/brave?q=rivers+and+seas&count=5"
    assert request.headers["x-subscription-token"] == "k3y"


async def test_brave_without_a_match_gives_nothing(server, brave):
    server.routes["/brave"] = as_json({"query": {}})
    assert await brave.search("nothing", 5) == ()


async def test_queries_are_bounded(server, brave):
    server.routes["/brave"] = as_json(BRAVE)
    await brave.search("word " * 200, 500)
    assert server.requests[0].target == "/brave?q=" + "+".join(["word"] * 50) + "&count=20"


async def test_searxng_gives_as_many_hits_as_asked(server, searxng):
    server.routes["/search"] = as_json(SEARXNG)
    hits = await searxng.search("rivers", 3)
    assert [hit.url for hit in hits] == [f"https://example.com/{n}" for n in range(3)]
    assert hits[0].snippet == "Text 0"
    assert server.requests[0].target == "/search?q=rivers&format=json"


async def test_a_reply_without_a_list_of_results_says_what_to_check(server, searxng):
    server.routes["/search"] = as_json({"results": "none"})
    with pytest.raises(BadReply, match="JSON without a list of results") as failed:
        await searxng.search("rivers", 3)
    assert failed.value.provider == "searxng"
    assert "search.formats" in failed.value.hint


async def test_a_refusal_says_what_to_do_and_holds_no_key(server, brave, searxng):
    server.routes["/search"] = server.routes["/brave"] = Reply("no", status=403)
    with pytest.raises(ProviderRejected) as refused:
        await searxng.search("rivers", 3)
    assert "search.formats" in refused.value.hint
    with pytest.raises(ProviderRejected) as refused:
        await brave.search("rivers", 3)
    assert "k3y" not in str(refused.value.as_dict())


def test_no_service_is_the_default():
    assert search_provider(WebSettings()) is None


@pytest.mark.parametrize(
    "settings", [{"search": "brave"}, {"search": "brave", "search_key": ""}, {"search": "searxng"}]
)
def test_a_service_without_what_it_needs_is_refused(settings):
    with pytest.raises(ConfigurationError) as refused:
        search_provider(WebSettings(**settings))
    assert refused.value.hint.startswith("Set FRASIER_WEB__SEARCH_")


@pytest.mark.parametrize("host", ["wiki", "http://wiki:80", "wiki:", "[::1]", "wiki:http"])
def test_private_hosts_are_named_with_their_port(host):
    with pytest.raises(ValueError, match="host:port"):
        WebSettings(allow_private_hosts=frozenset({host}))


def test_the_key_is_not_shown():
    assert "k3y" not in repr(WebSettings(search="brave", search_key="k3y"))
